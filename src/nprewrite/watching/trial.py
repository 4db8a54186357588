"""What the decorator gains on functions of a program, and ``nprewrite run`` on the whole: tried and measured.

The program is run as it is written, and again with the decorator on one function, or through ``nprewrite
run``: once so that all is compiled, and then as a later run would be. Each time is the least of some rounds.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nprewrite.benching.machine import disturbed
from nprewrite.config import Configurations
from nprewrite.engine.outcomes import Options
from nprewrite.verification import child
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.script import script_of
from nprewrite.watching.seen import Trial
from nprewrite.watching.timing import TIMES, Key, Order, Times

_WORKER = "nprewrite.watching.timing"
_ROUNDS, _LONG_S = 3, 5.0
"""So many rounds are measured of a program that takes less than this; else one."""


@dataclass(frozen=True)
class Trials:
    """A trial for each function that ran, one for the whole program, and what could not be tried."""

    functions: Mapping[Key, Trial]
    whole: Trial | None = None
    notes: tuple[str, ...] = ()


def tried(
    command: str,
    functions: Mapping[Key, Options],
    configurations: Configurations | None,
    say: Callable[[str], None],
    *,
    seconds: float = sys.maxsize,
    least: float = 0.0,
) -> Trials:
    """Try the decorator on the functions that run, and ``nprewrite run`` where configurations are given.

    No run may take longer than ``seconds``; a function that takes less than the ``least`` seconds is left
    out. ``say`` is told what is done. Raises ``CannotVerify`` where the command fails as it is written.
    """
    script = script_of(command)
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as folder:
        return _Trying(Order(script, {}, folder), seconds, least, say).tried(functions, configurations)


class _Trying:
    def __init__(self, order: Order, seconds: float, least: float, say: Callable[[str], None]) -> None:
        self._order, self._limits, self._least, self._say = order, Limits(seconds, sys.maxsize), least, say
        busy = disturbed()
        self._notes = [busy] if busy is not None else []

    def tried(self, functions: Mapping[Key, Options], configurations: Configurations | None) -> Trials:
        as_written = replace(self._order, functions=_by_path(functions))
        try:
            first = self._run(as_written, "as written")
        except Stopped as stop:
            raise CannotVerify(f"it cannot be tried: {stop}") from stop
        took = {key: options for key, options in functions.items() if first[1].get(key, 0.0) > self._least}
        sides = dict(self._sides(took, configurations))
        ready = {key: order for key, order in sides.items() if self._compiled(key, order)}
        written, made = [first], defaultdict[Key | None, list[Times]](list)
        for number in range(_ROUNDS if first[0] < _LONG_S else 1):
            written += [self._run(as_written, "as written")] if number else []
            for key, order in ready.items():
                made[key].append(self._run(order, _described(key)))
        trials = {key: Trial(_least(written, key), _least(runs, key)) for key, runs in made.items()}
        whole = trials.pop(None, None)
        known = {key: trial for key, trial in trials.items() if key is not None}
        return Trials(known, whole, tuple(self._notes))

    def _sides(
        self, functions: Mapping[Key, Options], configurations: Configurations | None
    ) -> Iterator[tuple[Key | None, Order]]:
        for key, options in functions.items():
            yield key, replace(self._order, functions=_by_path([key]), decorated=options)
        if configurations is not None:
            yield None, replace(self._order, rewritten=configurations)

    def _compiled(self, key: Key | None, order: Order) -> bool:
        """Run once so that all is compiled; whether that went well."""
        try:
            self._run(order, f"{_described(key)}, compiling", {"NPREWRITE_WAIT": "1"})
        except Stopped as stop:
            self._notes.append(f"not tried {_described(key)}: {stop}")
            return False
        return True

    def _run(self, order: Order, how: str, extra: Mapping[str, str] | None = None) -> Times:
        self._say(f"running {order.script.name} {how}")
        folder = Path(order.folder)
        # A picture that a program shows would wait for its window to be closed.
        environment = {"MPLBACKEND": "Agg", **(extra or {})}
        list(child.run_order(_WORKER, order, folder, self._limits, environment, silent=True))
        told = folder / TIMES
        if not told.exists():
            raise Stopped("it leaves Python without an exit")
        times: Times = pickle.loads(told.read_bytes())
        told.unlink()
        return times


def _least(runs: Iterable[Times], key: Key | None) -> float:
    return min(whole if key is None else functions.get(key, 0.0) for whole, functions in runs)


def _described(key: Key | None) -> str:
    return "through nprewrite run" if key is None else f"with the decorator on {key[1]}"


def _by_path(functions: Iterable[Key]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for path, name in functions:
        found[path] += (name,)
    return dict(found)
