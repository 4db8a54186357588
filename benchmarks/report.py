"""The report of a benchmark: figures, and the bars that they must reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from measure import Spread


@dataclass(frozen=True)
class Bar:
    """One line of the table: a figure, what is asked of it, and whether a miss means a wrong result."""

    what: str
    asked: str
    figure: str
    met: bool
    correctness: bool = False


@dataclass
class Report:
    """All figures of a run; seconds and bytes."""

    machine: dict[str, str]
    sizes: str = ""
    alternating: dict[str, Spread] = field(default_factory=dict)
    alone: dict[str, Spread] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    bars: list[Bar] = field(default_factory=list)

    def at_least(self, what: str, limit: float, figure: float, note: str = "") -> None:
        """Add a bar that ``figure`` must reach."""
        self.bars.append(Bar(what, f">= {limit:g}", f"{figure:.3g}  {note}".rstrip(), figure >= limit))

    def at_most(self, what: str, limit: float, figure: float, note: str = "") -> None:
        """Add a bar that ``figure`` must not pass."""
        self.bars.append(Bar(what, f"<= {limit:g}", f"{figure:.3g}  {note}".rstrip(), figure <= limit))

    def right(self, what: str, asked: str, figure: str, met: bool) -> None:
        """Add a bar whose miss means that a result is wrong."""
        self.bars.append(Bar(what, asked, figure, met, correctness=True))

    @property
    def wrong(self) -> bool:
        """Whether any result is wrong."""
        return any(bar.correctness and not bar.met for bar in self.bars)

    def show(self) -> None:
        """Print machine, times and bars."""
        print(", ".join(f"{name} {value}" for name, value in self.machine.items()))
        print(f"\n{self.sizes}; median (quartiles)")
        print(f"{'':10}{'in turns':>34}{'alone, warm':>34}")
        for name, spread in self.alternating.items():
            print(f"{name:10}{spread.milliseconds():>34}{self.alone[name].milliseconds():>34}")
        print()
        for bar in self.bars:
            print(f"{'pass' if bar.met else 'MISS'}  {bar.what:50} {bar.asked:10} {bar.figure}")
