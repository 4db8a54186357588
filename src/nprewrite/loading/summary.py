"""What nprewrite did for a program that has ended, in one line: what ran compiled, what it saved and took."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from nprewrite.loading.finder import Finder

if TYPE_CHECKING:
    from nprewrite.runtime.api.known import Part

_COMPILING = "as written: compiling"
_BETTER = ("too little work", "NumPy is", "NPREWRITE_DISABLE", "Python is through", "rows so long")
"""Beginnings of reasons for which nothing could be done better."""
_LEAST_S = 0.05
_HANDOVER = "nprewrite.decorated.handover"
"""Imported by whatever is decorated, and by a script whose loops may stop."""
_GOES_ON = " in the background: a run that starts after that is faster (--wait waits for it)"


def summary(program: str) -> str | None:
    """The line for standard error; None where nothing was done and nothing stood in the way."""
    # Where no rewritten text was executed, the runtime, and NumPy, are not imported for this.
    if "nprewrite.runtime.api.known" not in sys.modules:
        return None
    from nprewrite.runtime.api.known import PARTS
    from nprewrite.runtime.choosing import budget

    parts = list(PARTS)
    ran = [each for each in parts if any(way.startswith("compiled") for way in each.runs)]
    compiling = [each for each in parts if each not in ran and each.runs[_COMPILING]]
    left = [each for each in parts if each not in ran and _stands_in_the_way(each.runs)]
    words = []
    if ran:
        words.append(f"{_count(len(ran), 'part')} ran compiled{_times(ran, budget.waited())}")
    if compiling:
        words.append(f"{_count(len(compiling), 'part')} still being compiled{_GOES_ON}")
    elif not ran and _is_awaited():
        words.append(f"still being rewritten{_GOES_ON}")
    if left:
        words.append(f"{len(left)} left alone (nprewrite profile {program} shows why)")
    return f"nprewrite: {'; '.join(words)}" if words else None


def details() -> Iterator[str]:
    """What became of each decorated function, and of each module."""
    told: set[str] = set()
    if _HANDOVER in sys.modules:
        from nprewrite.decorated.handover import SCRIPTS
        from nprewrite.decorated.jitted import described

        yield from described()
        told = {each.original.__module__ for each in SCRIPTS}
    finders = [each for each in sys.meta_path if isinstance(each, Finder)]
    outcomes = ((name, outcome) for each in finders for name, outcome in each.outcomes.items())
    yield from (f"{name}: {outcome}" for name, outcome in outcomes if name not in told)


def _is_awaited() -> bool:
    """Whether another process is finding out what a function, or the script, becomes."""
    if _HANDOVER not in sys.modules:
        return False
    from nprewrite.decorated.handover import SCRIPTS
    from nprewrite.decorated.jitted import decorated

    return any(each.is_awaited for each in SCRIPTS) or any(each.is_awaited for each in decorated())


def _times(ran: Sequence[Part], spent: float) -> str:
    """The seconds that were saved, by the parts that were measured on both sides, and those that it took."""
    measured = [sum(known) for each in ran if (known := _saved(each))]
    saved = f"about {sum(measured):.2g} s saved"
    if len(measured) < len(ran):
        saved += f" ({len(measured)} of {len(ran)} measured both ways)"
    told = [saved] if sum(measured) >= _LEAST_S else []
    told += [f"{spent:.2g} s spent"] if spent >= _LEAST_S else []
    return f", {', '.join(told)}" if told else ""


def _saved(part: Part) -> list[float]:
    return [each.saved for each in part.choices.values() if each.saved is not None]


def _stands_in_the_way(runs: Iterable[str]) -> bool:
    reasons = [way.removeprefix("as written: ") for way in runs if way.startswith("as written: ")]
    return any(reason != "compiling" and not reason.startswith(_BETTER) for reason in reasons)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
