"""Random loops: a header, statements, now and then a hazard, and what stands around the loop."""

from __future__ import annotations

import re
from collections.abc import Callable

from random_hazards import hazard
from random_scope import Scope
from random_statements import Lines

Maker = Callable[[Scope], Lines]

_AROUND = [
    "if trips > 2:",
    "with np.errstate(all='ignore'):",
    "for frame in range(2):",
    "for frame in range(trips):",
    "if True:",
]
_HEADERS = [
    *["range(trips)"] * 8,
    "range(1, trips)",
    "range(trips, 0, -2)",
    "range(3)",
    "range(-trips, trips)",
    "range(len({x}))",
    "range({x}.size)",
    "range({x}.shape[0])",
]


def statements(scope: Scope, makers: list[Maker], count: int) -> Lines:
    """So many statements of these makers; some make several lines, some none."""
    lines: Lines = []
    for _ in range(count):
        lines += scope.rng.choice(makers)(scope)
    return lines


def loop(scope: Scope, makers: list[Maker]) -> Lines:
    """A loop over a range; the counter is bound inside of it only."""
    scope.counter = scope.rng.choice(["n", "n", "n", "step_number", "i"])
    header = scope.rng.choice(_HEADERS).replace("{x}", scope.rng.choice(scope.variables).name)
    body = statements(scope, makers, scope.rng.choice([1, 1, 2, 2, 3, 4]))
    if scope.chance(0.8):
        body = _in_place(scope, body)
    if scope.chance(0.25):
        body.insert(scope.rng.randint(0, len(body)), "\n".join(hazard(scope)))
    inner = [f"    {line}" for text in body for line in text.split("\n")] or ["    pass"]
    lines = [f"for {scope.counter} in {header}:", *inner]
    if scope.chance(0.1) and not re.search("break|continue", "\n".join(inner)):
        lines = _with_function(scope, header, inner)
    if scope.chance(0.3):
        scope.returned.append(scope.counter)
    scope.counter = None
    around = scope.rng.choice(_AROUND) if scope.chance(0.12) else ""
    return [around, *(f"    {line}" for line in lines)] if around else lines


def _with_function(scope: Scope, header: str, lines: Lines) -> Lines:
    """The loop's body in a function of the module."""
    arrays = [each.name for each in scope.variables]
    names = [*arrays, *(each.name for each in scope.numbers), str(scope.counter)]
    results = ", ".join(arrays)
    called = f"update{len(scope.functions) or ''}"
    scope.functions += [f"def {called}({', '.join(names)}):", *lines, f"    return {results}"]
    return [f"for {scope.counter} in {header}:", f"    {results} = {called}({', '.join(names)})"]


def _in_place(scope: Scope, body: Lines) -> Lines:
    """The body with arrays that are stored into never bound anew, which would be refused."""
    for each in scope.variables:
        stored = re.compile(rf"{each.name}(\[.*\] \S?=| [^ =]= )")
        if any(stored.match(line) for line in body):
            body = [re.sub(rf"^{each.name} = ", f"{each.name}[...] = ", line) for line in body]
    return body
