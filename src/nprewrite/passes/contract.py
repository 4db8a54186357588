"""What a pass is: ``match`` finds sites, ``check`` proves or refuses, ``rewrite`` edits."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec, StepSpec
from nprewrite.types.problems import Problem

if TYPE_CHECKING:
    from nprewrite.source.edits import NodeEdit
    from nprewrite.source.nodes import Statement


@dataclass(frozen=True)
class Refusal:
    """A site that stays as it is: why, in the user's terms, and at which node if not the site's own.

    ``reason`` is one of ``passes.reasons``, which reports show; ``help`` is what would help here, if it
    differs from what usually helps with this reason.
    """

    reason: str
    message: str
    at: ast.expr | ast.stmt | None = None
    help: str | None = None


@dataclass(frozen=True)
class Deferral:
    """A site that waits for the types of a call, or for the decorator, which also follows calls."""

    message: str
    help: str | None = "annotate it to have it rewritten here"
    called: str | None = None
    """The function that gets the decorator, if that is not the one with the site."""

    @classmethod
    def of(cls, problem: Problem, function: Function) -> Deferral:
        """A deferral for a problem; an annotation would not help with the object of a method."""
        return (
            cls(problem.message, help=None) if problem.parameter == function.owner else cls(problem.message)
        )


@dataclass(frozen=True)
class AddedFunction:
    """A function, of a step or native, that is added above a statement of the module."""

    name: str
    spec: StepSpec | NativeSpec
    parameters: Sequence[str]
    body: Sequence[Statement]
    before: ast.stmt
    loop: ast.stmt
    """The loop from which the function is made: its first line stands for the loop's."""
    control: Sequence[Statement] = ()
    """The generator of the loop's numbers, if there is one; it is added above the function."""


@dataclass(frozen=True)
class Change:
    """What a rewrite does: edits, a function to add, a step's decorator to replace."""

    edits: tuple[NodeEdit, ...] = ()
    step: AddedFunction | None = None
    specs: Mapping[str, StepSpec] = field(default_factory=dict)
    message: str = ""
    imports: tuple[str, ...] = ()
    """Modules of nprewrite that the new text uses, under their usual names."""


SiteT = TypeVar("SiteT")
ProofT = TypeVar("ProofT")


class RewritePass(ABC, Generic[SiteT, ProofT]):
    """Base of all passes, which name themselves and have no state."""

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    level: ClassVar[Level]
    extracts: ClassVar[bool] = False
    """Whether its rewrites make steps, which are of no use if a later pass refuses them."""
    repeats: ClassVar[bool] = False
    """Whether it goes over the text again after each of its changes."""
    names_attributes: ClassVar[bool] = False
    """Whether it sees names where the decorated function has attributes of its arguments."""
    prepares: ClassVar[bool] = False
    """Whether it runs before the types of unknown expressions are observed: it needs no types."""
    serves_others: ClassVar[bool] = False
    """Whether its rewrites gain nothing by themselves, but enable later passes."""
    waits: ClassVar[bool] = False
    """Whether its sites are worth waiting for the types of a call."""

    @abstractmethod
    def match(self, function: Function) -> Iterator[SiteT]:
        """Find the sites of one function, by syntax and types, in the order of the text."""

    def level_of(self, site: SiteT, function: Function) -> Level:
        """The level of this site's rewrite, by default that of the pass."""
        return self.level

    @abstractmethod
    def node(self, site: SiteT) -> ast.expr | ast.stmt:
        """The node at which the site is reported."""

    @abstractmethod
    def check(self, site: SiteT, function: Function) -> ProofT | Refusal | Deferral:
        """Prove the site or say why not; no side effects."""

    @abstractmethod
    def rewrite(self, site: SiteT, proof: ProofT, function: Function) -> Change:
        """Make the change; may not refuse."""


@dataclass(frozen=True)
class LoopSite(Generic[SiteT]):
    """A loop, and what was found of it, or why nothing."""

    loop: ast.stmt
    found: SiteT | Problem


class LoopPass(RewritePass[LoopSite[ProofT], ProofT]):
    """Base of the passes whose sites are loops, which are followed when they are found."""

    def node(self, site: LoopSite[ProofT]) -> ast.stmt:
        return site.loop


class ProvedPass(RewritePass[SiteT, SiteT]):
    """Base of the passes whose sites are proved when they are found."""

    def check(self, site: SiteT, function: Function) -> SiteT:
        return site


class StepPass(RewritePass[Function, ProofT]):
    """Base of the passes that improve steps: a site is a whole step function."""

    def node(self, site: Function) -> ast.stmt:
        """The definition of the step."""
        return site.as_step()[0]
