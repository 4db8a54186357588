"""The parent's request to the worker, and the worker's messages: plain data that is pickled."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from nprewrite.comparison.report import CaseReport
from nprewrite.verification.program import Target


@dataclass(frozen=True)
class Calls:
    """Expressions that call a function of the module, evaluated in its namespace with further ``names``."""

    expressions: tuple[str, ...]
    names: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class CasesFile:
    """A Python file whose ``cases()`` yields arguments."""

    path: str


@dataclass(frozen=True)
class Recorded:
    """Calls recorded from a run of the user's own program, in a folder."""

    folder: str


@dataclass(frozen=True)
class Generated:
    """Arguments made from the functions' annotations."""


Source = Calls | CasesFile | Recorded | Generated


@dataclass(frozen=True)
class Request:
    """One worker's task: the cases from the ``first`` on, or those in ``only``, compared at one stage.

    ``path`` is the user's file, ``module`` the name under which it is imported, ``root`` the folder in which
    it is found. ``before`` and ``after`` are texts; ``after_path`` is a file that holds ``after``. ``plots``
    is the folder in which arrays for a picture are kept, if one is wanted.
    """

    path: str
    module: str
    root: str
    before: str
    after: str
    after_path: str
    targets: tuple[Target, ...]
    source: Source
    stage: str
    reference: bool = False
    plots: str | None = None
    first: int = 0
    only: frozenset[int] | None = None


@dataclass(frozen=True)
class Begun:
    """A case is about to be compared: if the worker crashes, the parent can name the case."""

    index: int
    function: str
    label: str


@dataclass(frozen=True)
class Compared:
    """A case has been compared. ``met`` is False where no rewritten loop ran."""

    index: int
    report: CaseReport
    met: bool


@dataclass(frozen=True)
class Finished:
    """The request is done; ``notes`` are sentences for the report."""

    notes: tuple[str, ...] = ()


def send(channel: IO[bytes], message: object) -> None:
    """Write and flush one message: of a class of this module or of the worker's, or why the work ends."""
    pickle.dump(message, channel)
    channel.flush()


def receive(channel: IO[bytes]) -> Any:
    """The next message; None where the sender has ended, even in the middle of a message."""
    try:
        return pickle.load(channel)
    except (EOFError, pickle.UnpicklingError):
        return None


def private_channel() -> IO[bytes]:
    """Take standard output for messages; what the user's code prints goes to standard error from here on."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return channel
