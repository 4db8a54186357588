"""Many files, one process for each core.

The processes only read and compute. The parent writes, so that an interrupt never finds a file that two
processes are writing.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Sequence

from nprewrite.base.processes import cores
from nprewrite.files.problems import Problem
from nprewrite.files.work import FileResult, Settings, rewrite_file

# Below this many files starting the processes costs more than it saves.
FEW_FILES = 4


def rewrite_files(jobs: Sequence[tuple[str, Settings]]) -> Iterator[FileResult]:
    """The results for paths with their settings, in the order of ``jobs``, as they become ready."""
    workers = min(cores(), len(jobs))
    if len(jobs) <= FEW_FILES or workers < 2:
        for path, settings in jobs:
            yield rewrite_file(path, settings)
        return
    yield from _in_processes(jobs, workers)


def _in_processes(jobs: Sequence[tuple[str, Settings]], workers: int) -> Iterator[FileResult]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # Imported before the processes are started: where they are forked, they share it.
    from nprewrite.engine import pipeline  # noqa: F401 (loaded once, before the workers fork)

    pool = ProcessPoolExecutor(workers, initializer=_default_signals)
    try:
        waiting = deque((job, pool.submit(rewrite_file, *job)) for job in jobs)
        while waiting:
            job, future = waiting.popleft()
            try:
                result = future.result()
            except BrokenProcessPool:
                # Some file crashed the processes, and it is not known which: from here on each goes alone.
                result = _in_own_process(*job)
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_own_process(path: str, settings: Settings) -> FileResult:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(1, initializer=_default_signals) as pool:
        try:
            return pool.submit(rewrite_file, path, settings).result()
        except BrokenProcessPool as error:
            message = "the process that rewrote this file ended abruptly (a crash, or out of memory)"
            return FileResult(path, problem=Problem(message, internal=True, details=str(error)))


def _default_signals() -> None:
    """Let an interrupt end a worker at once and silently; it has nothing to clean up."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
