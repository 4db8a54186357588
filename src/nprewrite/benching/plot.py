"""The measurements as pictures: time over size, over threads, or over the number of calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.benching.earning import crossings
from nprewrite.benching.measurement import ORIGINAL, REWRITTEN, Measurement
from nprewrite.benching.spread import Spread
from nprewrite.benching.table import by_call, in_units
from nprewrite.benching.verdict import rounded, times_by_size

# Each side has a marker and a line style of its own, so that it is told apart without colour too.
_STYLES = (("tab:blue", "o", "-"), ("tab:orange", "s", "--"), ("tab:green", "^", "-."), ("tab:red", "D", ":"))
_LAST_STYLE = ("tab:purple", "v", "-")
_POINTS = 200


def draw(measurements: Sequence[Measurement], path: Path, title: str) -> None:
    """Save a PNG with a panel for each call.

    It shows time over size where there are sizes, over threads where their number was asked for, else the
    total time over the number of calls. Raises OSError where ``path`` cannot be written, ValueError where
    nothing was measured.
    """
    from matplotlib.figure import Figure

    groups = by_call([each for each in measurements if not each.problem])
    if not groups:
        raise ValueError("nothing was measured that could be drawn")
    figure = Figure(figsize=(6.4 * min(2, len(groups)), 4.4 * ((len(groups) + 1) // 2)), layout="constrained")
    figure.suptitle(title, fontsize=9)
    panels = figure.subplots((len(groups) + 1) // 2, min(2, len(groups)), squeeze=False)
    for axes, group in zip(panels.flat, groups, strict=False):
        _panel(axes, group)
    for axes in panels.flat[len(groups) :]:
        axes.set_axis_off()
    figure.savefig(path, dpi=120, format="png")


def _panel(axes: Any, group: list[Measurement]) -> None:
    from matplotlib.ticker import LogLocator

    axes.set_title(f"{group[0].function}: {group[0].case}", fontsize=9, wrap=True)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda seconds, _: "{:g} {}".format(*in_units(seconds)))
    axes.yaxis.set_minor_formatter("")
    axes.grid(which="major", linewidth=0.4)
    if group[0].size is not None:
        _over_sizes(axes, group)
    elif group[0].asked is not None:
        _over_threads(axes, group)
    else:
        _over_calls(axes, group[0])
    axes.legend(fontsize=8)


def _over_sizes(axes: Any, group: list[Measurement]) -> None:
    measured = [float(each.size or 0) for each in group]
    _lines(axes, group, measured)
    axes.set_xticks(measured, [rounded(size) for size in measured], rotation=45 if len(measured) > 6 else 0)
    axes.minorticks_off()
    axes.set_xlabel("n")
    axes.set_ylabel("time of a call")
    sizes, original, rewritten = times_by_size(group, REWRITTEN)
    for place in crossings(sizes, original, rewritten):
        height = float(np.exp(np.interp(np.log(place), np.log(sizes), np.log(original))))
        _mark(axes, place, height, f"equal at n = {rounded(place)}")


def _over_threads(axes: Any, group: list[Measurement]) -> None:
    counts = [float(each.asked or 0) for each in group]
    _lines(axes, group, counts)
    first = group[0].rewritten.steady
    if first is not None:
        ideal = [first.median * counts[0] / count for count in counts]
        axes.plot(counts, ideal, color="grey", linewidth=0.8, label="rewritten, if it scaled perfectly")
    axes.set_xticks(counts, [f"{count:g}" for count in counts])
    axes.minorticks_off()
    axes.set_xlabel("threads")
    axes.set_ylabel("time of a call")


def _over_calls(axes: Any, measured: Measurement) -> None:
    """The total time over the number of calls, from the first on."""
    earned = [
        measured.break_even(REWRITTEN, calls) for calls in (measured.rewritten.cold, measured.rewritten.warm)
    ]
    last = max([100, *(4 * count for count in earned if count)])
    counts = np.unique(np.geomspace(1, last, _POINTS).round())
    original, rewritten = measured.original.steady, measured.rewritten.steady
    assert original is not None
    assert rewritten is not None
    lines = {
        ORIGINAL: counts * original.median,
        f"{REWRITTEN}, empty caches": _together(counts, measured.rewritten.cold, rewritten),
        f"{REWRITTEN}, full caches": _together(counts, measured.rewritten.warm, rewritten),
    }
    for (name, times), (colour, marker, line) in zip(lines.items(), _STYLES, strict=False):
        axes.plot(
            counts,
            times,
            color=colour,
            linestyle=line,
            marker=marker,
            markevery=0.1,
            markersize=4,
            label=name,
        )
    for place in dict.fromkeys(count for count in earned if count):
        _mark(axes, place, place * original.median, f"earned back after {place:,}")
    axes.set_xlabel("calls")
    axes.set_ylabel("time of all together")


def _together(counts: Any, first: Sequence[float], steady: Spread) -> Any:
    sums = np.cumsum(first)
    early = sums[np.minimum(counts.astype(int), len(sums)) - 1]
    return early + np.maximum(counts - len(sums), 0) * steady.median


def _lines(axes: Any, group: list[Measurement], places: list[float]) -> None:
    """A line with quartiles for each side that was measured."""
    names = dict.fromkeys(name for each in group for name in each.sides)
    for number, name in enumerate(names):
        colour, marker, line = _STYLES[number] if number < len(_STYLES) else _LAST_STYLE
        known = [
            (place, spread)
            for place, each in zip(places, group, strict=True)
            if (spread := each.sides[name].steady) is not None
        ]
        if not known:
            continue
        medians = [spread.median for _, spread in known]
        errors = [
            [spread.median - spread.lower for _, spread in known],
            [spread.upper - spread.median for _, spread in known],
        ]
        axes.errorbar(
            [place for place, _ in known],
            medians,
            yerr=errors,
            color=colour,
            marker=marker,
            linestyle=line,
            markersize=5,
            capsize=3,
            label=name,
        )


def _mark(axes: Any, place: float, height: float, words: str) -> None:
    axes.axvline(place, color="black", linewidth=0.6, linestyle=":")
    axes.plot([place], [height], marker="*", markersize=11, color="black", linestyle="none")
    low, high = axes.get_xlim()
    right = place * place > low * high
    axes.annotate(
        words,
        (place, height),
        xytext=(-8, 8) if right else (8, -12),
        textcoords="offset points",
        horizontalalignment="right" if right else "left",
        fontsize=8,
    )
