"""Whether a rewritten function gives on the arguments of a first call what the original gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nprewrite.base.errors import MismatchError, MismatchWarning, warn
from nprewrite.decorated.building import filename
from nprewrite.decorated.module_state import ModuleState, leaving_no_trace
from nprewrite.decorated.versions import Settings


def gives_the_same(
    original: Callable[..., Any],
    rewritten: Callable[..., Any],
    settings: Settings,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> bool:
    """Whether both give the same answers on copies of the arguments; a warning tells where they do not.

    Raises ``MismatchError`` instead where the settings ask for it.
    """
    # Imported where it is asked for: the oracle takes a while to import.
    from nprewrite.comparison import Case, verify

    name, line = original.__qualname__, original.__code__.co_firstlineno
    case = Case(f"the first call of {name}", args, kwargs)
    # Noted once for all runs: each puts the variables back.
    state = ModuleState(original.__globals__)
    before, after = (leaving_no_trace(each, state) for each in (original, rewritten))
    report = verify(before, after, [case], single=settings.options.computes_in_single)
    if report.same:
        return True
    place = f"{filename(original)}:{line}: `{name}`"
    if settings.on_mismatch == "raise":
        raise MismatchError(f"{place}: the rewritten function gives other answers\n{report}")
    text = f"{place}: the rewritten function gives other answers; the original runs\n{report}"
    warn(text, filename(original), line, MismatchWarning)
    return False
