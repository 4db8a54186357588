"""Calls of a function, run in processes of their own, and what they show."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nprewrite.explaining.running import Failed, Request, Running, Task
from nprewrite.verification import child
from nprewrite.verification.child import Stopped
from nprewrite.verification.inputs import callee
from nprewrite.verification.messages import Calls
from nprewrite.verification.problems import CannotVerify

_WORKER = "nprewrite.explaining.worker"
_SHARE_OF_BARE = 0.2
"""Its share of the time: torch.compile unrolls loops, and may trace one over elements for hours."""


def called(calls: Sequence[str]) -> str:
    """The one function that all calls name. Raises ``CannotVerify``."""
    names = list(dict.fromkeys(map(callee, calls)))
    if len(names) > 1:
        raise CannotVerify(
            f"the calls are of {', '.join(names)}: one function is explained at a time, give the calls of one"
        )
    return names[0]


def run_calls(task: Task) -> Running:
    """Run the calls compiled, line by line, and under torch.compile alone.

    Raises ``CannotVerify`` where the first of these fails; failures of the others are in the notes.
    """
    if isinstance(task.source, Calls) and called(task.source.expressions) != task.name:
        other = called(task.source.expressions)
        raise CannotVerify(f"the calls are of {other}, and {task.name} is to be explained")
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as name:
        folder = Path(name)
        compiled, calls = answer_of(task, "compiled", folder)
        if isinstance(compiled, Failed):
            raise CannotVerify(compiled.because)
        notes = list(compiled.notes)
        profile, _ = answer_of(task, "profile", folder)
        if isinstance(profile, Failed):
            notes.append(f"no line profile: {profile.because}")
        bare: Any = Failed("torch is not installed")
        if importlib.util.find_spec("torch") is not None:
            seconds = _SHARE_OF_BARE * task.limits.seconds
            briefly = replace(task, limits=replace(task.limits, seconds=seconds))
            bare, _ = answer_of(briefly, "bare", folder)
        if isinstance(bare, Failed):
            notes.append(f"not known under torch.compile alone: {bare.because}")
    return Running(
        calls,
        compiled,
        None if isinstance(profile, Failed) else profile,
        None if isinstance(bare, Failed) else bare,
        tuple(dict.fromkeys(notes)),
    )


def answer_of(task: Task, part: str, folder: Path) -> tuple[Any, tuple[str, ...]]:
    """The answer of the process for a part, or ``Failed``, and the calls that it has run."""
    own = folder / part
    own.mkdir()
    options = replace(task.options, verify=None, on_fallback="warn")
    request = Request(part, replace(task, options=options), own)
    # An empty cache: what comes from a cache is not compiled here, and shows nothing.
    extra = {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
    try:
        found: tuple[Any, tuple[str, ...]]
        (found,) = child.run_order(_WORKER, request, folder, task.limits, extra)
    except Stopped as stop:
        return Failed(str(stop)), ()
    return found
