"""Compiles lowered text with Numba, and keeps libraries of it in the cache directory."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import re
import sys
import threading
import types
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.base import cachedir
from nprewrite.base.errors import summary
from nprewrite.base.signal_handlers import interrupts
from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.api.importing import do_whole, import_whole
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget, waiting
from nprewrite.runtime.numba.libraries import NoLibrary, has_rows, is_small, kind_of, load, save_reason
from nprewrite.runtime.torch import compiler, history, machine
from nprewrite.runtime.torch.jobs import Failed, LoopJob, TooLong

_HEAD = '''"""Lowered from {name!r} by nprewrite, for one set of types and ranges."""

import math

import numpy as np
from numba import njit

from nprewrite.runtime.numba.complex_kernels import *
from nprewrite.runtime.numba.draw_kernels import *
from nprewrite.runtime.numba.kernels import *
from nprewrite.runtime.numba.heap_kernels import *
from nprewrite.runtime.numba.memory_kernels import *
from nprewrite.runtime.numba.special_kernels import *


@njit(error_model="numpy"{options})
'''

_NAMES = re.compile(r"\b[pv]_\w+")
"""What is named after the parameters and variables of a user."""
_KERNELS = tuple(
    Path(__file__).with_name(f"{each}.py")
    for each in (
        "kernels",
        "complex_kernels",
        "draw_kernels",
        "heap_kernels",
        "memory_kernels",
        "special_kernels",
    )
)
_OWN = (*_KERNELS, *(Path(__file__).with_name(f"{each}.py") for each in ("objects", "libraries")))
"""Modules of which parts are in a library."""

Run = Callable[..., Any]


class Loop:
    """The function ``lowered`` of a text, compiled for the types of each call.

    With ``nogil``, several threads may run it at once.
    """

    def __init__(self, name: str, text: str, *, nogil: bool = False) -> None:
        self.name = name
        self.why = ""
        """Why Numba itself runs it."""
        self._text = text
        self._nogil = nogil
        self._runs: dict[tuple[Any, ...], Run] = {}
        self._by_numba: Run | None = None
        self._lock = threading.RLock()

    def is_kept(self, arguments: Sequence[Any]) -> bool:
        """Whether a library for such arguments is in the cache directory."""
        try:
            return Path(self._job(arguments).path).exists()
        except NoLibrary:
            return False

    def run_for(self, arguments: Sequence[Any], *, waits: bool) -> Run:
        """What runs it for arguments of such types and layouts.

        Raises ``Compiling`` where another process compiles it first, and ``Unusable``.
        """
        key = tuple([_likeness(each) for each in arguments])
        # The threads of a reduction come here at once, and a signal handler may while its thread is here.
        with self._lock:
            run = self._runs.get(key) or self._run(arguments, waits=waits)
            self._runs[key] = run
        return run

    def _run(self, arguments: Sequence[Any], *, waits: bool) -> Run:
        try:
            return self._library(arguments, waits=waits)
        except NoLibrary as problem:
            self.why = str(problem)
        if self._by_numba is None:
            self._by_numba = _by_numba(self.name, self._text, nogil=self._nogil)
        return self._by_numba

    def _library(self, arguments: Sequence[Any], *, waits: bool) -> Run:
        job = self._job(arguments)
        path = Path(job.path)
        if path.exists():
            # Files that are damaged count as missing.
            with contextlib.suppress(OSError, ValueError):
                return load(path, arguments, nogil=self._nogil)
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        if waits:
            _make(job)
        else:
            answer = compiler.begun(job)
            if isinstance(answer, Failed):
                raise NoLibrary(answer.text)
            if isinstance(answer, TooLong):
                raise history.too_long(answer.seconds)
        try:
            return load(path, arguments, nogil=self._nogil)
        except (OSError, ValueError) as error:
            problem = NoLibrary(f"{type(error).__name__}: {error}")
            # A function of Numba's own runtime, which no process has: nobody need make the library again.
            if "symbol" in str(error):
                with contextlib.suppress(OSError):
                    save_reason(problem, path)
            raise problem from error

    def _job(self, arguments: Sequence[Any]) -> LoopJob:
        """What is asked of the compiler; raises ``NoLibrary``."""
        kinds = [kind_of(each) for each in arguments]
        options = ", no_cpython_wrapper=True, no_cfunc_wrapper=True"
        source = _HEAD.format(name="a loop", options=options) + _numbered(self._text)
        return LoopJob(source, tuple(kinds), str(_path(source, kinds)))


def _numbered(text: str) -> str:
    """A lowered text with numbers in place of the user's names: loops that do the same share a library."""
    names: dict[str, str] = {}
    return _NAMES.sub(lambda found: names.setdefault(found[0], f"{found[0][:2]}{len(names)}"), text)


def _likeness(argument: Any) -> Any:
    """What decides the kind of an argument, which costs little."""
    if type(argument) is np.ndarray:
        return argument.dtype, argument.ndim, argument.flags.num, has_rows(argument)
    return type(argument), type(argument) is int and is_small(argument)


def _make(job: LoopJob) -> None:
    """Make a library in this process."""
    with budget.current().spending("compiling"), waiting.telling():
        try:
            _import("nprewrite.runtime.numba.objects")
            from nprewrite.runtime.numba import objects

            # Numba takes what a handler of a signal raises for a fault of the loop, which would be kept.
            do_whole(partial(objects.make, job))
        except STEP_ERRORS as error:
            raise _failed(error) from error


def _import(module: str) -> None:
    """Import a module, and Numba with it; a program that logs everything has not asked for Numba's words."""
    if "numba" not in sys.modules:
        logging.getLogger("numba").setLevel(logging.WARNING)
    import_whole(module)


def _path(source: str, kinds: Sequence[str]) -> Path:
    try:
        folder = cachedir.private("loops")
    except OSError as error:
        raise NoLibrary(f"there is no place for it ({error})") from error
    parts = "\n".join([source, *kinds, machine.description(), *_versions()])
    return folder / f"{hashlib.sha256(parts.encode()).hexdigest()}.json"


@functools.cache
def _versions() -> tuple[str, ...]:
    own = hashlib.sha256(b"".join(each.read_bytes() for each in _OWN)).hexdigest()
    return own, machine.build_of("numba"), np.__version__, sys.version


def _by_numba(name: str, text: str, *, nogil: bool) -> Run:
    """The function as Numba keeps and runs it; raises ``Unusable``."""
    options = ", cache={}" + (", nogil=True" if nogil else "")
    # Numba keeps what it compiles beside the file, so each lowered text has a file of its own.
    try:
        path = _written(name, _HEAD.format(name=name, options=options.format(True)) + text)
        source = path.read_text(encoding="utf-8")
        filename = str(path)
    except OSError:
        source, filename = _HEAD.format(name=name, options=options.format(False)) + text, "<lowered>"
    module = types.ModuleType(f"nprewrite_native_{hashlib.sha256(source.encode()).hexdigest()[:16]}")
    sys.modules[module.__name__] = module
    try:
        _import("nprewrite.runtime.numba.kernels")
        exec(compile(source, filename, "exec"), vars(module))
    except STEP_ERRORS as error:
        raise _failed(error) from error
    return _guarded(module.lowered)


def _guarded(function: Run) -> Run:
    """The function with errors of compiling as ``Unusable``: its first call for each layout compiles it."""
    from numba.core.errors import NumbaError

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (NumbaError, *STEP_ERRORS) as error:
            # A lowered function itself raises nothing: this comes from compiling it, before it ran.
            raise _failed(error) from error

    return call


def _failed(error: Exception) -> Unusable:
    """The refusal for an error of Numba's; raises the error itself where a handler of a signal raised it."""
    if interrupts(error):
        raise error
    return Unusable(
        "Numba failed",
        f"Numba says {type(error).__name__}: {summary(error)}, expected machine code; "
        "see that Numba works here, or set NPREWRITE_DISABLE=1",
    )


def _written(name: str, source: str) -> Path:
    """The cache file that holds ``source``; written once, so that Numba finds what it kept."""
    folder = cachedir.private("native")
    # What Numba keeps includes the kernels as they were then.
    own = b"".join(each.read_bytes() for each in _KERNELS)
    digest = hashlib.sha256(own + source.encode()).hexdigest()[:16]
    path = folder / f"{name.strip('<>_')}_{digest}.py"
    if not path.exists():
        cachedir.place(path, source.encode())
    return path
