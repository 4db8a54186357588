"""The report as a SARIF 2.1.0 log, which code scanning services read.

Every site is a result: a ``note`` where it was rewritten or waits for a call, a ``warning`` where it was
refused. A file that failed is a notification of the run. The codes that occur are rules, with what GitHub
requires: a description in one line, one in a paragraph, and the page of the pass as help.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nprewrite.base.version import VERSION
from nprewrite.cli.catalogue import page, passes
from nprewrite.cli.console import Console
from nprewrite.cli.report import Report, Status, explanation, problem_message
from nprewrite.files import notebooks
from nprewrite.files.problems import Problem
from nprewrite.files.work import FileResult

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Site
    from nprewrite.watching.seen import Seen

_PAGE_LINK = re.compile(r"\[(`[^`]*`|[^\[\]]*)\]\((?!https?:)[^)]*\)")
"""A link from a catalogue page to another file of the catalogue, which the reader of a log does not have."""
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_OF_COMMENTS = """\
`# nprewrite: off` to `# nprewrite: on` leaves lines alone, and `# nprewrite: ignore[NPR101]` behind code that
line. This comment, or a code in it, keeps no pass away: the code has changed, or the comment is misspelt."""
_OF_CELLS = """\
A cell is rewritten where it is Python but for magics on lines of their own. What else IPython reads
(`%%bash`, `x?`, `files = !ls`) leaves its cell alone."""
_OF_COMPILERS = """\
Numba, JAX, `torch.compile` and others read the code of the functions that they take, and know nothing
of what nprewrite would put there. No pass looks at such a function."""


class SarifReport(Report):
    """Collects results and notifications and prints the log when they are all in."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._results: list[dict[str, object]] = []
        self._notifications: list[dict[str, object]] = []
        self._notes: list[dict[str, object]] = []

    def observed(self, seen: Sequence[Seen]) -> None:
        """Keep the calls as notes of the run."""
        self._notes += [
            {"level": "note", "message": {"text": str(each)}, "locations": [_location(each.path, None, None)]}
            for each in seen
        ]

    def _show(self, result: FileResult, status: Status) -> None:
        self._results += [_result(result.path, site) for site in result.sites]
        if result.problem:
            self._notifications.append(_notification(result.path, result.problem))

    def finish(self, exit_code: int) -> None:
        """Print the log."""
        run = {
            "tool": {
                "driver": {
                    "name": "nprewrite",
                    "version": VERSION,
                    "rules": list(_rules({str(each["ruleId"]) for each in self._results})),
                }
            },
            "columnKind": "unicodeCodePoints",
            "invocations": [
                {
                    "executionSuccessful": not self._notifications,
                    "exitCode": exit_code,
                    "toolExecutionNotifications": [*self._notes, *self._notifications],
                }
            ],
            "results": self._results,
        }
        self.console.line(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2))


def _rules(codes: set[str]) -> Iterator[dict[str, object]]:
    """The rules with these codes."""
    from nprewrite.engine.sites import COMPILED_ELSEWHERE, COMPILED_ELSEWHERE_NAME
    from nprewrite.engine.suppressions import CODE, NAME

    for each in passes():
        if each.code in codes:
            text = _PAGE_LINK.sub(r"\1", page(each.code))
            yield _rule(each.code, each.name, each.summary, _first_paragraph(text), text)
    for code, name, summary, text in (
        (CODE, NAME, "a comment that suppresses nothing", _OF_COMMENTS),
        (notebooks.CODE, notebooks.NAME, "a cell of a notebook that is not Python alone", _OF_CELLS),
        (
            COMPILED_ELSEWHERE,
            COMPILED_ELSEWHERE_NAME,
            "a function that another compiler takes",
            _OF_COMPILERS,
        ),
    ):
        if code in codes:
            yield _rule(code, name, summary, text, text)


def _rule(code: str, name: str, summary: str, description: str, text: str) -> dict[str, object]:
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": description},
        "help": {"text": text, "markdown": text},
    }


def _first_paragraph(text: str) -> str:
    """The first paragraph below the first heading of a page, "What it does"."""
    section = text.split("\n## ")[1].partition("\n")[2].strip()
    return " ".join(section.split("\n\n")[0].split())


def _result(path: str, site: Site) -> dict[str, object]:
    level = "warning" if site.outcome.value in ("refused", "unused") else "note"
    return {
        "ruleId": site.code,
        "level": level,
        "message": {"text": f"{site.verdict}: {explanation(site)}"},
        "locations": [_location(path, site.line, site.column)],
    }


def _notification(path: str, problem: Problem) -> dict[str, object]:
    return {
        "level": "error",
        "message": {"text": problem_message(problem)},
        "locations": [_location(path, problem.line, problem.column)],
    }


def _location(path: str, line: int | None, column: int | None) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(path)}}
    region = {"startLine": line, "startColumn": column}
    if line is not None:
        physical["region"] = {key: value for key, value in region.items() if value is not None}
    return {"physicalLocation": physical}


def _uri(path: str) -> str:
    """A relative reference below the working directory, as the services expect it; a file URI elsewhere."""
    relative = os.path.relpath(path)
    if os.path.isabs(relative) or relative.split(os.sep)[0] == os.pardir:
        return Path(os.path.abspath(path)).as_uri()
    return quote(relative.replace(os.sep, "/"))
