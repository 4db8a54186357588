"""Native loops are compiled by another process, and loaded from libraries without Numba."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nprewrite.base import cachedir
from nprewrite.runtime import Native
from nprewrite.runtime.numba import build, decorator, libraries
from nprewrite.runtime.torch import compiler

Make = Callable[[str], Native]

SUM = "def f(x, y):\n    for i in range(x.size):\n        y[i] = 2 * x[i]\n"
X = np.arange(6.0)

PROGRAM = """
import sys, time
import numpy as np
import nprewrite.runtime as npr
from nprewrite.runtime.numba import gathered

gathered.MINIMUM_WORK = 0

@npr.native
def f(x, y):
    for i in range(x.size):
        y[i] = 2 * x[i]

deadline = time.monotonic() + 300
while not f.runs["compiled"] and time.monotonic() < deadline:
    y = np.zeros(1000)
    f(np.ones(1000), y)
    assert (y == 2).all()
    time.sleep(0.02)
print([*f.runs], "numba" in sys.modules)
"""


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    return tmp_path


def doubled(loop: Native) -> list[float]:
    y = np.zeros_like(X)
    loop(X, y)
    found: list[float] = y.tolist()
    return found


def test_the_program_never_imports_numba(own_cache: Path) -> None:
    script = own_cache / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "NPREWRITE_WAIT": "0"}

    def said() -> str:
        return subprocess.run(
            [sys.executable, str(script)], env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert said() == "['as written: compiling', 'compiled'] False\n"
    assert said() == "['compiled'] False\n"


def test_a_long_loop_waits(own_cache: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would take longer for it than Numba for compiling it."""
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setattr("nprewrite.runtime.numba.decorator.LONG_WORK", 1)
    loop = make(SUM)
    assert doubled(loop) == (2 * X).tolist()
    assert loop.runs == {"compiled": 1}


VARYING = """
def f(m, t):
    total = 0.0
    for i in range(len(m[0])):
        for j in range(len(m)):
            if m[j, i] > t:
                total += m[j, i] * t
    return total
"""


def test_what_serves_all_lengths_is_not_taken_for_long(
    own_cache: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where integers and shapes differ from call to call; a program would wait for the compiler."""
    monkeypatch.setattr("nprewrite.runtime.numba.gathered.MINIMUM_WORK", 0)
    loop = make(VARYING)
    for t in range(12):
        m = np.arange(6.0 * (t + 3)).reshape(6, t + 3)
        assert loop(m, t) == float((m[m > t] * t).sum())
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setattr(decorator, "LONG_WORK", 1)
    awaited = {each.is_for_types: loop._is_awaited(each) for each in loop._plans._plans.values()}
    assert awaited == {True: False, False: True}


def test_a_damaged_library_is_made_anew(own_cache: Path, make: Make) -> None:
    doubled(make(SUM))
    (library,) = own_cache.glob("loops/*.so")
    # Not in place: it is in this process's memory.
    cachedir.place(library, library.read_bytes()[:-1])
    loop = make(SUM)
    assert doubled(loop) == (2 * X).tolist()
    assert loop.report() == ["`f` ran 1 x compiled"]


def test_a_library_that_no_process_can_load_is_not_made_again(
    own_cache: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise OSError("loop.so: undefined symbol: numba_attempt_nocopy_reshape")

    with monkeypatch.context() as patched:
        patched.setattr(build, "load", missing)
        assert doubled(make(SUM)) == (2 * X).tolist()
    monkeypatch.setattr(build, "_make", None)
    loop = make(SUM)
    assert doubled(loop) == (2 * X).tolist()
    assert "undefined symbol" in loop.report()[1]


@pytest.mark.parametrize(
    "expression",
    [
        "np.sum(m[i:i + 2] * v)",
        "np.mean(m[i:i + 2])",
        "np.linalg.norm(m[i:i + 2])",
        "np.linalg.inv(m[:4] + 3 * np.eye(4))[i, i]",
        "np.linalg.solve(m[:4] + 3 * np.eye(4), v)[i]",
    ],
)
def test_what_takes_several_axes_is_loaded_without_numba(
    expression: str, own_cache: Path, make: Make
) -> None:
    text = f"def f(m, v, out):\n    for i in range(out.size):\n        out[i] = {expression}\n"
    for _ in range(2):
        m, out = np.sin(np.arange(24.0)).reshape(6, 4), np.zeros(3)
        loop = make(text)
        loop(m, m[0].copy(), out)
        wanted = [eval(expression, {"np": np, "m": m, "v": m[0], "i": i}) for i in range(3)]
        np.testing.assert_allclose(out, wanted, rtol=1e-13)
        assert loop.report() == ["`f` ran 1 x compiled"]


@pytest.mark.parametrize("where", ["here", "there"])
def test_without_a_linker_numba_keeps_it(
    where: str, own_cache: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nprewrite.base.processes.shutil.which", lambda _: None)
    if where == "there":
        monkeypatch.setenv("PATH", "")
        monkeypatch.setenv("NPREWRITE_WAIT", "0")
        monkeypatch.setattr(compiler, "_background_of_loops", compiler._Background())
    loop = make(SUM)
    deadline = time.monotonic() + 300
    while not loop.runs["compiled"]:
        assert time.monotonic() < deadline
        assert doubled(loop) == (2 * X).tolist()
        time.sleep(0.02)
    assert loop.report()[1:] == ["`f` is loaded by Numba itself: there is no C++ compiler to link it"]
    assert [*own_cache.glob("native/*.py")]
    compiler._background_of_loops.end()


@pytest.mark.parametrize("argument", [2**63, -(2**63) - 1, "text", np.longdouble(1)], ids=repr)
def test_what_no_library_takes(argument: object) -> None:
    with pytest.raises(libraries.NoLibrary):
        libraries.kind_of(argument)


def test_integers_of_one_type_need_not_be_alike() -> None:
    """ctypes would wrap the second around."""
    assert build._likeness(2**62) != build._likeness(2**64)
