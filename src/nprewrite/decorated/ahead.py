"""What functions are rewritten to, found out in the background by a process that keeps it in the cache."""

from __future__ import annotations

import contextlib
import io
import pickle
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO

from nprewrite.base import cachedir
from nprewrite.base.worker import Worker, read_tasks
from nprewrite.decorated import kept
from nprewrite.decorated.kept import Question
from nprewrite.engine.outcomes import InternalError
from nprewrite.source.problems import SourceProblem
from nprewrite.types.observed import Observed

if TYPE_CHECKING:
    from filelock import BaseFileLock

_OWN = frozenset(["builtins", "nprewrite", "numpy"])
"""Packages whose classes the process may import."""
_POLL_S = 0.2
"""How often a process looks whether another one still works on its task."""


@dataclass(frozen=True)
class Task:
    """How is the function of ``question`` to be rewritten for what calls showed?

    Where no call has been observed (``seen`` is None), that is done first if the text leaves types open.
    """

    question: Question
    file: str
    seen: Observed | None


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
        with _lock_of(task).acquire(poll_interval=_POLL_S):
            if not _is_answered(task):
                _answer(task)


def _tasks(stream: BinaryIO) -> Iterator[Task]:
    """The tasks one after the other, each packed by itself: one unpickler would take the memo of the last."""
    yield from read_tasks(lambda: _Unpickler(stream).load())


def _lock_of(task: Task) -> BaseFileLock:
    """What one process has while it works on a task: each run of a program asks for what is not there yet.

    Raises ``OSError`` where nothing can be kept.
    """
    return cachedir.lock_for(cachedir.private("functions") / task.question.name())


def _is_answered(task: Task) -> bool:
    """Whether another process has found out what the task asks."""
    if task.seen is not None:
        return kept.answer(task.question, task.seen) is not None
    return kept.watched(task.question) is not None or kept.answer(task.question, {}) is not None


def _answer(task: Task) -> None:
    from nprewrite.decorated.rewriting import answered, watched_or_answered

    question, seen = task.question, task.seen
    # The program meets these too, where it rewrites the function itself, and reports them.
    with contextlib.suppress(SourceProblem, InternalError):
        if seen is not None:
            kept.keep_answer(question, seen, answered(question, task.file, seen))
            return
        found = watched_or_answered(question, task.file)
        if isinstance(found, kept.Answer):
            kept.keep_answer(question, {}, found)
            kept.keep_observed(question, {})
        else:
            kept.keep_watched(question, found)


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


_worker = Worker(__name__)
