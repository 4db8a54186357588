"""Repeated measurements as their median and quartiles."""

from __future__ import annotations

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of ``count`` measurements, in the unit they were taken in."""

    median: float
    lower: float
    upper: float
    count: int

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """The spread of ``values``; at least two are needed."""
        lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, lower, upper, len(values))

    def milliseconds(self) -> str:
        """The spread as text, for values in seconds."""
        return f"{self.median * 1e3:8.1f} ms  ({self.lower * 1e3:.1f} to {self.upper * 1e3:.1f})"
