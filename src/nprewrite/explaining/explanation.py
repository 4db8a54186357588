"""What is explained: a file, or one function of it, as plain data that travels between processes."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from nprewrite.engine.outcomes import Outcome, Rewriting, Site, Stage
from nprewrite.explaining.known import FunctionFacts, facts_of, lines_of
from nprewrite.explaining.running import Graph, Running
from nprewrite.files.diff import text_diff
from nprewrite.program.function import Function, Module
from nprewrite.source.document import Document
from nprewrite.verification.problems import CannotVerify


@dataclass(frozen=True)
class PassChange:
    """What one pass changed: its number in the order of the passes that changed something, and the diff."""

    number: int
    code: str
    name: str
    diff: str
    sites: tuple[Site, ...]


@dataclass(frozen=True)
class Explanation:
    """What the rewriter saw in the file ``path`` and did with it.

    ``lines`` are those of ``function`` where one is asked for; sites, facts and changes are then of it alone.
    ``running`` is what calls of it showed; it was then rewritten as ``nprewrite.jit`` does at these calls.
    """

    path: str
    function: str | None
    lines: range | None
    rewriting: Rewriting
    sites: tuple[Site, ...]
    facts: tuple[FunctionFacts, ...]
    changes: tuple[PassChange, ...]
    running: Running | None = None

    def user_line(self, line: int | None) -> int | None:
        """The line as written that a line of the rewritten text stands for."""
        origins = self.rewriting.origins
        if line is None or not origins:
            return line
        return origins[line - 1] if line <= len(origins) else None

    @property
    def counts(self) -> str:
        """How many sites had which outcome."""
        outcomes = [site.outcome for site in self.sites]
        counts = (f"{outcomes.count(each)} {each}" for each in Outcome if each in outcomes)
        return f"sites: {', '.join(counts) or 'none'}"

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """What was compiled, where calls were run."""
        return self.running.compiled.graphs if self.running is not None else ()

    @property
    def refused(self) -> tuple[Site, ...]:
        """The sites that stay as they are."""
        return tuple(site for site in self.sites if site.outcome in (Outcome.REFUSED, Outcome.UNUSED))

    @property
    def deferred(self) -> tuple[Site, ...]:
        """The sites that wait for the types of a call."""
        return tuple(site for site in self.sites if site.outcome is Outcome.DEFERRED)


def explained(path: str, rewriting: Rewriting, wanted: str | None) -> Explanation:
    """The rewriting of a file, explained; ``wanted`` is the qualified name of one function.

    Raises ``CannotVerify`` where the file has no such function; the message names those that it has.
    """
    module = Module(Document(rewriting.source), {})
    functions = {each.name: each for each in module.functions}
    if wanted is not None and wanted not in functions:
        known = ", ".join(name for name in functions if name != "<module>") or "none"
        raise CannotVerify(f"{path} has no function {wanted}; its functions are: {known}")
    chosen = functions[wanted] if wanted is not None else None
    lines = _range(chosen) if chosen is not None else None
    sites = tuple(site for site in rewriting.sites if lines is None or site.line in lines)
    looked_at = [chosen] if chosen is not None else _with_sites(list(functions.values()), sites)
    return Explanation(
        path,
        wanted,
        lines,
        rewriting,
        sites,
        tuple(facts_of(each) for each in looked_at),
        _changes(path, rewriting, sites, lines),
    )


def explained_by_calls(path: str, running: Running, name: str) -> Explanation:
    """What the decorator made of the function ``name`` at its calls, explained."""
    compiled = running.compiled
    first, last = compiled.facts.lines
    rewriting = compiled.rewriting
    changes = _changes(path, rewriting, rewriting.sites, None)
    facts = (compiled.facts,)
    return Explanation(
        path, name, range(first, last + 1), rewriting, rewriting.sites, facts, changes, running
    )


def _changes(
    path: str, rewriting: Rewriting, sites: Sequence[Site], lines: range | None
) -> tuple[PassChange, ...]:
    """The passes that changed something, in order, each with the sites that it rewrote."""
    done = [site for site in sites if site.outcome is Outcome.REWRITTEN]
    afters = [(stage, stage.after if lines is None else _only(stage, lines)) for stage in rewriting.stages]
    diffs = [(stage, text_diff(stage.before, after, path)) for stage, after in afters]
    return tuple(
        PassChange(number, stage.code, stage.pass_name, diff, tuple(s for s in done if s.code == stage.code))
        for number, (stage, diff) in enumerate((pair for pair in diffs if pair[1]), start=1)
    )


def _only(stage: Stage, lines: range) -> str:
    """The text after a pass as if it had changed only what stands for these lines of the user's text."""
    before, after = stage.before.splitlines(keepends=True), stage.after.splitlines(keepends=True)
    pieces: list[str] = []
    for kind, old, old_end, new, new_end in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        standing = [*stage.origins_before[old:old_end], *stage.origins_after[new:new_end]]
        taken = kind != "equal" and any(line in lines for line in standing)
        pieces += after[new:new_end] if taken else before[old:old_end]
    return "".join(pieces)


def _range(function: Function) -> range:
    first, last = lines_of(function)
    return range(first, last + 1)


def _with_sites(functions: Sequence[Function], sites: Sequence[Site]) -> list[Function]:
    """The innermost functions around the sites, in the order of the text."""
    wanted = set()
    for site in sites:
        around = [each for each in functions if site.line in _range(each)]
        wanted.add(min(around, key=lambda each: len(_range(each))).name if around else "")
    return [each for each in functions if each.name in wanted]
