"""Compiling in a process of its own, which can be ended: torch.compile itself cannot be interrupted.

One process serves all steps as long as jobs come, because importing torch is a large part of a job. Where the
program waits, the process ends with it. Two others are for the background, one for steps and one for loops,
which take a fraction of the time and would come last: they make way for all others, and when the program has
ended they finish what they were asked for, so that the next run finds it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from nprewrite.base import cachedir
from nprewrite.base.processes import Unattended, calling_main
from nprewrite.base.threads import start_unseen
from nprewrite.runtime.api.refusal import Compilation, Compiling
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.torch import package
from nprewrite.runtime.torch.jobs import Done, Failed, Job, LoopJob, TooLong

_LAST_WORDS_S = 1.0
_ATTEMPTS = 2
"""How often a job is begun in the background, if the process ends or its file is lost."""

Answer = Done | Failed | TooLong | None
"""None: the process has ended."""


class _Process:
    """The process; ``heard`` is called with each answer in a thread of its own.

    With ``seconds`` it works in the background, for so long on each job.
    """

    def __init__(self, heard: Callable[[Answer], object], seconds: float | None = None) -> None:
        environment = {
            # By default Inductor writes libraries into a folder that all users share.
            "TORCHINDUCTOR_CACHE_DIR": str(cachedir.private("inductor")),
            **os.environ,
            # Its further threads would be processes, each of which imports torch.
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }
        # In a session of its own: Ctrl-C is for the program only, and the C++ compiler can be ended too. It
        # has nothing of the program's terminal or output, for which others may wait.
        self._process = Unattended(
            calling_main("nprewrite.runtime.torch.compiler_process", seconds, makes_way=seconds is not None),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        start_unseen(self._read, heard)

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def send(self, job: Job | LoopJob) -> None:
        assert self._process.stdin is not None
        left = memoryview(pickle.dumps(job))
        # If the process has just ended, waiting for the answer will show it.
        with contextlib.suppress(BrokenPipeError):
            # Not through a buffer, of which a fork would have half a job.
            while left:
                left = left[os.write(self._process.stdin.fileno(), left) :]

    def leave(self) -> None:
        """Let the process finish its jobs, and then end, by itself."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def end(self) -> None:
        """End the process and the C++ compiler that it may have started, and wait for them."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_S)
        self._signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.terminate()

    def _read(self, heard: Callable[[Answer], object]) -> None:
        channel = self._process.stdout
        assert channel is not None
        with channel, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                heard(pickle.load(channel))
        heard(None)
        self._process.wait()


class _Owner:
    """What has a process, from its first job on."""

    _process: _Process | None = None

    def end(self) -> None:
        """End the process with all its jobs."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def leave(self) -> None:
        """Let the process finish its jobs, if it has any, by itself."""
        if self._process is not None:
            self._process.leave()


class _Compiler(_Owner):
    """The process, started when there is a job, and one job at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def start(self) -> _Process:
        if self._process is None or self._process.ended:
            self.leave()
            self._answers = queue.SimpleQueue()
            self._process = _Process(self._answers.put)
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
            answer = self._answer(max(0.0, deadline - time.monotonic()))
        finally:
            # Whatever interrupts this, Ctrl-C too: the job must not go on.
            if answer is None:
                self.end()
        return answer

    def _answer(self, seconds: float) -> Answer:
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty as error:
            raise TimeoutError from error


class _UnderWay(Compilation):
    """A job in the background; its answer is None if the process ended before it was done."""

    def __init__(self, path: str, attempt: int) -> None:
        self.path = path
        self.attempt = attempt
        self.answer: Answer = None

    def end(self, answer: Answer) -> None:
        self.answer = answer
        self.over = True


class _Background(_Owner):
    """The process that works in the background, started when there is a job, and all its jobs."""

    def __init__(self) -> None:
        # A signal handler may call a step while this thread is in here.
        self._lock = threading.RLock()
        self._sent: deque[_UnderWay] = deque()
        self._jobs: dict[str, _UnderWay] = {}

    def ask(self, job: Job | LoopJob) -> Done | Failed | TooLong:
        with self._lock:
            known = self._jobs.get(job.path)
            if known is not None and not known.over:
                raise Compiling(known)
            if known is not None and isinstance(known.answer, Failed | TooLong):
                return known.answer
            if known is not None and known.attempt == _ATTEMPTS:
                lost = "its file is missing" if known.answer else "the process that compiles ended by itself"
                return Failed(lost, lasting=False)
            begun = _UnderWay(job.path, known.attempt + 1 if known is not None else 1)
            self._jobs[job.path] = begun
            self._send(job, begun)
            raise Compiling(begun)

    def _send(self, job: Job | LoopJob, begun: _UnderWay) -> None:
        sent = False
        try:
            if isinstance(job, Job):
                # Not with torch's own library: it changes the environment, as no thread should.
                package.open_threads_library()
            if self._process is None:
                jobs = self._sent = deque[_UnderWay]()
                self._process = _Process(lambda answer: self._hear(jobs, answer), budget.SECONDS)
            self._sent.append(begun)
            self._process.send(job)
            sent = True
        finally:
            # Whatever interrupts this, Ctrl-C too: the process must not wait for the rest of the job.
            if not sent:
                begun.end(None)
                self.end()

    def _hear(self, jobs: deque[_UnderWay], answer: Answer) -> None:
        if isinstance(answer, Done):
            # Before a call can find the package, and without the lock, for which a call would wait.
            package.open_ahead(Path(jobs[0].path))
        with self._lock:
            if answer is not None:
                jobs.popleft().end(answer)
                return
            for each in jobs:
                each.end(None)
            if jobs is self._sent:
                self.leave()
                self._process = None

    def forget(self) -> None:
        """Leave the process, of which nothing will be heard here."""
        self.leave()
        for each in self._jobs.values():
            each.over = True


_compiler = _Compiler()
_background, _background_of_loops = _Background(), _Background()


def ask(job: Job, seconds: float) -> Done | Failed | TooLong:
    """Have a step compiled. Raises ``TimeoutError`` after ``seconds``; no part of the job runs on then."""
    try:
        answer = _compiler.ask(job, seconds)
    except (OSError, ValueError) as error:
        if isinstance(error, TimeoutError):
            raise
        return _no_process(error)
    return answer or Failed("the process that compiles ended by itself", lasting=False)


def begun(job: Job | LoopJob) -> Done | Failed | TooLong:
    """The answer to a job in the background, which is begun if it is new. Raises ``Compiling``."""
    try:
        return (_background if isinstance(job, Job) else _background_of_loops).ask(job)
    except (OSError, ValueError) as error:
        return _no_process(error)


def _no_process(error: Exception) -> Failed:
    return Failed(f"no process can be started to compile in ({error})", lasting=False)


def _forget() -> None:
    """In a forked child: the processes are the parent's."""
    global _compiler, _background, _background_of_loops
    _compiler.leave()
    _background.forget()
    _background_of_loops.forget()
    _compiler, _background, _background_of_loops = _Compiler(), _Background(), _Background()


atexit.register(lambda: _compiler.end())
atexit.register(lambda: _background.leave())
atexit.register(lambda: _background_of_loops.leave())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
