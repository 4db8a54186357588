"""The profile as a JSON document.

program     what was run
seconds     its time, without imports; "arrays": the part in array code; "imports": their time
samples     how many were taken
rows        the functions by time: "file", "function", "line", "loop" (the line of its loop, or null),
            "seconds", "arrays", "calls", "types" (of the parameters, as seen), "compiled" (lines that would
            run compiled), "in-the-way" ("lines", "why", "help", "limit"), "deferred", "gain",
            "measured" (whether the gain was)
whole       the seconds of the program, "as-written" and "rewritten" (by nprewrite run), with --try; else null
advice      the one thing to do
"""

from __future__ import annotations

from typing import Any

from nprewrite.profiling import text
from nprewrite.profiling.profile import Profile, Row


def document(profile: Profile) -> dict[str, Any]:
    """The document."""
    found = profile.attribution
    return {
        "program": profile.program,
        "seconds": found.total,
        "arrays": found.array,
        "imports": found.imports,
        "samples": profile.samples.count,
        "rows": [_row(each) for each in profile.rows],
        "whole": _whole(profile),
        "advice": text.advice(profile),
    }


def _whole(profile: Profile) -> dict[str, float] | None:
    whole = profile.trials.whole if profile.trials is not None else None
    return None if whole is None else {"as-written": whole.original, "rewritten": whole.rewritten}


def _row(row: Row) -> dict[str, Any]:
    unit, found = row.unit, row.outlook
    return {
        "file": unit.source.path,
        "function": unit.name,
        "line": unit.line,
        "loop": unit.loop.line if unit.loop is not None else None,
        "seconds": unit.time,
        "arrays": unit.array / unit.weight if unit.weight else 0.0,
        "calls": unit.calls,
        "types": {name: list(kinds) for name, kinds in unit.variables.parameters.items()},
        "compiled": sorted(found.lines),
        "in-the-way": [
            {"lines": list(each.lines), "why": each.message, "help": each.help, "limit": each.limit}
            for each in text.in_the_way(row)
        ],
        "deferred": found.deferred,
        "gain": row.gain,
        "measured": row.measured is not None,
    }
