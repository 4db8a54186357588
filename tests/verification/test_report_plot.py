"""The picture of where two arrays differ."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite.verification.plot import plot_difference

GRID = np.arange(24.0).reshape(4, 6)


@pytest.mark.parametrize(
    "array",
    [
        np.array(3.0),
        np.linspace(0, 1, 50),
        GRID,
        GRID.reshape(2, 3, 4),
        GRID + 1j,
        GRID > 3,
        GRID.astype(int),
        np.array([np.nan, np.inf, 1.0]),
        np.full((2, 2), np.nan),
    ],
)
def test_picture_is_saved(array: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    same, moved = tmp_path / "same.png", tmp_path / "moved.png"
    plot_difference(array, array, same, title="f")
    other = array.copy()
    other[(0,) * other.ndim] = 1 - other[(0,) * other.ndim]
    plot_difference(array, other, moved, title="f")
    assert same.read_bytes().startswith(b"\x89PNG")
    assert same.read_bytes() != moved.read_bytes() or np.isnan(array).any()


def test_shapes_without_a_picture(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no picture of arrays of shape \(3,\) and \(2,\)"):
        plot_difference(np.ones(3), np.ones(2), tmp_path / "x.png", title="f")
    with pytest.raises(ValueError, match="no picture"):
        plot_difference(np.ones(0), np.ones(0), tmp_path / "x.png", title="f")


def test_missing_matplotlib_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(RuntimeError, match=r"pip install 'nprewrite\[plot\]'"):
        plot_difference(np.ones(3), np.ones(3), tmp_path / "x.png", title="f")


def test_importing_needs_neither_matplotlib_nor_torch() -> None:
    program = (
        "import sys, nprewrite.comparison.compare, nprewrite.verification.plot\n"
        "sys.exit(bool({'torch', 'matplotlib'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
