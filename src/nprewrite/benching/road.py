"""From a file to measurements: a fresh process for each first call, one for the turns."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from nprewrite.benching.machine import disturbed
from nprewrite.benching.measurement import ORIGINAL, REWRITTEN, Measurement, Side
from nprewrite.benching.messages import (
    Listed,
    Listing,
    Request,
    Round,
    Started,
    Starting,
    Task,
    Trial,
    Tried,
    Turned,
    Turning,
)
from nprewrite.benching.spread import Spread
from nprewrite.verification import messages
from nprewrite.verification.child import Stopped
from nprewrite.verification.conversation import ask
from nprewrite.verification.messages import Calls, Finished
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.road import Task as Program
from nprewrite.verification.road import request_of

_WORKER = "nprewrite.benching.worker"
_CACHES = ("TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME", "NPREWRITE_CACHE_DIR", "NUMBA_CACHE_DIR")
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
_OWN_THREADS = "it chooses its threads itself"

Answer = TypeVar("Answer", Started, Tried, Turned)
Say = Callable[[str], None]


@dataclass(frozen=True)
class Order:
    """What to measure: the calls of a program, at these sizes and numbers of threads, beside these peers."""

    program: Program
    sizes: tuple[int | None, ...] = (None,)
    threads: tuple[int | None, ...] = (None,)
    peers: tuple[str, ...] = ()


@dataclass
class Outcome:
    """The result: measurements, sentences about the whole, and why it could not go on."""

    measurements: list[Measurement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problem: str | None = None

    @property
    def exit_status(self) -> int:
        """0 where everything was measured, 2 where something could not be."""
        problems = [each.problem for each in self.measurements if each.problem]
        return 2 if problems or self.problem is not None or not self.measurements else 0


def bench_file(order: Order, say: Say) -> Outcome:
    """Measure the calls; ``say`` reports progress. Raises ``WorkerFault`` where measuring fails."""
    outcome = Outcome(notes=list(order.program.plan.notes))
    # Before the measurements, which are a load themselves.
    busy = disturbed()
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as name:
        try:
            if order.program.script is not None:
                say(f"running {order.program.script}")
            request = request_of(order.program, Path(name), outcome.notes)
            for size in order.sizes:
                _measure(Bench(_of_size(request, size), order, Path(name), say, size), outcome)
        except CannotVerify as problem:
            outcome.problem = str(problem)
        except Stopped as stop:
            outcome.problem = f"{request.path} cannot be loaded, or its calls cannot be made: {stop}"
    if busy is not None and outcome.measurements:
        outcome.notes.append(busy)
    return outcome


def _measure(bench: Bench, outcome: Outcome) -> None:
    listed = list(bench.listed(outcome.notes))
    for call in listed:
        outcome.measurements += [bench.measured(call, threads) for threads in bench.order.threads]
    if not listed:
        raise CannotVerify("there is no call to measure")


def _of_size(request: messages.Request, size: int | None) -> messages.Request:
    """The request with the size as ``n`` and ``N`` in the calls."""
    if size is None:
        return request
    assert isinstance(request.source, Calls)
    return replace(request, source=replace(request.source, names={"n": size, "N": size}))


class Bench:
    """The measurements of one program at one size, in processes of their own."""

    def __init__(
        self, program: messages.Request, order: Order, folder: Path, say: Say, size: int | None
    ) -> None:
        self.order = order
        self._program = program
        self._folder = folder
        self._say = say
        self._size = size

    def listed(self, notes: list[str]) -> Iterator[Listed]:
        """The calls; of those that a script made, the first of each kind."""
        kinds: set[str] = set()
        left_out = 0
        for message in self._asked(Listing(), {}):
            if isinstance(message, Finished):
                notes += message.notes
            elif self.order.program.script is None or message.kind not in kinds:
                kinds.add(message.kind)
                yield message
            else:
                left_out += 1
        if left_out:
            notes.append(f"{left_out} recorded calls are left out: they are like one that is measured")

    def measured(self, call: Listed, threads: int | None) -> Measurement:
        """All figures of one call, or why there are none."""
        blank = Measurement(call.index, call.function, call.label, self._size, threads)
        try:
            with tempfile.TemporaryDirectory(prefix="nprewrite-bench-") as caches:
                return self._all(blank, Path(caches))
        except (CannotVerify, Stopped) as problem:
            return replace(blank, problem=str(problem))

    def _all(self, blank: Measurement, caches: Path) -> Measurement:
        environment = self._environment(caches / "own", blank.asked)
        self._say(f"{blank.title}: first call, empty caches")
        cold = self._one(Started, Starting(blank.index), environment)
        self._say(f"{blank.title}: first call, full caches")
        warm = self._one(Started, Starting(blank.index), environment)
        peers = {peer: self._peer(peer, blank, caches) for peer in self.order.peers}
        ready = tuple(peer for peer, side in peers.items() if not side.why)
        self._say(f"{blank.title}: in turns")
        try:
            turned = self._one(Turned, Turning(blank.index, ready), environment)
        except (CannotVerify, Stopped) as problem:
            if not ready:
                raise
            # A peer that ran alone may fail beside the others.
            peers |= {peer: replace(peers[peer], why=f"in turns: {problem}") for peer in ready}
            turned = self._one(Turned, Turning(blank.index), environment)
        sides = {
            ORIGINAL: Side(cold=(cold.original,), warm=(warm.original,)),
            REWRITTEN: Side(cold=cold.rewritten, warm=warm.rewritten),
            **peers,
        }
        return replace(
            blank,
            import_torch=cold.import_torch,
            sides={name: _with_turns(name, side, turned) for name, side in sides.items()},
            threads=turned.threads,
            rounds=len(turned.times[ORIGINAL]),
            calls=turned.calls,
            ran=turned.ran,
        )

    def _peer(self, peer: str, blank: Measurement, caches: Path) -> Side:
        """The first calls of a peer, whose caches are empty; they are left for the turns."""
        if peer == "JAX" and blank.asked is not None:
            return Side(why=_OWN_THREADS)
        self._say(f"{blank.title}: {peer}")
        folder = caches / "peer"
        folder.mkdir()
        try:
            tried = self._one(Tried, Trial(blank.index, peer), self._environment(folder, blank.asked))
        except Stopped as stop:
            return Side(why=str(stop))
        finally:
            shutil.copytree(folder, caches / "own", dirs_exist_ok=True)
            shutil.rmtree(folder)
        return Side(cold=tried.seconds, why=tried.why, note=tried.note)

    def _environment(self, caches: Path, threads: int | None) -> dict[str, str]:
        caches.mkdir(exist_ok=True)
        counts = {} if threads is None else dict.fromkeys(_THREADS, str(threads))
        return dict.fromkeys(_CACHES, str(caches)) | counts

    def _one(self, kind: type[Answer], task: Task, environment: dict[str, str]) -> Answer:
        """The answer to a task, which is of the given kind."""
        found: list[Answer] = []
        for message in self._asked(task, environment):
            if isinstance(message, kind):
                found.append(message)
            elif isinstance(message, Round):
                self._say(f"round {message.number} of {message.of}")
        return found[0]

    def _asked(self, task: Task, environment: dict[str, str]) -> Iterator[Any]:
        limits = self.order.program.limits
        return ask(_WORKER, Request(self._program, task), limits, self._folder, environment)


def _with_turns(name: str, side: Side, turned: Turned) -> Side:
    times = turned.times.get(name)
    if times is None:
        return side
    ratios = [slow / fast for slow, fast in zip(turned.times[ORIGINAL], times, strict=True)]
    speed_up = None if name == ORIGINAL else Spread.of(ratios)
    return replace(side, steady=Spread.of(times), speed_up=speed_up, memory=turned.memory[name])
