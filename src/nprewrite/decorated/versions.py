"""The version of a decorated function for one signature, and its settings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import text_tree, walk
from nprewrite.decorated.observing import Observer
from nprewrite.decorated.signatures import Signature
from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.runtime.api.step import Step
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.types.observed import Observed
from nprewrite.types.values import Value

if TYPE_CHECKING:
    from nprewrite.runtime.numba.decorator import Native

P = ParamSpec("P")
R = TypeVar("R")

_MOST_CALLS = 2**11
"""Loops that need more calls than this before compiling pays do next to nothing in each: a call of compiled
code takes as long."""
_STEP_S = 3e-6
"""What it takes to come to a step that runs as written."""


@dataclass(frozen=True)
class Version(Generic[P, R]):
    """The function for one signature: what runs, its text, and the outcomes.

    ``given`` and ``observed`` hold what was known of the arguments and of expressions.
    """

    function: Callable[P, R]
    source: str
    rewriting: Rewriting
    only_prepared: bool = False
    """Whether the only rewrites are those that prepare for other passes, which then did nothing."""
    steps: tuple[Any, ...] = ()
    given: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    observed: Observed = field(default_factory=dict)

    @property
    def compiled_runs(self) -> int:
        """How often a step of this version has run compiled, or as array code instead of calls."""
        return sum(step.runs["compiled"] + step.runs["numpy"] for step in self.steps)

    @property
    def reached(self) -> int:
        """How often calls have come to one of its steps."""
        return sum(step.runs.total() for step in self.steps)

    @property
    def rewritten_by(self) -> frozenset[str]:
        """The codes of the passes that rewrote something."""
        return frozenset(each.code for each in self.rewriting.sites if each.outcome is Outcome.REWRITTEN)

    @property
    def vectorized(self) -> bool:
        """Whether what it became is faster without steps: array code for loops, products, transforms."""
        return not self.rewritten_by.isdisjoint(("NPR104", "NPR405", "NPR406", "NPR304", "NPR305"))

    @property
    def waiting(self) -> tuple[Native, ...]:
        """Scalar loops that will be compiled after a number of further calls, if it is not too large."""
        natives = (each for each in self._natives() if each.waits)
        return tuple(
            each for each in natives if each.calls_left is not None and each.calls_left <= _MOST_CALLS
        )

    @property
    def long_rows(self) -> int:
        """How often a loop over rows was left to NumPy because the rows were too long for it."""
        return sum(each.long_rows for each in self._natives())

    @property
    def is_in_vain(self) -> bool:
        """Whether NumPy was kept for all steps that ran, and loops over elements that run compiled, or will,
        spare less than coming to all those steps takes."""
        choices, natives = [*self.choices()], [*self._natives()]
        awaited = any(each.runs["as written: compiling"] for each in natives)
        spared = sum(each.spared_s for each in natives)
        in_numpy = bool(choices) and all(each.kept == "original" for each in choices)
        return in_numpy and not awaited and spared <= self.reached * _STEP_S and not self.vectorized

    @cached_property
    def spares_python(self) -> bool:
        """Whether loops over single elements became array code or native loops, with all their iterations.

        Python takes a hundred times as long for such loops, but not where a condition skips iterations that
        the array code computes.
        """
        done = [each for each in self.rewriting.sites if each.outcome is Outcome.REWRITTEN]
        whole = {each.line for each in done if each.code == "NPR405"}
        with unheard(*OF_SYNTAX):
            tree = text_tree(self.rewriting.source)
        loops = (each for each in walk(tree) if isinstance(each, ast.For) and each.lineno in whole)
        if any(isinstance(each, ast.If | ast.IfExp | ast.While) for loop in loops for each in walk(loop)):
            return False
        return bool(whole) or any(each.code == "NPR407" for each in done)

    @property
    def has_short_runs(self) -> bool:
        """Whether a native loop runs as written, because calling it takes longer than its few iterations."""
        return any(each.short_runs.written for each in self._natives())

    def look(self) -> None:
        """Look at the next runs of native loops: other arguments may give them more to do."""
        for each in self._natives():
            each.look()

    def _natives(self) -> Iterator[Native]:
        """Its loops over elements; what runs them is imported with the first."""
        return (each for each in self.steps if not isinstance(each, Step))

    def parts(self) -> dict[str, tuple[str, ...]]:
        """For each step, by its name, how it ran."""
        return {step.__name__: tuple(step.report()) for step in self.steps}

    def choices(self) -> Iterator[Choice]:
        """The turns of its steps, for all sizes so far."""
        return (each for step in self.steps for each in step.choices.values())


@dataclass(frozen=True)
class Observation(Generic[P, R]):
    """The function as written for one signature, observed for the types that its text does not tell."""

    function: Callable[P, R]
    observer: Observer
    signature: Signature


@dataclass(frozen=True)
class Settings:
    """What the decorator's arguments ask for."""

    options: Options
    tune: bool
    verify: str | None
    on_mismatch: str
    on_fallback: str
    device: str | None = None
    mode: str | None = None
    wait: bool = False

    @property
    def waits(self) -> bool:
        """Whether calls wait for compiled code: what is measured or compared has to be there."""
        return self.wait or self.tune or self.verify is not None
