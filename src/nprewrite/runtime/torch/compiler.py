"""Compiling in a process of its own, which can be ended: torch.compile itself cannot be interrupted.

One process serves all steps as long as jobs come, because importing torch is a large part of a job.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time

from nprewrite.runtime.torch.jobs import Done, Failed, Job

_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from nprewrite.runtime.torch.compiler_process import main
main()
"""
_LAST_WORDS_S = 1.0

Answer = Done | Failed | None
"""None: the process has ended."""


class _Process:
    def __init__(self) -> None:
        # -P: a user's file that is named like a module of Python must not shadow it.
        command = [sys.executable, "-P", "-W", "ignore", "-c", _START, json.dumps(sys.path)]
        # Inductor's further threads would be processes, each of which imports torch.
        environment = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "1"}
        # In a session of its own: Ctrl-C is for the program only, and the C++ compiler can be ended too.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._answers: queue.Queue[Answer] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def send(self, job: Job) -> None:
        assert self._process.stdin is not None
        # If the process has just ended, waiting for the answer will show it.
        with contextlib.suppress(BrokenPipeError):
            pickle.dump(job, self._process.stdin)
            self._process.stdin.flush()

    def answer(self, seconds: float) -> Answer:
        """The answer to a job. Raises ``TimeoutError``."""
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty as error:
            raise TimeoutError from error

    def end(self) -> None:
        """End the process and the C++ compiler that it may have started, and wait for them."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_S)
        self._signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.terminate()

    def _read(self) -> None:
        channel = self._process.stdout
        assert channel is not None
        with channel, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._answers.put(pickle.load(channel))
        self._answers.put(None)
        self._process.wait()


class _Compiler:
    """The process, started when there is a job, and one job at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: _Process | None = None

    def start(self) -> _Process:
        if self._process is None or self._process.ended:
            self._process = _Process()
        return self._process

    def ask(self, job: Job, seconds: float) -> Answer:
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise TimeoutError
        try:
            known = self._process
            answer = self._ask(job, deadline)
            if answer is None and known is not None:
                # It had been idle for a while, and ended just when the job came.
                answer = self._ask(job, deadline)
            return answer
        finally:
            self._lock.release()

    def _ask(self, job: Job, deadline: float) -> Answer:
        process = self.start()
        answer: Answer = None
        try:
            process.send(job)
            answer = process.answer(max(0.0, deadline - time.monotonic()))
        finally:
            # Whatever interrupts this, Ctrl-C too: the job must not go on.
            if answer is None:
                process.end()
                self._process = None
        return answer

    def end(self) -> None:
        if self._process is not None:
            self._process.end()


_compiler = _Compiler()


def prepare() -> None:
    """Start the process, so that it imports torch while this one does something else."""
    if _compiler._lock.acquire(blocking=False):
        try:
            _compiler.start()
        finally:
            _compiler._lock.release()


def ask(job: Job, seconds: float) -> Done | Failed:
    """Have a step compiled. Raises ``TimeoutError`` after ``seconds``; no part of the job runs on then."""
    try:
        answer = _compiler.ask(job, seconds)
    except (OSError, ValueError) as error:
        if isinstance(error, TimeoutError):
            raise
        return Failed(f"no process can be started to compile in ({error})", lasting=False)
    return answer or Failed("the process that compiles ended by itself", lasting=False)


def _forget() -> None:
    """In a forked child: the process is the parent's."""
    global _compiler
    _compiler = _Compiler()


atexit.register(lambda: _compiler.end())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
