"""The process that compiles: it reads jobs from its standard input, and may be ended at any time.

``python -c "...main()"``, started by ``compiler.py``. The program whose steps it compiles never runs in it.
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
from pathlib import Path
from typing import IO

from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.torch import scope
from nprewrite.runtime.torch.jobs import Done, Failed, Job
from nprewrite.runtime.torch.portable import unpack

_IDLE_S = 30.0
"""After so long without a job the process ends, to give its memory back."""

_LAST_WORDS_S = 1.0


def main() -> None:
    """Answer each job with ``Done`` or ``Failed``, until the parent closes the channel or nothing comes."""
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever libraries print must not reach the channel.
    os.dup2(2, 1)
    # Exit so that subprocesses are waited for: the default action would leave a compiler behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with contextlib.suppress(SystemExit):
        _serve(answers)
    # The program waits for the process to end, and Python would first spend a second on torch's objects.
    os._exit(0)


def _serve(answers: IO[bytes]) -> None:
    jobs: queue.Queue[Job] = queue.Queue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs), daemon=True).start()
    while True:
        try:
            job = jobs.get(timeout=_IDLE_S)
        except queue.Empty:
            return
        pickle.dump(_answer(job), answers)
        answers.flush()


def _read(channel: IO[bytes], jobs: queue.Queue[Job]) -> None:
    while True:
        try:
            jobs.put(pickle.load(channel))
        except EOFError:
            _end()


def _end() -> None:
    """End with the program, perhaps killed: nobody waits for the job or the C++ compiler any more.

    The compiler is asked to end first: killed, it leaves half a library, which Inductor would take for whole.
    """
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGTERM)
        time.sleep(_LAST_WORDS_S)
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _answer(job: Job) -> Done | Failed:
    import torch
    import torch._dynamo

    from nprewrite.runtime.torch import graph, package

    torch.set_num_threads(job.threads)
    started = time.perf_counter()
    try:
        plan, library = graph.compile_graph(unpack(job.step, scope), job.expected, job.shape)
        package.save(plan, library.read_bytes(), Path(job.path))
        compiling = sum(torch._dynamo.utils.compilation_time_metrics.get("compile_fx_inner", []))
        return Done(time.perf_counter() - started - compiling, compiling)
    except STEP_ERRORS as error:
        lasting = torch._dynamo.exc.Unsupported, torch._dynamo.exc.TorchRuntimeError
        return Failed(f"{type(error).__name__}: {_summary(error)}", isinstance(error, lasting))
    finally:
        # The next job's graphs and times are its own.
        torch._dynamo.reset()


def _summary(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
