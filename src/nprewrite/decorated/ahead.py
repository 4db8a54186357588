"""What functions are rewritten to, found out in the background by a process that keeps it in the cache.

One process works at a time, with low priority. It takes all that has been asked until it starts, and ends by
itself; the program may end before, and then leaves what has been asked since to another process.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from nprewrite.base.processes import Unattended, calling_main
from nprewrite.decorated import kept
from nprewrite.decorated.kept import Question
from nprewrite.engine.outcomes import InternalError
from nprewrite.source.problems import SourceProblem
from nprewrite.types.observed import Observed

_OWN = frozenset(["builtins", "nprewrite", "numpy"])
"""Packages whose classes the process may import."""


@dataclass(frozen=True)
class Task:
    """How is the function of ``question`` to be rewritten for what calls showed?

    Where no call has been observed (``seen`` is None), that is done first if the text leaves types open.
    """

    question: Question
    file: str
    seen: Observed | None


def _working_through(tasks: Sequence[bytes]) -> Unattended:
    # A file, not a pipe: the program does not wait until the process reads.
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(tasks))
        file.seek(0)
        return Unattended(
            calling_main(__name__, makes_way=True),
            stdin=file,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


class _Worker:
    """The process, and the tasks for the next one."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: Unattended | None = None
        self._waiting: list[bytes] = []
        self._begun = 0

    def ask(self, task: bytes) -> int:
        """The number of the process that gets the task, of which there is one after the other."""
        with self._lock:
            if task not in self._waiting:
                self._waiting.append(task)
            self._go_on()
            return self._begun + bool(self._waiting)

    def has_ended(self, number: int) -> bool:
        """Whether a process has ended, or could not be started."""
        with self._lock:
            self._go_on()
            return number < self._begun or (number == self._begun and self._process is None)

    def leave(self) -> None:
        """Have what waits for the process done by another: the program ends."""
        with self._lock:
            self._process = None
            self._go_on()

    def _go_on(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            self._process = None
        if self._process is not None or not self._waiting:
            return
        tasks, self._waiting = self._waiting, []
        self._begun += 1
        with contextlib.suppress(OSError):
            # Whoever asked sees that it has ended.
            self._process = _working_through(tasks)


class Asked:
    """A task that another process was given."""

    def __init__(self, task: Task) -> None:
        self._worker = _worker
        self._number: int | None = None
        # Attributes of the user's objects may be of any type.
        with contextlib.suppress(pickle.PicklingError, AttributeError, TypeError):
            self._number = _worker.ask(_packed(task))

    @property
    def is_over(self) -> bool:
        """Whether the process has ended: what it found is in the cache, or it found nothing."""
        return self._number is None or self._worker.has_ended(self._number)


def main() -> None:
    """Answer the tasks on standard input; the program that asked looks for what is kept."""
    for task in _tasks(sys.stdin.buffer):
        _answer(task)


def _tasks(stream: BinaryIO) -> Iterator[Task]:
    """The tasks one after the other, each packed by itself: one unpickler would take the memo of the last."""
    with contextlib.suppress(EOFError):
        while True:
            yield _Unpickler(stream).load()


def _answer(task: Task) -> None:
    from nprewrite.decorated.rewriting import answered, watched

    seen = task.seen
    # The program meets these too, where it rewrites the function itself, and reports them.
    with contextlib.suppress(SourceProblem, InternalError):
        if seen is None:
            shown = watched(task.question, task.file)
            kept.keep_watched(task.question, shown)
            if shown is not None:
                return
            seen = {}
        kept.keep_answer(task.question, seen, answered(task.question, task.file, seen))


def _packed(task: Task) -> bytes:
    """The task without the user's classes, whose module the process would have to import."""
    question = replace(task.question, around=kept.coded(task.question.around))
    file = io.BytesIO()
    _Pickler(file).dump(replace(task, question=question))
    return file.getvalue()


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> tuple[str, str] | None:
        if not isinstance(value, type) or value.__module__.partition(".")[0] in _OWN:
            return None
        return value.__module__, value.__qualname__


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: tuple[str, str]) -> type:
        """A class of the same name."""
        module, qualname = name

        def fill(body: dict[str, Any]) -> None:
            body.update(__module__=module, __qualname__=qualname)

        return types.new_class(qualname.rpartition(".")[2], exec_body=fill)


_worker = _Worker()


def _forget() -> None:
    """In a forked child: the process is the parent's."""
    global _worker
    _worker = _Worker()


atexit.register(lambda: _worker.leave())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
