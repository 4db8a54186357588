"""What passes share that put the decorated function into a form in which others find more."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from nprewrite.passes.contract import RewritePass, SiteT
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import refused
from nprewrite.program.function import Function
from nprewrite.types.problems import Problem


class ServingPass(RewritePass[SiteT, Any]):
    """A pass whose sites are their own proofs, except those that are found with a problem."""

    level = Level.EXACT
    serves_others = True
    repeats = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[SiteT]:
        """The sites of the decorated function."""
        if function.step is None and function.name == function.module.jitted:
            yield from self.found(function)

    @abstractmethod
    def found(self, function: Function) -> Iterator[SiteT]:
        """The sites, in the order of the text."""

    def check(self, site: SiteT, function: Function) -> Any:
        """The site itself, or the refusal for its problem."""
        return refused(site) if isinstance(site, Problem) else site
