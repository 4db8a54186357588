"""The reports on files: lines for people, annotations for GitHub, one document for programs.

The lines are ``file:line:col CODE verdict: explanation (what would help)`` for a site and
``file:line:col: error: message`` for a file that failed; a summary ends the report.
"""

from __future__ import annotations

import platform
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nprewrite.base.version import VERSION
from nprewrite.cli.console import Console
from nprewrite.files.problems import Problem, printable
from nprewrite.files.work import FileResult

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Site
    from nprewrite.watching.seen import Seen


# As in nprewrite.engine.outcomes, which is not imported for --help.
OUTCOMES = ("rewritten", "refused", "deferred", "unused")
_COLOURS = {"rewritten": "green", "refused": "yellow", "deferred": "blue", "unused": "yellow"}


class Status(StrEnum):
    """What became of a file."""

    CHANGED = "changed"
    WOULD_CHANGE = "would-change"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass
class Totals:
    """How many files and sites had which outcome."""

    files: Counter[Status] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Sites by code and verdict."""

    def add(self, result: FileResult, status: Status) -> None:
        """Count one file."""
        self.files[status] += 1
        self.sites.update(site.outcome.value for site in result.sites)
        self.verdicts.update((site.code, site.verdict) for site in result.sites)

    def sentence(self) -> str:
        """The summary line."""
        files = [
            f"{count} file{'s' * (count != 1)} {status.value.replace('-', ' ')}"
            for status in Status
            if (count := self.files[status])
        ]
        sites = [f"{self.sites[outcome]} {outcome}" for outcome in OUTCOMES if self.sites[outcome]]
        return f"{', '.join(files) or 'no files'}; sites: {', '.join(sites) or 'none'}"


class Report(ABC):
    """Receives the files one after another."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.totals = Totals()

    def observed(self, seen: Sequence[Seen]) -> None:
        """Report the calls that the command of ``--observe`` made."""
        for each in seen:
            self.console.line(f"{printable(each.path)}: {each}")

    def add(self, result: FileResult, status: Status) -> None:
        """Take in one file."""
        self.totals.add(result, status)
        self._show(result, status)

    @abstractmethod
    def _show(self, result: FileResult, status: Status) -> None: ...

    def _show_stages(self, result: FileResult) -> None:
        for stage in result.stages:
            title = f"{printable(result.path)}: changed by {stage.code} {stage.pass_name}"
            self.console.line(f"{title}\n{stage.diff}")

    def finish(self, exit_code: int) -> None:
        """End the report with its summary."""
        self.console.line(self.totals.sentence())


class ErrorReport(Report):
    """The errors alone."""

    def observed(self, seen: Sequence[Seen]) -> None:
        """Keep silent about the calls."""

    def _show(self, result: FileResult, status: Status) -> None:
        if result.problem:
            self.console.error(problem_lines(printable(result.path), result.problem))

    def finish(self, exit_code: int) -> None:
        """Keep silent about the sums."""


class TextReport(Report):
    """Plain lines."""

    def _show(self, result: FileResult, status: Status) -> None:
        path = printable(result.path)
        if result.problem:
            self.console.error(problem_lines(path, result.problem))
        self._show_stages(result)
        for site in result.sites:
            verdict = self.console.coloured(site.verdict, _COLOURS[site.outcome.value])
            place = f"{path}:{site.line}:{site.column}"
            self.console.line(f"{place} {site.code} {verdict}: {explanation(site)}")
        if status is Status.WOULD_CHANGE:
            self.console.line(f"would change {path}")


class StatisticsReport(TextReport):
    """How many sites had which verdict, the most frequent first."""

    def _show(self, result: FileResult, status: Status) -> None:
        super()._show(replace(result, sites=()), status)

    def finish(self, exit_code: int) -> None:
        """Print the counts, then the summary."""
        counts = sorted(self.totals.verdicts.items(), key=lambda item: (-item[1], item[0]))
        width = len(str(counts[0][1])) if counts else 0
        for (code, verdict), count in counts:
            self.console.line(f"{count:>{width}}  {code} {verdict}")
        super().finish(exit_code)


class GitHubReport(Report):
    """Workflow commands, which GitHub shows next to the lines of a pull request.

    A warning is what ``--check`` fails for; all else, but for errors, is a notice.
    """

    def __init__(self, console: Console, *, check: bool) -> None:
        super().__init__(console)
        self._check = check

    def _show(self, result: FileResult, status: Status) -> None:
        if result.problem:
            self._annotate_problem(result.path, result.problem)
        self._show_stages(result)
        for site in result.sites:
            title = f"{site.code} {site.pass_name} {site.verdict}"
            self._annotate("notice", result.path, site.line, site.column, title, explanation(site))
        if status is Status.WOULD_CHANGE:
            level = "warning" if self._check else "notice"
            self._annotate(level, result.path, None, None, "nprewrite", "would change")

    def observed(self, seen: Sequence[Seen]) -> None:
        """Report the calls as notices on their files."""
        for each in seen:
            self._annotate("notice", each.path, None, None, "nprewrite", str(each))

    def _annotate_problem(self, path: str, problem: Problem) -> None:
        title = "nprewrite internal error" if problem.internal else "nprewrite"
        self._annotate("error", path, problem.line, problem.column, title, problem_message(problem))

    def _annotate(
        self, level: str, path: str, line: int | None, column: int | None, title: str, message: str
    ) -> None:
        values = {"file": path, "line": line, "col": column, "title": title}
        properties = ",".join(
            f"{key}={_property(value)}" for key, value in values.items() if value is not None
        )
        self.console.line(f"::{level} {properties}::{_data(message)}")


def explanation(site: Site) -> str:
    """The site's message and what would help, on one line."""
    return " ".join(site.explanation.split())


def problem_lines(path: str, problem: Problem) -> str:
    """A problem as text; for an internal error, all that a bug report needs."""
    place = "".join(f":{number}" for number in (problem.line, problem.column) if number is not None)
    kind = "internal error" if problem.internal else "error"
    return f"{path}{place}: {kind}: {problem_message(problem)}"


def problem_message(problem: Problem) -> str:
    """The message; about a fault of nprewrite also what to do, with the traceback."""
    if not problem.internal:
        return problem.message
    system = f"nprewrite {VERSION}, Python {platform.python_version()}, {platform.platform()}"
    return (
        f"{problem.message}\n"
        "This is a fault of nprewrite, not of your file, which was left untouched. Please report it: send\n"
        "the file (or the smallest part of it that still fails), the options you used, and these lines.\n"
        f"{system}\n{problem.details.rstrip()}"
    )


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
