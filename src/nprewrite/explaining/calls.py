"""Calls of a function, run in processes of their own, and what they show."""

from __future__ import annotations

import importlib.util
import pickle
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nprewrite.engine.outcomes import Options
from nprewrite.explaining.problems import CannotExplain
from nprewrite.explaining.request import Request
from nprewrite.explaining.running import Failed, Running
from nprewrite.verification import child
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.inputs import callee
from nprewrite.verification.messages import Calls, Source
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.sides import module_name

_WORKER = "nprewrite.explaining.worker"
_SHARE_OF_BARE = 0.2
"""Its share of the time: torch.compile unrolls loops, and may trace one over elements for hours."""


@dataclass(frozen=True)
class Task:
    """Calls of the function ``name`` of a file; the limits hold for each process."""

    path: Path
    text: str
    name: str
    source: Source
    options: Options
    limits: Limits


def called(calls: Sequence[str]) -> str:
    """The one function that all calls name. Raises ``CannotExplain``."""
    try:
        names = list(dict.fromkeys(map(callee, calls)))
    except CannotVerify as problem:
        raise CannotExplain(str(problem)) from problem
    if len(names) > 1:
        raise CannotExplain(
            f"the calls are of {', '.join(names)}: one function is explained at a time, give the calls of one"
        )
    return names[0]


def run_calls(task: Task) -> Running:
    """Run the calls compiled, line by line, and under torch.compile alone.

    Raises ``CannotExplain`` where the first of these fails; failures of the others are in the notes.
    """
    if isinstance(task.source, Calls) and called(task.source.expressions) != task.name:
        other = called(task.source.expressions)
        raise CannotExplain(f"the calls are of {other}, and {task.name} is to be explained")
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as name:
        folder = Path(name)
        compiled, calls = answer_of(task, "compiled", folder)
        if isinstance(compiled, Failed):
            raise CannotExplain(compiled.because)
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
    module, root = module_name(task.path)
    answer, own = folder / f"{part}.answer", folder / part
    own.mkdir()
    request = Request(
        part,
        str(task.path),
        module,
        str(root),
        task.text,
        task.name,
        task.source,
        replace(task.options, verify=None, on_fallback="warn"),
        str(answer),
        str(own),
    )
    path = folder / f"{part}.request"
    path.write_bytes(pickle.dumps(request))
    # An empty cache: what comes from a cache is not compiled here, and shows nothing.
    extra = {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
    try:
        for _ in child.run(_WORKER, [str(path)], task.limits, extra):
            raise AssertionError("this process sends no messages")
    except Stopped as stop:
        return Failed(str(stop)), ()
    found: tuple[Any, tuple[str, ...]] = pickle.loads(answer.read_bytes())
    return found
