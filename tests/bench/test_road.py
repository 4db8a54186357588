"""Which processes are asked what, with which caches and threads; the children are made up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench_tools import PROGRAM, Children

from nprewrite.benching import road
from nprewrite.benching.messages import Listed, Request, Tried
from nprewrite.benching.road import Order, Outcome, bench_file
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.messages import Calls, Recorded
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import plan
from nprewrite.verification.road import Task


@pytest.fixture
def program(tmp_path: Path) -> Task:
    """The program, with one call."""
    path = tmp_path / "waves.py"
    path.write_text(PROGRAM)
    done = rewrite_source(PROGRAM, str(path), Options())
    calls = Calls(("damp(np.ones(9), 4)",))
    found = plan(str(path), PROGRAM, done.sites)
    return Task(path, PROGRAM, done.text, found, calls, "inductor", Limits(60.0, 8 << 30))


@pytest.fixture
def measured(program: Task, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Measure with children that answer as a test says."""

    def measure(children: Children, **order: Any) -> Outcome:
        monkeypatch.setattr(road, "ask", children.ask)
        return bench_file(Order(program, **order), lambda text: None)

    return measure


def test_first_calls_share_caches_that_are_empty_at_first(measured: Any) -> None:
    children = Children({})
    outcome = measured(children)
    assert outcome.exit_status == 0
    assert children.kinds() == ["Listing", "Starting", "Starting", "Turning"]
    caches = [extra["TORCHINDUCTOR_CACHE_DIR"] for _, _, extra in children.asked[1:]]
    assert len(set(caches)) == 1
    assert all(
        extra["NPREWRITE_CACHE_DIR"] == cache
        for cache, (_, _, extra) in zip(caches, children.asked[1:], strict=True)
    )
    assert not Path(caches[0]).exists(), "they go away"
    (one,) = outcome.measurements
    assert one.rewritten.speed_up is not None
    assert one.rewritten.speed_up.median == 2.0
    assert one.break_even("rewritten", one.rewritten.cold) == 19


def test_sizes_are_names_in_the_calls(measured: Any) -> None:
    children = Children({})
    outcome = measured(children, sizes=(10, 20))
    assert [each.size for each in outcome.measurements] == [10, 20]
    names = [request.program.source.names for kind, request, _ in children.asked if kind == "Turning"]
    assert names == [{"n": 10, "N": 10}, {"n": 20, "N": 20}]


def test_threads_are_those_of_every_library(measured: Any) -> None:
    children = Children({})
    outcome = measured(children, threads=(1, 2))
    assert [each.asked for each in outcome.measurements] == [1, 2]
    turning = [extra for kind, _, extra in children.asked if kind == "Turning"]
    assert [extra["OMP_NUM_THREADS"] for extra in turning] == ["1", "2"]
    assert [extra["OPENBLAS_NUM_THREADS"] for extra in turning] == ["1", "2"]
    assert turning[0]["NPREWRITE_CACHE_DIR"] != turning[1]["NPREWRITE_CACHE_DIR"]


def tried(request: Request) -> Iterator[Tried]:
    """Numba takes the function; torch.compile crashes."""
    if request.task.peer == "torch.compile":  # type: ignore[union-attr]
        raise Stopped("the process was ended by SIGSEGV")
    yield Tried((2.0, 1.0)) if request.task.peer == "Numba" else Tried(why="no")  # type: ignore[union-attr]


def test_peers_that_run_take_part_in_the_turns(measured: Any) -> None:
    children = Children({"Trial": tried})
    (one,) = measured(children, peers=("torch.compile", "Numba", "JAX")).measurements
    assert children.asked[-1][1].task.peers == ("Numba",)
    assert one.sides["torch.compile"].why == "the process was ended by SIGSEGV"
    assert one.sides["JAX"].why == "no"
    assert one.sides["Numba"].cold == (2.0, 1.0)
    assert one.sides["Numba"].steady.median == pytest.approx(1 / 3)


def test_peers_that_fail_in_turns_are_left_out(measured: Any) -> None:
    def turned(request: Request) -> Iterator[Any]:
        if request.task.peers:  # type: ignore[union-attr]
            raise Stopped("took longer than 300 s (--timeout)")
        yield from Children({})._answers["Turning"](request)

    children = Children({"Trial": tried, "Turning": turned})
    (one,) = measured(children, peers=("Numba",)).measurements
    assert one.sides["Numba"].why == "in turns: took longer than 300 s (--timeout)"
    assert one.rewritten.steady is not None
    assert not one.problem


def test_a_call_that_crashes_does_not_end_the_others(measured: Any) -> None:
    def listed(request: Request) -> list[Listed]:
        return [Listed(0, "fails", "fails(1)", "a"), Listed(1, "damp", "damp(2)", "b")]

    def started(request: Request) -> Iterator[Any]:
        if request.task.index == 0:  # type: ignore[union-attr]
            raise CannotVerify("fails as written raises ValueError")
        yield from Children({})._answers["Starting"](request)

    outcome = measured(Children({"Listing": listed, "Starting": started}))
    assert [each.problem for each in outcome.measurements] == ["fails as written raises ValueError", ""]
    assert outcome.exit_status == 2


def test_of_recorded_calls_the_first_of_each_kind(program: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ["small", "small", "large", "small"]

    def listed(request: Request) -> list[Listed]:
        return [Listed(place, "damp", f"call {place}", kind) for place, kind in enumerate(kinds)]

    request = road.request_of

    def recorded(task: Task, folder: Path, notes: list[str]) -> Any:
        return replace(request(replace(task, script=None), folder, notes), source=Recorded("calls"))

    monkeypatch.setattr(road, "request_of", recorded)
    monkeypatch.setattr(road, "ask", Children({"Listing": listed}).ask)
    outcome = bench_file(Order(replace(program, script="python run.py")), lambda text: None)
    assert [each.case for each in outcome.measurements] == ["call 0", "call 2"]
    assert outcome.notes == ["2 recorded calls are left out: they are like one that is measured"]


def test_a_program_that_cannot_be_loaded(measured: Any) -> None:
    def listed(request: Request) -> Iterator[Any]:
        raise Stopped("the process ended with exit status 3")
        yield

    outcome = measured(Children({"Listing": listed}))
    assert outcome.exit_status == 2
    assert outcome.problem.endswith("or its calls cannot be made: the process ended with exit status 3")
    none = measured(Children({"Listing": lambda request: []}))
    assert (none.exit_status, none.problem) == (2, "there is no call to measure")
