"""What passes share that move a loop, as written, into a function that Numba compiles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from typing import ClassVar, TypeVar

from nprewrite.passes.contract import Change, Deferral, LoopPass, LoopSite, Refusal
from nprewrite.passes.level import Level
from nprewrite.passes.native_text import moved
from nprewrite.passes.reasons import stays
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.native.loops import NativeRegion
from nprewrite.types.problems import Problem

Found = TypeVar("Found")


Site = LoopSite[NativeRegion]


class MovedLoop(LoopPass[NativeRegion]):
    """A pass whose sites are the loops that ``regions`` finds, and has followed.

    The function's name ends in ``word``; ``spec`` is its decorator.
    """

    regions: ClassVar[staticmethod[[Function], Iterator[tuple[ast.stmt, NativeRegion | Problem]]]]
    word: ClassVar[str] = "loop"
    spec: ClassVar[NativeSpec] = NativeSpec()
    level = Level.EXACT
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """The loops that can be moved, and those of which a user would expect it."""
        for loop, found in self.regions(function):
            yield LoopSite(loop, found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where a function's last bits differ from library to library."""
        rounds = isinstance(site.found, NativeRegion) and site.found.lowered.rounds
        return Level.ROUNDING if rounds else Level.EXACT

    def check(self, site: Site, function: Function) -> NativeRegion | Refusal | Deferral:
        """The loop has been followed already; Numba must be installed."""
        return followed(site.found, function)

    def rewrite(self, site: Site, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        return moved(proof, function, self.word, self.spec)


def followed(found: Found | Problem, function: Function) -> Found | Refusal | Deferral:
    """What was followed when the site was found, if Numba is installed to compile it."""
    if isinstance(found, Problem):
        return stays(found, function, at=found.node)
    if not has_numba():
        return Refusal("native-missing", "Numba is not installed")
    return found


def has_numba() -> bool:
    return find_spec("numba") is not None
