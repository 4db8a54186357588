"""What calls of a function show: plain data that travels from the processes that run them, on request.

Lines are those of the rewritten text (``Rewriting.origins`` leads from them to the user's), except in
`Profile` and `Bare`, which are about the function as written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nprewrite.engine.outcomes import Options, Rewriting
from nprewrite.explaining.known import FunctionFacts
from nprewrite.verification.child import Limits
from nprewrite.verification.messages import Source


@dataclass(frozen=True)
class Task:
    """Calls of the function ``name`` of a file; the limits hold for each process."""

    path: Path
    text: str
    name: str
    source: Source
    options: Options
    limits: Limits


@dataclass(frozen=True)
class Request:
    """What one process does: a part ("compiled", "profile", "bare") of a task, with an empty folder."""

    part: str
    task: Task
    folder: Path


@dataclass(frozen=True)
class CodeLine:
    """A line of generated code, and the line that it computes."""

    text: str
    line: int | None


@dataclass(frozen=True)
class Kernel:
    """A generated kernel, or a call of a library (a matrix product), whose ``code`` is empty.

    ``lines`` are those that were fused into it.
    """

    name: str
    lines: tuple[int, ...]
    code: tuple[CodeLine, ...]


@dataclass(frozen=True)
class Graph:
    """One compilation of a step: ``iterations`` of its loop in one graph, for arguments of certain shapes.

    ``call`` counts the calls from 1, ``because`` says why no earlier graph fitted. ``before`` and ``after``
    are the compiler's intermediate representation before and after fusion, ``operations`` and ``fused`` the
    names of the operations in them.
    """

    step: str
    iterations: int
    arguments: tuple[str, ...]
    call: int
    because: str
    seconds: float
    guards: tuple[str, ...]
    kernels: tuple[Kernel, ...]
    operations: tuple[str, ...]
    fused: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True)
class Compiled:
    """The calls under the decorator: what the passes knew and did, and what was compiled.

    ``steps`` are sentences on how the loops of each step ran, ``notes`` on what could not be done.
    """

    rewriting: Rewriting
    facts: FunctionFacts
    steps: tuple[str, ...]
    graphs: tuple[Graph, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class LineTime:
    """How often a line of the function as written ran, and how long in all."""

    line: int
    hits: int
    seconds: float


@dataclass(frozen=True)
class Profile:
    """Where the time of the function as written went."""

    seconds: float
    lines: tuple[LineTime, ...]


@dataclass(frozen=True)
class Break:
    """Where torch.compile alone breaks a graph, or gives up the function."""

    place: str
    line: int | None
    reason: str


@dataclass(frozen=True)
class Bare:
    """The function as written under torch.compile alone: operations by graph, breaks, recompilations."""

    graphs: tuple[int, ...]
    breaks: tuple[Break, ...]
    recompilations: tuple[str, ...]


@dataclass(frozen=True)
class Failed:
    """Why a process has no answer."""

    because: str


@dataclass(frozen=True)
class Running:
    """All that the calls showed; ``notes`` say what is missing."""

    calls: tuple[str, ...]
    compiled: Compiled
    profile: Profile | None
    bare: Bare | None
    notes: tuple[str, ...]
