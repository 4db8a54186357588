"""What became of a decorated function, in the words of the person who wrote it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nprewrite.base.syntax import text_tree, walk
from nprewrite.engine.outcomes import Outcome, Site
from nprewrite.engine.wording import Said, alike, obstacles, own_words, places

Key = tuple[str, str, tuple[str, ...]]
"""What sites have in common that are reported together: pass, wording, and how they ran."""
_PREPARE = frozenset({"NPR601", "NPR604"})
"""Passes whose work is a part of what another one reports for the same lines."""
_MOST_WAYS = 4
_AROUND = frozenset({"NPR201", "NPR304", "NPR305", "NPR605"})
"""Passes that change a statement and do not decide where it runs."""
_MOVED = frozenset({"NPR403", "NPR407", "NPR410"})
"""Passes that compile a whole loop as it stands."""
_INDENT = "  "
AWAITED = "another process is finding out what it becomes, for later calls and runs"
"""What is said as long as nothing is known."""


@dataclass(frozen=True)
class Report:
    """The outcomes for one function: best news first, refusals together where one reason has several places.

    ``source`` is the user's text.
    """

    filename: str
    sites: tuple[Site, ...]
    turns: tuple[str, ...] = ()
    """For each class of calls, which version is kept and why."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each step, by its name, how it ran, and which way is kept for which sizes."""
    source: str = ""
    as_written: bool = False
    """Whether all calls keep the function as written; which side is faster in a part decides nothing then."""

    @property
    def steps(self) -> tuple[str, ...]:
        """How all steps ran."""
        return tuple(line for lines in self.parts.values() for line in lines)

    def __str__(self) -> str:
        sections = [*self._done(), *self._waiting(), *self._left()]
        if not sections and not self.turns:
            sections = ["nothing to rewrite"]
        return "\n".join([*self.turns, self.filename, *(f"{_INDENT}{each}" for each in sections)])

    def _done(self) -> Iterator[str]:
        """What was rewritten, and how it ran: what ran compiled most comes first."""
        groups: dict[Key, Said] = {}
        for site in self.sites:
            if site.outcome is not Outcome.REWRITTEN or site.code in _PREPARE:
                continue
            message, ran = self._said(site)
            groups.setdefault((site.code, alike(message), ran), Said()).add(message, site.line)
        told: dict[str, dict[str, None]] = {}
        for (code, _, ran), said in sorted(groups.items(), key=_order):
            # A function that is inlined in several places has several steps on the same lines.
            told.setdefault(f"{places(said.lines)}: {code} rewritten: {said}", {}).update(dict.fromkeys(ran))
        for head, ways in told.items():
            yield head
            yield from (f"{_INDENT}{each}" for each in [*ways][:_MOST_WAYS])
            if len(ways) > _MOST_WAYS:
                yield f"{_INDENT}and {len(ways) - _MOST_WAYS} more such lines for other calls"

    def _said(self, site: Site) -> tuple[str, tuple[str, ...]]:
        """The message without the name of a step, and how that ran."""
        name = next((each for each in self.parts if f"`{each}`" in site.message), None)
        message = re.sub(r"(?:^(the loop) )?(?:run as|runs as|runs through) `_\w+`", _piece, site.message)
        ran = () if name is None else tuple(line.removeprefix(f"`{name}` ") for line in self.parts[name])
        # How it ran tells as much.
        told = "" if self.as_written else (": compiling", ": not decided yet")
        ran = tuple(each for each in ran if not (each.startswith("for ") and each.endswith(told)))
        return own_words(message, site.line, self.source.splitlines()), ran

    def _waiting(self) -> Iterator[str]:
        found = [each for each in self.sites if each.outcome is Outcome.DEFERRED]
        if found:
            yield f"{places(each.line for each in found)}: deferred: a call shows the types that are missing"

    def _left(self) -> Iterator[str]:
        """What runs as written."""
        done = {
            each.line
            for each in self.sites
            if each.outcome is Outcome.REWRITTEN and each.code not in _PREPARE | _AROUND
        }
        inside = {*self._inside_moved_loops()}
        # What one pass refuses, another may have done; of a statement NumPy may compute a part.
        left = (
            each
            for each in self.sites
            if each.line not in inside and (each.line not in done or each.reason == "stays-in-numpy")
        )
        found = obstacles(left, self.source)
        if found:
            yield "runs as written:"
        yield from (f"{_INDENT}{each}" for each in found)

    def _inside_moved_loops(self) -> Iterator[int]:
        """The lines in loops that are compiled as they stand, whatever other passes say of these."""
        moved = {
            each.line for each in self.sites if each.outcome is Outcome.REWRITTEN and each.code in _MOVED
        }
        for each in walk(text_tree(self.source)) if moved else ():
            if isinstance(each, ast.For | ast.While) and each.lineno in moved:
                yield from range(each.lineno + 1, (each.end_lineno or each.lineno) + 1)


def _order(group: tuple[Key, Said]) -> tuple[bool, bool, int]:
    (_, _, ran), said = group
    return not any(" x compiled" in each for each in ran), not ran, min(said.lines)


def _piece(match: re.Match[str]) -> str:
    return "the loop can run compiled" if match[1] else "can run compiled as one piece"
