"""Which graphs could not be compiled on this machine, kept on disk by their names."""

from __future__ import annotations

from typing import Any

from nprewrite.runtime.api import cache
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget

FILE = "compiles.json"
_ATTEMPTS = 2
"""Compilations that may run out of time before a graph is given up on this machine."""


def check(name: str) -> None:
    """Raise ``Unusable`` where compiling has failed before and would again."""
    history = _of(name)
    if "failed" in history:
        raise failure(str(history["failed"]))
    if history.get("tried", 0) >= _ATTEMPTS:
        raise too_long(budget.SECONDS)


def note_failed(name: str, text: str) -> None:
    """Remember what torch.compile said, because it would say so again."""
    cache.update(FILE, {name: {"failed": text}})


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
