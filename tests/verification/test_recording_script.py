"""Calls recorded from a run of the user's own program, and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from road_tools import WAVES, task

from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.recorder import CALLS
from nprewrite.verification.road import Outcome, verify_file
from nprewrite.verification.script import Script, script_of

MAIN = f"""{WAVES}

if __name__ == "__main__":
    import sys
    print("run with", sys.argv[1:], __file__)
    damp(Box([1.0, 2.0]), n=int(sys.argv[1]))
    twice(4)
    sys.exit(int(sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def _in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def verified(folder: Path, script: str, before: str = MAIN, **options: Any) -> Outcome:
    return verify_file(task(folder, before, script=script, **options))


def labels(outcome: Outcome) -> list[str]:
    return [case.case for case in outcome.report.cases]


def test_calls_inside_the_program_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    outcome = verified(tmp_path, "python waves.py 3 0")
    assert labels(outcome) == ["call 1: damp(Box, n=3)", "call 2: twice(4)", "call 3: cut(4)"]
    assert outcome.exit_status == 0
    # `twice` calls `cut` two times with the same argument.
    assert outcome.notes == ["left out: 1 calls of cut with the same arguments as another"]
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "run with ['3', '0'] waves.py" in printed.err


def test_calls_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import waves\nwaves.cut(3)\nfrom waves import Box\nBox([1]).clip(2)\n")
    for command in ("python main.py", "python3.11 -m main", "main.py"):
        outcome = verified(tmp_path, command)
        assert labels(outcome) == ["call 1: cut(3)", "call 2: Box.clip(Box, 2)"]
        assert outcome.exit_status == 0
    assert not list(tmp_path.rglob("*waves*.pyc")), "wrapped code must not stay as bytecode"


def test_a_program_that_fails_after_some_calls(tmp_path: Path) -> None:
    outcome = verified(tmp_path, "python waves.py 3 7")
    assert len(outcome.cases) == 3
    assert outcome.notes[0] == (
        '--script "python waves.py 3 7": the process ended with exit status 7; '
        "the calls made until then are compared"
    )


def test_a_program_that_calls_nothing(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import waves\nwaves.untouched(3)\n")
    outcome = verified(tmp_path, "python main.py")
    assert outcome.exit_status == 2
    assert outcome.problem is not None
    assert outcome.problem.startswith('--script "python main.py" calls none of the functions to compare')


def test_a_program_that_fails_at_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    outcome = verified(tmp_path, "python waves.py")
    assert outcome.exit_status == 2
    assert "the process ended with exit status 1; no call was recorded" in str(outcome.problem)
    assert "IndexError" in capfd.readouterr().err


def test_many_calls_and_what_cannot_be_copied(tmp_path: Path) -> None:
    main = "import waves\n"
    main += f"for k in range({CALLS} + 5): waves.cut(k)\n"
    main += "box = waves.Box([1.0])\nbox.lazy = (k for k in 'ab')\nwaves.damp(box, 3)\n"
    (tmp_path / "main.py").write_text(main)
    outcome = verified(tmp_path, "python main.py")
    assert len(outcome.cases) == CALLS
    assert outcome.notes == [
        f"left out: 5 calls of cut after the first {CALLS}",
        "left out: 1 calls of damp whose arguments cannot be copied "
        "(TypeError: cannot pickle 'generator' object)",
    ]


def test_arguments_are_copied_before_the_call(tmp_path: Path) -> None:
    text = """
import numpy as np

def grow(values, n):
    values.resize(n, refcheck=False)
    x = np.zeros(n)
    x[x < 1] = 2
    return x

if __name__ == "__main__":
    grow(np.ones(3), 7)
"""
    [case] = verified(tmp_path, "python waves.py", text).report.cases
    assert (case.case, case.verdict) == ("call 1: grow(float64[3], 7)", "same")


def test_a_decorated_function_is_recorded_as_what_it_is(tmp_path: Path) -> None:
    text = """
import numpy as np
import nprewrite

@nprewrite.jit
def f(x, n):
    for k in range(n):
        m = x < 3
        x[m] = x[m] + 1.0
    return x

if __name__ == "__main__":
    assert f.original is not None and "deferred" in str(f.report())
    f(np.zeros(5), 4)
"""
    outcome = verified(tmp_path, "python waves.py", text)
    [case] = outcome.report.cases
    assert (case.case, case.verdict) == ("call 1: f(float64[5], 4)", "same")
    assert "ran numpy" in case.notes


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("python waves.py 'a b' c", Script("waves.py", False, ("waves.py", "a b", "c"))),
        ("/usr/bin/python3 -m pond.waves x", Script("pond.waves", True, ("pond.waves", "x"))),
        ("waves.py", Script("waves.py", False, ("waves.py",))),
    ],
)
def test_what_a_command_runs(tmp_path: Path, command: str, script: Script) -> None:
    (tmp_path / "waves.py").write_text("")
    assert script_of(command) == script


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", 'expected "python run.py args"'),
        ("python -c 'print(1)'", 'expected "python run.py args"'),
        ("python -O run.py", 'expected "python run.py args"'),
        ("python 'run.py", "No closing quotation"),
        ("python gone.py", "there is no file gone.py"),
    ],
)
def test_what_a_command_cannot_be(command: str, message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        script_of(command)
