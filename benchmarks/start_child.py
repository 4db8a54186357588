"""Measurements of ``start.py`` that need a process of their own.

    python start_child.py numpy PROGRAM
    python start_child.py calls SIDE PROGRAM
    python start_child.py storm PROGRAM ...

SIDE is nprewrite, Numba or JAX. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import statistics
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from start_programs import PROGRAMS

CALLS = 5
LIMIT = 180.0
"""Seconds after which nobody hopes for compiled code any more."""
PAUSES = 10
"""How many times as long as each call the processes of a storm wait after it: all cores are for compilers."""
WIDTH = 80

Called = tuple[Callable[..., Any], Callable[[], bool]]
"""A function, and whether it has run compiled."""


class NotTaken(Exception):
    """A side cannot compile a program; the message is the reason."""


def seconds(call: Callable[[], object]) -> float:
    """Wall time of a call; ``measure`` is not imported, because that imports nprewrite."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def in_numpy(name: str) -> dict[str, Any]:
    """Seconds of the first call as written, and the median of further ones."""
    function, arguments = PROGRAMS[name]
    given = arguments()
    times = [seconds(lambda: function(*given)) for _ in range(1 + CALLS)]
    return {"first": times[0], "median": statistics.median(times[1:])}


def under_nprewrite(name: str) -> Called:
    import nprewrite

    function = nprewrite.jit(PROGRAMS[name][0])

    def is_compiled() -> bool:
        last = function.specializations.last
        return last is not None and any(step.runs["compiled"] for step in last.steps)

    return function, is_compiled


def under_numba(name: str) -> Called:
    import numba

    compiled = numba.njit(cache=True)(PROGRAMS[name][0])
    errors = (numba.core.errors.NumbaError, AssertionError, ImportError)

    def called(*given: Any) -> Any:
        try:
            return compiled(*given)
        except errors as error:
            raise NotTaken(summary(error)) from error

    return called, lambda: True


def under_jax(name: str) -> Called:
    from start_jax import FUNCTIONS

    return lambda *given: np.asarray(FUNCTIONS[name](*given)), lambda: True


SIDES = {"nprewrite": under_nprewrite, "Numba": under_numba, "JAX": under_jax}


def calls(side: str, name: str) -> dict[str, Any]:
    """Seconds until the first result that was computed by compiled code, of calls that follow each other.

    - ``first``: of the first call, without the import of the side.
    - ``compiled``: from the first call on. ``with_import``: from the import of the side on.
    - ``longest``: of the longest call. ``right``: whether the last one gave what NumPy gives.
    - ``why``: why there are no figures, or none of compiled code.
    """
    function, arguments = PROGRAMS[name]
    given = arguments()
    importing = time.perf_counter()
    try:
        called, is_compiled = SIDES[side](name)
    except ImportError as error:
        return {"why": f"{error.name} is not installed"}
    started = time.perf_counter()
    times, why = [], ""
    while not why:
        begun = time.perf_counter()
        try:
            result = called(*given)
        except NotTaken as problem:
            return {"why": str(problem)}
        ended = time.perf_counter()
        times.append(ended - begun)
        if is_compiled():
            break
        if ended - started > LIMIT:
            why = f"not compiled in {LIMIT:g} s"
    known = {"compiled": ended - started, "with_import": ended - importing} if not why else {}
    right = bool(np.allclose(result, function(*given)))
    return {"first": times[0], "longest": max(times), "right": right, "why": why, **known}


def summary(error: Exception) -> str:
    """The error's kind, and the first line of its message; those of Numba have a heading."""
    lines = [each.strip() for each in str(error).splitlines()]
    said = [each for each in lines if each and not each.startswith("Failed in")]
    return textwrap.shorten(": ".join([type(error).__name__, *said[:1]]), WIDTH, placeholder=" …")


def storm(names: list[str]) -> dict[str, Any]:
    """Call all programs until each has run compiled; whether they gave what NumPy gives."""
    every = {name: (*PROGRAMS[name], *under_nprewrite(name)) for name in names}
    wrong, slow = [], []
    for name, (function, arguments, called, is_compiled) in every.items():
        given = arguments()
        wanted, started = function(*given), time.perf_counter()
        while not is_compiled() and time.perf_counter() - started < LIMIT:
            called_at = time.perf_counter()
            if not np.allclose(called(*given), wanted):
                wrong.append(name)
            time.sleep(PAUSES * (time.perf_counter() - called_at))
        if not is_compiled():
            slow.append(name)
    return {"wrong": wrong, "not compiled": slow}


def main() -> None:
    match sys.argv[1:]:
        case "numpy", program:
            found = in_numpy(program)
        case "calls", side, program:
            found = calls(side, program)
        case "storm", *programs:
            found = storm(programs)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
