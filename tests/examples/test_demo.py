"""The demonstration runs from end to end."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo.py"


def test_demo_rewrites_runs_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    image = pytest.importorskip("matplotlib.image")
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    monkeypatch.setattr(demo, "BUILD", tmp_path)
    monkeypatch.setattr(demo, "PICTURE", tmp_path / "mandelbrot.png")
    monkeypatch.setattr(demo, "REPEATS", 1)

    demo.main()

    printed = capsys.readouterr().out
    for part in ("+@npr.step(", "NPR401 rewritten", "speed-up", "escape times equal on", "mandelbrot.png"):
        assert part in printed
    picture = image.imread(tmp_path / "mandelbrot.png")
    assert picture.shape == (599, 720, 4)
    # Orange outside, nearly black inside the set.
    assert picture[10, 10, 0] > 0.9
    assert picture[300, 420, :3].max() < 0.25
