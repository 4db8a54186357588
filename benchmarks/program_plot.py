"""The speed-ups of all programs as a bar chart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from program_table import Row, Table

COLOURS = {"nprewrite": "tab:blue", "torch.compile": "tab:orange"}


def draw(table: Table, path: Path) -> None:
    """Save a chart of the steady state over NumPy, on a logarithmic scale, the best program at the top."""
    rows = sorted((row for row in table.rows if row.speed_up()), key=lambda row: row.speed_up() or 0)
    figure = Figure(figsize=(9, 1.8 + 0.2 * len(rows)), layout="constrained")
    axes = figure.subplots()
    places = range(len(rows))
    lengths = [(row.speed_up() or 1) - 1 for row in rows]
    axes.barh(places, lengths, left=1, height=0.7, color=COLOURS["nprewrite"], label="nprewrite")
    _peer(axes, rows, table.limit)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(places, [row.name for row in rows], fontsize=8)
    axes.set_ylim(-0.8, len(rows) - 0.2)
    axes.set_xlabel(f"times NumPy, steady state ({table.machine['cpu']}, {table.machine['cores']} cores)")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis="x", which="major", linewidth=0.4)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)


def _peer(axes: Any, rows: list[Row], limit: float) -> None:
    """torch.compile as a dot, at the left edge where it gave none; nothing where it was not asked."""
    if all(row.peer is None for row in rows):
        return
    known = [(row.speed_up("torch.compile"), place) for place, row in enumerate(rows)]
    axes.plot(
        [ratio for ratio, _ in known if ratio],
        [place for ratio, place in known if ratio],
        linestyle="none",
        marker="o",
        markersize=4,
        color=COLOURS["torch.compile"],
        label="torch.compile",
    )
    for says, marker in (("over the limit", "x"), ("error", "v")):
        places = [place for place, row in enumerate(rows) if row.peer_says(limit) == says]
        axes.plot(
            [0.012] * len(places),
            places,
            linestyle="none",
            marker=marker,
            markersize=4,
            color=COLOURS["torch.compile"],
            label=f"torch.compile: {says}" if places else None,
            transform=axes.get_yaxis_transform(),
        )
