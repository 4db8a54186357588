"""The report as one JSON document, printed at the end.

::

    {
      "schema": 1,                    raised when a key changes its meaning or goes away
      "nprewrite": "0.1.0",           the version that wrote the report
      "exit": 0,                      the exit status
      "summary": {
        "files": {"changed": 1, "would-change": 0, "unchanged": 0, "failed": 0},
        "sites": {"rewritten": 1, "refused": 0, "deferred": 0, "unused": 0}
      },
      "statistics": [                 with --statistics: the most frequent verdicts first
        {"code": "NPR101", "verdict": "refused[mask-not-bool]", "count": 1}
      ],
      "observed": [                   with --observe: the calls of the functions of these files
        {
          "path": "a.py",
          "function": "Model.step",   its qualified name
          "calls": 3,
          "arguments": {"dt": ["float", "int"]},   the types by parameter; of several, none is used
          "trial": null               or the seconds of all calls: {"as-written": 1.2, "decorated": 0.4}
        }
      ],
      "files": [
        {
          "path": "a.py",             as given or found; "<stdin>" for standard input
          "status": "changed",        or "would-change" (--check, --diff), "unchanged", "failed"
          "sites": [
            {
              "line": 3, "column": 5, from 1; columns count as in Python's own messages
              "code": "NPR101", "pass": "masked-store",
              "outcome": "rewritten", or "refused", "deferred"; "unused" of a comment (NPR001)
              "reason": null,         of a refusal: its code, such as "mask-not-bool"
              "message": "…",
              "help": null,           what would help, where something would
              "level": "exact"        of a rewrite: or "rounding", "fast"; else null
            }
          ],
          "stages": [                 with --print-between-passes: what each pass changed
            {"code": "NPR101", "pass": "masked-store", "diff": "…"}
          ]
        }
      ],
      "errors": [
        {
          "path": "b.py", "line": 3, "column": null,
          "kind": "file",             or "internal": a fault of nprewrite, to be reported
          "message": "…",
          "details": ""               of an internal error: the traceback
        }
      ]
    }

With --statistics the sites are counted and not listed. A file that failed is under ``files`` with no sites,
and under ``errors``. Keys may be added without a new schema number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nprewrite.base.version import VERSION
from nprewrite.cli.console import Console
from nprewrite.cli.report import OUTCOMES, Report, Status
from nprewrite.files.problems import Problem
from nprewrite.files.work import FileResult

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Site
    from nprewrite.watching.seen import Seen

SCHEMA = 1


class JsonReport(Report):
    """Collects the files and prints the document when they are all in."""

    def __init__(self, console: Console, *, statistics: bool = False) -> None:
        super().__init__(console)
        self._statistics = statistics
        self._files: list[dict[str, object]] = []
        self._errors: list[dict[str, object]] = []
        self._observed: list[dict[str, object]] = []

    def observed(self, seen: Sequence[Seen]) -> None:
        """Keep the calls for the document."""
        self._observed = [
            {
                "path": each.path,
                "function": each.name,
                "calls": each.calls,
                "arguments": each.words(),
                "trial": None
                if each.trial is None
                else {"as-written": each.trial.original, "decorated": each.trial.rewritten},
            }
            for each in seen
        ]

    def _show(self, result: FileResult, status: Status) -> None:
        self._files.append(
            {
                "path": result.path,
                "status": status.value,
                "sites": [] if self._statistics else [site_document(site) for site in result.sites],
                "stages": [
                    {"code": stage.code, "pass": stage.pass_name, "diff": stage.diff}
                    for stage in result.stages
                ],
            }
        )
        if result.problem:
            self._errors.append(_error(result.path, result.problem))

    def finish(self, exit_code: int) -> None:
        """Print the document."""
        document: dict[str, object] = {
            "schema": SCHEMA,
            "nprewrite": VERSION,
            "exit": exit_code,
            "summary": {
                "files": {status.value: self.totals.files[status] for status in Status},
                "sites": {outcome: self.totals.sites[outcome] for outcome in OUTCOMES},
            },
            "observed": self._observed,
            "files": self._files,
            "errors": self._errors,
        }
        if self._statistics:
            document["statistics"] = [
                {"code": code, "verdict": verdict, "count": count}
                for (code, verdict), count in self.totals.verdicts.most_common()
            ]
        self.console.line(json.dumps(document, indent=2))


def site_document(site: Site) -> dict[str, object]:
    """A site with the keys described above."""
    return {
        "line": site.line,
        "column": site.column,
        "code": site.code,
        "pass": site.pass_name,
        "outcome": site.outcome.value,
        "reason": site.reason,
        "message": site.message,
        "help": site.help,
        "level": site.level.name.lower() if site.level is not None else None,
    }


def _error(path: str, problem: Problem) -> dict[str, object]:
    return {
        "path": path,
        "line": problem.line,
        "column": problem.column,
        "kind": "internal" if problem.internal else "file",
        "message": problem.message,
        "details": problem.details,
    }
