"""The number of iterations in a call: measured when asked, and remembered for this machine."""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
from collections.abc import Callable

from nprewrite.runtime.api import cache
from nprewrite.runtime.api.backend import StepFunction
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature
from nprewrite.runtime.choosing import cost

DEFAULT_CHUNK, COSTLY_CHUNK = 8, 2
"""Chunks without measuring: with exponentials, reads and writes matter little and compiling takes long."""
CHUNKS = (4, 8, 16, 32)
# Compile time grows with the chunk; beyond this a larger one is not worth waiting for.
LONGEST_COMPILE_S = 20.0
REPEATS = 5
FILE = "chunks.json"


def key(function: StepFunction, signature: Signature, machine: str) -> str | None:
    """Name the step, its dtypes and the machine; None where the step's source cannot be read."""
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        return None
    text = "\n".join((source, repr(signature), platform.machine(), str(os.cpu_count()), machine))
    return hashlib.sha256(text.encode()).hexdigest()


def default_chunk(function: StepFunction) -> int:
    """The number of iterations in a call where nothing has been measured."""
    return DEFAULT_CHUNK if cost.weight(function) == 1 else COSTLY_CHUNK


def remembered(name: str | None) -> int | None:
    """The chunk remembered under ``name``, if any."""
    chunk = cache.read(FILE).get(name or "")
    return chunk if chunk in CHUNKS else None


def remember(name: str | None, chunk: int | None) -> None:
    if name is not None and chunk is not None:
        cache.update(FILE, {name: chunk})


def best_chunk(seconds: Callable[[int], float], trips: int) -> int | None:
    """Time chunks that fit in ``trips``, smallest first; return the cheapest per iteration, if any fits.

    ``seconds`` runs a chunk once on private copies; its first call compiles, which may be refused.
    """
    costs: dict[int, float] = {}
    for chunk in CHUNKS:
        if chunk > trips:
            break
        try:
            compiling = seconds(chunk)
        except Refused:
            break
        costs[chunk] = min(seconds(chunk) for _ in range(REPEATS)) / chunk
        if compiling > LONGEST_COMPILE_S:
            break
    return min(costs, key=costs.__getitem__, default=None)
