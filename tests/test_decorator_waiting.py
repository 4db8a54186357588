"""Calls of decorated functions while their steps are compiled: written, not counted, and compiled later."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.runtime.choosing import budget, waiting

pytestmark = pytest.mark.usefixtures("nothing_beside", "small_stands_for_large")

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def in_background(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """As a user's program runs, with a process and caches of its own, and no array too small."""
    from nprewrite.runtime.torch import compiler

    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("MINIMUM_WORK", "GATHERED_WORK", "LARGE_WORK"):
        monkeypatch.setattr(f"nprewrite.runtime.api.step_runs.{name}", 0)
    monkeypatch.setattr("nprewrite.runtime.api.guards.check_warnings", lambda: None)
    monkeypatch.setattr(compiler, "_background", compiler._Background())
    yield
    compiler._background.end()


def distances(x: Any, y: Any) -> Any:
    d = np.abs(x - y)
    return np.sqrt((d * d).sum(axis=0)) + 1


def roots(x: Any, y: Any) -> Any:
    d = np.abs(x + y)
    return np.sqrt((d * d).sum(axis=0)) - 1


def differences(x: Any, y: Any) -> Any:
    d = np.abs(x - y) - 2
    return np.sqrt((d * d).sum(axis=0)) + 1


def outer(x: Any, y: Any) -> Any:
    total = np.zeros(x.shape[1])
    for k in range(3):
        total += np.sqrt(((x - y + k) ** 2).sum(axis=0))
    return total


def rewritten(function: Any, *args: Any) -> Any:
    """The function decorated, and already rewritten for such arguments."""
    jitted = nprewrite.jit(function)
    jitted.specializations.for_call(args, {}, waits=True)
    return jitted


X, Y = np.linspace(0, 1, 400).reshape(4, 100), np.linspace(2, 1, 400).reshape(4, 100)


def test_statements_that_may_run_once_are_not_compiled_before_they_have_had_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kernel for a hundred elements more costs more to load than the statements will ever take."""
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.GATHERED_WORK", 1 << 22)
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.LARGE_WORK", 1 << 26)
    # Its turns are those of all functions of the same definition.
    jitted = rewritten(roots, X, Y)
    for _ in range(100):
        jitted(X, Y)
    assert "as written: too little work so far" in str(jitted.report())
    assert "not decided yet" in str(jitted.report())
    long = np.ones((4, 1 << 22))
    jitted(long, long)
    assert "compiling" in str(jitted.report())


def test_statements_that_take_less_than_a_call_stay_in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever work they gather: compiled, they would take longer."""
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.GATHERED_WORK", 1 << 40)
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.GATHERED_SHORT", 1 << 40)
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.LARGE_WORK", 1 << 40)
    monkeypatch.setattr("nprewrite.runtime.choosing.choice._CALL_S", 60.0)
    monkeypatch.setattr("nprewrite.decorated.jitted.WORTH_ASKING_S", 0.0)
    jitted = rewritten(differences, X, Y)
    for _ in range(10):
        jitted(X, Y)
    kept = [str(each) for each in jitted.version.choices()]
    assert kept == ["NumPy is kept: it takes less than a call of compiled code"]


@pytest.mark.parametrize("function", [distances, outer])
def test_turns_begin_when_the_compiled_side_is_there(function: Any) -> None:
    jitted = rewritten(function, X, Y)
    wanted = function(X, Y)
    for _ in range(5):
        assert np.array_equal(jitted(X, Y), wanted)
    assert "compiling" in str(jitted.report())
    assert [each.seconds for each in jitted.choices] == [{"original": [], "rewritten": []}]
    assert all(each.kept is None for each in jitted.choices)
    assert not budget.current().spent["compiling"]
    deadline = time.monotonic() + 300
    while not jitted.version.compiled_runs:
        assert time.monotonic() < deadline
        np.testing.assert_allclose(jitted(X, Y), wanted, rtol=1e-14)
        time.sleep(0.05)
    for _ in range(200):
        jitted(X, Y)
    assert all(each.seconds["rewritten"] for each in jitted.version.choices())
    assert "compiling" not in "".join(each for each in jitted.report().steps if " ran " not in each)


@pytest.mark.parametrize("asked", [{"wait": True}, {"tune": True}, {"verify": "first-call"}])
def test_a_function_may_wait(asked: dict[str, Any]) -> None:
    jitted = nprewrite.jit(**asked)(distances)
    np.testing.assert_allclose(jitted(X, Y), distances(X, Y), rtol=1e-14)
    assert jitted.version.compiled_runs
    assert not any("as written" in each for each in jitted.report().steps)


def test_others_do_not_wait_after_a_function_that_does() -> None:
    waiter = nprewrite.jit(wait=True)(distances)
    x = np.linspace(-1, 1, 3 * 1000).reshape(3, 1000)
    waiter(x, x[::-1])
    assert waiting.step_asks.get()
    assert not nprewrite.jit(distances)._waits


def test_a_terminal_is_told_what_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "_INTERVAL_S", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    with waiting.telling():
        time.sleep(0.2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with waiting.telling():
        time.sleep(0.2)
    told = capsys.readouterr().err
    assert "\rcompiling: 0 s" in told
    assert told.endswith("\r" + " " * len("compiling: 0 s") + "\r")


def test_a_program_may_wait(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import os\nprint(os.environ.get('NPREWRITE_WAIT'))\n")
    for options, wanted in (([], "None"), (["--wait"], "1")):
        command = [sys.executable, "-m", "nprewrite", "run", *options, script]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == wanted
