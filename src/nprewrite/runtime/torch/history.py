"""Which graphs could not be compiled on this machine, kept on disk by their names."""

from __future__ import annotations

import time
from typing import Any

from nprewrite.runtime.api import cache
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget

FILE = "compiles.json"
_ATTEMPTS = 2
"""Compilations that may fail, or run out of time, before a graph is given up on this machine."""
_LASTS_S = 24 * 3600.0
"""For so long, where the next attempt may fare better: a compiler may have been installed."""


def check(name: str) -> None:
    """Raise ``Unusable`` where compiling has failed before and would again."""
    history = _of(name)
    if "failed" in history:
        raise failure(str(history["failed"]))
    if history.get("failures", 0) >= _ATTEMPTS and time.time() - history["at"] < _LASTS_S:
        raise failure(str(history["why"]))
    if history.get("tried", 0) >= _ATTEMPTS:
        raise too_long(budget.SECONDS)


def note_failed(name: str, text: str, *, lasting: bool = True) -> None:
    """Remember what torch.compile said, because it would say so again; if not ``lasting``, it may not."""
    found: dict[str, Any] = {"failed": text}
    if not lasting:
        found = {"failures": int(_of(name).get("failures", 0)) + 1, "why": text, "at": time.time()}
    cache.update(FILE, {name: found})


def note_tried(name: str) -> None:
    """Remember that compiling ran out of time."""
    cache.update(FILE, {name: {"tried": int(_of(name).get("tried", 0)) + 1}})


def failure(text: str) -> Unusable:
    """The refusal of a step that torch.compile does not take."""
    return Unusable(
        "torch.compile failed",
        f"torch.compile failed: {text}; `nprewrite doctor` says whether a C++ compiler works here",
    )


def too_long(seconds: float) -> Unusable:
    """The refusal of a step that was not compiled in ``seconds``."""
    if seconds < budget.SECONDS:
        return Unusable(
            "compiling takes too long",
            f"compiling it took more than the {seconds:.0f} s left of the function's {budget.SECONDS:.0f} s; "
            "call it again in another process, which finds the other steps compiled",
            passing=True,
        )
    return Unusable(
        "compiling takes too long",
        f"compiling it took more than {seconds:.0f} s; split the function into smaller ones",
    )


def _of(name: str) -> dict[str, Any]:
    found = cache.read(FILE).get(name)
    return found if isinstance(found, dict) else {}
