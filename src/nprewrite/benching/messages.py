"""What the parent asks of the measuring process, and its answers: plain data that is pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nprewrite.verification import messages


@dataclass(frozen=True)
class Listing:
    """List the calls."""


@dataclass(frozen=True)
class Starting:
    """Measure the call ``index`` the first times that a fresh process makes it."""

    index: int


@dataclass(frozen=True)
class Trial:
    """Find out whether a ``peer`` runs the call ``index`` as written, and measure its first calls."""

    index: int
    peer: str


@dataclass(frozen=True)
class Turning:
    """Measure the call ``index`` on all sides in turns."""

    index: int
    peers: tuple[str, ...] = ()


Task = Listing | Starting | Trial | Turning


@dataclass(frozen=True)
class Request:
    """One task about the user's ``program``."""

    program: messages.Request
    task: Task


@dataclass(frozen=True)
class Listed:
    """One of the calls; calls of the same ``kind`` run the same version."""

    index: int
    function: str
    label: str
    kind: str


@dataclass(frozen=True)
class Started:
    """Seconds to import torch (None without it), and of the first calls; of the original only one."""

    import_torch: float | None
    original: float
    rewritten: tuple[float, ...]


@dataclass(frozen=True)
class Tried:
    """Seconds of a peer's first calls; ``why`` there are none, or a ``note`` about its answers."""

    seconds: tuple[float, ...] = ()
    why: str = ""
    note: str = ""


@dataclass(frozen=True)
class Round:
    """How many rounds of the turns are over."""

    number: int
    of: int


@dataclass(frozen=True)
class Turned:
    """Seconds per call of each side, by round, and the bytes that a call needs, where the system tells.

    Each time is the mean of ``calls`` calls; ``threads`` is the number that compiled code ran on, ``ran``
    says how the rewritten function ran.
    """

    times: Mapping[str, list[float]]
    memory: Mapping[str, int | None]
    calls: int
    threads: int
    ran: tuple[str, ...]
