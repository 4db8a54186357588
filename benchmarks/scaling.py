"""Times of several sides over sizes: measured in turns, as a table, and drawn with both axes logarithmic."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import measure
from matplotlib.figure import Figure
from measure import Spread

from native import ROOT

Times = dict[str, list[float]]


def example(name: str) -> Any:
    """The module examples/``name``.py, which may be called like the benchmark."""
    path = ROOT / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def turns(runs: Mapping[str, Callable[[], object]], rounds: int, warm: int = 10) -> Times:
    """Seconds of each side; ``warm`` calls before compile, and let the decorator choose."""
    for run in runs.values():
        for _ in range(warm):
            run()
    return measure.alternate(runs, rounds, lambda number, count: None, measure.seconds)


def ratio(times: Times, slow: str, fast: str) -> str:
    """Ratio of the medians of two sides, and the quartiles of the ratio within a round."""
    spread = Spread.of([a / b for a, b in zip(times[slow], times[fast], strict=True)])
    medians = Spread.of(times[slow]).median / Spread.of(times[fast]).median
    return f"{medians:6.2f} x  ({spread.lower:.2f} to {spread.upper:.2f})"


def show(what: str, times: Times) -> None:
    """Print the times of all sides, and how often each is as fast as the slowest named first."""
    first = next(iter(times))
    print(f"\n{what}, {len(times[first])} rounds")
    for name, values in times.items():
        print(f"  {name:24}{Spread.of(values).milliseconds()}  {ratio(times, first, name)}")
    sys.stdout.flush()


def draw(title: str, unit: str, sizes: Sequence[int], times: Sequence[Times], path: Path) -> None:
    """Save medians over sizes as a picture, with the quartiles as bands."""
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for name in times[0]:
        spreads = [Spread.of(each[name]) for each in times]
        axes.plot(sizes, [each.median for each in spreads], marker="o", markersize=3, label=name)
        axes.fill_between(
            sizes, [each.lower for each in spreads], [each.upper for each in spreads], alpha=0.2
        )
    axes.set(title=title, xlabel=unit, ylabel="seconds", xscale="log", yscale="log")
    axes.grid(which="both", linewidth=0.3)
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
