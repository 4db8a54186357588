"""Steps are compiled in a process of their own, which is ended when it takes too long."""

from __future__ import annotations

import ast
import json
import math
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base.errors import NprewriteWarning, summary
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.torch import artifacts, compiler, history, kernels
from nprewrite.runtime.torch.jobs import Done, Failed, Job, Shape

DECLARED: dict[str, Any] = {"state": {"a": "float64"}, "compile": True}


@pytest.fixture(autouse=True)
def own_budget() -> Any:
    """As in a function of its own, that has waited for nothing."""
    with budget.shared(object()):
        yield


def once(step: npr.Step, a: Array, trips: int = 1) -> list[int]:
    """The trips that are left to the body as written."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        return list(step.over(range(trips), a=a))


def process_file() -> Path:
    """What the system shows of the process that compiles until it has ended and was waited for."""
    path = Path("/proc", str(compiler._compiler.start()._process.pid))
    assert path.exists()
    return path


def forbidden(*_: Any, **__: Any) -> Any:
    raise AssertionError("this was not to be called")


def test_nothing_is_compiled_in_the_process_of_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch, "compile", forbidden)
    step = npr.step(**DECLARED)(lambda a: (np.tanh(a) * 3,))
    a = np.linspace(0, 1, 50)
    wanted = np.tanh(a) * 3
    assert once(step, a) == []
    np.testing.assert_allclose(a, wanted, rtol=1e-14)
    assert {"tracing", "loading"} <= budget.current().spent.keys()


def test_a_graph_on_disk_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(a: Array) -> tuple[Array, ...]:
        return (np.exp(-a) - 7,)

    assert once(npr.step(**DECLARED)(function), np.ones(50)) == []
    monkeypatch.setattr(compiler, "ask", forbidden)
    again = npr.step(**DECLARED)(function)
    assert once(again, np.ones(50)) == []
    assert again.runs == {"compiled": 1}


@pytest.mark.parametrize("kind", ["json", "so"])
def test_a_damaged_graph_is_made_again(kind: str, tmp_path: Path) -> None:
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 7,))
    assert once(step, np.ones(50)) == []
    (path,) = (tmp_path / "cache" / "graphs").glob(f"*.{kind}")
    whole = path.read_bytes()
    # A new file: this process runs what is in the old one.
    path.unlink()
    path.write_bytes(whole[:1000])
    again = npr.step(**DECLARED)(step.function)
    assert once(again, np.ones(50)) == []
    assert path.read_bytes() == whole


def endless(a: Array) -> tuple[Array, ...]:
    """Unrolled by whoever traces it, for minutes."""
    for _ in range(10**6):
        a = a * 0.5 + 1
    return (a,)


def test_a_compilation_is_ended_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    process = process_file()
    monkeypatch.setattr(budget, "SECONDS", 5.0)
    a = np.ones(50)
    assert once(npr.step(**DECLARED)(endless), a) == [0]
    assert a.tolist() == [1.0] * 50
    assert not process.exists()


def test_what_takes_too_long_is_tried_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    def too_long(job: Job, seconds: float) -> Any:
        asked.append(seconds)
        raise TimeoutError

    monkeypatch.setattr(compiler, "ask", too_long)
    for _ in range(4):
        step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 11,))
        with budget.shared(object()):
            budget._current.set(budget.Budget())
            assert once(step, np.ones(50)) == [0]
            # Not even asked for in this process.
            assert once(step, np.ones(50)) == [0]
        assert step.runs == {"as written: compiling takes too long": 2}
    assert asked == [budget.SECONDS] * 2
    (noted,) = json.loads((tmp_path / "cache" / history.FILE).read_text()).values()
    assert noted == {"tried": 2}


@pytest.mark.parametrize("lasting", [True, False])
def test_what_fails_on_every_machine_is_remembered(monkeypatch: pytest.MonkeyPatch, lasting: bool) -> None:
    asked = []

    def failing(job: Job, seconds: float) -> Failed:
        asked.append(job)
        return Failed("Unsupported: nothing of the kind", lasting)

    monkeypatch.setattr(compiler, "ask", failing)
    for _ in range(3):
        step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 13,))
        with pytest.warns(NprewriteWarning, match="Unsupported: nothing of the kind; `nprewrite doctor`"):
            list(step.over(range(1), a=np.ones(50)))
        # Each is in a place of its own.
        from nprewrite.runtime.api import refusal

        refusal._told.clear()
    assert len(asked) == (1 if lasting else 3)


def test_what_failed_twice_in_the_background_rests_for_a_day(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    now = time.time()
    for _ in range(2):
        history.check("graph")
        history.note_failed("graph", "CppCompileError: no space left", lasting=False)
    with pytest.raises(Unusable) as refusal:
        history.check("graph")
    assert "no space left" in refusal.value.detail
    monkeypatch.setattr(history.time, "time", lambda: now + 25 * 3600.0)
    history.check("graph")


def test_a_function_that_has_waited_enough_waits_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "ask", forbidden)
    budget.current().spent["compiling"] += budget.SECONDS
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 17,))
    assert once(step, np.ones(50)) == [0]
    assert step.runs == {"as written: no time left to compile": 1}


def test_the_outermost_call_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    outer = budget.current()
    with budget.shared("inner"):
        assert budget.current() is outer
        with budget.current().spending("loading"):
            pass
    assert outer.spent["loading"] > 0
    assert not budget.of("inner").spent


def test_interrupting_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(process: Any, seconds: float) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiler._Compiler, "_answer", interrupted)
    process, a = process_file(), np.ones(50)
    with pytest.raises(KeyboardInterrupt):
        list(npr.step(**DECLARED)(lambda a: (np.exp(-a) - 19,)).over(range(1), a=a))
    assert a.tolist() == [1.0] * 50
    assert compiler._compiler._process is None
    assert not process.exists()


def test_a_process_that_dies_is_told_of_and_replaced() -> None:
    process = compiler._compiler.start()
    process._process.kill()
    process._process.wait()
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 23,))
    assert once(step, np.ones(50)) == []
    assert process._process.stdin is not None
    assert process._process.stdin.closed


def test_a_program_ended_by_force_leaves_no_process(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import os, signal, threading, time
        import numpy as np
        import nprewrite.runtime as npr
        from nprewrite.runtime.torch import compiler

        @npr.step(state={"a": "float64"}, compile=True)
        def endless_step(a):
            for _ in range(10**6):
                a = a * 0.5 + 1
            return (a,)

        def end():
            while compiler._compiler._process is None:
                time.sleep(0.1)
            print(compiler._compiler._process._process.pid, flush=True)
            time.sleep(3)
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=end).start()
        for _ in endless_step.over(range(1), a=np.ones(1 << 21)):
            pass
        """)
    )
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    path = Path("/proc", done.stdout.strip(), "stat")
    for _ in range(600):
        # Gone, or a zombie where nobody waits for orphans.
        if not path.exists() or path.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("the process that compiles goes on")


def test_no_python_to_compile_with(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler._compiler.end()
    compiler._compiler._process = None
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    answer = compiler.ask(Job(*[None] * 5), 5.0)  # type: ignore[arg-type]
    assert isinstance(answer, Failed)
    assert "no process can be started" in answer.text


def test_the_program_is_not_run_again(tmp_path: Path) -> None:
    """A script without the usual guard, with a step that no other process could import."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import numpy as np
        import nprewrite.runtime as npr
        from nprewrite.runtime.choosing import budget

        budget.SECONDS = 600.0
        print("running")

        def wave(x):
            return np.sin(x) + FACTOR(x)

        def FACTOR(x):
            return np.cos(x) * 29

        @npr.step(state={"a": "float64"}, compile=True)
        def wave_step(a):
            return (wave(a),)

        a = np.ones(1 << 21)
        assert list(wave_step.over(range(1), a=a)) == []
        print(dict(wave_step.runs), np.allclose(a, np.sin(1) + 29 * np.cos(1)))
        """)
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["running", "{'compiled': 1} True"]
    assert not done.stderr


def test_a_step_that_reads_what_is_no_function_stays_here() -> None:
    names: dict[str, Any] = {"np": np, "table": np.arange(50.0)}
    exec("def read(a): return (a + table,)", names)
    step = npr.step(**DECLARED)(names["read"])
    with pytest.warns(NprewriteWarning, match="it reads 'table', which is ndarray and no function of NumPy"):
        assert list(step.over(range(1), a=np.ones(50))) == [0]


def test_further_shapes_share_a_graph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []
    ask = compiler.ask

    def counted(job: Job, seconds: float) -> Done | Failed:
        asked.append(job.shape)
        return ask(job, seconds)

    monkeypatch.setattr(compiler, "ask", counted)
    step = npr.step(**DECLARED)(lambda a: (a + a.sum(axis=0),))
    for rows in (5, 9, 13, 5, 700, 21):
        a = np.ones((rows, 7))
        assert once(step, a) == []
        assert np.array_equal(a, np.full((rows, 7), 1.0 + rows))
    assert [shape.dynamic for shape in asked] == [(), ((0, 0), (1, 0))]
    monkeypatch.setattr(kernels, "MOST_GRAPHS", 2)
    assert once(step, np.ones((5, 8))) == [0]
    assert once(step, np.ones((6, 7))) == []
    assert step.runs == {"compiled": 7, "as written: many shapes": 1}


def test_shapes_are_told_by_all_that_a_graph_depends_on() -> None:
    step = npr.step(**DECLARED)(lambda a: (a * math.pi,))
    portable = kernels.pack(step.function)
    expected = kernels.Expected(step.signature)
    shapes = [
        Shape(1, False, False, (((50,), "float64"),) * 2, ()),
        Shape(2, False, False, (((50,), "float64"),) * 2, ()),
        Shape(1, False, False, (((60,), "float64"),) * 2, ()),
        Shape(1, False, False, (((60,), "float64"),) * 2, ((0, 0),)),
    ]
    assert len({artifacts._name(portable, expected, shape) for shape in shapes}) == len(shapes)


def test_the_cause_of_a_failure_is_told() -> None:
    error = RuntimeError("backend='inductor' raised:\nTypeError: two arguments\n\nSet this to see more")
    assert summary(error) == "backend='inductor' raised: TypeError: two arguments"
    assert summary(RuntimeError("no room\nat all")) == "no room"


def test_what_decides_a_graph_decides_its_name() -> None:
    """Else a graph that an earlier version made would be taken for one of this."""
    folder = Path(artifacts.__file__).parent
    listed = {(folder / each).resolve() for each in artifacts._SOURCES}
    called = (npr.absolute, npr.gradient, npr.masked_mean, npr.matrix_product)
    assert {Path(each.__code__.co_filename).resolve() for each in called} <= listed
    # The name tells of the machine, and what is in a job.
    known = {path.stem for path in listed if path.parent == folder} | {"machine", "jobs"}
    for path in (each for each in listed if each.parent == folder):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                where, _, module = node.module.partition("nprewrite.runtime.torch")
                names = [module.strip(".")] if module else [each.name for each in node.names]
                assert where or set(names) <= known, path
