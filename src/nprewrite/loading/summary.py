"""What nprewrite did for a program that has ended, in one line: what ran compiled, what it saved and took."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from nprewrite.loading.finder import Finder

if TYPE_CHECKING:
    from nprewrite.decorated.handover import WatchedScript
    from nprewrite.runtime.api.known import Part

_COMPILING = "as written: compiling"
_NUMPY = "as written: NumPy is"
_BETTER = (
    "too little work",
    "NPREWRITE_DISABLE",
    "Python is through",
    "rows so long",
    "taking turns",
    "opening torch's library",
)
"""Beginnings of reasons for which nothing could be done better."""
_NO_NUMBA = "native-missing"
"""The reason for which passes leave loops as written where Numba is not installed."""
_LEAST_S, _LONG_S = 0.05, 2.0
"""Who waits for a program for so long wants to hear that nothing was done for it."""
_HANDOVER = "nprewrite.decorated.handover"
"""Imported by whatever is decorated, and by a script whose loops may stop."""
_SCRIPT = "the script"
_MOST_NAMES = 3
_LATER = {
    (False, False): "",
    (True, False): "the compiler works in the background, for later runs (--wait waits for it)",
    (
        False,
        True,
    ): "the rewriter works in the background, the next run starts the compiler, and those after it "
    "may be faster (--wait does it all in one run)",
    (True, True): "the rewriter and the compiler work in the background, for later runs "
    "(--wait does it all in one run)",
}
"""What is said where something is being compiled, and where something is being rewritten."""


def summary(program: str, most: float | None = None, seconds: float = 0.0) -> str | None:
    """The line for standard error; None where nothing was done and nothing stood in the way.

    ``most`` is known to be no less than the seconds that were saved: a part that was measured once may have
    had more to do than in its other runs. ``seconds`` is what the program took.
    """
    in_vain = f"nprewrite: nothing in {program} ran rewritten (nprewrite profile {program} shows why)"
    otherwise = in_vain if seconds >= _LONG_S else None
    # Where no rewritten text was executed, the runtime, and NumPy, are not imported for this.
    if "nprewrite.runtime.api.known" not in sys.modules:
        return otherwise
    from nprewrite.runtime.api.known import PARTS
    from nprewrite.runtime.choosing import budget

    states: dict[str, list[Part]] = {}
    for each in sorted(PARTS, key=lambda part: (part.function.__code__.co_firstlineno, _home(part))):
        states.setdefault(_state(each), []).append(each)
    names = {state: list(dict.fromkeys(map(_home, parts))) for state, parts in states.items()}

    def parts_of(those: Iterable[str]) -> list[str]:
        return [f"a part of {each}" if each in ran else each for each in those]

    ran, compiling = names.get("compiled", []), names.get("compiling", [])
    rewriting = [each for each in _awaited() if each not in ran]
    later = [*compiling, *(each for each in rewriting if each not in compiling)]
    numpy = [each for each in names.get("numpy", ()) if each not in (*ran, *later)]
    refused = names.get("refused", ())
    lacking = [each for each in _lacking_numba() if each not in (*ran, *later)]
    said = (
        (ran, f"ran compiled{_times(states.get('compiled', ()), budget.waited(), most)}"),
        (parts_of(later), f"ran as written: {_LATER[bool(compiling), bool(rewriting)]}"),
        (numpy, "ran as written, because NumPy is faster"),
        (lacking, "ran as written: Numba is not installed (pip install nprewrite[native])"),
        (parts_of(refused), f"ran as written (nprewrite profile {program} shows why)"),
    )
    words = [f"{_list(those)} {told}" for those, told in said if those]
    return f"nprewrite: {'; '.join(words)}" if words else otherwise


def details() -> Iterator[str]:
    """What became of each decorated function, and of each module."""
    if _HANDOVER in sys.modules:
        from nprewrite.decorated.described import described

        yield from described()
    told = {each.original.__module__ for each in _scripts()}
    finders = [each for each in sys.meta_path if isinstance(each, Finder)]
    outcomes = ((name, outcome) for each in finders for name, outcome in each.outcomes.items())
    yield from (f"{name}: {outcome}" for name, outcome in outcomes if name not in told)


def _state(part: Part) -> str:
    """What is said of a part; nothing is where nothing could be done better."""
    numpy_kept = bool(part.choices) and all(each.kept == "original" for each in part.choices.values())
    if not numpy_kept and any(way.startswith("compiled") for way in part.runs):
        return "compiled"
    if part.runs[_COMPILING]:
        return "compiling"
    if numpy_kept or any(way.startswith(_NUMPY) for way in part.runs):
        return "numpy"
    return "refused" if _stands_in_the_way(part.runs) else ""


def _home(part: Part) -> str:
    """The user's function that a part belongs to: the docstring of each part ends with it."""
    function = part.function
    told = (function.__doc__ or "").rstrip(".").split("`")
    name = told[-2] if len(told) > 2 and not told[-1] else ""
    of_main = function.__module__ == "__main__"
    if not name or (of_main and name in (rest.place.name for each in _scripts() for rest in each.cut)):
        return _SCRIPT if of_main else function.__module__
    return name


def _scripts() -> list[WatchedScript]:
    """The scripts whose loops may stop, as far as there are any."""
    if _HANDOVER not in sys.modules:
        return []
    from nprewrite.decorated.handover import SCRIPTS

    return SCRIPTS


def _awaited() -> Iterator[str]:
    """What another process is rewriting: functions, or the script's loops."""
    if _HANDOVER not in sys.modules:
        return
    from nprewrite.decorated.jitted import decorated

    yield from (_SCRIPT for each in _scripts() if each.is_awaited)
    yield from (each.original.__qualname__ for each in decorated() if each.is_awaited)


def _lacking_numba() -> Iterator[str]:
    """What has loops that only Numba compiles, where it is not installed."""
    # To say what became of a function may mean to rewrite it first.
    if _HANDOVER not in sys.modules or find_spec("numba") is not None:
        return
    from nprewrite.decorated.jitted import decorated

    named = [(_SCRIPT, each.report()) for each in _scripts()]
    named += [(each.original.__qualname__, each.report()) for each in decorated()]
    yield from (name for name, report in named if any(site.reason == _NO_NUMBA for site in report.sites))


def _list(names: Sequence[str]) -> str:
    """``main``, ``main and relax``, ``main, relax, energy and 2 more``."""
    more = len(names) - _MOST_NAMES
    told = [*names[:_MOST_NAMES], *([f"{more} more"] if more > 0 else [])]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


def _times(ran: Iterable[Part], spent: float, most: float | None) -> str:
    """The seconds that were saved, by the parts that were measured on both sides, and those that it took."""
    choices = (choice for each in ran for choice in each.choices.values())
    saved = min(sum(each.saved or 0.0 for each in choices), math.inf if most is None else most)
    told = [f"about {saved:.2g} s saved"] if saved >= _LEAST_S else []
    told += [f"{spent:.2g} s spent"] if spent >= _LEAST_S else []
    return f", {', '.join(told)}" if told else ""


def _stands_in_the_way(runs: Iterable[str]) -> bool:
    reasons = [way.removeprefix("as written: ") for way in runs if way.startswith("as written: ")]
    return any(not reason.startswith(_BETTER) for reason in reasons)
