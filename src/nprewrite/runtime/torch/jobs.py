"""What travels between a program and the process that compiles its steps and loops."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.runtime.api.backend import Expected
from nprewrite.runtime.torch.portable import Portable


@dataclass(frozen=True)
class Shape:
    """What a graph of a step is made for: ``size`` iterations on tensors of these shapes and torch dtypes.

    ``dynamic`` are the (tensor, axis) pairs whose length may differ from call to call.
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
class LoopJob:
    """The text of a loop that Numba compiles for arguments of such kinds, and the file that tells of it."""

    source: str
    kinds: tuple[str, ...]
    path: str


@dataclass(frozen=True)
class Done:
    """The code is in its file; tracing and compiling took these seconds."""

    tracing: float
    compiling: float


@dataclass(frozen=True)
class Failed:
    """What torch.compile says; ``lasting`` where it would say so on every machine."""

    text: str
    lasting: bool


@dataclass(frozen=True)
class TooLong:
    """It was ended after so many seconds."""

    seconds: float
