"""The benchmark of the documents' figures: its table, and a quick run of two groups."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

from measure import Told  # noqa: E402
from seeds import FIGURES, GROUPS, Figure, cell, rows  # noqa: E402

RATIO = Figure(2, "compiled", "9 ×", "kmeans", "compiled", "ours", "numpy")
TIMES = {"numpy": {"median": 1.0}, "compiled": {"median": 0.25}, "ours": {"median": 2.0}}


def test_times_and_ratios() -> None:
    told = {"kmeans": Told(TIMES, "")}
    assert cell(RATIO, "compiled", told) == "4 ×"
    assert cell(RATIO, "ours", told) == "0.5 ×"
    time = Figure(2, "NumPy", "1.26 s", "kmeans", "numpy", "ours")
    assert cell(time, "numpy", told) == "1.00 s"


def test_what_is_missing_has_its_reason() -> None:
    assert cell(RATIO, "compiled", {}) == "not asked for"
    late = {"kmeans": Told({}, "over the limit of 300 s")}
    assert cell(RATIO, "compiled", late) == "not measured: over the limit of 300 s"
    fails = {"kmeans": Told({"compiled": {"fails": "Unsupported: a\nb"}}, "")}
    assert cell(RATIO, "compiled", fails) == "fails: Unsupported: a"
    assert all(figure.group or figure.here.startswith("not measured: ") for figure in FIGURES)


def test_every_figure_has_a_row() -> None:
    text = "\n".join(rows({}))
    assert all(figure.what in text and figure.says in text for figure in FIGURES)
    assert {figure.document for figure in FIGURES} == {1, 2, 3, 4}


def test_a_quick_run(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    file = tmp_path / "seeds.json"
    groups = ["locality", "matrix-sum"]
    assert set(groups) < set(GROUPS)
    command = [sys.executable, str(BENCHMARKS / "seeds.py"), "--small", "--json", str(file), *groups]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(file.read_text())
    for figure in FIGURES:
        if figure.group in groups:
            found = told["groups"][figure.group]
            assert "median" in found[figure.ours]
            assert {"median", "why"} & found[figure.here].keys()
            assert figure.what in ran.stdout
