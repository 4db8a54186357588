"""Starting is light: nothing is imported that the command does not need; `make startup` has the seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "torch", "libcst", "matplotlib")
QUICK = (*HEAVY, "nprewrite.engine", "concurrent.futures", "json", "rich", "pygments")

PROGRAM = """
import sys
from nprewrite.cli import main
code = main(sys.argv[2:])
loaded = [name for name in sys.argv[1].split(",") if name in sys.modules]
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
