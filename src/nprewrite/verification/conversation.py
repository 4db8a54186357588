"""Both ends of a task for a process of its own: one sends a request and reads messages, the other answers."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from nprewrite.verification import child
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.messages import Finished, send
from nprewrite.verification.problems import CannotVerify, WorkerFault


def ask(
    worker: str, request: object, limits: Limits, folder: Path, extra: Mapping[str, str] | None = None
) -> Generator[Any, None, None]:
    """The messages of the module ``worker`` on a request, ``Finished`` being the last.

    ``extra`` is added to the environment. Raises ``CannotVerify`` and ``WorkerFault`` where the worker
    reports one, and ``Stopped`` where it ends before it has finished.
    """
    with closing(child.run_order(worker, request, folder, limits, extra)) as messages:
        for message in messages:
            if isinstance(message, CannotVerify | WorkerFault):
                raise message
            yield message
            if isinstance(message, Finished):
                return
    raise Stopped("the process ended with exit status 0 in the middle of the work")


def answer(channel: IO[bytes], root: str, path: str, work: Callable[[], None]) -> None:
    """Do the work for the user's file ``path``, whose imports start at ``root``, and end the process."""
    sys.path.insert(0, root)
    sys.argv = [path]
    try:
        work()
    except CannotVerify as problem:
        send(channel, CannotVerify(str(problem)))
    except Exception as error:  # noqa: BLE001 (what the user's code raises is caught where it is called)
        send(channel, WorkerFault(f"{type(error).__name__}: {error}", traceback.format_exc()))
    # Threads that the user's code left behind must not keep the process alive.
    sys.stderr.flush()
    os._exit(0)
