"""The line at which a compiled loop raises, however the file was rewritten: that of the loop as written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """import numpy as np
import traceback


def divided(x: np.ndarray, n: int) -> int:
    # A comment that rewriting keeps.
    t = 0
    for i in range(n):
        x[i] = (i +
                1)
        t += (i //
              (n - 5 - i))
    return t


def found(x: np.ndarray, n: int) -> int:
    for i in range(n):
        x[i] = x[i - 1] * 0.5
        if x[i] > 9.0:
            first = i
            last = i
    return (n + 1 -
            last * first)


def told(*functions):
    compiled = False
    for function in functions * 4:
        x = np.zeros(300_000)
        try:
            function(x, len(x))
        except (ZeroDivisionError, UnboundLocalError) as error:
            frames = traceback.extract_tb(error.__traceback__)
            print(error, frames[-1].line, frames[-1].lineno, x.sum())
            compiled |= any(each.name == "raise_fault" for each in frames)
    print("compiled" if compiled else "as written")


if __name__ == "__main__":
    told(divided, found)
"""
DRIVER = """import nprewrite; nprewrite.install('program'); import program
program.told(program.divided, program.found)
"""
NPREWRITE = [sys.executable, "-m", "nprewrite"]


@pytest.mark.parametrize("way", ["decorator", "install", "run", "rewritten"])
def test_loops_raise_at_the_users_line(way: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    if way == "decorator":
        file.write_text(
            PROGRAM.replace("\ndef divided", "\nimport nprewrite\n@nprewrite.jit\ndef divided").replace(
                "\ndef found", "\n@nprewrite.jit\ndef found"
            )
        )
    if way == "rewritten":
        subprocess.run([*NPREWRITE, "program.py"], cwd=tmp_path, check=True)
    command = {"install": [sys.executable, "-c", DRIVER], "run": [*NPREWRITE, "run", "program.py"]}
    made = subprocess.run(
        command.get(way, [sys.executable, "program.py"]),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = file.read_text().splitlines()
    (line,) = (number for number, each in enumerate(lines, 1) if each.strip() == "t += (i //")
    total = float(sum(range(300_000 - 3)))
    text = f"integer division or modulo by zero t += (i // {line}"
    (line,) = (number for number, each in enumerate(lines, 1) if each.strip() == "last * first)")
    unbound = "cannot access local variable 'last' where it is not associated with a value"
    expected = {f"{text} {total}", f"{unbound} last * first) {line} 0.0", "compiled"}
    assert {*made.stdout.splitlines()[2:]} == expected, made.stderr
