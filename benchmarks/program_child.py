"""Measurements of one program of tests/programs that need a process of their own.

    python program_child.py judge NAME SCALE
    python program_child.py peer NAME SCALE
    python program_child.py all NAME SCALE [--peer CACHE]

``judge`` only compares answers, ``peer`` is the first call under a bare torch.compile, and ``all`` our first
call, all sides in turns (torch.compile among them, with what is compiled in the folder CACHE), and the
answers. SCALE is bench, small or stated. Each line of JSON printed says more than the one before it, so that
a process that is ended early leaves what it knew.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from measure import Spread, alternate

import nprewrite
from nprewrite import NprewriteWarning
from nprewrite.comparison import Case, Report, verify
from nprewrite.comparison.compare import compare
from nprewrite.comparison.memory import copy_arguments
from nprewrite.comparison.oracle import NoOracle
from nprewrite.verification.stages import prepare, runs

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "programs"))
from program_files import EVERY, Program

CALLS_UNTIL_STEADY = 30
SECONDS_UNTIL_STEADY = 60
SECONDS_A_SIDE = 2
# An unrolled loop can take all memory there is.
MEMORY = 16 << 30


@dataclass
class Decorated:
    """A program under ``@nprewrite.jit``, and what was said of it."""

    program: Program
    jitted: list[Any] = field(default_factory=list)
    function: Callable[..., Any] = field(init=False)
    caught: list[warnings.WarningMessage] = field(default_factory=list)

    def make(self) -> Callable[..., Any]:
        """What is called; decorating it is part of the first call's time."""
        self.function = self.program.decorated(self._jit)
        return self.function

    def _jit(self, function: Any) -> Any:
        self.jitted.append(nprewrite.jit(function))
        return self.jitted[-1]

    @property
    def undecided(self) -> bool:
        """Whether two versions of the function still take turns."""
        return "not decided" in str(self.jitted[0].report())

    def story(self) -> dict[str, Any]:
        """What became of the function: its sites, which version was kept, how its steps ran, warnings."""
        report = self.jitted[0].report()
        return {
            "sites": [f"{site.line}: {site.code} {site.verdict}: {site.message}" for site in report.sites],
            "turns": list(report.turns),
            "steps": list(report.steps),
            "runs": dict(runs()),
            "warnings": [
                str(each.message) for each in self.caught if issubclass(each.category, NprewriteWarning)
            ],
        }


def say(figures: dict[str, Any]) -> None:
    """One line of JSON."""
    print(json.dumps(figures), flush=True)


def called(function: Callable[..., Any], case: Case) -> float:
    """Seconds of one call on fresh copies of the arguments; what it returns is freed outside of the time."""
    args, kwargs = copy_arguments(case.args, case.kwargs)
    start = time.perf_counter()
    result = function(*args, **kwargs)
    elapsed = time.perf_counter() - start
    del result
    return elapsed


def judge(decorated: Decorated, scale: str) -> dict[str, Any]:
    """Both sides on the same arguments, everything that can be compiled forced to be.

    At full size beside NumPy first, since a program of Python loops takes minutes in higher precision: that
    is for answers that differ.
    """
    prepare("inductor")
    program = decorated.program
    after, case = decorated.make(), program.case(scale)
    if scale != "small":
        name = program.original.__qualname__
        quick = compare(name, case, program.original, after, oracle=NoOracle("the answers agree without it"))
        told = _verdict(Report((quick,)), "NumPy alone") | decorated.story()
        if told["verdict"] == "same":
            return told
    report = verify(program.original, after, [case])
    return _verdict(report, report.cases[0].judged) | decorated.story()


def _verdict(report: Report, judged: str) -> dict[str, Any]:
    (case,) = report.cases
    return {"verdict": str(case.verdict), "judged": judged, "differences": list(case.differences)}


def first_call(decorated: Decorated, case: Case) -> dict[str, Any]:
    """Seconds of the calls of a fresh process until one version is kept, without the import of torch."""
    numpy = min(called(decorated.program.original, case) for _ in range(2))
    imported = _import_torch()
    start = time.perf_counter()
    function = decorated.make()
    made = time.perf_counter() - start
    seconds = [made + called(function, case)]
    while len(seconds) < 3 or (decorated.undecided and _patient(seconds)):
        seconds.append(called(function, case))
    figures = {"numpy": numpy, "calls": seconds, "worst": max(seconds) - numpy, "import_torch": imported}
    return figures | decorated.story()


def _patient(seconds: list[float]) -> bool:
    return len(seconds) < CALLS_UNTIL_STEADY and sum(seconds) < SECONDS_UNTIL_STEADY


def peer(program: Program, scale: str) -> None:
    """Seconds of the first call under a bare torch.compile, without the import of torch."""
    case = program.case(scale)
    say({"import_torch": _import_torch()})
    say({"first_call": called(program.decorated(_torch_compile()), case)})


def turns(decorated: Decorated, case: Case, peer_cache: str | None) -> dict[str, Any]:
    """All sides in turns, after each has become steady, as ours has in its first calls."""
    program = decorated.program
    sides = {"numpy": program.original, "nprewrite": decorated.function}
    if peer_cache is not None:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = peer_cache
        sides["torch.compile"] = program.decorated(_torch_compile())
    slowest = max([called(function, case) for function in sides.values() for _ in range(2)][1::2])
    rounds = min(40, max(7, math.ceil(SECONDS_A_SIDE / slowest)))
    times = alternate(sides, rounds, lambda number, of: None, timed=partial(called, case=case))
    figures = {side: asdict(Spread.of(values)) for side, values in times.items()}
    for side in list(sides)[1:]:
        ratios = [slow / fast for slow, fast in zip(times["numpy"], times[side], strict=True)]
        figures[f"speed-up of {side}"] = asdict(Spread.of(ratios))
    return figures | decorated.story()


def _torch_compile() -> Callable[[Any], Any]:
    from torch import compile as torch_compile

    return torch_compile  # type: ignore[no-any-return]


def _import_torch() -> float:
    start = time.perf_counter()
    import torch  # noqa: F401

    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="One measurement of one program.")
    parser.add_argument("measurement", choices=["judge", "peer", "all"])
    parser.add_argument("name", choices=EVERY)
    parser.add_argument("scale", choices=["bench", "small", "stated"])
    parser.add_argument("--peer", metavar="CACHE")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    program = Program.load(EVERY[arguments.name])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NprewriteWarning)
        decorated = Decorated(program, caught=caught)
        if arguments.measurement == "judge":
            say({"judged": judge(decorated, arguments.scale)})
        elif arguments.measurement == "peer":
            peer(decorated.program, arguments.scale)
        else:
            everything(decorated, arguments.scale, arguments.peer)


def everything(decorated: Decorated, scale: str, peer_cache: str | None) -> None:
    """All that is measured of our side, and what was known before the process ended."""
    case = decorated.program.case(scale)
    told = {"first": first_call(decorated, case)}
    say(told)
    told["turns"] = turns(decorated, case, peer_cache)
    say(told)
    say(told | {"judged": judge(Decorated(decorated.program), scale)})


if __name__ == "__main__":
    main()
