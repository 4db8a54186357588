"""Compiled graphs on disk, and which could not be compiled."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
from pathlib import Path

from nprewrite.base import cachedir
from nprewrite.base.signal_handlers import interrupts
from nprewrite.runtime.api.backend import STEP_ERRORS, Expected
from nprewrite.runtime.api.refusal import Compiling, Unusable
from nprewrite.runtime.choosing import budget, waiting
from nprewrite.runtime.torch import compiler, history, machine, package
from nprewrite.runtime.torch.jobs import Done, Failed, Job, Shape, TooLong
from nprewrite.runtime.torch.package import Package
from nprewrite.runtime.torch.portable import Portable

_SOURCES = (
    *("graph.py", "graph_nodes.py", "../api/pairs.py", "../api/reductions.py", "stored_in_place.py"),
    *("stored_once.py", "generated.py", "numpy_text.py", "operations.py", "packing.py", "package.py"),
    *("corrected.py", "powers.py", "product_blocks.py", "private.py", "tensors.py", "../choosing/cost.py"),
    *("../api/products.py", "rolled_rows.py", "wide_sums.py"),
)
"""Modules of this package that decide what a graph is, or become part of it or of its package."""


def graph(step: Portable, expected: Expected, shape: Shape) -> Package:
    """The graph of a step, from disk or compiled in another process.

    Raises ``Compiling`` where that goes on in the background, and ``Unusable`` where torch.compile fails,
    failed before, or takes longer than the function may wait.
    """
    name = _name(step, expected, shape)
    try:
        path = cachedir.private("graphs") / f"{name}.json"
    except OSError as error:
        text = f"compiled code has no place ({error}); set NPREWRITE_CACHE_DIR"
        raise Unusable("no cache directory", text) from error
    if path.exists():
        # A file that is damaged counts as missing.
        with contextlib.suppress(*STEP_ERRORS):
            return _opened(path)
        # Where it stays, it counts as missing in each process again.
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    history.check(name)
    job = Job(step, expected, shape, machine.threads(), str(path))
    if waiting.is_wanted():
        _wait(name, job)
    else:
        _check(compiler.begun(job))
    try:
        return _loaded(path)
    except STEP_ERRORS as error:
        if interrupts(error):
            raise
        raise history.failure(f"{type(error).__name__}: {error}") from error


def _opened(path: Path) -> Package:
    """The graph; raises ``Compiling`` while a thread opens what it needs, if the step can be put off."""
    if waiting.may_be_put_off():
        opening = package.opening(path)
        if opening is not None:
            raise Compiling(opening)
    return _loaded(path)


def _wait(name: str, job: Job) -> None:
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
        with spent.spending("compiling"), waiting.telling():
            answer = compiler.ask(job, seconds)
    except TimeoutError as error:
        if interrupts(error):
            raise
        if seconds == budget.SECONDS:
            history.note_tried(name)
        raise history.too_long(seconds) from error
    if isinstance(answer, Failed) and answer.lasting:
        history.note_failed(name, answer.text)
    tracing = _check(answer).tracing
    spent.spent["compiling"] -= tracing
    spent.spent["tracing"] += tracing


def _check(answer: Done | Failed | TooLong) -> Done:
    """The answer where it is ``Done``; raises ``Unusable``."""
    if isinstance(answer, Failed):
        raise history.failure(answer.text)
    if isinstance(answer, TooLong):
        raise history.too_long(answer.seconds)
    return answer


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
