"""The report as a SARIF 2.1.0 log, which code scanning services read.

Every site is a result: ``note`` where something was rewritten or waits for a call, ``warning`` where it was
refused. A file that could not be done is a notification of the run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from nprewrite.cli.catalogue import passes
from nprewrite.cli.console import Console
from nprewrite.cli.report import Report, Status, explanation, internal_message
from nprewrite.cli.version import version
from nprewrite.files import notebooks
from nprewrite.files.problems import Problem
from nprewrite.files.work import FileResult

if TYPE_CHECKING:
    from nprewrite.rewrite.outcomes import Site
    from nprewrite.watching.seen import Seen

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


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
                    "version": version(),
                    "rules": _rules(),
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


def _rules() -> list[dict[str, object]]:
    from nprewrite.rewrite.suppressions import CODE, NAME

    known = [(each.code, each.name, each.summary) for each in passes()]
    known.append((CODE, NAME, "a comment that suppresses nothing"))
    known.append((notebooks.CODE, notebooks.NAME, "a cell of a notebook that is not Python alone"))
    return [{"id": code, "name": name, "shortDescription": {"text": text}} for code, name, text in known]


def _result(path: str, site: Site) -> dict[str, object]:
    level = "warning" if site.outcome.value in ("refused", "unused") else "note"
    return {
        "ruleId": site.code,
        "level": level,
        "message": {"text": f"{site.verdict}: {explanation(site)}"},
        "locations": [_location(path, site.line, site.column)],
    }


def _notification(path: str, problem: Problem) -> dict[str, object]:
    text = internal_message(problem) if problem.internal else problem.message
    return {
        "level": "error",
        "message": {"text": text},
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
