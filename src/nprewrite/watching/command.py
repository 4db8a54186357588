"""Running a user's command in a child that watches it."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nprewrite.verification import child
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.script import script_of
from nprewrite.watching.seen import Seen
from nprewrite.watching.watcher import ENDED, SEEN, Order

_WATCHER = "nprewrite.watching.watcher"


def observe(command: str, paths: Sequence[str], seconds: float) -> tuple[tuple[Seen, ...], float]:
    """Run ``command`` once; returns the calls of the functions of the files ``paths``, and its seconds.

    It may take ``seconds``, and all memory. What it prints goes to standard error. Raises ``CannotVerify``
    where it cannot be started, fails, takes longer, or calls none of the functions.
    """
    script = script_of(command, "--observe")
    absolute = {os.path.realpath(path): path for path in paths}
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as name:
        folder, limits = Path(name), Limits(seconds, sys.maxsize)
        order = Order(script, tuple(absolute), name)
        try:
            # In NumPy: only the arguments count, and those need no compiling.
            list(child.run_order(_WATCHER, order, folder, limits, {"NPREWRITE_DISABLE": "1"}))
        except Stopped as stop:
            raise CannotVerify(f'--observe "{command}": {stop}; nothing was rewritten') from stop
        if (folder / ENDED).exists():
            raise CannotVerify(
                f'--observe "{command}": the program sets a profiling hook (as cProfile does), which ends '
                "the watching: run it without; nothing was rewritten"
            )
        told = folder / SEEN
        seen: tuple[Seen, ...]
        seen, took = pickle.loads(told.read_bytes()) if told.exists() else ((), 0.0)
    if not seen:
        raise CannotVerify(
            f'--observe "{command}" calls no function of the files to rewrite; nothing was rewritten'
        )
    return tuple(replace(each, path=absolute[each.path]) for each in seen), took
