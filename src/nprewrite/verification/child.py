"""A Python process of its own for code that may crash, hang or exhaust the memory.

The process reports what it does in messages on its standard output. The parent watches time and memory from
outside, because code in C cannot be stopped in any other way. Memory is the resident set of the process: a
limit on addresses would count what torch reserves and never touches.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from nprewrite.verification.messages import receive

_POLL_S = 0.05
_LAST_WORDS_S = 1.0
_GIB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """The seconds between two messages, and the bytes of memory, that a child may take."""

    seconds: float
    bytes: int


class Stopped(Exception):
    """The child ended without being asked to: it crashed, exited, or went over a limit."""


def run(
    module: str,
    arguments: Sequence[str],
    limits: Limits,
    extra: Mapping[str, str] | None = None,
    *,
    silent: bool = False,
) -> Generator[Any, None, None]:
    """Start ``python -m module arguments`` and yield its messages; ``extra`` is added to its environment.

    The child reads the standard input of this process; with ``silent`` what it prints is not shown. Raises
    ``Stopped`` where it ends other than with exit status 0. The child, and the processes that it started, are
    gone when the iterator is finished or closed.
    """
    # -P: a file of the user's with the name of a standard module must not shadow it while the child starts.
    command = [sys.executable, "-P", "-X", "faulthandler", "-m", module, *arguments]
    environment = {**os.environ, **(extra or {})}
    # In a session of its own, so that the processes that it starts can be ended with it.
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if silent else None,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield from _messages(process, process.stdout, limits)
        status = _exit_status(process, limits)
    finally:
        _end(process)
    if status:
        raise Stopped(_ending(status))


def run_order(
    module: str,
    order: object,
    folder: Path,
    limits: Limits,
    extra: Mapping[str, str] | None = None,
    *,
    silent: bool = False,
) -> Generator[Any, None, None]:
    """`run` for a module that is given an order, pickled, in a file of the folder."""
    path = folder / "order"
    path.write_bytes(pickle.dumps(order))
    return run(module, [str(path)], limits, extra, silent=silent)


def _messages(process: subprocess.Popen[bytes], channel: IO[bytes], limits: Limits) -> Iterator[Any]:
    waiting: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_read, args=(channel, waiting), daemon=True).start()
    deadline = time.monotonic() + limits.seconds
    polls_since_the_end = 0
    # A process that the child forked may hold the channel open after the child itself has crashed.
    while polls_since_the_end * _POLL_S < _LAST_WORDS_S:
        try:
            message = waiting.get(timeout=_POLL_S)
        except queue.Empty:
            _check(process, limits, deadline)
            polls_since_the_end += process.poll() is not None
            continue
        if message is None:
            return
        yield message
        deadline = time.monotonic() + limits.seconds


def _read(channel: IO[bytes], waiting: queue.Queue[Any]) -> None:
    try:
        while (message := receive(channel)) is not None:
            waiting.put(message)
    except (ValueError, OSError):
        # The channel was closed by the parent, which waits for no more messages.
        return
    waiting.put(None)


def _check(process: subprocess.Popen[bytes], limits: Limits, deadline: float) -> None:
    """Raise ``Stopped`` where the child is over a limit."""
    if time.monotonic() > deadline:
        raise Stopped(f"took longer than {limits.seconds:g} s (--timeout)")
    held = resident_bytes(process.pid)
    if held is not None and held > limits.bytes:
        raise Stopped(f"took more than {limits.bytes / _GIB:.3g} GiB of memory (--memory)")


def _exit_status(process: subprocess.Popen[bytes], limits: Limits) -> int:
    """How the child ended; one that closed its channel and goes on runs into its time limit."""
    deadline = time.monotonic() + limits.seconds
    while process.poll() is None:
        _check(process, limits, deadline)
        time.sleep(_POLL_S / 5)
    return process.returncode


def _ending(status: int) -> str:
    if status > 0:
        return f"the process ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = " (the system's memory may have run out)" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the child and what it started; both may be gone already."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def resident_bytes(pid: int) -> int | None:
    """The resident memory of a process; None where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return _resident_bytes_of_ps(pid)


def _resident_bytes_of_ps(pid: int) -> int | None:
    try:
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False)
    except OSError:
        return None
    words = told.stdout.split()
    return int(words[0]) * 1024 if words else None


def half_of_the_memory() -> int:
    """Half of the machine's memory in bytes; practically unlimited where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return sys.maxsize
