"""What travels between a program and the process that compiles its steps."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.runtime.api.backend import Expected
from nprewrite.runtime.torch.portable import Portable


@dataclass(frozen=True)
class Shape:
    """How a graph of a step is made: ``size`` iterations, on tensors of such shapes and torch dtypes.

    ``dynamic`` are the (tensor, axis) pairs whose length may be another one at each call.
    """

    size: int
    lanewise: bool
    in_place: bool
    tensors: tuple[tuple[tuple[int, ...], str], ...]
    dynamic: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Job:
    """A step to compile for ``threads`` threads, and the file that the graph goes to."""

    step: Portable
    expected: Expected
    shape: Shape
    threads: int
    path: str


@dataclass(frozen=True)
class Done:
    """The graph is in its file; the seconds that tracing and compiling took."""

    tracing: float
    compiling: float


@dataclass(frozen=True)
class Failed:
    """What torch.compile says; ``lasting`` where it says so of this step on every machine."""

    text: str
    lasting: bool
