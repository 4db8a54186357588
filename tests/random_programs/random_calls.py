"""Functions made by factories, and functions that are called several times with arguments of other kinds."""

from __future__ import annotations

from random_loops import loop
from random_module import Made, indented, module
from random_scope import Scope, Variable
from random_statements import LANEWISE, Lines
from random_whole import WHOLE

_ARGUMENTS = [
    "{x}, {y}",
    "{x}, {y}",
    "{x}.copy(), {y}.copy()",
    "{x}, {x}",
    "{x}[::2], {y}[::2]",
    "{x}[::-1], {y}",
    "{x}.astype(np.float32), {y}",
    "{x}.astype(np.float32), {y}.astype(np.float32)",
    "{x}.astype(np.int64), {y}",
    "{x} + 1j, {y}",
    "{x}.tolist(), {y}",
    "{x}[:0], {y}[:0]",
    "{x}[0], {y}[0]",
    "{x}[None], {y}[None]",
    "{x}.reshape(-1), {y}.reshape(-1)",
    "{x}[1:], {y}",
    "float({x}.flat[0]), 0.5",
    "None, {y}",
    "{x}, 2",
    "np.ma.masked_array({x}), {y}",
    "np.asfortranarray({x}), {y}",
]
_MAKERS = {
    "closure": ["def make(factor, offset):", "{body}", "    return step", "step = make(0.5, 0.25)"],
    "anew": ["def make(factor, offset):", "{body}", "    return step"],
    "default": ["factor = 0.5", "offset = 0.25", "{plain}"],
    "global": ["factor = 0.5", "offset = 0.25", "{plain}"],
    "recursive": ["factor = 0.5", "offset = 0.25", "{plain}"],
}


def calls(scope: Scope) -> Made:
    """Some calls of one function, or of each that a factory makes; what each gave or raised."""
    rng = scope.rng
    single = rng.choice(["float64", "float64", "float32"])
    scope.variables += [Variable("x", single, parameter=True), Variable("y", single, parameter=True)]
    inner = loop(scope, rng.choice([LANEWISE, WHOLE]))
    scope.variables = scope.variables[:2]
    kind = rng.choice([*_MAKERS])
    definition = _definition(scope, kind, inner)
    plain = definition if kind not in ("closure", "anew") else []
    above: Lines = []
    for line in _MAKERS[kind]:
        above += indented(definition) if line == "{body}" else plain if line == "{plain}" else [line]
    trips = rng.choice(["trips", "trips", "3"])
    given = rng.choices(_ARGUMENTS, k=rng.choice([2, 3, 4]))
    given *= rng.choice([1, 1, 2, 3])
    body = ["log = []"]
    for number, each in enumerate(given):
        words = each.replace("{x}", "x").replace("{y}", "y")
        named = f"make({0.5 + 0.25 * (number % 2)}, {number})" if kind == "anew" else "step"
        body += [
            "try:",
            f"    log.append({named}({words}, {trips}))",
            "except Exception as error:",
            "    log.append((type(error).__name__, str(error)))",
        ]
    if kind == "closure":
        body += ["other = make(2.0, trips)", "log.append(other(x, y, 2))"]
    return module(scope, [*body, "return x, y, log"], above=above, annotated=scope.chance(0.7))


def _definition(scope: Scope, kind: str, inner: Lines) -> Lines:
    """The function that is called: with the decorator, or without, so that it may be put there."""
    decorated = ["@nprewrite.jit"] if scope.chance(0.5) else []
    header = "def step(x, y, trips, factor=factor):" if kind == "default" else "def step(x, y, trips):"
    firsts = ["x = x * factor + offset", "x *= factor", "y = y * factor", "x[...] = x * factor"]
    first = scope.rng.choice(firsts)
    body = [first, *inner] if scope.chance(0.7) else [*inner, first]
    if kind == "recursive":
        body = ["if trips <= 0:", "    return x, y", *inner, "return step(x * factor, y + offset, trips - 4)"]
    return [*decorated, header, *indented([*body, "return x, y"])]
