"""Compiled graphs on disk, and which could not be compiled."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
from pathlib import Path
from typing import Any

from nprewrite.base import cachedir
from nprewrite.runtime.api import cache
from nprewrite.runtime.api.backend import STEP_ERRORS, Expected
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.torch import compiler, machine
from nprewrite.runtime.torch.jobs import Done, Job, Shape
from nprewrite.runtime.torch.package import Package
from nprewrite.runtime.torch.portable import Portable

FILE = "compiles.json"
_ATTEMPTS = 2
"""Compilations that may run out of time before a graph is given up on this machine."""
_SOURCES = (
    *("graph.py", "../api/pairs.py", "../api/reductions.py", "stored_in_place.py", "stored_once.py"),
    *("generated.py", "packing.py", "package.py"),
)
"""Modules of this package whose functions become part of a graph, or of its package."""


def graph(step: Portable, expected: Expected, shape: Shape) -> Package:
    """The graph of a step, from disk or compiled in another process.

    Raises ``Unusable`` where torch.compile fails, failed before, or takes longer than the function may wait.
    """
    name = _name(step, expected, shape)
    try:
        path = cachedir.private("graphs") / f"{name}.json"
    except OSError as error:
        raise _failure(f"there is no place for compiled code ({error})") from error
    if path.exists():
        # A file that is damaged counts as missing.
        with contextlib.suppress(*STEP_ERRORS):
            return _loaded(path)
    _check_history(name)
    job = Job(step, expected, shape, machine.threads(), str(path))
    _compile(name, job)
    try:
        return _loaded(path)
    except STEP_ERRORS as error:
        raise _failure(f"{type(error).__name__}: {error}") from error


def _compile(name: str, job: Job) -> None:
    spent = budget.current()
    seconds = spent.left
    if not seconds:
        raise Unusable(
            "no time left to compile",
            f"the function has waited {budget.SECONDS:.0f} s for other steps already; "
            "call it again in another process, which finds them compiled",
            passing=True,
        )
    try:
        with spent.spending("compiling"):
            answer = compiler.ask(job, seconds)
    except TimeoutError as error:
        whole = seconds == budget.SECONDS
        tried = int(_history(name).get("tried", 0)) + whole
        cache.update(FILE, {name: {"tried": tried}})
        raise _too_long(seconds) from error
    if not isinstance(answer, Done):
        if answer.lasting:
            cache.update(FILE, {name: {"failed": answer.text}})
        raise _failure(answer.text)
    spent.spent["compiling"] -= answer.tracing
    spent.spent["tracing"] += answer.tracing


def _history(name: str) -> dict[str, Any]:
    found = cache.read(FILE).get(name)
    return found if isinstance(found, dict) else {}


def _check_history(name: str) -> None:
    """Raise ``Unusable`` where compiling has failed before and would again."""
    history = _history(name)
    if "failed" in history:
        raise _failure(str(history["failed"]))
    if history.get("tried", 0) >= _ATTEMPTS:
        raise _too_long(budget.SECONDS)


def _failure(text: str) -> Unusable:
    return Unusable(
        "torch.compile failed",
        f"torch.compile failed: {text}; check that a C++ compiler is installed, or set NPREWRITE_DISABLE=1",
    )


def _too_long(seconds: float) -> Unusable:
    if seconds < budget.SECONDS:
        return Unusable(
            "compiling takes too long",
            f"compiling it took more than the {seconds:.0f} s left of the function's {budget.SECONDS:.0f} s; "
            "call it again in another process, which finds the other steps compiled",
            passing=True,
        )
    return Unusable(
        "compiling takes too long",
        f"compiling it took more than {seconds:.0f} s; split the function into smaller ones",
    )


def _name(step: Portable, expected: Expected, shape: Shape) -> str:
    parts = (
        step.digest(),
        repr(vars(expected)),
        repr(shape),
        machine.description(),
        sys.version,
        _own_version(),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _own_version() -> str:
    texts = [(Path(__file__).parent / each).read_bytes() for each in _SOURCES]
    return hashlib.sha256(b"\n".join(texts)).hexdigest()


def _loaded(path: Path) -> Package:
    with budget.current().spending("loading"):
        return Package(path)
