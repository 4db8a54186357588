"""Functions are rewritten by another process, while their calls run as written."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pytest

import nprewrite
from nprewrite.base import worker
from nprewrite.base.worker import Worker
from nprewrite.decorated import ahead, definitions, jitted, kept
from nprewrite.decorated.instances import instance_of
from nprewrite.decorated.signatures import Signature
from nprewrite.engine.outcomes import InternalError, Rewriting
from nprewrite.types.values import Array

PATIENCE_S = 120.0


@pytest.fixture(autouse=True)
def in_background(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a user's program runs, with a cache of its own; every call is worth asking for."""
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(jitted, "WORTH_ASKING_S", 0.0)
    monkeypatch.setattr(ahead, "_worker", Worker(ahead.__name__))
    # What another test found out is not known.
    monkeypatch.setattr(definitions, "_definitions", WeakValueDictionary())


def relaxed(u: Any, trips: int) -> Any:
    for _ in range(trips):
        u[1:-1] = u[1:-1] * 0.5 + u[2:] * 0.25 + u[:-2] * 0.25
    return u


def drawn(n: int, rng: Any) -> Any:
    values = rng.normal(size=n).astype("f4")
    return np.sqrt(values * values + 1)


def scaled(table: Any) -> Any:
    return np.sqrt(table["x"] * table["x"] + 1)


class Field:
    def __init__(self, values: Any) -> None:
        self.values = values

    def advance(self, dt: float) -> None:
        self.values[1:-1] += dt * (self.values[2:] - 2 * self.values[1:-1] + self.values[:-2])


def called_until_rewritten(function: Any, make: Any) -> str:
    """The text of what the function became."""
    deadline = time.monotonic() + PATIENCE_S
    while function.specializations.last is None:
        assert time.monotonic() < deadline
        arguments = make()
        wanted = function.original(*make())
        np.testing.assert_allclose(function(*arguments), wanted, rtol=1e-12)
        time.sleep(0.02)
    return str(function.source)


def test_one_process_at_a_time_works_on_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[ahead.Task] = []

    def note(task: ahead.Task) -> bytes:
        tasks.append(task)
        return b""

    monkeypatch.setattr(ahead, "_packed", note)
    monkeypatch.setattr(ahead, "_tasks", lambda _: iter(tasks))
    nprewrite.jit(relaxed)(np.ones(50), 3)
    answered: list[ahead.Task] = []
    monkeypatch.setattr(ahead, "_answer", answered.append)
    waiting = threading.Thread(target=ahead.main)
    with ahead._lock_of(tasks[0]):
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert not answered
        made = Rewriting(tasks[0].question.text, tasks[0].question.text, ())
        kept.keep_answer(tasks[0].question, tasks[0].seen or {}, kept.Answer(made, only_prepared=False))
    waiting.join()
    assert not answered, "another process has found out"


def no_rewriter(*_: object) -> Any:
    raise AssertionError("the program itself rewrites")


@pytest.mark.parametrize(
    ("function", "make"),
    [
        (relaxed, lambda: (np.linspace(0, 1, 9000), 3)),
        (drawn, lambda: (40, np.random.default_rng(1))),
    ],
)
def test_a_function_is_rewritten_by_another_process(
    monkeypatch: pytest.MonkeyPatch, function: Any, make: Any
) -> None:
    monkeypatch.setattr("nprewrite.decorated.specializations.rewriter", no_rewriter)
    assert "@npr.step" in called_until_rewritten(nprewrite.jit(function), make)


def test_an_observed_call_asks_what_the_function_becomes() -> None:
    """It may be the only such call of the process."""
    function: Any = nprewrite.jit(scaled)
    known = function.specializations
    deadline = time.monotonic() + PATIENCE_S
    while not known._definition.observed:
        assert time.monotonic() < deadline
        function({"x": np.ones(9)})
        time.sleep(0.02)
    assert [is_unseen for _, is_unseen in known._asked] == [True, False]


def walked(walk: Any, n: int) -> Any:
    for k in range(n):
        walk.place = 0.5 * walk.place + walk.steps[k % 8]
    return n


def test_where_a_whole_loop_runs_natively_nothing_is_observed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("nprewrite.decorated.specializations.rewriter", no_rewriter)
    function: Any = nprewrite.jit(walked)

    def make() -> Any:
        return SimpleNamespace(place=1.0, steps=np.linspace(0, 1, 8)), 5000

    text = called_until_rewritten(function, make)
    assert "@npr.native" in text
    assert not function.specializations._definition.observed


def test_objects_that_are_made_anew_for_each_call_and_change_their_types() -> None:
    """A number of Python's is NumPy's once the loop has run: the next call begins with Python's."""
    pytest.importorskip("numba")
    function: Any = nprewrite.jit(walked)

    def make() -> Any:
        return SimpleNamespace(place=1.0, steps=np.linspace(0, 1, 8)), 20

    assert "@npr.native" in called_until_rewritten(function, make)


def test_methods_of_a_class_that_the_process_cannot_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nprewrite.decorated.specializations.rewriter", no_rewriter)
    monkeypatch.setattr(Field, "__module__", "a module that is nowhere")
    advance: Any = nprewrite.jit(Field.advance)

    def make() -> tuple[Field, float]:
        return Field(np.linspace(0, 1, 50)), 0.1

    deadline = time.monotonic() + PATIENCE_S
    while advance.specializations.last is None:
        assert time.monotonic() < deadline
        field, dt = make()
        advance(field, dt)
        time.sleep(0.02)
    assert "@npr.step" in advance.source


def test_calls_that_take_no_time_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitted, "WORTH_ASKING_S", 60.0)
    monkeypatch.setattr(ahead, "Asked", no_rewriter)
    monkeypatch.setattr("nprewrite.decorated.specializations.Asked", no_rewriter)
    function = nprewrite.jit(relaxed)
    for _ in range(50):
        function(np.linspace(0, 1, 9000), 3)
    assert function.specializations.last is None


@pytest.mark.parametrize(("seconds", "looked_at"), [(1000.0, 1), (0.0, 150)])
def test_short_calls_are_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch, seconds: float, looked_at: int
) -> None:
    """What looks at a call takes as long as a short function."""
    monkeypatch.setattr(jitted, "SHORT_CALLS", 1)
    monkeypatch.setattr(jitted, "_REST_S", seconds)
    looks: list[int] = []
    monkeypatch.setattr(jitted.Specializations, "for_call", lambda *_, **__: looks.append(1))
    function: Any = nprewrite.jit(relaxed)
    monkeypatch.setitem(globals(), "relaxed", function)
    for _ in range(150):
        relaxed(np.linspace(0, 1, 9000), 3)
    assert len(looks) == looked_at


def test_calls_with_other_integers_are_left_alone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of two positions has hundreds of classes of calls."""
    monkeypatch.setattr(jitted, "WORTH_ASKING_S", 1000.0)
    looks: list[int] = []
    monkeypatch.setattr(jitted.Specializations, "for_call", lambda *_, **__: looks.append(1))
    function: Any = nprewrite.jit(relaxed)
    for magnitude in range(6):
        function(np.linspace(0, 1, 50), 2**magnitude)
        function(np.linspace(0, 1, 50), trips=2**magnitude)
    assert len(looks) == 2


def test_short_calls_are_asked_for_when_they_go_on_after_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitted, "SHORT_CALLS", 10)
    monkeypatch.setattr(jitted, "_FEW_CALLS", 10)
    monkeypatch.setattr(jitted, "_REST_S", 0.0)
    monkeypatch.setattr(jitted, "WORTH_ASKING_S", 1000.0)
    asked: list[int] = []
    monkeypatch.setattr(jitted.Specializations, "for_call", lambda *_, **__: None)
    monkeypatch.setattr(jitted.Specializations, "ask", lambda *_: asked.append(1))
    function: Any = nprewrite.jit(relaxed)
    monkeypatch.setitem(globals(), "relaxed", function)
    for calls, wanted in ((15, 0), (10, 2), (50, 12)):
        for _ in range(calls):
            relaxed(np.linspace(0, 1, 9000), 3)
        assert len(asked) == wanted


def test_nothing_is_asked_of_the_class_of_a_matrix() -> None:
    """It has a dictionary as objects have that keep arrays, and looking up its methods takes long."""
    assert instance_of(np.matrix([[1.0]]), "x", relaxed) is None


def test_where_no_process_can_be_started_the_program_rewrites(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Any:
        raise OSError("too many processes")

    monkeypatch.setattr(worker, "_working_through", refused)
    assert "@npr.step" in called_until_rewritten(nprewrite.jit(relaxed), lambda: (np.linspace(0, 1, 9000), 3))


def test_where_the_process_is_killed_the_program_rewrites(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = worker._working_through

    def killed(tasks: Any, module: str) -> Any:
        process = begin(tasks, module)
        process.kill()
        return process

    monkeypatch.setattr(worker, "_working_through", killed)
    assert "@npr.step" in called_until_rewritten(nprewrite.jit(relaxed), lambda: (np.linspace(0, 1, 9000), 3))


def test_a_fault_of_a_pass_is_told_by_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process finds nothing; the program meets the same fault, says so, and runs as written."""

    class Broken:
        SMALL_ARRAYS = ""

        @staticmethod
        def watched(*_: object) -> None:
            return None

        @staticmethod
        def answered(*_: object) -> Any:
            raise InternalError("extract-step: odd")

    monkeypatch.setattr("nprewrite.base.processes._START", "")
    monkeypatch.setattr("nprewrite.decorated.specializations.rewriter", lambda: Broken)
    function = nprewrite.jit(relaxed)
    with pytest.warns(nprewrite.NprewriteWarning, match="extract-step"):
        called_until_rewritten(function, lambda: (np.linspace(0, 1, 9000), 3))


def test_each_task_is_read_as_it_was_packed() -> None:
    @nprewrite.jit
    def scaled(x):
        return x * 2.0 + np.sqrt(x)

    @nprewrite.jit
    def shifted(x, by: float = 0.5):
        return np.abs(x) + by

    values = {"x": Array(np.dtype("float64"), ("x.0", 3))}
    tasks = [
        ahead.Task(each.specializations.question(Signature(tuple(values.items()))), __file__, seen)
        for each in (scaled, shifted)
        for seen in (None, {(3, "x"): values["x"]}, {})
    ]
    packed = [ahead._packed(each) for each in tasks]
    alone = [task for each in packed for task in ahead._tasks(io.BytesIO(each))]
    assert [*ahead._tasks(io.BufferedReader(io.BytesIO(b"".join(packed))))] == alone
    assert [each.question.text for each in alone] == [each.question.text for each in tasks]


def test_tasks_that_come_meanwhile_go_to_the_next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[bytes]] = []

    class Process:
        def __init__(self, tasks: list[bytes]) -> None:
            started.append(tasks)
            self.code: int | None = None

        def poll(self) -> int | None:
            return self.code

    processes: list[Process] = []

    def begun(tasks: list[bytes], _: str) -> Process:
        processes.append(Process(tasks))
        return processes[-1]

    monkeypatch.setattr(worker, "_working_through", begun)
    asked = Worker(ahead.__name__)
    numbers = [asked.ask(each) for each in (b"1", b"2", b"3", b"2")]
    assert numbers == [1, 2, 2, 2]
    assert not asked.has_ended(1)
    processes[0].code = 0
    assert asked.has_ended(1)
    assert not asked.has_ended(2)
    assert started == [[b"1"], [b"2", b"3"]]
    asked.leave()
    assert len(started) == 2
    asked.ask(b"4")
    # The program ends, and the process may work for long yet.
    asked.leave()
    assert started[2:] == [[b"4"]]


SCRIPT = """
import sys, time
import numpy as np
import nprewrite

@nprewrite.jit
def distances(x, y):
    time.sleep(0.06)
    d = np.abs(x - y)
    return np.sqrt((d * d).sum(axis=0)) + 1

x = np.linspace(0, 1, 400).reshape(4, 100)
ends = time.monotonic() + 120
while distances.specializations.last is None and time.monotonic() < ends:
    distances(x, x + 1)
print("libcst" in sys.modules, "_region" in distances.source)
"""


def test_the_rewriter_is_not_imported(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-X", "dev", script]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), check=False)
    assert (done.stdout, done.stderr) == ("False True\n", "")
