"""The process that compiles: it reads jobs from its standard input, and may be ended at any time.

``compiler.py`` starts it. The program whose steps it compiles never runs in it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from filelock import Timeout

from nprewrite.base import cachedir
from nprewrite.base.errors import summary
from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.torch import history, scope
from nprewrite.runtime.torch.jobs import Done, Failed, Job, LoopJob, TooLong
from nprewrite.runtime.torch.portable import unpack

_IDLE_S = 30.0
"""After so long without a job the process ends, to give its memory back."""

_LAST_WORDS_S = 1.0
_POLL_S = 0.2
_PATIENCE = 10
"""A job in the background may take this many times as long as it may compute."""

Tell = Callable[[Done | Failed | TooLong], None]


def main(seconds: float | None) -> None:
    """Answer each job, until the parent closes the channel or nothing comes.

    With ``seconds`` nobody waits for it: it computes so long for a job, remembers what failed, and finishes
    all jobs when the parent has ended.
    """
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever libraries print must not reach the channel.
    os.dup2(2, 1)
    # Exit so that subprocesses are waited for: the default action would leave a compiler behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # Inductor makes folders as it goes; what is in them is run.
    os.umask(0o077)
    tell = partial(_tell, answers)
    with contextlib.suppress(SystemExit):
        _serve(tell, seconds)
        with contextlib.suppress(OSError):
            cachedir.bound()
    # The program waits for the process to end, and Python would first spend a second on torch's objects.
    os._exit(0)


def _tell(answers: IO[bytes], answer: Done | Failed | TooLong) -> None:
    # Where the program has ended, what is on disk is for its next run.
    with contextlib.suppress(BrokenPipeError):
        pickle.dump(answer, answers)
        answers.flush()


def _serve(tell: Tell, seconds: float | None) -> None:
    jobs: queue.Queue[Job | LoopJob | None] = queue.Queue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs, seconds), daemon=True).start()
    while True:
        try:
            job = jobs.get(timeout=_IDLE_S)
        except queue.Empty:
            return
        if job is None:
            return
        tell(_answer_alone(job, seconds, tell))


def _read(channel: IO[bytes], jobs: queue.Queue[Job | LoopJob | None], seconds: float | None) -> None:
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            jobs.put(pickle.load(channel))
    if seconds is None:
        _end()
    jobs.put(None)


def _end() -> None:
    """End with the program, perhaps killed: nobody waits for the job or the C++ compiler any more.

    The compiler is asked to end first: killed, it leaves half a library, which Inductor would take for whole.
    """
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGTERM)
        time.sleep(_LAST_WORDS_S)
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _answer_alone(job: Job | LoopJob, seconds: float | None, tell: Tell) -> Done | Failed:
    """The answer to a job, on which no other process works at the same time."""
    path = Path(job.path)
    # There are no more compilers than locks.
    lock = cachedir.lock_for(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock.acquire(-1 if seconds is None else _PATIENCE * seconds, _POLL_S):
            if path.exists():
                return Done(0.0, 0.0)
            # Those of killed processes: whoever writes one holds this lock.
            for left in path.parent.glob(f"{path.name[0]}*.tmp"):
                left.unlink(missing_ok=True)
            if seconds is None:
                return _answer(job)
            with _at_most(seconds, path.stem, tell):
                answer = _answer(job)
    except Timeout:
        return Failed("other processes have been compiling for too long", lasting=False)
    except OSError as error:
        return Failed(f"{type(error).__name__}: {error}", lasting=False)
    if isinstance(answer, Failed) and isinstance(job, Job):
        history.note_failed(path.stem, answer.text, lasting=answer.lasting)
    return answer


@contextlib.contextmanager
def _at_most(seconds: float, name: str, tell: Tell) -> Iterator[None]:
    """End this process, with what has been learnt, if the block computes for longer.

    Others come first, so little of the time that passes may be its own. That has an end too, but is not
    remembered.
    """
    ended, started, computed = threading.Event(), time.monotonic(), _computed()

    def watch() -> None:
        while not ended.wait(_POLL_S):
            passed = time.monotonic() - started
            if _computed() - computed > seconds:
                history.note_tried(name)
            elif passed < _PATIENCE * seconds:
                continue
            tell(TooLong(max(seconds, passed)))
            _end()

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        # If it is ending this process, it does not return.
        watching.join()


def _computed() -> float:
    """The seconds that processors have worked for this process and those that it waited for."""
    return sum(os.times()[:4])


def _answer(job: Job | LoopJob) -> Done | Failed:
    return _of_loop(job) if isinstance(job, LoopJob) else _of_step(job)


def _of_loop(job: LoopJob) -> Done | Failed:
    started = time.perf_counter()
    try:
        from nprewrite.runtime.numba import objects

        objects.make(job)
    except STEP_ERRORS as error:
        return Failed(f"{type(error).__name__}: {summary(error)}", lasting=False)
    return Done(0.0, time.perf_counter() - started)


def _of_step(job: Job) -> Done | Failed:
    import torch

    from nprewrite.runtime.torch import graph, package, private

    torch.set_num_threads(job.threads)
    started = time.perf_counter()
    try:
        plan, library = graph.compile_graph(unpack(job.step, scope), job.expected, job.shape)
        package.save(plan, library.read_bytes(), Path(job.path))
        compiling = sum(private.compilation_time_metrics.get("compile_fx_inner", []))
        return Done(time.perf_counter() - started - compiling, compiling)
    except STEP_ERRORS as error:
        lasting = private.Unsupported, private.TorchRuntimeError
        return Failed(f"{type(error).__name__}: {summary(error)}", isinstance(error, lasting))
    finally:
        # The next job's graphs and times are its own.
        torch.compiler.reset()
