"""Code that crashes, hangs, prints or eats the memory is a result, and the next case runs all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from road_tools import task

from nprewrite.comparison.report import Verdict
from nprewrite.verification import child
from nprewrite.verification.child import Limits
from nprewrite.verification.road import Outcome, verify_file

PROGRAM = """
import ctypes
import os
import signal
import sys
import time
import numpy as np

def work(how):
    x = np.zeros(4)
    x[x < 1] = 2
    if how == "crash":
        ctypes.string_at(0)
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "hang":
        while True:
            pass
    if how == "hang in C":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        time.sleep(600)
    if how == "memory":
        kept = [np.ones(1 << 22) for _ in range(1000)]
    if how == "quit":
        os._exit(0)
    if how == "quit 5":
        os._exit(5)
    if how == "forked":
        if os.fork() == 0:
            time.sleep(600)
        ctypes.string_at(0)
    if how == "print":
        print("from Python")
        os.system("echo from C")
    if how == "exit":
        sys.exit(3)
    return x
"""


def verified(folder: Path, *ways: str, seconds: float = 20.0, gib: float = 2.0) -> Outcome:
    limits = Limits(seconds, int(gib * (1 << 30)))
    return verify_file(task(folder, PROGRAM, calls=[f"work({how!r})" for how in ways], limits=limits))


CRASHES = {
    "crash": "the process was ended by SIGSEGV",
    "kill": "the process was ended by SIGKILL (the system's memory may have run out)",
    "quit": "the process ended with exit status 0 in the middle of the work",
    "quit 5": "the process ended with exit status 5",
    "forked": "the process was ended by SIGSEGV",
}


def test_a_crash_is_a_failed_case(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    outcome = verified(tmp_path, "fine", *CRASHES, "fine")
    first, *crashed, last = outcome.report.cases
    assert (first.verdict, last.verdict) == (Verdict.SAME, Verdict.SAME)
    assert {case.verdict for case in crashed} == {Verdict.FAILED}
    assert [case.differences for case in crashed] == [(message,) for message in CRASHES.values()]
    assert outcome.exit_status == 2
    shown = capfd.readouterr().err.count('waves.py", line')
    assert shown == [*CRASHES.values()].count("the process was ended by SIGSEGV"), "the traceback of a crash"


@pytest.mark.parametrize("how", ["hang", "hang in C"])
def test_a_hang_is_a_failed_case(tmp_path: Path, how: str) -> None:
    # As long as the other case may take on a busy machine, with the start of its process.
    outcome = verified(tmp_path, how, "fine", seconds=8.0)
    first, second = outcome.report.cases
    assert first.differences == ("took longer than 8 s (--timeout)",)
    assert second.verdict is Verdict.SAME


def test_a_case_may_take_only_so_much_memory(tmp_path: Path) -> None:
    first, second = verified(tmp_path, "memory", "fine", gib=0.5).report.cases
    assert first.differences == ("took more than 0.5 GiB of memory (--memory)",)
    assert second.verdict is Verdict.SAME


def test_an_exit_is_compared_as_an_exception(tmp_path: Path) -> None:
    [case] = verified(tmp_path, "exit").report.cases
    assert case.verdict is Verdict.SAME


def test_what_is_printed_goes_to_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert verified(tmp_path, "print").exit_status == 0
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "from Python" in printed.err
    assert "from C" in printed.err


def test_a_module_that_hangs_or_crashes_when_it_is_loaded(tmp_path: Path) -> None:
    for statement, seconds, message in [
        ("while True: pass", 2.0, "took longer than 2 s"),
        ("os.abort()", 60.0, "SIGABRT"),
    ]:
        limits = Limits(seconds, 1 << 31)
        outcome = verify_file(
            task(tmp_path, f"{PROGRAM}\n{statement}\n", calls=["work('fine')"], limits=limits)
        )
        assert outcome.exit_status == 2
        assert message in str(outcome.problem)
        assert "cannot be loaded" in str(outcome.problem)


def test_a_module_that_cannot_be_imported(tmp_path: Path) -> None:
    outcome = verify_file(task(tmp_path, f"{PROGRAM}\nimport no_such_module\n", calls=["work('fine')"]))
    assert outcome.exit_status == 2
    assert "cannot be imported: ModuleNotFoundError" in str(outcome.problem)


def test_a_module_of_a_package_with_data_beside_it(tmp_path: Path) -> None:
    pond = tmp_path / "pond"
    pond.mkdir()
    (pond / "__init__.py").write_text("")
    (pond / "scale.py").write_text("SCALE = 3\n")
    (pond / "data.txt").write_text("5")
    text = """
    from pathlib import Path
    import numpy as np
    from .scale import SCALE

    DATA = (Path(__file__).parent / "data.txt").read_text()

    def work(n):
        x = np.zeros(n)
        x[x < 1] = 2
        return x * SCALE + int(DATA)
    """
    [case] = verify_file(task(pond, text, calls=["work(4)"])).report.cases
    assert case.verdict is Verdict.SAME


def test_files_of_the_user_do_not_hide_modules_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pickle.py").write_text("raise ImportError('the wrong pickle')\n")
    assert verified(tmp_path, "fine").exit_status == 0


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = set(tmp_path.iterdir())
    verified(tmp_path, "crash", "fine")
    assert not list(temporary.iterdir())
    assert set(tmp_path.iterdir()) - before == {tmp_path / "waves.py"}


def test_the_memory_of_a_process() -> None:
    held = child.resident_bytes(os.getpid())
    assert held is not None
    assert 1 << 20 < held < 1 << 36
    told = child._resident_bytes_of_ps(os.getpid())
    assert told is not None
    assert abs(told - held) < held


def test_half_of_the_memory() -> None:
    assert 1 << 26 < child.half_of_the_memory() < 1 << 50


def test_a_run_that_is_broken_off_ends_its_child(tmp_path: Path) -> None:
    started = child.run("timeit", ["-n", "1", "import time; time.sleep(600)"], Limits(1.0, 1 << 40))
    with pytest.raises(child.Stopped, match="took longer than 1 s"):
        next(started)
    found = subprocess.run(["ps", "-e", "-o", "args="], capture_output=True, text=True, check=True).stdout
    assert "import time; time.sleep(600)" not in found


def test_ctrl_c_ends_the_child_too(tmp_path: Path) -> None:
    """The child is in a session of its own, so the parent has to end it."""
    path = tmp_path / "waves.py"
    path.write_text(
        PROGRAM.replace(
            "while True:",
            f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n        while True:",
        )
    )
    command = [
        sys.executable,
        "-m",
        "nprewrite",
        "verify",
        str(path),
        "--call",
        "work('hang')",
        "--stage",
        "numpy",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid_file = tmp_path / "pid"
    deadline = time.monotonic() + 30
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
