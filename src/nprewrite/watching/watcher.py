"""The process that runs a program once and notes what it passes to the functions of some files.

The program runs as it is: a profiling hook looks at the frames of the functions when they are entered, so
that decorators, compilers and pickles see the functions themselves. A program that sets a profiling hook of
its own ends the watching; processes that it starts are not watched.
"""

from __future__ import annotations

import atexit
import inspect
import os
import pickle
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from nprewrite.verification.messages import private_channel
from nprewrite.verification.script import Script, enter, run
from nprewrite.watching.passing import arguments, kind, passed
from nprewrite.watching.seen import Passed, Seen

SEEN = "seen"
ENDED = "ended"

_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Functions whose frames are entered repeatedly, when their parameters may have other values."""


@dataclass(frozen=True)
class Order:
    """What to run, the files whose functions to watch, and the folder for what was seen."""

    script: Script
    paths: tuple[str, ...]
    folder: str


@dataclass
class _Calls:
    """The calls of one function; argument types that were seen together before tell nothing new."""

    count: int = 0
    kinds: set[tuple[Any, ...]] = field(default_factory=set)
    parameters: dict[str, dict[str, Passed]] = field(default_factory=dict)


class Watcher:
    """Notes the calls of the functions of some files."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self._paths = {os.path.realpath(path): path for path in paths}
        self._files: dict[str, str | None] = {}
        """For each file name in code that has run, the path of the file to watch, or None."""
        self._calls: dict[tuple[str, str], _Calls] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """The profiling hook."""
        if event != "call":
            return
        code = frame.f_code
        if code.co_filename not in self._files:
            self._files[code.co_filename] = self._paths.get(os.path.realpath(code.co_filename))
        path = self._files[code.co_filename]
        if path is not None and _is_function(code):
            self._note(path, frame)

    def _note(self, path: str, frame: FrameType) -> None:
        code = frame.f_code
        calls = self._calls.setdefault((path, code.co_qualname), _Calls())
        calls.count += 1
        given = list(arguments(frame))
        kinds = tuple((name, kind(value)) for name, value in given)
        if kinds in calls.kinds:
            return
        calls.kinds.add(kinds)
        for name, value in given:
            found = passed(name, value, frame)
            calls.parameters.setdefault(name, {}).setdefault(found.word, found)

    def seen(self) -> tuple[Seen, ...]:
        """What was seen, in the order of the first calls."""
        return tuple(
            Seen(
                path, name, calls.count, {key: tuple(each.values()) for key, each in calls.parameters.items()}
            )
            for (path, name), calls in self._calls.items()
        )


def _is_function(code: CodeType) -> bool:
    """Whether code is that of a ``def``; modules, class bodies, lambdas and comprehensions are not."""
    plain = code.co_flags & inspect.CO_OPTIMIZED and not code.co_flags & _LATER
    return bool(plain) and not code.co_name.startswith("<")


def main(order_path: str) -> None:
    """Run the program; this process ends as the program's own would have."""
    private_channel()
    order: Order = pickle.loads(Path(order_path).read_bytes())
    watcher, folder, process = Watcher(order.paths), Path(order.folder).absolute(), os.getpid()

    def tell() -> None:
        watched = sys.getprofile() is watcher
        sys.setprofile(None)
        if os.getpid() == process and not watched:
            (folder / ENDED).touch()
        if os.getpid() == process:
            (folder / SEEN).write_bytes(pickle.dumps((watcher.seen(), time.perf_counter() - started)))

    atexit.register(tell)
    enter(order.script)
    started = time.perf_counter()
    threading.setprofile(watcher)
    sys.setprofile(watcher)
    run(order.script)


if __name__ == "__main__":
    main(sys.argv[1])
