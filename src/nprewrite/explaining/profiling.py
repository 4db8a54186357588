"""Where the time of a function as written goes, line by line; line_profiler is imported when used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nprewrite.explaining.running import LineTime, Profile

MISSING = "the line profile needs line_profiler, which is not installed: pip install nprewrite[explain]"


class Profiler:
    """Times the lines of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Raises ``ImportError`` where line_profiler is not installed."""
        from line_profiler import LineProfiler

        self._profiler = LineProfiler()
        self._file = function.__code__.co_filename
        self.function: Callable[..., Any] = self._profiler(function)

    def profile(self) -> Profile:
        """The times of all calls of ``function`` so far."""
        stats = self._profiler.get_stats()
        lines = [
            LineTime(line, hits, time * stats.unit)
            for (file, _, _), times in stats.timings.items()
            if file == self._file
            for line, hits, time in times
        ]
        return Profile(sum(each.seconds for each in lines), tuple(sorted(lines, key=lambda each: each.line)))
