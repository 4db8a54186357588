"""A program compiled ahead of time, whose cache serves another machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nprewrite.cli.command import main

PROGRAM = """
import sys
import numpy as np

def relax(u, n):
    for _ in range(n):
        u = u + 0.1 * (np.roll(u, 1) + np.roll(u, -1) - 2 * u) + np.sin(u) * 0.01
    return u

if __name__ == "__main__":
    total = 0.0
    for _ in range(int(sys.argv[1])):
        total += relax(np.linspace(0, 1, 300_000), 20).sum()
    print(round(total, 6), "torch" in sys.modules)
"""
CASES = """
import numpy as np

def cases():
    yield np.ones(300_000), 20
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "cases.py").write_text(CASES)
    (tmp_path / "waves.py").write_text(PROGRAM)
    return tmp_path / "waves.py"


def nprewrite(*words: str, cache: Path, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "nprewrite", *words],
        cwd=folder,
        env={**os.environ, "NPREWRITE_CACHE_DIR": str(cache), "NPREWRITE_WAIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    "source",
    [
        ("waves.py", "--call", "relax(np.ones(300_000), 20)"),
        ("waves.py::relax", "--cases", "cases.py"),
        ("waves.py", "--observe", "python waves.py 1"),
    ],
    ids=["call", "cases", "observe"],
)
def test_later_processes_find_what_was_built(program: Path, source: tuple[str, ...]) -> None:
    folder = program.parent
    one, other = folder / "one", folder / "other"
    told = nprewrite("build", *source, cache=one, folder=folder)
    assert ": compiled\n" in told
    assert "files more" in told
    nprewrite("cache", "export", "cache.npr", cache=one, folder=folder)
    nprewrite("cache", "import", "cache.npr", cache=other, folder=folder)
    built = sorted(each.name for each in other.glob("graphs/*.so"))
    assert built
    plain = subprocess.run([sys.executable, str(program), "4"], capture_output=True, text=True, check=True)
    assert nprewrite("run", "--quiet", str(program), "4", cache=other, folder=folder) == plain.stdout
    # Nothing was compiled, not even in the background, for which its process would have made a folder.
    assert sorted(each.name for each in other.glob("graphs/*.so")) == built
    assert not (other / "inductor").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["waves.py"], "one of --call, --cases and --observe is needed"),
        (["none.py", "--call", "f()"], "no such file"),
        (["waves.py", "--call", "relay(1)"], "has no function relay"),
        (["waves.py", "--call", "relax("], "is no Python expression"),
        (["waves.py", "--call", "relax(np.ones(3), 'a')"], "raises TypeError"),
        (["waves.py", "--observe", "ls"], "--observe"),
        (["waves.py", "--call", "f()", "--observe", "python waves.py"], "cannot be combined"),
    ],
)
def test_what_cannot_be_built(program: Path, words: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nprewrite", "build", *words],
        cwd=program.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--help"]) == 0
    assert "--observe COMMAND" in capsys.readouterr().out


LOOPED = """
import numpy as np


def heat(n, trips):
    u = np.zeros(n)
    u[n // 2] = 1.0
    for _ in range(trips):
        u[1:-1] = u[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u
"""


def test_a_loop_that_numba_compiles_from_the_text_of_its_step(tmp_path: Path) -> None:
    (tmp_path / "heat.py").write_text(LOOPED)
    told = nprewrite("build", "heat.py", "--call", "heat(200, 50)", cache=tmp_path / "cache", folder=tmp_path)
    assert "heat(200, 50): compiled\n" in told
