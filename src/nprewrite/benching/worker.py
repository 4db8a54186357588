"""The measuring process: it loads the user's module before and after rewriting, and does one task."""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import pickle
import sys
import time
from pathlib import Path
from typing import IO, Any

from nprewrite.benching.alternation import alternate
from nprewrite.benching.measurement import ORIGINAL, REWRITTEN
from nprewrite.benching.memory import peak_growth
from nprewrite.benching.messages import (
    Listed,
    Listing,
    Request,
    Round,
    Started,
    Starting,
    Trial,
    Tried,
    Turned,
    Turning,
)
from nprewrite.benching.peers import NotApplicable, peer_of
from nprewrite.benching.player import Player, batch, decided, pace, until_steady
from nprewrite.comparison.case import Case
from nprewrite.comparison.compare import compare
from nprewrite.comparison.oracle import NoOracle
from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.original import decorated_by
from nprewrite.decorated.turns import call_class
from nprewrite.runtime.choosing import waiting
from nprewrite.verification import stages
from nprewrite.verification.conversation import answer
from nprewrite.verification.inputs import Inputs
from nprewrite.verification.labels import shortened
from nprewrite.verification.messages import Finished, private_channel, send
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.sides import Sides
from nprewrite.verification.ways import AS_WRITTEN, refusals, ways_of

_SECONDS_A_SIDE = 2.0
_ROUNDS, _MOST_ROUNDS = 7, 40
_LONG_S, _ROUNDS_OF_LONG = 5.0, 3


class Worker:
    """The work on one request; ``channel`` is where messages go."""

    def __init__(self, request: Request, channel: IO[bytes]) -> None:
        self._request = request
        self._channel = channel
        program = request.program
        self._sides = Sides(
            program.module, program.path, program.before, program.after, program.after_path, program.targets
        )
        self._inputs = Inputs(program.source, self._sides, program.targets)

    def run(self) -> None:
        """Do the task. Raises ``CannotVerify`` where the user's file or call does not allow it."""
        match self._request.task:
            case Listing():
                self._list()
            case Starting(index):
                self._tell(self._started(*self._case(index)))
            case Trial(index, peer):
                self._tell(self._tried(*self._case(index), peer))
            case Turning(index, peers):
                self._tell(self._turned(*self._case(index), peers))
        self._tell(Finished(tuple(self._inputs.notes)))

    def _tell(self, message: object) -> None:
        send(self._channel, message)

    def _list(self) -> None:
        for index, (name, case) in enumerate(self._inputs.cases()):
            kind = repr((name, call_class(case.args, case.kwargs)))
            self._tell(Listed(index, name, case.label, kind))

    def _case(self, index: int) -> tuple[str, Case]:
        for number, found in enumerate(self._inputs.cases()):
            if number == index:
                return found
        raise CannotVerify(f"cases() yields fewer than {index + 1} calls when it is called again")

    def _players(self, name: str, case: Case) -> dict[str, Player]:
        before = self._sides.own_arguments(case.args, case.kwargs, after=False)
        after = self._sides.own_arguments(case.args, case.kwargs, after=True)
        original, rewritten = self._sides.original(name), self._sides.rewritten(name)
        return {
            ORIGINAL: Player(f"{name} as written", self._sides.enter_before, original, *before),
            REWRITTEN: Player(f"{name}, rewritten,", self._sides.enter_after, rewritten, *after),
        }

    def _peer(self, name: str, case: Case, peer: str) -> Player:
        function = peer_of(peer, self._sides.original(name))
        arguments = self._sides.own_arguments(case.args, case.kwargs, after=False)
        return Player(f"{name} under {peer}", self._sides.enter_before, function, *arguments)

    def _started(self, name: str, case: Case) -> Started:
        import_torch = _import_torch()
        players = self._players(name, case)
        original = players[ORIGINAL].seconds()
        return Started(import_torch, original, tuple(until_steady(players[REWRITTEN], decided)))

    def _tried(self, name: str, case: Case, peer: str) -> Tried:
        try:
            player = self._peer(name, case, peer)
            seconds = tuple(until_steady(player, lambda: True))
        except (NotApplicable, CannotVerify) as problem:
            return Tried(why=shortened(str(problem), 200))
        oracle = NoOracle("a peer is not judged")
        report = compare(name, case, self._sides.before(name), player.function, oracle=oracle)
        note = f"answers otherwise: {report.differences[0]}" if report.differences else ""
        return Tried(seconds, note=shortened(note, 200))

    def _turned(self, name: str, case: Case, peers: tuple[str, ...]) -> Turned:
        _import_torch()
        players = self._players(name, case)
        players |= {peer: self._peer(name, case, peer) for peer in peers}
        paces = [pace(each, decided) for each in players.values()]
        calls = batch(min(paces))
        times = alternate(
            players,
            _rounds(max(paces) * calls),
            lambda number, of: self._tell(Round(number, of)),
            lambda player: player.seconds(calls),
        )
        ran = self._ran(name, players[REWRITTEN])
        memory = {side: _memory(player) for side, player in players.items()}
        return Turned(times, memory, calls, _threads(), ran)

    def _ran(self, name: str, player: Player) -> tuple[str, ...]:
        """How the rewritten function runs now that it is steady."""
        before = stages.runs()
        player.seconds()
        ways = ways_of(stages.runs() - before, {})
        function = decorated_by(self._sides.rewritten(name))
        if ways or not isinstance(function, Jitted):
            return tuple(ways or ["in NumPy: no step is reached"])
        turns = [f"{AS_WRITTEN}{choice}" for choice in function.choices]
        return tuple(refusals(function) or turns or ["in NumPy: there is nothing to compile"])


def _rounds(slowest: float) -> int:
    if slowest > _LONG_S:
        return _ROUNDS_OF_LONG
    return min(_MOST_ROUNDS, max(_ROUNDS, math.ceil(_SECONDS_A_SIDE / slowest)))


def _memory(player: Player) -> int | None:
    """The bytes that a call needs; None where the system does not tell."""
    try:
        return peak_growth(player.ready())
    except (OSError, AttributeError):
        return None


def _import_torch() -> float | None:
    if importlib.util.find_spec("torch") is None:
        return None
    start = time.perf_counter()
    importlib.import_module("torch")
    return time.perf_counter() - start


def _threads() -> int:
    """The number of threads of compiled code: torch's where it is installed, else OpenMP's or the cores."""
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        return int(torch.get_num_threads())
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


def main(request_path: str) -> None:
    """Do what the request in a file asks, and report on standard output."""
    channel = private_channel()
    request: Any = pickle.loads(Path(request_path).read_bytes())
    assert isinstance(request, Request)
    waiting.always()
    answer(channel, request.program.root, request.program.path, lambda: Worker(request, channel).run())


if __name__ == "__main__":
    main(sys.argv[1])
