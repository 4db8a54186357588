"""Faults of nprewrite itself, files it cannot analyse, and many files at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Run

pytestmark = pytest.mark.usefixtures("rewriter")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("old()\ncrash()\n", "ZeroDivisionError: division by zero"),
        (
            "old()\nbroken_output()\n",
            "NPR101 (masked-store) produced text that does not compile",
        ),
    ],
)
def test_an_internal_error(work: Path, run: Run, source: str, message: str) -> None:
    (work / "a.py").write_text(source)
    (work / "b.py").write_text("old()\n")
    (work / "c.py").write_text("x = (\n")
    ran = run("a.py", "b.py", "c.py")
    assert ran.code == 4
    lines = ran.err.splitlines()
    assert lines[0] == f"a.py: internal error: {message}"
    assert lines[1].startswith(
        "This is a fault of nprewrite, not of your file, which was left untouched. Please"
    )
    assert any(line.startswith("nprewrite ") and "Python 3." in line for line in lines)
    assert "Traceback (most recent call last):" in lines
    assert (work / "a.py").read_text() == source
    assert (work / "b.py").read_text() == "new()\n"
    assert ran.out.endswith("1 file changed, 2 files failed; sites: 1 rewritten\n")


def test_code_that_is_nested_too_deeply(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\ndeep()\n")
    (work / "b.py").write_text("old()\n")
    ran = run("a.py", "b.py")
    assert ran.code == 2
    assert ran.err == (
        "a.py: error: the code is nested too deeply, or too large, to be analysed; "
        "split its longest expressions into several statements\n"
    )
    assert (work / "a.py").read_text() == "old()\ndeep()\n"
    assert (work / "b.py").read_text() == "new()\n"


def test_the_user_s_own_warnings_are_not_repeated(
    work: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "warnoptions", ["error"])
    (work / "a.py").write_text("old()\ns = '\\d'\nx = 1 is 1\n")
    ran = run("a.py")
    assert (ran.code, ran.err) == (0, "")
    assert (work / "a.py").read_text().startswith("new()\n")


def _many(work: Path, count: int) -> list[str]:
    names = [f"m{number:03}.py" for number in range(count)]
    for name in names:
        (work / name).write_text("old()\n")
    return names


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are used even where there is one core."""
    monkeypatch.setattr("nprewrite.cli.pool.cores", lambda: 2)


@pytest.mark.usefixtures("two_cores")
def test_many_files_keep_their_order_and_their_errors(work: Path, run: Run) -> None:
    names = _many(work, 40)
    (work / "m007.py").write_text("x = (\n")
    (work / "m008.py").write_text("crash()\n")
    (work / "m009.py").write_bytes(b"\xff")
    ran = run(".")
    assert ran.code == 4
    good = [name for name in names if name not in ("m007.py", "m008.py", "m009.py")]
    assert ran.out.splitlines() == [
        *(f"{name}:1:1 NPR101 rewritten: old became new" for name in good),
        "37 files changed, 3 files failed; sites: 37 rewritten",
    ]
    assert all((work / name).read_text() == "new()\n" for name in good)
    errors = [
        line.split(":")[0] for line in ran.err.splitlines() if "error: " in line and line.startswith("m0")
    ]
    assert errors == ["m007.py", "m008.py", "m009.py"]


@pytest.mark.usefixtures("two_cores")
def test_the_files_really_go_to_other_processes(
    work: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nprewrite.engine.outcomes import Options, Rewriting

    arrived = work.parent / "arrived"
    arrived.mkdir()

    def rewrite(text: str, filename: str, options: Options) -> Rewriting:
        (arrived / str(os.getpid())).touch()
        # Until the other is there too: it may start late, and find nothing left to do.
        while len(os.listdir(arrived)) < 2:
            time.sleep(0.01)
        return Rewriting(text, f"{os.getpid()}\n")

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", rewrite)
    names = _many(work, 20)
    run(".")
    processes = {(work / name).read_text().strip() for name in names}
    assert len(processes) == 2
    assert str(os.getpid()) not in processes


@pytest.mark.usefixtures("two_cores")
def test_a_process_that_dies_costs_one_file(work: Path, run: Run) -> None:
    names = _many(work, 12)
    (work / "m003.py").write_text("die()\n")
    ran = run("--format", "github", ".")
    assert ran.code == 4
    assert "11 files changed, 1 file failed" in ran.out
    assert (
        "::error file=m003.py,title=nprewrite internal error::the process that rewrote this file ended"
        in ran.out
    )
    assert all((work / name).read_text() == "new()\n" for name in names if name != "m003.py")


PROGRAM = """
import sys, time
from nprewrite.cli import main, pool
from nprewrite.engine import pipeline
from nprewrite.engine.outcomes import Outcome, Rewriting, Site
def rewrite(text, filename, options):
    time.sleep(DELAY)
    site = Site(1, 1, "NPR101", "masked-store", Outcome.REWRITTEN, "done")
    return Rewriting(text, "new()\\n", (site,))
pipeline.rewrite_source = rewrite
pool._cores = lambda: 2
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def _program(work: Path, delay: float) -> list[str]:
    script = work.parent / f"program_{work.name}.py"
    script.write_text(PROGRAM.replace("DELAY", str(delay)))
    return [sys.executable, str(script)]


def test_an_interrupt_ends_all_processes_in_silence(work: Path) -> None:
    names = _many(work, 30)
    with subprocess.Popen(
        [*_program(work, 0.2), "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        os.killpg(process.pid, 2)
        assert process.wait(20) == 130
        assert (
            process.stderr.read() == "nprewrite: interrupted; every file is either rewritten or as it was\n"
        )
    contents = [(work / name).read_text() for name in names]
    assert set(contents) == {"old()\n", "new()\n"}
    assert sorted(os.listdir(work)) == names


def test_a_reader_that_goes_away_does_not_stop_the_work(work: Path) -> None:
    names = _many(work, 300)
    command = " ".join([*_program(work, 0), "."])
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -n 1"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "m000.py:1:1 NPR101 rewritten: done\n"
    assert all((work / name).read_text() == "new()\n" for name in names)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
@pytest.mark.parametrize("arguments", [["a.py"], ["--diff", "a.py"], ["a.py", "-o", "-"]])
def test_a_full_disk_behind_standard_output(work: Path, arguments: list[str]) -> None:
    (work / "a.py").write_text("old()\n")
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [*_program(work, 0), *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr.endswith("nprewrite: error: cannot write <stdout>: no space left on device\n")
    assert "Traceback" not in ran.stderr


def test_closed_standard_streams(work: Path) -> None:
    (work / "a.py").write_text("old()\n")
    command = " ".join(_program(work, 0))
    ran = subprocess.run(["bash", "-c", f"{command} a.py gone.py >&- 2>&-"], check=False)
    assert ran.returncode == 2
    assert (work / "a.py").read_text() == "new()\n"
    ran = subprocess.run(["bash", "-c", f"{command} - 2>&1 <&-"], check=False, capture_output=True)
    assert ran.returncode == 2
    assert ran.stdout == b"<stdin>: error: standard input is closed\n1 file failed; sites: none\n"


def test_a_terminal_of_another_encoding(work: Path) -> None:
    (work / "größe.py").write_text("old()\n")
    ran = subprocess.run(
        [*_program(work, 0), "größe.py"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert ran.stdout.splitlines()[0] == b"gr\\xf6\\xdfe.py:1:1 NPR101 rewritten: done"
