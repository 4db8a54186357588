"""What every test finds."""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import tempfile
import time
from getpass import getuser
from pathlib import Path, PurePosixPath
from shutil import rmtree
from typing import Any

import pytest
from numpy._core._multiarray_umath import __cpu_features__

from nprewrite.runtime.choosing import budget

SHARING = {"catalogue", "explain"}
"""Folders whose files ask for the same: what programs of the catalogue become, what a run has shown."""

MEMORY = 10 << 30
"""Bytes of private memory that a process of the tests may have."""


def pytest_configure() -> None:
    """Have signals handled, here and in all children: nohup and some CI have them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # Compilers make millions of objects that live on: to look through them all takes a twentieth of the time.
    gc.set_threshold(50_000, 20, 100)
    # The many Pythons that tests start need not compile the package anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # A program drawn at random once took all memory: with a limit it is the test that fails, and tells which.
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = MEMORY if most == resource.RLIM_INFINITY else min(most, MEMORY)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
    # A test is about what compiled code computes; those of the default ask for it.
    os.environ["NPREWRITE_WAIT"] = "1"
    # What was compiled for one test's cache need not be compiled for another's.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", _folder())
    os.environ.setdefault("NPREWRITE_CACHE_DIR", f"{_folder()}/nprewrite")
    # Torch compiles a program to see whether vectors work: interrupted, it leaves the answer "no" for good.
    if __cpu_features__["AVX2"]:
        os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
    # On a busy machine a compiler takes longer than a user is made to wait; a test waits for it.
    budget.SECONDS = 600.0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Have one process run the tests of a file, or of a folder: it makes once what they share."""
    from xdist.scheduler import LoadFileScheduling

    class ByFileOrFolder(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = PurePosixPath(super()._split_scope(nodeid))
            return str(file.parent if file.parent.name in SHARING else file)

    return ByFileOrFolder(config, log)


def _folder() -> str:
    return f"{tempfile.gettempdir()}/nprewrite-tests-{getuser()}"


@pytest.fixture(autouse=True)
def _functions_that_no_process_has_seen() -> None:
    """Have every test observe and rewrite its functions itself."""
    rmtree(Path(os.environ["NPREWRITE_CACHE_DIR"]) / "functions", ignore_errors=True)


_CLOCKS = (
    "nprewrite.decorated.jitted.perf_counter",
    "nprewrite.decorated.turns.perf_counter",
    "nprewrite.decorated.unproven.perf_counter",
    "nprewrite.runtime.choosing.choice.now",
    "nprewrite.runtime.numba.decorator.now",
    "nprewrite.runtime.numba.short_runs.now",
)


@pytest.fixture
def nothing_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sides of a choice are compared by the time of the processor: other load changes no test."""
    for name in _CLOCKS:
        monkeypatch.setattr(name, time.thread_time)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 0.5, 0.5))


@pytest.fixture
def small_stands_for_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops over the few elements of a test are compiled as those over many: as array code."""
    monkeypatch.setattr("nprewrite.regions.native.small_arrays._MOST", 0)
