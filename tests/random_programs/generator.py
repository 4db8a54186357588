"""Random programs of NumPy array code with a loop, as scientists write them, and arguments for them.

A program is a module with one function ``run``, made from a seed: the same seed gives the same program. Its
statements are right Python; what they do with the arrays may raise, and must raise after rewriting too.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass
from typing import Any

from random_aliases import between
from random_arguments import CASES, arguments
from random_hazards import HELPERS
from random_loops import loop, statements
from random_scope import Scope, Variable
from random_setup import arrays, numbers
from random_statements import LANEWISE, Lines
from random_whole import WHOLE

__all__ = ["CASES", "Program", "program"]


@dataclass(frozen=True)
class Program:
    """A program and its arguments; the function is called ``run``."""

    seed: int
    text: str
    parameters: tuple[Variable, ...]
    rank: int

    def arguments(self, index: int) -> tuple[Any, ...]:
        """The arguments of one case, below ``CASES``: the same at each call, with arrays of their own."""
        return arguments(self.seed, index, self.parameters, self.rank)


def program(seed: int) -> Program:
    """The program of a seed."""
    rng = random.Random(seed)
    scope = Scope(rng, rank=rng.choice([1, 1, 1, 1, 2, 2, 2, 3]))
    makers = rng.choice([LANEWISE, LANEWISE, WHOLE, WHOLE, LANEWISE + WHOLE])
    setup = arrays(scope) + numbers(scope)
    before = statements(scope, LANEWISE, rng.choice([0, 0, 0, 1, 2]))
    kept, seen = between(scope)
    loops = [line for _ in range(rng.choice([1] * 9 + [2])) for line in loop(scope, makers)]
    after = statements(scope, LANEWISE, rng.choice([0, 0, 0, 0, 1]))
    body = [*setup, *before, *kept, *loops, *after, _result(scope, seen)]
    parameters = [each for each in scope.variables + scope.numbers if each.parameter]
    used = _names("\n".join(["def run():", *(f"    {line}" for line in body)]))
    used |= {"trips"} if "trips" in "\n".join(scope.functions) else set()
    for name in ("rows", "size", "trips"):
        if name in used:
            parameters.append(Variable(name, "int", "number", parameter=True))
    return Program(seed, _module(scope, parameters, body, used), tuple(parameters), scope.rank)


def _module(scope: Scope, parameters: list[Variable], body: Lines, used: set[str]) -> str:
    used = used | _names("\n".join(scope.functions))
    imports = ["import math"] if "math" in used else []
    helpers = HELPERS if used & _names(HELPERS) - {"np", "v", "w", "by"} else ""
    signature = ", ".join(map(_annotated, parameters))
    lines = [
        *imports,
        "import numpy as np",
        "import numpy.typing as npt",
        helpers,
        *scope.functions,
        f"def run({signature}):",
        *(f"    {line}" for line in body),
    ]
    return ast.unparse(ast.parse("\n".join(lines))) + "\n"


def _names(text: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _annotated(parameter: Variable) -> str:
    if parameter.shape == "number":
        return f"{parameter.name}: {parameter.dtype}"
    dtype = "bool_" if parameter.dtype == "bool" else parameter.dtype
    return f"{parameter.name}: npt.NDArray[np.{dtype}]"


def _result(scope: Scope, seen: list[str]) -> str:
    names = [each.name for each in scope.variables]
    if scope.chance(0.25):
        names += scope.rng.sample(scope.returned, k=min(len(scope.returned), 2))
    if scope.chance(0.1):
        names = names[:1]
    return f"return {', '.join(dict.fromkeys([*names, *seen]))}"
