"""A program runs rewritten or as written, by what its earlier runs have taken."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from nprewrite.base import notes
from nprewrite.loading import whole_runs
from nprewrite.loading.program import Program
from nprewrite.loading.whole_runs import Ledger, Side, WholeRuns

Run = Callable[..., subprocess.CompletedProcess[str]]

_PROGRAM = """\
import sys
import numpy as np

def decay(x):
    for n in range(3):
        x[x > 0.5] = 0.25
    return x

print(decay(np.linspace(0.0, 1.0, 5)).sum(), "nprewrite.loading.finder" in sys.modules)
sys.exit(int(sys.argv[1]) if sys.argv[1:] else None)
"""


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs find out nothing that is new."""
    monkeypatch.setattr(whole_runs, "_found_out", lambda: False)


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    ("seconds", "sides"),
    [
        # What takes a fraction of the first run has gained: no run as written has to show it.
        ([4.0, 1.0, 1.0, 1.0], "rrrr"),
        # Rewritten it is slower, and that is clear.
        ([1.2, 0.9, 0.5, 0.5, 0.5], "rrwww"),
        # It is faster, and that is clear.
        ([1.2, 0.5, 0.9, 0.5, 0.5], "rrwrr"),
        # Doubtful times are taken twice, and the shorter one of each counts.
        ([1.2, 0.9, 0.8, 0.7, 0.85, 0.7], "rrwrwr"),
        ([1.2, 0.9, 0.8, 0.9, 0.85, 0.7], "rrwrww"),
        # So are those of which one may have been disturbed.
        ([1.2, 1.1, 0.8, 0.7, 0.8, 0.7], "rrwrwr"),
        # It takes as long as the first run, which found out what there is to rewrite: that is clear too.
        ([1.2, 1.2, 1.0, 1.0, 1.0], "rrwww"),
        # Longer runs are decided by their parts.
        ([30.0, 31.0, 31.0, 31.0], "rrrr"),
    ],
)
def test_the_faster_side_is_kept(seconds: list[float], sides: str) -> None:
    runs = WholeRuns()
    taken: list[Side] = []
    for each in seconds:
        taken.append(runs.next)
        runs.note(taken[-1], each)
    assert "".join(each[0] for each in taken) == sides


@pytest.mark.parametrize(("waited", "counts"), [(0.1, True), (3.0, False)])
def test_runs_that_wait_for_compilers_do_not_count(
    monkeypatch: pytest.MonkeyPatch, waited: float, counts: bool
) -> None:
    """A filter by hand waited 5 s once, and gained in each later run that it was not allowed."""
    monkeypatch.setattr("nprewrite.base.notes._Process.has_written", False)
    monkeypatch.setattr("nprewrite.base.processes.Unattended.started", False)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.waited", lambda: waited)
    runs = WholeRuns(first=1.5)
    runs.note("rewritten", 5.5)
    assert bool(runs.rewritten) == counts


def test_runs_that_find_out_something_new_do_not_count_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_runs, "_found_out", lambda: True)
    runs = WholeRuns()
    for _ in range(6):
        assert runs.next == "rewritten"
        runs.note("rewritten", 0.9)
    assert not runs.rewritten
    runs.note(runs.next, 0.9)
    # It asks for something in each of its runs, for ever.
    assert runs.next == "written"


def test_what_is_decided_while_compilers_work_is_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waves were slower in seven runs, and twice as fast from the ninth on."""
    found_out = [True] * 6
    monkeypatch.setattr(whole_runs, "_found_out", lambda: bool(found_out and found_out.pop()))
    runs, sides = WholeRuns(first=2.0), ""
    for _ in range(14):
        side = runs.next
        sides += side[0]
        runs.note(side, 1.5 if side == "written" else 2.9 if found_out or "w" not in sides else 0.8)
    assert sides == "rrrrrrwwwwrrrr"


@pytest.mark.usefixtures("settled")
def test_other_work_is_compared_anew() -> None:
    runs = WholeRuns(first=1.2, rewritten=[0.9], written=[0.5])
    assert not runs.note("written", 0.6)
    assert runs.note("written", 2.0)
    assert (runs.next, runs.first, runs.rewritten, runs.written) == ("rewritten", 2.0, [], [])


def test_a_run_that_is_compared_anew_says_why_it_ran_as_written(
    run: Run, slower: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine makes it take as long as other work."""
    slower()
    ledger = Ledger(Program("main.py", False, ()))
    assert ledger.side == "written"
    ledger._runs.note("written", 100.0)
    assert not ledger._runs.rewritten
    assert str(ledger) == "ran as written, because that is faster: 0.5 s against 0.9 s"


@pytest.mark.parametrize(
    ("clocks", "seconds"),
    [
        # On a busy machine the program waits; with several threads it computes more than time passes.
        ([(0.0, 0.0), (9.0, 2.0)], 2.0),
        ([(0.0, 0.0), (2.0, 3.9)], 2.0),
    ],
)
def test_the_lesser_clock_counts(
    clocks: list[tuple[float, float]], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_runs, "_clocks", lambda: clocks.pop(0))
    ledger = Ledger(Program("clocks.py", False, ()))
    ledger.ended()
    assert ledger._runs.first == seconds


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the program with the command, in a process of its own that does not wait for compilers."""
    monkeypatch.setenv("NPREWRITE_WAIT", "0")
    (tmp_path / "main.py").write_text(_PROGRAM)

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nprewrite", "run", *arguments]
        variables = {**environment, "NPREWRITE_WAIT": "0", **more}
        return subprocess.run(
            command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture
def slower(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Note of the program with some arguments that it is slower if it is rewritten."""
    monkeypatch.chdir(tmp_path)

    def note(*arguments: str, since: float = 0.0) -> None:
        ledger = Ledger(Program("main.py", False, arguments))
        known = {
            each: whole_runs._state(each)
            for each in map(str, (tmp_path / "main.py", tmp_path / "pyproject.toml"))
        }
        runs = WholeRuns(1.2, [0.9], [0.5], files=known, since=time.time() - since)
        notes.write(whole_runs._FOLDER, ledger._stem, ledger._name, asdict(runs))

    return note


def test_a_program_that_is_slower_runs_as_written(run: Run, slower: Callable[..., None]) -> None:
    assert run("main.py").stdout == "1.25 True\n"
    slower()
    ran = run("main.py")
    assert ran.stdout == "1.25 False\n"
    assert ran.stderr == "nprewrite: main.py ran as written, because that is faster: 0.5 s against 0.9 s\n"
    assert run("--quiet", "main.py").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (("--report", "main.py"), {}),
        (("--wait", "main.py"), {}),
        (("main.py",), {"NPREWRITE_WAIT": "1"}),
        (("main.py", "0"), {}),
    ],
)
def test_it_is_rewritten_where_that_is_asked_for(
    run: Run, slower: Callable[..., None], arguments: tuple[str, ...], variables: dict[str, str]
) -> None:
    slower()
    assert run(*arguments, **variables).stdout == "1.25 True\n"


def test_a_changed_program_is_compared_anew(tmp_path: Path, run: Run, slower: Callable[..., None]) -> None:
    slower()
    (tmp_path / "main.py").write_text(_PROGRAM + "# changed\n")
    assert run("main.py").stdout == "1.25 True\n"


def test_a_new_configuration_is_heeded(tmp_path: Path, run: Run, slower: Callable[..., None]) -> None:
    slower()
    (tmp_path / "pyproject.toml").write_text('[tool.nprewrite]\nverify = "first-call"\n')
    assert run("main.py").stdout == "1.25 True\n"


def test_after_a_day_it_is_compared_anew(run: Run, slower: Callable[..., None]) -> None:
    slower(since=25 * 3600.0)
    assert run("main.py").stdout == "1.25 True\n"


def test_a_run_that_fails_is_not_noted(tmp_path: Path, run: Run) -> None:
    assert run("main.py", "3").returncode == 3
    assert not [*(tmp_path / "cache").glob("runs/*")]
    assert run("main.py", "0").returncode == 0
    assert [*(tmp_path / "cache").glob("runs/main-*.json")]


def test_a_forked_child_notes_nothing(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.py").write_text("import os\nif os.fork():\n    os.wait()\n    os._exit(0)\n")
    assert run("main.py").returncode == 0
    assert not [*(tmp_path / "cache").glob("runs/*")]


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_a_cache_that_cannot_be_written_decides_nothing(tmp_path: Path, run: Run) -> None:
    (tmp_path / "cache").write_text("no folder")
    ran = run("main.py")
    assert (ran.returncode, ran.stdout) == (0, "1.25 True\n")
