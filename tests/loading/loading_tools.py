"""Packages to import, and Pythons of their own to import them in."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import nprewrite
from nprewrite.cli import main

SOURCE = Path(nprewrite.__file__).parents[1]

DECAY = """\
import numpy as np


def decay(maxiter, fail=False):
    \"\"\"Half of the elements shrink.\"\"\"
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):
        m = x > 0.5
        x[m] = x[m] * 0.9
    if fail:
        raise ValueError("too far")
    return x
"""

MAIN = """\
import sys
from waves.core import decay
print(sys.argv[1:], decay(3).sum(), __name__, __package__)
"""

Python = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A directory with the package ``waves``, which has data, a submodule and a ``__main__``."""
    folder = tmp_path / "project" / "waves"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("from waves.core import decay\n")
    (folder / "core.py").write_text(DECAY)
    (folder / "inner" / "__init__.py").write_text(DECAY)
    (folder / "data.txt").write_text("four\n")
    (folder / "plain.py").write_text("def one():\n    return 1\n")
    (folder / "__main__.py").write_text(MAIN)
    return folder.parent


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of a Python that finds nprewrite and keeps its cache here."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    return {**os.environ, "PYTHONPATH": str(SOURCE), "NPREWRITE_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def python(package: Path, environment: dict[str, str]) -> Python:
    """Run a program in the project; its text is the first argument."""

    def run(text: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(text), *arguments],
            cwd=package,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or ran.returncode == 0, ran.stderr
        return ran

    return run


@dataclass(frozen=True)
class Ran:
    """What one run of the command line did."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def command(
    package: Path,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Command:
    """Run the command line in the project, but in this process."""
    monkeypatch.chdir(package)

    def run(*arguments: str) -> Ran:
        capfd.readouterr()
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Ran(code, *capfd.readouterr())

    return run
