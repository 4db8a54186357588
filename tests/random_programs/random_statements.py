"""Random statements that compute each element by itself; a maker that does not fit returns no lines."""

from __future__ import annotations

from random_expressions import condition, expression
from random_scope import Scope, Variable, under

Lines = list[str]


def assignment(scope: Scope) -> Lines:
    """``x = ...``, a new array under the same name."""
    target = scope.rng.choice(scope.arrays("fic"))
    return [f"{target.name} = {expression(scope, target.dtype)}"]


def full_store(scope: Scope) -> Lines:
    """``x[...] = ...`` or ``x[:] = ...``, in place."""
    target = scope.rng.choice(scope.variables)
    index = scope.rng.choice(["...", ":"])
    return [f"{target.name}[{index}] = {_stored(scope, target)}"] if target.shape == "grid" else []


def _stored(scope: Scope, target: Variable) -> str:
    """A value for a store into ``target``; now and then of another dtype, which is cast."""
    others = scope.arrays("fi") if target.kind in "fi" and scope.chance(0.2) else []
    return expression(scope, scope.rng.choice(others).dtype if others else target.dtype)


def augmented(scope: Scope) -> Lines:
    """``x += ...``."""
    target = scope.rng.choice(scope.arrays("fic"))
    if target.kind == "i":
        sign = scope.rng.choice(["+=", "-=", "*=", "^=", "&="])
    else:
        sign = scope.rng.choice(["+=", "-=", "*="])
    if scope.chance(0.2):
        return [f"{target.name} {sign} {scope.rng.choice(['1', '2', '0.5', 'True', '3'])}"]
    if scope.chance(0.1):
        return [f"{target.name} /= 2"]
    return [f"{target.name} {sign} {expression(scope, target.dtype, depth=1)}"]


def mask(scope: Scope) -> Lines:
    """``m = x > 0.3``."""
    reused = scope.masks and scope.chance(0.3)
    name = scope.rng.choice(scope.masks) if reused else scope.fresh("m", "inside", "alive", "hot")
    if reused and scope.chance(0.4):
        return [f"{name} {scope.rng.choice(['&=', '|='])} {condition(scope)}"]
    line = f"{name} = {condition(scope)}"
    if name not in scope.masks:
        scope.masks.append(name)
        scope.returned.append(name)
    return [line]


def masked_store(scope: Scope) -> Lines:
    """``x[m] = f(x[m], y[m])``, ``k[m] = n``, ``x[x > 1] = 1``."""
    target = scope.rng.choice(scope.arrays("ficb"))
    lines = [] if scope.masks else mask(scope)
    chosen = scope.rng.choice(scope.masks)
    if scope.chance(0.2):
        chosen = f"~{chosen}"
    if scope.chance(0.15):
        return [f"{target.name}[{condition(scope)}] = {_fill(scope, target)}"]
    if scope.chance(0.2):
        return [*lines, f"{target.name}[{chosen}] = {_fill(scope, target)}"]
    others = scope.arrays("fi") if target.kind in "fi" and scope.chance(0.15) else [target]
    value = expression(scope, scope.rng.choice(others).dtype, under(chosen))
    sign = scope.rng.choice(["=", "=", "+=", "-=", "*="]) if target.kind in "fic" else "="
    return [*lines, f"{target.name}[{chosen}] {sign} {value}"]


def _fill(scope: Scope, target: Variable) -> str:
    if target.kind == "b":
        return scope.rng.choice(["True", "False"])
    if target.kind == "i":
        numbers = [each.name for each in scope.numbers]
        return scope.rng.choice(["0", "1", "7", "2.7", scope.counter or "5", *numbers])
    if target.kind == "c":
        return scope.rng.choice(["0", "1.5", "1j", "0.5 - 0.5j"])
    return scope.rng.choice(["0", "0.0", "-1.0", "1", "np.pi", scope.counter or "0.5"])


def select(scope: Scope) -> Lines:
    """``x = np.where(m, a, b)``."""
    target = scope.rng.choice(scope.arrays("fic"))
    chosen = scope.rng.choice(scope.masks) if scope.masks else condition(scope)
    a, b = (expression(scope, target.dtype, depth=1) for _ in range(2))
    index = scope.rng.choice(["", "", "[...]", "[:]"])
    return [f"{target.name}{index} = np.where({chosen}, {a}, {b})"]


def temporary(scope: Scope) -> Lines:
    """``step = ...`` and its use."""
    target = scope.rng.choice(scope.arrays("fic"))
    name = scope.fresh("step", "change", "part", "term")
    value = expression(scope, target.dtype)
    scope.returned.append(name)
    use = scope.rng.choice(
        [
            "{x} = {x} * 0.5 + {t}",
            "{x} += {t}",
            "{x} -= {t}",
            "{x}[...] = {t}",
            "{t} *= 2\n{x} = {x} - {t}",
            "{x} = {t}",
        ]
    )
    return [f"{name} = {value}", *use.format(x=target.name, t=name).split("\n")]


def several(scope: Scope) -> Lines:
    """``x, y = f(x, y), g(x, y)``."""
    targets = scope.rng.sample(scope.arrays("fic"), k=min(2, len(scope.arrays("fic"))))
    names = ", ".join(each.name for each in targets)
    values = ", ".join(expression(scope, each.dtype) for each in targets)
    return [f"{names} = {values}"] if len(targets) == 2 else []


def cast(scope: Scope) -> Lines:
    """``k = (3 * x).astype(np.int64)`` and the other way round."""
    integers, floats = scope.arrays("i"), scope.arrays("f")
    if not integers or not floats:
        return []
    k, x = scope.rng.choice(integers), scope.rng.choice(floats)
    return scope.rng.choice(
        [
            [f"{k.name} = (3 * {x.name}).astype(np.{k.dtype})"],
            [f"{k.name}[...] = {x.name} * 4"],
            [f"{x.name} = {k.name}.astype('{x.dtype}') * 0.125"],
            [f"{x.name} += {k.name}"],
            [f"{x.name} = {x.name} * 0.5 + {k.name}"],
            [f"{x.name}[...] = {k.name} / 3"],
        ]
    )


def time(scope: Scope) -> Lines:
    """A number computed from the counter."""
    floats = scope.arrays("f")
    if scope.counter is None or not floats:
        return []
    x, n = scope.rng.choice(floats).name, scope.counter
    name = scope.fresh("t", "phase", "now")
    rate = scope.rng.choice([each.name for each in scope.numbers if each.kind == "f"] or ["0.1"])
    scope.returned.append(name)
    return scope.rng.choice(
        [
            [f"{name} = {n} * {rate}", f"{x} = 0.9 * {x} + 0.1 * np.sin({name})"],
            [f"{name} = math.sin({n} * {rate})", f"{x} += 0.1 * {name}"],
            [f"{name} = {rate} / ({n} + 1)", f"{x} = {x} * (1 - {name})"],
            [f"{name} = 2 * {n} + 1", f"{x} = {x} * 0.5 + {name} * 0.01"],
        ]
    )


LANEWISE = [
    assignment,
    assignment,
    full_store,
    augmented,
    augmented,
    mask,
    masked_store,
    masked_store,
    masked_store,
    select,
    temporary,
    several,
    cast,
    time,
]
