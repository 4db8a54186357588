"""Random programs of NumPy array code with a loop, as scientists write them, and arguments for them.

A program is a module with one function ``run``, made from a seed: the same seed gives the same program. Its
statements are right Python; what they do with the arrays may raise, and must raise after rewriting too.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from random_aliases import between
from random_arguments import CASES, arguments
from random_calls import calls
from random_elements import elements
from random_errors import errors
from random_held import held
from random_loops import loop, statements
from random_masks import masks
from random_module import Made, module
from random_objects import objects
from random_scope import Scope, Variable
from random_setup import arrays, numbers
from random_statements import LANEWISE
from random_straight import straight
from random_whole import WHOLE

DECORATOR = "@nprewrite.jit"

__all__ = ["CASES", "DECORATOR", "FORMS", "Program", "drawn", "program"]


@dataclass(frozen=True)
class Program:
    """A program of one of the forms and its arguments; the function is called ``run``."""

    seed: int
    form: str
    text: str
    parameters: tuple[Variable, ...]
    rank: int

    @property
    def as_written(self) -> str:
        """The text without the decorators that have functions rewritten when they are called."""
        return re.sub(rf"(?m)^ *{DECORATOR}\n", "", self.text)

    def arguments(self, index: int) -> tuple[Any, ...]:
        """The arguments of one case, below ``CASES``: the same at each call, with arrays of their own."""
        return arguments(self.seed, index, self.parameters, self.rank)


def program(seed: int, form: str = "arrays") -> Program:
    """The program of a seed."""
    return drawn(random.Random(seed if form == "arrays" else f"{form} {seed}"), seed, form)


def drawn(rng: random.Random, seed: int, form: str = "arrays") -> Program:
    """A program made by these dice; the seed is that of its arguments."""
    scope = Scope(rng, rank=rng.choice([1, 1, 1, 1, 2, 2, 2, 3]))
    text, parameters = FORMS[form](scope)
    return Program(seed, form, ast.unparse(ast.parse(text)) + "\n", tuple(parameters), scope.rank)


def _arrays(scope: Scope) -> Made:
    """Loops over whole arrays, now and then with what is hard about them."""
    rng = scope.rng
    makers = rng.choice([LANEWISE, LANEWISE, WHOLE, WHOLE, LANEWISE + WHOLE])
    setup = arrays(scope) + numbers(scope)
    before = statements(scope, LANEWISE, rng.choice([0, 0, 0, 1, 2]))
    kept, seen = between(scope)
    loops = [line for _ in range(rng.choice([1] * 9 + [2])) for line in loop(scope, makers)]
    after = statements(scope, LANEWISE, rng.choice([0, 0, 0, 0, 1]))
    return module(scope, [*setup, *before, *kept, *loops, *after, _result(scope, seen)])


def _result(scope: Scope, seen: list[str]) -> str:
    names = [each.name for each in scope.variables]
    if scope.chance(0.25):
        names += scope.rng.sample(scope.returned, k=min(len(scope.returned), 2))
    if scope.chance(0.1):
        names = names[:1]
    return f"return {', '.join(dict.fromkeys([*names, *seen]))}"


FORMS: dict[str, Callable[[Scope], Made]] = {
    "arrays": _arrays,
    "calls": calls,
    "elements": elements,
    "errors": errors,
    "held": held,
    "masks": masks,
    "objects": objects,
    "straight": straight,
}
