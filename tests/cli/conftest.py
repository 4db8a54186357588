"""What the tests of the command line share.

Most of them are about files and reports, so they run a small rewriter in place of the passes: it is
`line_rewriter`, and ``tests/cli/test_cli_real_rewriter.py`` runs the real one.
"""

from __future__ import annotations

import ast
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import nprewrite
from nprewrite.cli import main
from nprewrite.engine.outcomes import InternalError, Options, Outcome, Rewriting, Site, Stage
from nprewrite.passes.level import Level
from nprewrite.source.problems import SourceProblem


@dataclass(frozen=True)
class NamedPass:
    """As much of a pass as the command line asks for."""

    code: str
    name: str
    level: Level
    summary: str


PASSES = (
    NamedPass(
        "NPR101", "masked-store", Level.EXACT, "A store through a mask becomes a full store of a select."
    ),
    NamedPass("NPR201", "complex-pairs", Level.ROUNDING, "A complex array becomes two real arrays."),
)


def line_rewriter(text: str, filename: str, options: Options) -> Rewriting:
    """Turn ``old()`` into ``new()``; other words ask for the other outcomes."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise SourceProblem(error.msg, error.lineno or 1, error.offset or 1) from error
    if "crash()" in text:
        raise ZeroDivisionError("division by zero")
    if "broken_output()" in text:
        raise InternalError("NPR101 (masked-store) produced text that does not compile")
    if "deep()" in text:
        raise RecursionError("maximum recursion depth exceeded")
    if "die()" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    sites: list[Site] = []
    for number, line in enumerate(text.splitlines(), start=1):
        sites.extend(_sites(number, line))
    after = text.replace("old()", "new()")
    stages = (Stage("NPR101", "masked-store", text, after),) if after != text else ()
    return Rewriting(text, after, tuple(sites), stages)


def _sites(number: int, line: str) -> list[Site]:
    found: list[Site] = []
    if "old()" in line:
        found.append(
            Site(
                number,
                line.index("old()") + 1,
                "NPR101",
                "masked-store",
                Outcome.REWRITTEN,
                "old became new",
                level=Level.EXACT,
            )
        )
    if "stay()" in line:
        found.append(
            Site(
                number,
                line.index("stay()") + 1,
                "NPR201",
                "complex-pairs",
                Outcome.REFUSED,
                "the dtype is not known",
                "dtype-unknown",
                "annotate the parameter",
            )
        )
    if "later()" in line:
        found.append(Site(number, 1, "NPR201", "complex-pairs", Outcome.DEFERRED, "known at the first call"))
    return found


@pytest.fixture
def rewriter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line use `line_rewriter`."""
    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", line_rewriter)
    monkeypatch.setattr("nprewrite.engine.pipeline.PASSES", PASSES)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def _importable_in_subprocesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package under test, also where a test starts a Python in another directory."""
    source = str(Path(nprewrite.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", source)


@dataclass(frozen=True)
class Ran:
    """What one run of the command line did."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        code = main(arguments)
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
