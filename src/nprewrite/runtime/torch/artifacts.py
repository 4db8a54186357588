"""Compiled graphs on disk. Import this module only where torch is wanted.

A graph lies in Inductor's own cache, because it refers to kernels there: both are deleted together.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import torch
from torch._inductor.runtime.cache_dir_utils import cache_dir

from nprewrite.runtime.api.backend import STEP_ERRORS, Expected
from nprewrite.runtime.api.importing import import_whole
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget, waiting
from nprewrite.runtime.torch import compiler, history
from nprewrite.runtime.torch.jobs import Done, Failed, Job, Shape, TooLong
from nprewrite.runtime.torch.portable import Portable
from nprewrite.runtime.torch.tensors import machine

_SOURCES = ("graph.py", "../api/pairs.py", "../api/reductions.py", "stored_in_place.py", "stored_once.py")
"""Modules of this package whose functions become part of a graph."""

Graph = Any
"""A compiled graph: ``fn`` runs it, ``guard_check`` tells whether it fits its arguments."""


def graph(step: Portable, expected: Expected, shape: Shape) -> Graph:
    """The graph of a step, from disk or compiled in another process.

    Raises ``Compiling`` where that goes on in the background, and ``Unusable`` where torch.compile fails,
    failed before, or takes longer than the function may wait.
    """
    name = _name(step, expected, shape)
    path = Path(cache_dir()) / "nprewrite" / f"{name}.graph"
    if path.exists():
        # A file that is damaged, or from another build of torch, counts as missing.
        with contextlib.suppress(*STEP_ERRORS, pickle.UnpicklingError, EOFError):
            return _loaded(path)
        _remove(path)
    history.check(name)
    job = Job(step, expected, shape, torch.get_num_threads(), str(path))
    if waiting.is_wanted():
        _wait(name, job)
    else:
        _check(compiler.begun(job))
    try:
        return _loaded(path)
    except (*STEP_ERRORS, pickle.UnpicklingError, EOFError) as error:
        raise history.failure(f"{type(error).__name__}: {error}") from error


def _remove(path: Path) -> None:
    # Where it stays, it counts as missing in each process again.
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _wait(name: str, job: Job) -> None:
    compiler.prepare()
    _import_loader()
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
        with spent.spending("compiling"), waiting.telling(job.step.name):
            answer = compiler.ask(job, seconds)
    except TimeoutError as error:
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
    parts = (step.digest(), repr(vars(expected)), repr(shape), machine(), sys.version, _own_version())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _own_version() -> str:
    texts = [(Path(__file__).parent / each).read_bytes() for each in _SOURCES]
    return hashlib.sha256(b"\n".join(texts)).hexdigest()


def _loaded(path: Path) -> Graph:
    _import_loader()
    with budget.current().spending("loading"), open(path, "rb") as file:
        return torch.compiler.load_compiled_function(file)


@functools.cache
def _import_loader() -> None:
    """Import what loading needs, and let Inductor try the processor's vector instructions meanwhile.

    It tries them in processes of its own, which takes most of a second, and remembers the answer.
    """
    with budget.current().spending("importing torch"):
        import_whole("torch._dynamo.aot_compile", "torch._inductor.codecache")
        threading.Thread(target=_probe_vector_instructions, daemon=True).start()
        import_whole("torch._inductor.select_algorithm")


def _probe_vector_instructions() -> None:
    try:
        from torch._inductor.cpu_vec_isa import pick_vec_isa

        pick_vec_isa()
    except STEP_ERRORS:
        # The same problem comes up again, and is reported, when the kernel is generated.
        return
