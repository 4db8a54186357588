"""Samples corrected by what Python's profiler measured: how long each function of the user's took by itself.

The time that libraries take belongs to the function of the user's that called them, through as many functions
of theirs as there are in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from nprewrite.profiling.sampling import Samples, Stack

_DEPTH = 40
"""How many functions of libraries are followed from one to the next."""
_NOTHING_S = 1e-6
_TOLD = 0.5
"""Python's profiler has to account for this part of the samples."""


def own_times(timed: Iterable[Any], owns: Callable[[CodeType], bool]) -> dict[CodeType, tuple[float, int]]:
    """For each function of the user's its seconds, with those of libraries that it calls, and its calls."""
    known = [each for each in timed if isinstance(each.code, CodeType)]
    callers: defaultdict[CodeType, dict[CodeType, float]] = defaultdict(dict)
    for each in known:
        for callee in each.calls or ():
            if isinstance(callee.code, CodeType):
                callers[callee.code][each.code] = callee.totaltime
    seconds = defaultdict(float, {each.code: each.inlinetime for each in known})
    libraries = [each.code for each in known if not owns(each.code)]
    for _ in range(_DEPTH):
        moved = {code: seconds[code] for code in libraries if seconds[code] > _NOTHING_S and callers[code]}
        if not moved:
            break
        for code, amount in moved.items():
            seconds[code] -= amount
            whole = sum(callers[code].values()) or 1.0
            for caller, part in callers[code].items():
                seconds[caller] += amount * part / whole
    return {each.code: (seconds[each.code], each.callcount) for each in known if owns(each.code)}


def corrected(samples: Samples, owns: Callable[[CodeType], bool]) -> dict[Stack, float]:
    """The seconds by stack, so that each function's own add up to what was measured of it."""
    exact = own_times(samples.timed, owns)
    seen: defaultdict[CodeType, float] = defaultdict(float)
    for stack, seconds in samples.seconds.items():
        if stack.timed:
            seen[stack.frames[0][0]] += seconds
    measured = sum(seconds for seconds, _ in exact.values())
    if measured < _TOLD * sum(seen.values()):
        # The program has set a profiler of its own.
        return dict(samples.seconds)
    found = {
        stack: seconds * exact[stack.frames[0][0]][0] / seen[stack.frames[0][0]]
        if stack.timed and stack.frames[0][0] in exact
        else seconds
        for stack, seconds in samples.seconds.items()
    }
    unseen = {
        code: seconds for code, (seconds, _) in exact.items() if code not in seen and seconds > _NOTHING_S
    }
    return found | {_stack_of(code, samples): seconds for code, seconds in unseen.items()}


def _stack_of(code: CodeType, samples: Samples) -> Stack:
    """A stack for a function that no sample met: on that of the function that called it, where one did."""
    callers = {each.code for each in samples.timed if any(callee.code is code for callee in each.calls or ())}
    around = [stack for stack in samples.seconds if stack.frames[0][0] in callers]
    longest = max(around, key=lambda each: samples.seconds[each], default=Stack((), None))
    return Stack(((code, 0), *longest.frames), None)
