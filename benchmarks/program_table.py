"""The table of the programs: a row each, and what all of them come to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from better_shapes import BETTER
from measure import Told

SIDES = ("numpy", "nprewrite", "torch.compile")
TOO_SLOW = 0.95
LONG_FIRST_CALL = 30.0
_KEPT = r"^`\w+` for .*?: (the rewritten version|NumPy) is kept"
_ORDINARY = ("compiled", "as written: taking turns", "as written: NumPy is faster")


@dataclass
class Row:
    """What was found of one program; None where nothing was asked."""

    name: str
    judged: dict[str, Told] = field(default_factory=dict)
    first: Told | None = None
    peer: Told | None = None
    turns: Told | None = None

    @property
    def right(self) -> str:
        """``yes``, or what is wrong at the first size where something is."""
        for scale, told in self.judged.items():
            if told.figures.get("verdict") != "same":
                why = "; ".join(told.figures.get("differences", [])) or told.why
                return f"NO, {scale}: {why}"
        return "yes"

    @property
    def first_call(self) -> float | None:
        """Seconds of the worst call until steady, beyond NumPy's."""
        return self.first.figures.get("worst") if self.first else None

    def milliseconds(self, side: str) -> float | None:
        """The median of one side in the turns."""
        spread = self.turns.figures.get(side) if self.turns else None
        return spread["median"] * 1e3 if spread else None

    def speed_up(self, side: str = "nprewrite") -> float | None:
        """NumPy's time over the side's: the median of the rounds, in which both ran."""
        spread = self.turns.figures.get(f"speed-up of {side}") if self.turns else None
        return spread["median"] if spread else None

    @property
    def spread(self) -> str:
        """Quartiles of the speed-up within the rounds."""
        spread = self.turns.figures.get("speed-up of nprewrite") if self.turns else None
        return f"({spread['lower']:.2f} to {spread['upper']:.2f})" if spread else ""

    def peer_says(self, limit: float) -> str:
        """Seconds of torch.compile's first call, or why there is none."""
        if self.peer is None:
            return ""
        seconds = self.peer.figures.get("first_call")
        if seconds is None:
            return "over the limit" if self.peer.why.startswith("over") else "error"
        return f"{seconds:.1f}" if seconds < limit else "over the limit"

    @property
    def what_runs(self) -> str:
        """What was kept, and what kept the rest from compiling."""
        told = self.turns or next(iter(self.judged.values()))
        if not told.figures:
            return told.why
        figures = told.figures
        parts = [re.sub(r"^called with \(.*\): ", "", turn) for turn in figures["turns"]]
        kept = re.findall(_KEPT, "\n".join(figures["steps"]), re.MULTILINE)
        if kept:
            parts.append(f"{kept.count('the rewritten version')} of {len(kept)} steps kept compiled")
        parts += [way for way in figures["runs"] if way not in _ORDINARY]
        if not any(" rewritten: " in site for site in figures["sites"]):
            parts.append("as written")
        reasons = set(re.findall(r"(NPR\d+) (refused|deferred)\[([\w-]+)\]", "\n".join(figures["sites"])))
        parts += [f"{code} {outcome}: {reason}" for code, outcome, reason in sorted(reasons)]
        return "; ".join(parts)


@dataclass
class Table:
    """All rows, and the machine they were measured on."""

    machine: dict[str, str]
    scale: str
    limit: float
    rows: list[Row] = field(default_factory=list)

    def heading(self) -> str:
        """The heads of the columns."""
        if self.scale == "small":
            return f"{'program':28}{'right':7}what runs"
        return (
            f"{'':28}{'NumPy':>10}{'torch.compile':>26}{'nprewrite':>32}\n"
            f"{'program':28}{'ms':>10}{'first call s':>16}{'ms':>10}{'first call s':>14}{'ms':>10}"
            f"{'times':>8} {'quartiles':20}{'right':7}what runs"
        )

    def line(self, row: Row) -> str:
        """One program."""
        right, what = row.right, row.what_runs
        if right != "yes":
            right, what = "NO", f"{right.removeprefix('NO, ')}; {what}"
        if self.scale == "small":
            return f"{row.name:28}{right:7}{what}"
        numpy, ours, peer = (_number(row.milliseconds(side)) for side in SIDES)
        return (
            f"{row.name:28}{numpy}{row.peer_says(self.limit):>16}{peer}"
            f"{_number(row.first_call, 14)}{ours}{_number(row.speed_up(), 8, 2)} "
            f"{row.spread:20}{right:7}{what}"
        )

    def summary(self) -> str:
        """What all programs come to, and what each bar asks."""
        wrong = [row.name for row in self.rows if row.right != "yes"]
        lines = ["", f"programs: {len(self.rows)}", _named("wrong or not judged", wrong)]
        if self.scale == "small":
            return "\n".join(lines)
        known = {row.name: ratio for row in self.rows if (ratio := row.speed_up())}
        missing = [row.name for row in self.rows if row.name not in known or row.first_call is None]
        slow = [name for name, ratio in known.items() if ratio < TOO_SLOW]
        late = [row.name for row in self.rows if (row.first_call or 0) > LONG_FIRST_CALL]
        lines += [
            _named("without a figure", missing),
            _named(f"first call over {LONG_FIRST_CALL:g} s", late),
            _named(f"steady state below {TOO_SLOW:g} times NumPy", slow),
            f"steady state, geometric mean: {_mean(known.values())} times NumPy",
        ]
        return "\n".join([*lines, *self._peer_summary()])

    def _peer_summary(self) -> list[str]:
        asked = [row for row in self.rows if row.peer is not None]
        if not asked:
            return []
        says = [row.peer_says(self.limit) for row in asked]
        known = [ratio for row in asked if (ratio := row.speed_up("torch.compile"))]
        return [
            f"torch.compile: {says.count('over the limit')} over {self.limit:g} s, "
            f"{says.count('error')} errors, "
            f"{sum(ratio < TOO_SLOW for ratio in known)} below {TOO_SLOW:g} times NumPy; "
            f"geometric mean of {len(known)}: {_mean(known)} times NumPy"
        ]

    @property
    def sound(self) -> bool:
        """Whether every answer is right and no figure is missing."""
        figures = all(row.speed_up() and row.first_call is not None for row in self.rows)
        return all(row.right == "yes" for row in self.rows) and (self.scale == "small" or figures)

    def to_markdown(self) -> str:
        """The machine, a line for each program in the order of their speed-ups, and the summary."""
        lines = [
            "# The programs of tests/programs, measured",
            "",
            ", ".join(f"{name} {value}" for name, value in self.machine.items()),
            "",
            "| program | NumPy, ms | first call, s | nprewrite, ms | times NumPy | right | what runs |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in sorted(self.rows, key=lambda row: -(row.speed_up() or 0)):
            numpy, ours = (_number(row.milliseconds(side), 0) for side in SIDES[:2])
            first, times = _number(row.first_call, 0), _number(row.speed_up(), 0, 2)
            better = f"; better: {BETTER[row.name]}" if row.name in BETTER else ""
            what = row.what_runs.replace("|", "\\|") + better
            lines.append(
                f"| {row.name} | {numpy} | {first} | {ours} | {times} {row.spread} | {row.right} | {what} |"
            )
        summary = [f"- {line}" for line in self.summary().splitlines() if line]
        return "\n".join([*lines, "", *summary, ""])

    def take_rows(self, told: Mapping[str, Any]) -> None:
        """Add the rows that ``to_json`` gave of a table of the same machine, scale and limit.

        Raises ``ValueError`` where it was another.
        """
        asked = {"machine": self.machine, "scale": self.scale, "limit": self.limit}
        for what, value in asked.items():
            if told[what] != value:
                raise ValueError(f"these rows were measured with {what} {told[what]!r}, not {value!r}")
        for row in told["rows"]:
            judged = {scale: Told(**each) for scale, each in row["judged"].items()}
            sides = {side: row[side] and Told(**row[side]) for side in ("first", "peer", "turns")}
            self.rows.append(Row(row["name"], judged, **sides))

    def to_json(self) -> dict[str, Any]:
        """Everything that was told."""
        return asdict(self)


def _number(value: float | None, width: int = 10, digits: int = 1) -> str:
    return f"{'–' if value is None else f'{value:.{digits}f}':>{width}}"


def _named(what: str, names: list[str]) -> str:
    return f"{what}: {len(names)}" + (f" ({', '.join(names)})" if names else "")


def _mean(ratios: Any) -> str:
    logs = [math.log(ratio) for ratio in ratios]
    return f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else "–"
