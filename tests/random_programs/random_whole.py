"""Random statements over whole arrays: slices, reductions, shifts, products, views."""

from __future__ import annotations

from random_expressions import condition, expression
from random_scope import Leaf, Scope, Variable
from random_statements import Lines

_INNER = {1: "1:-1", 2: "1:-1, 1:-1", 3: "1:-1, 1:-1, 1:-1"}


def stencil(scope: Scope) -> Lines:
    """``u[1:-1] = 0.5 * (u[:-2] + u[2:])`` and the like."""
    target = scope.rng.choice(scope.arrays("fic"))
    leaf = _neighbours(scope)
    sign = scope.rng.choice(["=", "=", "=", "+=", "-="])
    return [f"{target.name}[{_INNER[scope.rank]}] {sign} {expression(scope, target.dtype, leaf)}"]


def _neighbours(scope: Scope) -> Leaf:
    """Leaves that are slices of the shape of the inner points."""

    def leaf(variable: Variable) -> str:
        axis = scope.rng.randrange(scope.rank)
        parts = ["1:-1"] * scope.rank
        parts[axis] = scope.rng.choice(["1:-1", ":-2", "2:"])
        return f"{variable.name}[{', '.join(parts)}]"

    return leaf


def boundary(scope: Scope) -> Lines:
    """``u[0] = u[-2]``, ``u[:, -1] = 0``."""
    target = scope.rng.choice(scope.arrays("ficb")).name
    place, other = scope.rng.sample(["0", "-1", "1", "-2"], k=2)
    if scope.rank == 2 and scope.chance(0.6):
        place, other = (f":, {each}" for each in (place, other))
    value = f"{target}[{other}]"
    if scope.chance(0.5):
        value = scope.rng.choice(["0", "1", f"{value} * 0.5", f"0.5 * {value} + 0.25"])
    sign = scope.rng.choice(["=", "=", "=", "+="])
    return [f"{target}[{place}] {sign} {value}"]


def halves(scope: Scope) -> Lines:
    """Slices of one end: ``u[1:] += u[:-1]``, ``u[::2] = 0``, ``u[::-1]``."""
    variable = scope.rng.choice(scope.arrays("fic"))
    u = variable.name
    return scope.rng.choice(
        [
            [f"{u}[1:] += {u}[:-1]"],
            [f"{u}[1:] = {u}[:-1]"],
            [f"{u}[:-1] = 0.5 * {u}[1:]"],
            [f"{u}[::2] = 1"],
            [f"{u}[1::2] *= 2"],
            [f"{u}[::2] = {u}[::2] - {u}[0]"],
            [f"{u} = {u}[::-1] * 0.5"],
            [f"{u}[...] = {u}[::-1]"],
            [f"{u} = {u}[::-1]"],
            [f"{u}[:3] = {u}[-3:]"],
            [f"{u}[1:-1] -= 0.25 * ({u}[2:] - {u}[:-2])"],
        ]
    )


def reduction(scope: Scope) -> Lines:
    """``s = x.sum()`` and its use."""
    variable = scope.rng.choice(scope.arrays("fic"))
    x = variable.name
    name = scope.fresh("total", "mean", "top", "size_of_x", "drift")
    value = scope.rng.choice(
        [
            f"{x}.sum()",
            f"np.sum({x})",
            f"{x}.mean()",
            f"np.mean({x})",
            f"np.max(np.abs({x}))",
            f"{x}.min()",
            f"np.linalg.norm({x})",
            f"({x} * {x}).sum()",
            f"np.sqrt(({x} * {x}).mean())",
            f"{x}.std()",
            f"np.abs({x}).max()",
            f"np.count_nonzero({condition(scope)})",
            f"{x}.ravel() @ {x}.ravel()" if scope.rank > 1 else f"{x} @ {x}",
        ]
    )
    scope.returned.append(name)
    target = scope.rng.choice(scope.arrays(variable.kind, variable.dtype)).name
    use = scope.rng.choice(
        [
            f"{target} = {target} / (1 + abs({name}))",
            f"{target} -= 0.1 * {name}",
            f"{target}[{target} > {name}] = {name}" if variable.kind != "c" else f"{target} *= 0.5",
            f"{target} = np.where({x} > {name}, {target}, 0.5 * {target})",
            f"{target}[0] = {name}",
            f"{target} *= {name} < 3",
            "",
        ]
    )
    return [f"{name} = {value}", *([use] if use else [])]


def masked_reduction(scope: Scope) -> Lines:
    """``s = x[m].sum()`` and its use."""
    variable = scope.rng.choice(scope.arrays("fic"))
    x = variable.name
    chosen = scope.rng.choice(scope.masks) if scope.masks and scope.chance(0.7) else condition(scope)
    name = scope.fresh("share", "weight", "left", "largest")
    pattern = scope.rng.choice(
        [
            "{x}[{m}].sum()",
            "np.sum({x}[{m}])",
            "{x}[{m}].mean()",
            "np.mean({x}[{m}])",
            "{x}[{m}].size",
            "np.count_nonzero({x}[{m}])",
            "({x}[{m}] > 1).any()",
            "{x}[{m}].max()",
            "np.min({x}[{m}])",
            "np.count_nonzero({m})",
            "({m}).sum()",
            "{x}[{m}].prod()",
            "{x}[{m}].all()",
        ]
    )
    scope.returned.append(name)
    use = scope.rng.choice(["{x} = {x} * 0.5 + 0.01 * {s}", "{x}[{m}] = {s}", "{x}[{m}] -= {s}", "", ""])
    lines = [f"{name} = {pattern}", *([use] if use else [])]
    return [each.format(x=x, m=chosen, s=name) for each in lines]


def axis_reduction(scope: Scope) -> Lines:
    """Sums and largest elements along an axis, broadcast back."""
    x = scope.rng.choice(scope.arrays("f")).name if scope.arrays("f") else None
    if x is None or scope.rank == 1:
        return []
    return [
        scope.rng.choice(
            [
                f"{x} -= 0.5 * {x}.mean(axis=0)",
                f"{x} = {x} / (1 + np.abs({x}).max(axis=1, keepdims=True))",
                f"{x} = {x} - {x}.sum(axis=1, keepdims=True) * 0.1",
                f"{x}[0] = {x}.mean(axis=0)",
                f"{x} += {x}.mean(axis=1)[:, None] * 0.1",
                f"{x} = {x} / (1 + np.sum({x} * {x}, axis=-1)[:, np.newaxis])",
                f"{x}[:, 0] = {x}.max(axis=1)",
                f"{x} = np.cumsum({x}, axis=1) * 0.1",
                f"{x} = {x} - np.flip({x}, axis=0) * 0.2",
                f"{x} -= {x}.mean(axis=0, keepdims=True) * np.linalg.norm({x}, axis=1)[:, None] * 0.01",
                f"{x} = np.concatenate([{x}[1:], {x}[:1]]) * 0.9",
                f"{x} = np.vstack([{x}[:-1], {x}[:1] * 0.5])",
                f"{x} = {x} * 0.5 + {x}.std(axis=1, ddof=0)[:, None] * 0.1",
                f"{x} = np.sort({x}, axis=0) * 0.5",
            ]
        )
    ]


def shift(scope: Scope) -> Lines:
    """np.roll, np.cumsum, np.diff."""
    variable = scope.rng.choice(scope.arrays("fic"))
    x = variable.name
    by = scope.rng.choice(["1", "-1", "2", "3"])
    axis = f", axis={scope.rng.randrange(scope.rank)}" if scope.rank > 1 and scope.chance(0.8) else ""
    return [
        scope.rng.choice(
            [
                f"{x} = 0.5 * {x} + 0.25 * np.roll({x}, {by}{axis})",
                f"{x} += np.roll({x}, {by}{axis}) - {x}",
                f"{x}[...] = np.roll({x}, {by}{axis})",
                f"{x} = np.roll({x}, {by}{axis})",
                f"{x} = np.cumsum({x}{axis or ', axis=0'}) * 0.1",
                f"{x}[1:] = np.diff({x}, axis=0)",
                f"{x} = np.roll({x}, shift={by}{axis}) - {x}",
            ]
        )
    ]


def product(scope: Scope) -> Lines:
    """Matrix products of square matrices, and with a vector; transposes."""
    if scope.rank != 2 or not scope.arrays("f"):
        return []
    variable = scope.rng.choice(scope.arrays("f"))
    A = variable.name
    B = scope.rng.choice(scope.arrays("f", variable.dtype)).name
    rows = [each.name for each in scope.variables if each.shape == "row" and each.dtype == variable.dtype]
    choices = [
        f"{A} = {A} @ {B} * 0.1",
        f"{A} = 0.5 * ({A} + {A}.T)",
        f"{A} += 0.1 * np.dot({A}, {B})",
        f"{A}[...] = {A}.T",
        f"{A} = {A}.T * 0.9",
        f"{A} = np.tanh({A} @ {B}.T)",
        f"{A} = {A}.T",
        f"{A} += {A}.T",
    ]
    if rows:
        choices += [f"{rows[0]} = np.tanh({A} @ {rows[0]})", f"{A} += 0.1 * ({A} @ {rows[0]})[:, None]"]
    return [scope.rng.choice(choices)]


def view(scope: Scope) -> Lines:
    """A view of part of an array, and stores through it."""
    variable = scope.rng.choice(scope.arrays("fic"))
    name = scope.fresh("inner", "odd", "part", "edge")
    cut = scope.rng.choice([_INNER[scope.rank], "1::2", ":-1", "0", "::-1", ":", "-1", "..."])
    scope.returned.append(name)
    use = scope.rng.choice(
        [
            "{v} *= 0.5",
            "{v} += {x}[{c}] * 0.5",
            "{v}[...] = 0.25",
            "{x} *= 0.5\n{v} += 1",
            "{v} -= {v}.mean()",
            "{v}[0] = 1",
            "{v}[{v} > 1] = 1",
            "{x}[0] = {v}[-1]",
            "{v} = {v} * 2\n{x}[{c}] = {v}",
        ]
    )
    lines = use.format(v=name, x=variable.name, c=cut).split("\n")
    return [f"{name} = {variable.name}[{cut}]", *lines]


def stencil_copy(scope: Scope) -> Lines:
    """``v = u.copy()``, stores into it, ``u = v``."""
    variable = scope.rng.choice(scope.arrays("fic"))
    u, v = variable.name, scope.fresh("new", "v")
    scope.returned.append(v)
    value = expression(scope, variable.dtype, _neighbours(scope))
    last = scope.rng.choice([f"{u} = {v}", f"{u} = {v}", f"{u}[...] = {v}", f"{u} = {v}.copy()"])
    return [f"{v} = {u}.copy()", f"{v}[{_INNER[scope.rank]}] = {value}", last]


def two_levels(scope: Scope) -> Lines:
    """Names of time levels move on: ``before = now``, ``now = after``."""
    variable = scope.rng.choice(scope.arrays("fic"))
    same = [each for each in scope.arrays(variable.kind, variable.dtype) if each != variable]
    if not same:
        return []
    before, now, after = scope.rng.choice(same).name, variable.name, scope.fresh("after", "ahead")
    scope.returned.append(after)
    axis = ", axis=0" if scope.rank > 1 else ""
    value = scope.rng.choice(
        [
            f"1.5 * {now} - 0.7 * {before} + 0.1 * np.roll({now}, 1{axis})",
            f"0.5 * ({now} + {before})",
            f"0.9 * {now} - 0.1 * {before}",
        ]
    )
    return [f"{after} = {value}", f"{before} = {now}", f"{now} = {after}"]


WHOLE = [
    stencil,
    stencil,
    stencil,
    boundary,
    boundary,
    halves,
    reduction,
    reduction,
    masked_reduction,
    axis_reduction,
    shift,
    product,
    view,
    view,
    stencil_copy,
    two_levels,
]
