"""Samples of a running program: a thread that looks at the stacks of the others, a hundred times a second.

A sample is kept as the frames of the user's files only, so that time inside NumPy belongs to the line that
called it. CPython lets another thread look only at calls, at jumps back, and where compiled code has released
the interpreter, as most operations on arrays do. What happens in between is seen too late, perhaps in another
function: how long each function took is therefore measured by Python's own profiler, which counts no calls of
compiled code and costs little.
"""

from __future__ import annotations

import cProfile
import dis
import inspect
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nprewrite.watching.seen import Passed

INTERVAL_S = 0.01
"""Shorter, and the program would run otherwise: other memory would be reused, other locks taken."""
_LOOKS = 3
"""How often the variables of a function are looked at."""
_WAITING = frozenset(
    {"threading.py", "queue.py", "selectors.py", "socket.py", "subprocess.py", "connection.py"}
)
"""Files of Python's own in which a thread waits for another."""
_RESUME = dis.opmap["RESUME"]

Frame = tuple[CodeType, int]


@dataclass(frozen=True)
class Stack:
    """The user's frames of a sample, the innermost first, each with the offset of its instruction.

    ``library`` is the file of the innermost frame where that is not the user's; ``timed`` says whether the
    thread is the one that Python's profiler measures.
    """

    frames: tuple[Frame, ...]
    library: str | None
    timed: bool = True


@dataclass
class Variables:
    """What was seen of the variables of a function: its parameters, and the elements of its largest array."""

    looks: int = 0
    parameters: dict[str, dict[str, Passed]] = field(default_factory=dict)
    largest: int = 0


@dataclass
class Samples:
    """The seconds by stack, the number of samples, and what was seen of each function.

    ``timed`` is what Python's profiler has measured of each function.
    """

    seconds: defaultdict[Stack, float] = field(default_factory=lambda: defaultdict(float))
    count: int = 0
    elapsed: float = 0.0
    variables: defaultdict[CodeType, Variables] = field(default_factory=lambda: defaultdict(Variables))
    timed: list[Any] = field(default_factory=list)


class Sampler:
    """Takes samples while its block runs; ``owns`` says of a file whether it is the user's."""

    def __init__(self, owns: Callable[[str], bool]) -> None:
        self.samples = Samples()
        self._owns = lru_cache(maxsize=None)(owns)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="nprewrite profile", daemon=True)
        self._profile = cProfile.Profile(builtins=False)
        self._started = 0.0
        self._measured = threading.get_ident()

    def __enter__(self) -> Samples:
        self._started = time.perf_counter()
        self._thread.start()
        self._profile.enable()
        return self.samples

    def __exit__(self, *_: object) -> None:
        self._profile.disable()
        self.samples.elapsed = time.perf_counter() - self._started
        self._ended.set()
        self._thread.join()
        self.samples.timed = self._profile.getstats()

    def _sample(self) -> None:
        own = threading.get_ident()
        before = time.perf_counter()
        while not self._ended.wait(INTERVAL_S):
            now = time.perf_counter()
            for thread, frame in sys._current_frames().items():
                if thread != own:
                    self._note(frame, now - before, thread == self._measured)
            self.samples.count += 1
            before = now

    def _note(self, leaf: FrameType, seconds: float, timed: bool) -> None:
        innermost = _entered_from(leaf)
        if innermost is None or innermost.f_code.co_filename.rpartition("/")[2] in _WAITING:
            return
        frames: list[Frame] = []
        frame: FrameType | None = innermost
        while frame is not None:
            if self._owns(frame.f_code.co_filename):
                frames.append((frame.f_code, frame.f_lasti))
                self._look(frame)
            frame = frame.f_back
        if frames:
            file = innermost.f_code.co_filename
            stack = Stack(tuple(frames), None if self._owns(file) else file, timed)
            self.samples.seconds[stack] += seconds

    def _look(self, frame: FrameType) -> None:
        """Look at the variables of a function, once NumPy is there."""
        code = frame.f_code
        seen = self.samples.variables[code]
        if seen.looks >= _LOOKS or not code.co_flags & inspect.CO_OPTIMIZED or not _numpy_is_there():
            return
        from nprewrite.watching.passing import arguments, passed

        seen.looks += 1
        for name, value in arguments(frame):
            found = _with_attributes(passed(name, value, frame), name, value, frame)
            seen.parameters.setdefault(name, {}).setdefault(found.word, found)
        array = sys.modules["numpy"].ndarray
        values: Any = frame.f_locals
        sizes = [each.size for each in values.values() if type(each) is array]
        seen.largest = max([seen.largest, *sizes])
        if isinstance(values, dict):
            # Up to Python 3.12 the frame keeps this copy, and with it arrays that the program has let go.
            values.clear()


def _with_attributes(found: Passed, name: str, value: Any, frame: FrameType) -> Passed:
    """What an argument tells, with its attributes where those are plain data: they are not looked up."""
    from nprewrite.decorated.instances import instance_of
    from nprewrite.types.values import Unknown

    if not isinstance(found.value, Unknown) or frame.f_code.co_freevars:
        return found
    function = FunctionType(frame.f_code, frame.f_globals)
    return replace(found, value=instance_of(value, name, function) or found.value)


def _entered_from(frame: FrameType | None) -> FrameType | None:
    """The frame in which the time was spent: the caller of one that has only been entered."""
    while frame is not None and frame.f_lasti <= _entry(frame.f_code):
        frame = frame.f_back
    return frame


@cache
def _entry(code: CodeType) -> int:
    """The offset of the instruction at which a function begins."""
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return -1
    return next((2 * place for place, each in enumerate(code.co_code[::2]) if each == _RESUME), -1)


def _numpy_is_there() -> bool:
    """Whether the program has imported NumPy, to the end."""
    spec = getattr(sys.modules.get("numpy"), "__spec__", None)
    return spec is not None and not getattr(spec, "_initializing", False)
