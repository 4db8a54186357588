"""Starting is light: nothing is imported that the command does not need; `make startup` has the seconds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nprewrite.cli.command import main as command
from nprewrite.cli.launching import plain_program
from nprewrite.config import Configurations
from nprewrite.loading.program import Program

HEAVY = ("numpy", "torch", "libcst", "matplotlib")
QUICK = (*HEAVY, "nprewrite.engine", "concurrent.futures", "json", "rich", "pygments")

PROGRAM = """
import sys
from nprewrite.cli import main
unwanted = sys.argv[1].split(",")
code = main(sys.argv[2:])
loaded = [name for name in unwanted if name in sys.modules]
sys.exit(f"code {code}, loaded {loaded}" if code or loaded else 0)
"""


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], QUICK),
        (["--version"], HEAVY),
        (["pass", "--help"], QUICK),
        (["rewrite", "--help"], QUICK),
        (["pass"], ["torch", "matplotlib"]),
        (["a.py"], ["torch"]),
        (["run", "a.py"], [*HEAVY, "click"]),
    ],
    ids=lambda value: "-".join(value),
)
def test_what_is_not_imported(work: Path, arguments: list[str], unwanted: list[str]) -> None:
    (work / "a.py").write_text("x = 1\n")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join(unwanted), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_module_gives_its_exit_status(work: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "nprewrite", "gone.py"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr == "gone.py: error: no such file or directory\n"


@pytest.mark.parametrize(
    "arguments",
    [["a.py"], ["a.py", "--report", "-m"], ["-m", "a.b", "x"]],
)
def test_a_program_without_options_is_the_same_as_through_click(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Program] = []

    def run_program(program: Program, *, report: bool = False, quiet: bool = False) -> int:
        given.append(program)
        assert not report
        assert not quiet
        return 0

    monkeypatch.setattr("nprewrite.cli.run.run_program", run_program)
    assert command(["run", *arguments]) == 0
    (program,) = given
    assert program.configurations == Configurations()
    assert replace(program, configurations=None) == plain_program(["run", *arguments])


@pytest.mark.parametrize("arguments", [[], ["run"], ["run", "-m"], ["run", "--wait", "a.py"], ["a.py"]])
def test_all_else_is_left_to_click(arguments: list[str]) -> None:
    assert plain_program(arguments) is None
