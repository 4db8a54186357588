"""The benchmark of devices: its table, its message without a GPU, and a quick run on the CPU."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

from gpu import PROGRAMS, checks, times  # noqa: E402
from gpu_child import PROGRAMS as CHILDREN  # noqa: E402
from measure import Told  # noqa: E402

SPREAD = {"median": 2.0, "lower": 1.0, "upper": 3.0, "count": 3}
THERE = {
    **SPREAD,
    "ratio": {"median": 150.0, "lower": 100.0, "upper": 200.0, "count": 3},
    "first_call": 4.0,
    "error": 0.0,
    "compiled": True,
    "graphs_skipped": False,
    "copied": {"bytes_there": 8, "bytes_back": 3, "values": 3},
    "memcpy": {"Memcpy DtoH (Device -> Pageable)": 3},
}
FIGURES = {
    "what": "a program",
    "limit": 0.1,
    "reads": 3,
    "bars": {"there": 200},
    "graphs_in_rounds": 0,
    "sides": {"NumPy": SPREAD, "there": THERE},
}


def test_a_bar_that_is_missed_is_said_to_be() -> None:
    table = "\n".join(times({"one": Told(FIGURES, ""), "two": Told({}, "over the limit of 3 s")}))
    assert (
        "| there | 2.00 s (1.00 s to 3.00 s) | 3 | 150 × (100 to 200) | 4.00 s | ≥ 200 ×: **missed** |"
        in table
    )
    assert "not measured: over the limit of 3 s" in table


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"error": 0.2}, "error 0.2, at most 0.1"),
        ({"compiled": False}, "not compiled"),
        ({"copied": {"bytes_there": 8, "bytes_back": 4, "values": 4}}, "4 values read, 3 at most"),
        ({"memcpy": {"Memcpy DtoH (Device -> Pageable)": 4}}, "the driver says 4 x Memcpy DtoH"),
        ({"graphs_skipped": True}, "made no CUDA graphs"),
    ],
)
def test_what_does_not_hold_is_found(change: dict[str, object], words: str) -> None:
    assert all(met for _, met in checks({"one": Told(FIGURES, "")}))
    sides = {"NumPy": SPREAD, "there": {**THERE, **change}}
    wrong = [said for said, met in checks({"one": Told({**FIGURES, "sides": sides}, "")}) if not met]
    assert len(wrong) == 1
    assert words in wrong[0]


def test_graphs_compiled_in_the_rounds_are_found() -> None:
    wrong = [said for said, met in checks({"one": Told({**FIGURES, "graphs_in_rounds": 2}, "")}) if not met]
    assert wrong == ["a program: 2 graphs compiled in the rounds"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / "gpu.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_a_gpu_it_says_what_runs_here() -> None:
    ran = run()
    assert ran.returncode == 2
    assert "CUDA" in ran.stderr
    assert "--device cpu --small" in ran.stderr


def test_the_same_programs() -> None:
    assert tuple(CHILDREN) == PROGRAMS


def test_a_quick_run(tmp_path: Path) -> None:
    documents = tmp_path / "gpu.json", tmp_path / "gpu.md"
    written = ["--json", str(documents[0]), "--markdown", str(documents[1])]
    ran = run("mandelbrot", "small-jacobi", "--device", "cpu", "--small", "--seconds", "0", *written)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = json.loads(documents[0].read_text())
    assert told["programs"]["mandelbrot"]["sides"]["arrays on the device"]["copied"]["values"] == 15
    assert len(told["programs"]["small-jacobi"]["sides"]) == 4
    assert documents[1].read_text() in ran.stdout
