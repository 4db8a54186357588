"""A process in the background that works through tasks for this program, with low priority.

One works at a time. It takes all that has been asked until it starts, and ends by itself; the program may end
before, and then leaves what has been asked since to another process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from nprewrite.base.processes import Unattended, calling_main

T = TypeVar("T")


class Worker:
    """The process, which calls ``main`` of a module and gets the tasks on standard input."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.RLock()
        self._process: Unattended | None = None
        self._waiting: list[bytes] = []
        self._begun = 0
        atexit.register(self.leave)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

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

    def _forget(self) -> None:
        """In a forked child: the process, and what waits for it, is the parent's."""
        self._lock, self._process, self._waiting = threading.RLock(), None, []
        self._begun += 1

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
            self._process = _working_through(tasks, self._module)


def read_tasks(load: Callable[[], T]) -> Iterator[T]:
    """In the process: what ``load`` reads, one task after the other."""
    with contextlib.suppress(EOFError):
        while True:
            yield load()


def _working_through(tasks: Sequence[bytes], module: str) -> Unattended:
    # A file, not a pipe: the program does not wait until the process reads.
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(tasks))
        file.seek(0)
        return Unattended(
            calling_main(module, makes_way=True),
            stdin=file,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
