"""How the programs are measured: processes that are ended, the rows and what they come to."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
from measure import Told, limited_child
from program_table import Row, Table

COMMAND = Path(__file__).resolve().parents[2] / "benchmarks" / "programs.py"
SLEEP = 90
STARTS_ANOTHER = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep({SLEEP})"])
print('{{"started": true}}', flush=True)
time.sleep({SLEEP})
"""
TELLS_TWICE = """
import json, sys
print("text")
print(json.dumps({"a": 1}))
print(json.dumps({"a": sys.argv[1]}))
"""


def script(folder: Path, text: str) -> Path:
    path = folder / "measured.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_last_figures_are_told(tmp_path: Path) -> None:
    assert limited_child(script(tmp_path, TELLS_TWICE), "two", limit=60) == Told({"a": "two"}, "")


def test_a_process_and_what_it_started_end_at_the_limit(tmp_path: Path) -> None:
    start = time.monotonic()
    told = limited_child(script(tmp_path, STARTS_ANOTHER), limit=4)
    assert told == Told({"started": True}, "over the limit of 4 s")
    # The pipe is read until the last process that can write to it has ended.
    assert time.monotonic() - start < SLEEP


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise ValueError('no such size')", "error: ValueError: no such size"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV"),
    ],
)
def test_why_there_are_no_figures(tmp_path: Path, text: str, why: str) -> None:
    assert limited_child(script(tmp_path, text), limit=30) == Told({}, why)


STORY = {
    "sites": ["3: NPR401 refused[nested-loop]: a loop", "4: NPR603 rewritten: 1 statement"],
    "turns": ["called with (float64[1 axes, below 2**9 elements]): NumPy is kept: 9 ms against NumPy's 3 ms"],
    "steps": [
        "`_f_region` ran 3 x compiled",
        "`_f_region` for arrays below 2**9 elements: the rewritten version is kept: 1 ms against 3 ms",
        "`_f_region_1` for arrays below 2**9 elements: NumPy is kept: nothing of it ran compiled",
    ],
    "runs": {"compiled": 3, "as written: type of h": 1},
}


def row(name: str, verdict: str, ours: float, first: float) -> Row:
    judged = {"small": Told({"verdict": verdict, "differences": ["[0]: 3 differ"], **STORY}, "")}
    sides = {"numpy": {"median": 1.0}, "nprewrite": {"median": ours}}
    spread = {"speed-up of nprewrite": {"median": 1 / ours, "lower": 0.9 / ours, "upper": 1.1 / ours}}
    turns = Told({**sides, **spread, **STORY}, "")
    return Row(name, judged, Told({"worst": first}, ""), Told({}, "over the limit of 95 s"), turns)


def table(*rows: Row) -> Table:
    return Table({"cpu": "one", "cores": "2"}, "bench", 75, list(rows))


def test_what_the_rows_come_to() -> None:
    made = table(row("fast", "same", 0.25, 2.0), row("slow", "same", 4.0, 31.0))
    summary = made.summary()
    assert "wrong or not judged: 0\n" in summary
    assert "first call over 30 s: 1 (slow)" in summary
    assert "below 0.95 times NumPy: 1 (slow)" in summary
    assert "geometric mean: 1.00 times NumPy" in summary
    assert "torch.compile: 2 over 75 s, 0 errors" in summary
    assert made.sound
    assert "4.00 (3.60 to 4.40)" in made.line(made.rows[0])
    told = "NumPy is kept: 9 ms against NumPy's 3 ms; 1 of 2 steps kept compiled; as written: type of h; "
    assert made.line(made.rows[0]).endswith(told + "NPR401 refused: nested-loop")


def test_the_table_as_a_page() -> None:
    page = table(row("slow", "same", 4.0, 31.0), row("fast", "same", 0.25, 2.0)).to_markdown()
    lines = [line for line in page.splitlines() if line.startswith(("| fast", "| slow"))]
    assert lines[0].startswith("| fast | 1000.0 | 2.0 | 250.0 | 4.00 (3.60 to 4.40) | yes | NumPy is kept")
    assert lines[1].startswith("| slow")
    assert "\n\ncpu one, cores 2\n" in page
    assert "- steady state, geometric mean: 1.00 times NumPy" in page


def test_a_wrong_answer_and_a_missing_figure_are_seen() -> None:
    wrong = table(row("wrong", "different", 0.5, 1.0))
    assert not wrong.sound
    assert "small: [0]: 3 differ" in wrong.line(wrong.rows[0])
    ended = row("ended", "same", 0.5, 1.0)
    ended.turns = Told({}, "ended by SIGSEGV")
    missing = table(ended)
    assert not missing.sound
    assert "without a figure: 1 (ended)" in missing.summary()
    assert "ended by SIGSEGV" in missing.line(ended)


def test_rows_are_taken_up_again_where_they_are_alike() -> None:
    told = json.loads(json.dumps(table(row("fast", "same", 0.25, 2.0)).to_json()))
    again = table()
    again.take_rows(told)
    assert again.to_json() == told
    with pytest.raises(ValueError, match="measured with scale 'bench', not 'small'"):
        Table(again.machine, "small", 75).take_rows(told)


def test_the_command_judges_a_program(tmp_path: Path) -> None:
    command: list[Any] = [
        sys.executable,
        COMMAND,
        "--small",
        "sieve",
        "--json",
        tmp_path / "all.json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "programs: 1\nwrong or not judged: 0" in done.stdout
    (found,) = json.loads((tmp_path / "all.json").read_text())["rows"]
    assert found["judged"]["small"]["figures"]["verdict"] == "same"


def test_an_unknown_program_is_named() -> None:
    command: list[Any] = [sys.executable, COMMAND, "sieves"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no program sieves; there are: " in done.stderr
