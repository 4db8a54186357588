"""What the parent asks of the process that measures, and what that tells: plain data that is pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nprewrite.verification import messages


@dataclass(frozen=True)
class Listing:
    """List the calls that there are."""


@dataclass(frozen=True)
class Starting:
    """Measure the first calls of a fresh process, of the call ``index``."""

    index: int


@dataclass(frozen=True)
class Trial:
    """See whether a ``peer`` runs the call ``index`` as written, and measure its first calls."""

    index: int
    peer: str


@dataclass(frozen=True)
class Turning:
    """Measure the call ``index`` by all sides in turns."""

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
    """A call that there is; calls of one ``kind`` run the same version."""

    index: int
    function: str
    label: str
    kind: str


@dataclass(frozen=True)
class Started:
    """Seconds of the import of torch (None without it), and of the first calls; one of the original."""

    import_torch: float | None
    original: float
    rewritten: tuple[float, ...]


@dataclass(frozen=True)
class Tried:
    """Seconds of a peer's first calls; ``why`` it has none, or a ``note`` about what it answers."""

    seconds: tuple[float, ...] = ()
    why: str = ""
    note: str = ""


@dataclass(frozen=True)
class Round:
    """So many rounds of the turns are over."""

    number: int
    of: int


@dataclass(frozen=True)
class Turned:
    """Seconds a call of each side, by round; the bytes that a call needs, where the system tells.

    Each time is the mean of ``calls`` calls, ``threads`` those of compiled code, ``ran`` how the rewritten
    function ran.
    """

    times: Mapping[str, list[float]]
    memory: Mapping[str, int | None]
    calls: int
    threads: int
    ran: tuple[str, ...]
