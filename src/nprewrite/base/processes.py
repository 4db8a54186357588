"""Processes that work for a program: those of Python with the modules that it finds, and C++ compilers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

_START = """
import gc, importlib, json, sys
# Compilers make millions of objects that live on: to look through them all takes a tenth of the time.
gc.set_threshold(50_000, 20, 100)
sys.path[:] = json.loads(sys.argv[1])
importlib.import_module(sys.argv[2]).main(*map(json.loads, sys.argv[3:]))
"""
_NICENESS = 10
# Before anything is imported. Linux weighs sessions against each other, whatever their processes have.
_MAKE_WAY = f"""
import os
if hasattr(os, "nice"):
    os.nice({_NICENESS})
try:
    open("/proc/self/autogroup", "w").write("{_NICENESS}")
except OSError:
    pass
"""


def calling_main(module: str, *arguments: float | None, makes_way: bool = False) -> list[str]:
    """The command of a process that calls the ``main`` of a module.

    With ``makes_way`` all other processes come first; it is for one that leads a session of its own.
    """
    # -P: a user's file that is named like a module of Python must not shadow it.
    start = [sys.executable, "-P", "-W", "ignore", "-c", _MAKE_WAY + _START if makes_way else _START]
    return [*start, json.dumps(sys.path), module, *map(json.dumps, arguments)]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cxx_compilers() -> Iterator[str]:
    """The paths of the C++ compilers on this machine, in the order in which torch's Inductor takes them."""
    words = (os.environ.get("CXX"), "g++", "clang++", "c++")
    yield from (path for each in words if each and (path := shutil.which(each)) is not None)


class Unattended(subprocess.Popen[bytes]):
    """A process for which nobody need wait: it may outlive the program, of which Popen would complain."""

    started = False
    """Whether this process has started any."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        Unattended.started = True

    def __del__(self) -> None:
        pass
