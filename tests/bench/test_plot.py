"""The pictures: the numbers that are drawn, and that a file comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench_tools import measurement, of_sizes

from nprewrite.benching import plot
from nprewrite.benching.measurement import Measurement

figures = pytest.importorskip("matplotlib.figure")


def drawn(group: list[Measurement]) -> Any:
    """The axes on which a group is drawn."""
    axes = figures.Figure().subplots()
    plot._panel(axes, group)
    return axes


def test_time_over_size_with_the_crossing() -> None:
    axes = drawn(of_sizes([10, 1000], [1e-5, 1e-1], [1e-3, 1e-3]))
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()) == ("log", "log", "n")
    original, rewritten = (each.lines[0] for each in axes.containers)
    assert list(original.get_ydata()) == [1e-5, 1e-1]
    assert list(rewritten.get_xdata()) == [10.0, 1000.0]
    styles = {(each.get_marker(), each.get_linestyle()) for each in (original, rewritten)}
    assert len(styles) == 2, "told apart without colour"
    assert [text.get_text() for text in axes.texts] == ["equal at n = 100"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["10", "1,000"]
    place, height = axes.texts[0].xy
    assert (place, height) == pytest.approx((100, 1e-3))


def test_time_over_threads() -> None:
    group = [measurement([1.0] * 3, [1.0 / count] * 3, asked=count) for count in (1, 2)]
    axes = drawn(group)
    assert axes.get_xlabel() == "threads"
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "rewritten, if it scaled perfectly" in labels
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "2"]


def test_time_over_calls_with_the_break_even() -> None:
    axes = drawn([measurement([1.0] * 3, [0.25] * 3, cold=(10.0, 1.0), warm=(2.0,))])
    assert [text.get_text() for text in axes.texts] == ["earned back after 14", "earned back after 3"]
    written, cold, warm = (line for line in axes.lines if len(line.get_xdata()) > 10)
    assert list(written.get_ydata()[:2]) == [1.0, 2.0]
    assert list(cold.get_ydata()[:3]) == [10.0, 11.0, 11.25]
    assert list(warm.get_ydata()[:3]) == [2.0, 2.25, 2.5]


def test_a_file_comes_out(tmp_path: Path) -> None:
    path = tmp_path / "times.png"
    failed = Measurement(1, "f", "f(1)", problem="no")
    plot.draw([measurement([1.0] * 3, [2.0] * 3), failed], path, "a title")
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="nothing was measured"):
        plot.draw([failed], path, "a title")
