"""Compiles lowered text with Numba and keeps the result in the cache directory."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nprewrite.base import cachedir
from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.api.importing import import_whole
from nprewrite.runtime.api.refusal import Unusable

_HEAD = '''"""Lowered from {name!r} by nprewrite, for one set of types and ranges."""

import math

import numpy as np
from numba import njit

from nprewrite.runtime.numba.kernels import *


@njit(error_model="numpy", cache={cached}{options})
'''

_KERNELS = Path(__file__).with_name("kernels.py")


def compiled(name: str, text: str, *, nogil: bool = False) -> Callable[..., Any]:
    """The function ``lowered`` of ``text``, compiled when it is first called; raises ``Unusable``.

    With ``nogil``, several threads may run it at once.
    """
    options = ", nogil=True" if nogil else ""
    # Numba keeps what it compiles beside the file, so each lowered text has a file of its own.
    try:
        path = _written(name, _HEAD.format(name=name, cached=True, options=options) + text)
        source = path.read_text(encoding="utf-8")
        filename = str(path)
    except OSError:
        source, filename = _HEAD.format(name=name, cached=False, options=options) + text, "<lowered>"
    module = types.ModuleType(f"nprewrite_native_{hashlib.sha256(source.encode()).hexdigest()[:16]}")
    sys.modules[module.__name__] = module
    try:
        import_whole("nprewrite.runtime.numba.kernels")
        exec(compile(source, filename, "exec"), vars(module))
    except STEP_ERRORS as error:
        raise _failed(error) from error
    return _guarded(module.lowered)


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
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
    summary = str(error).strip().split("\n")[0]
    return Unusable(
        "Numba failed",
        f"Numba says {type(error).__name__}: {summary}, expected machine code; "
        "see that Numba works here, or set NPREWRITE_DISABLE=1",
    )


def _written(name: str, source: str) -> Path:
    """The cache file that holds ``source``; written once, so that Numba finds what it kept."""
    folder = cachedir.private("native")
    # What Numba keeps includes the kernels as they were then.
    digest = hashlib.sha256(_KERNELS.read_bytes() + source.encode()).hexdigest()[:16]
    path = folder / f"{name.strip('<>_')}_{digest}.py"
    if not path.exists():
        cachedir.place(path, source.encode())
    return path
