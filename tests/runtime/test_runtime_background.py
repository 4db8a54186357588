"""Nobody waits for a compiler: loops run as written until another process has compiled them."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base import cachedir
from nprewrite.base.errors import NprewriteWarning
from nprewrite.base.processes import calling_main
from nprewrite.base.threads import start_unseen
from nprewrite.runtime.api import refusal
from nprewrite.runtime.api.refusal import Compiling
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.torch import artifacts, compiler, history
from nprewrite.runtime.torch.jobs import Failed, LoopJob

DECLARED: dict[str, Any] = {"state": {"a": "float64"}, "compile": True}
_PATIENCE_S = 300.0


@pytest.fixture(autouse=True)
def in_background(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """As a user's program runs, with a process and a cache of its own."""
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setattr(compiler, "_background", compiler._Background())
    with budget.shared(object()):
        yield
    compiler._background.end()


def left(step: npr.Step, a: Array, trips: int = 1) -> list[int]:
    """The trips that are left to the body as written."""
    return list(step.over(range(trips), a=a))


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def pid() -> int:
    process = compiler._background._process
    assert process is not None
    return process._process.pid


def is_running(number: int) -> bool:
    path = Path("/proc", str(number), "stat")
    # A zombie where nobody waits for orphans.
    return path.exists() and path.read_text().rpartition(")")[2].split()[0] != "Z"


def graphs(folder: Path) -> list[str]:
    """The kinds of files that are there besides locks."""
    found = (folder / "cache" / "graphs").glob("*.*")
    return sorted(each.suffix for each in found if each.suffix != ".lock")


def endless(a: Array) -> tuple[Array, ...]:
    """Unrolled by whoever traces it, for minutes."""
    for _ in range(10**6):
        a = a * 0.5 + 1
    return (a,)


def test_a_loop_runs_as_written_until_it_is_compiled(tmp_path: Path) -> None:
    step = npr.step(**DECLARED)(lambda a: (np.tanh(a) * 3,))
    a = np.linspace(0, 1, 50)
    wanted = np.tanh(a) * 3
    assert left(step, a) == [0]
    assert step.runs == {"as written: compiling": 1}
    assert "1 x as written: compiling" in step.report()[0]
    until(lambda: left(step, a) == [])
    np.testing.assert_allclose(a, wanted, rtol=1e-14)
    assert step.runs["compiled"] == 1
    assert not budget.current().spent["compiling"]
    assert graphs(tmp_path) == [".json", ".so"]


def test_a_call_meanwhile_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    step = npr.step(**DECLARED)(endless)
    assert left(step, np.ones(50)) == [0]
    monkeypatch.setattr(artifacts, "graph", None)
    assert left(step, np.ones(50)) == [0]
    # Other sizes may be compiled already, and are asked for.
    with pytest.warns(NprewriteWarning, match="TypeError"):
        assert left(step, np.ones(5000)) == [0]
    assert step.runs == {"as written: compiling": 2, "as written: the step raised TypeError": 1}


def test_a_loop_does_not_wait_for_a_step(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loops = compiler._Background()
    monkeypatch.setattr(compiler, "_background_of_loops", loops)
    assert left(npr.step(**DECLARED)(endless), np.ones(50)) == [0]
    path = str(tmp_path / "loops" / "0.json")
    with pytest.raises(Compiling):
        compiler.begun(LoopJob("def lowered(): pass", ("",), path))
    until(lambda: loops._jobs[path].over)
    assert isinstance(loops._jobs[path].answer, Failed)
    assert not next(iter(compiler._background._jobs.values())).over
    loops.end()


def test_the_compiler_makes_way_for_others() -> None:
    assert left(npr.step(**DECLARED)(endless), np.ones(50)) == [0]
    until(lambda: os.getpriority(os.PRIO_PROCESS, pid()) == min(19, os.nice(0) + 10))


def test_a_process_makes_way_before_it_imports_anything(tmp_path: Path) -> None:
    (tmp_path / "shown.py").write_text(
        "import os, pathlib\n"
        "group = pathlib.Path('/proc/self/autogroup')\n"
        "seen = [os.nice(0), group.read_text() if group.exists() else '']\n"
        "def main(): print(*seen)\n"
    )
    command = calling_main("shown", makes_way=True)
    command[command.index("shown") - 1] = json.dumps([str(tmp_path), *sys.path])
    shown = subprocess.run(command, capture_output=True, text=True, start_new_session=True, check=True)
    niceness, *group = shown.stdout.split()
    assert int(niceness) == min(19, os.nice(0) + 10)
    # Linux weighs sessions against each other where its autogroups are on.
    assert not group or group[-1] == "10"


def test_it_holds_nothing_of_the_program() -> None:
    assert left(npr.step(**DECLARED)(endless), np.ones(50)) == [0]
    own = {os.readlink(f"/proc/self/fd/{number}") for number in (0, 1, 2)} - {os.devnull}
    held = {os.readlink(each) for each in Path("/proc", str(pid()), "fd").iterdir()}
    assert not own & held
    assert os.getsid(pid()) == pid()


def test_threads_ask_once() -> None:
    step = npr.step(**DECLARED)(endless)
    found: list[list[int]] = []
    threads = [threading.Thread(target=lambda: found.append(left(step, np.ones(50)))) for _ in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [[0]] * 20
    assert len(compiler._background._sent) == 1


def test_what_is_left_over_is_compiled_too() -> None:
    step = npr.step(
        counter="n", scalars={"n": "int64"}, state={"a": "float64"}, lanewise=True, chunked=True, compile=True
    )(lambda n, a: (a * 0.5 + n,))
    a, wanted = np.ones(64), np.ones(64)
    assert left(step, a, 19) == list(range(19))
    assert len(compiler._background._jobs) == 2
    until(lambda: all(each.over for each in compiler._background._jobs.values()))
    assert left(step, a, 19) == []
    for n in range(19):
        wanted = wanted * 0.5 + n
    assert np.array_equal(a, wanted)


def test_a_killed_compiler_is_replaced_once() -> None:
    step = npr.step(**DECLARED)(endless)
    for _ in range(2):
        assert left(step, np.ones(50)) == [0]
        (job,) = compiler._background._jobs.values()
        assert not job.over
        process = compiler._background._process
        assert process is not None
        assert process._process.stdin is not None
        os.kill(pid(), signal.SIGKILL)
        until(lambda job=job: job.over)  # type: ignore[misc]
        until(lambda process=process: process._process.stdin.closed)  # type: ignore[misc]
    with pytest.warns(NprewriteWarning, match="the process that compiles ended by itself"):
        assert left(step, np.ones(50)) == [0]
    assert step.runs == {"as written: compiling": 2, "as written: torch.compile failed": 1}


def test_what_a_killed_compiler_leaves_is_removed(tmp_path: Path) -> None:
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 31,))
    assert left(step, np.ones(50)) == [0]
    (path,) = compiler._background._jobs
    Path(path).parent.mkdir(exist_ok=True)
    Path(f"{path}.tmp").write_bytes(b"half")
    until(lambda: left(step, np.ones(50)) == [])
    assert graphs(tmp_path) == [".json", ".so"]


def test_a_compilation_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(budget, "SECONDS", 4.0)
    for tried in (1, 2):
        monkeypatch.setattr(compiler, "_background", compiler._Background())
        step = npr.step(**DECLARED)(endless)
        assert left(step, np.ones(50)) == [0]
        process = pid()
        (job,) = compiler._background._jobs.values()
        until(lambda job=job: job.over)  # type: ignore[misc]
        with pytest.warns(NprewriteWarning, match="compiling it took more than [0-9]+ s"):
            assert left(step, np.ones(50)) == [0]
        refusal._told.clear()
        (noted,) = json.loads((tmp_path / "cache" / history.FILE).read_text()).values()
        assert noted == {"tried": tried}
        until(lambda process=process: not is_running(process))  # type: ignore[misc]
    # It is not begun a third time.
    step = npr.step(**DECLARED)(endless)
    with pytest.warns(NprewriteWarning, match="compiling it took more than [0-9]+ s"):
        assert left(step, np.ones(50)) == [0]


def fails(a: Array) -> tuple[Array, ...]:
    return (a + np.busday_count("2024-01", "2024-02"),)


def test_an_error_is_told_and_remembered(tmp_path: Path) -> None:
    step = npr.step(**DECLARED)(fails)
    assert left(step, np.ones(50)) == [0]
    until(lambda: all(each.over for each in compiler._background._jobs.values()))
    with pytest.warns(NprewriteWarning, match="torch.compile failed"):
        assert left(step, np.ones(50)) == [0]
    assert left(step, np.ones(50)) == [0]
    assert step.runs == {"as written: compiling": 1, "as written: torch.compile failed": 2}
    (noted,) = json.loads((tmp_path / "cache" / history.FILE).read_text()).values()
    assert "failed" in noted


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(file / "cache"))
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 37,))
    with pytest.warns(NprewriteWarning, match="compiled code has no place .*; set NPREWRITE_CACHE_DIR"):
        assert left(step, np.ones(50)) == [0]


def test_a_full_disk_leaves_no_half_of_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(file: str, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        cachedir.place(tmp_path / "a.json", b"whole")
    assert not list(tmp_path.glob("a.*"))


def test_interrupting_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(process: Any, job: Any) -> None:
        processes.append(process)
        raise KeyboardInterrupt

    processes: list[Any] = []
    step, a = npr.step(**DECLARED)(endless), np.ones(50)
    with monkeypatch.context() as patched:
        patched.setattr(compiler._Process, "send", interrupted)
        with pytest.raises(KeyboardInterrupt):
            left(step, a)
    assert a.tolist() == [1.0] * 50
    assert processes[0].ended
    assert left(step, a) == [0]
    assert step.runs == {"as written: compiling": 1}


def test_a_step_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 41,))
    step.is_waited_for = True
    assert left(step, np.ones(50)) == []
    assert not compiler._background._jobs


def test_a_loop_with_other_statements_stands_aside() -> None:
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 43,))

    def loop() -> list[bool]:
        with step.running(a=np.ones(50)) as run:
            return [run.advance() for _ in range(3)]

    assert loop() == [False] * 3
    assert step.runs == {"as written: compiling": 1}
    until(lambda: loop() == [True] * 3)


@pytest.mark.parametrize("declared", [{"state": {"a": "float64"}}, {"carried": {"a": "float64"}}])
def test_a_long_loop_goes_on_compiled(declared: dict[str, Any]) -> None:
    step = npr.step(compile=True, **declared)(lambda a: (a * 0.5 + 47,))
    a = wanted = np.linspace(0, 1, 50)
    written = 0
    for n in (loop := step.over(range(3, 3003), a=a)):
        assert n == written + 3
        written += 1
        if "state" in declared:
            a *= 0.5
            a += 47
        else:
            a = a * 0.5 + 47
        if written == 5:
            until(lambda: next(iter(compiler._background._jobs.values())).over)
    if "carried" in declared:
        (a,) = loop.results
    for _ in range(3000):
        wanted = wanted * 0.5 + 47
    assert np.array_equal(a, wanted)
    assert (loop.finished, loop.counter, written) == (True, 3002, 5)
    assert step.runs["compiled"] == 1


def test_a_loop_whose_names_are_not_known_runs_as_written() -> None:
    """The array may be in another variable by the time at which the compiled side could take over."""
    step = npr.step(compile=True, carried={"a": "float64"})(lambda a: (a * 0.5 + 61,))
    b = wanted = np.linspace(0, 1, 50)
    for n in (loop := step.over(range(9), a=b)):
        b = b * 0.5 + 61
        if n == 4:
            until(lambda: next(iter(compiler._background._jobs.values())).over)
    for _ in range(9):
        wanted = wanted * 0.5 + 61
    assert np.array_equal(b, wanted)
    assert not loop.finished


@pytest.mark.parametrize("declared", [{"state": {"a": "float64"}}, {"carried": {"a": "float64"}}])
def test_a_long_loop_with_other_statements_goes_on_compiled(declared: dict[str, Any]) -> None:
    step = npr.step(compile=True, **declared)(lambda a: (a * 0.5 + 53,))
    a = np.linspace(0, 1, 50)
    seen, advanced = [], []
    with step.running(a=a) as run:
        for n in range(9):
            advanced.append(run.advance())
            if advanced[-1]:
                (a,) = run.results or (a,)
            elif "state" in declared:
                a *= 0.5
                a += 53
            else:
                a = a * 0.5 + 53
            run.store()
            seen.append(a.copy())
            if n == 4:
                until(lambda: next(iter(compiler._background._jobs.values())).over)
    wanted = np.linspace(0, 1, 50)
    for each in seen:
        wanted = wanted * 0.5 + 53
        assert np.array_equal(each, wanted)
    assert advanced == [False] * 5 + [True] * 4


def in_a_fork(step: npr.Step, answers: Any) -> None:
    # With more it would wait for threads that only the parent has.
    torch.set_num_threads(1)
    with budget.shared(object()):
        answers.put((left(step, np.ones(50)), len(compiler._background._jobs)))
    compiler._background.end()


def test_a_fork_in_the_middle() -> None:
    step = npr.step(**DECLARED)(endless)
    assert left(step, np.ones(50)) == [0]
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=in_a_fork, args=(step, answers))
    child.start()
    found = answers.get()
    child.join()
    assert child.exitcode == 0
    assert found == ([0], 1)
    assert not next(iter(compiler._background._jobs.values())).over
    assert left(step, np.ones(50)) == [0]


PROGRAM = """
import os, signal, sys, time
import numpy as np
import nprewrite.runtime as npr
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.torch import compiler

budget.SECONDS = 300.0

@npr.step(state={"a": "float64"}, compile=True)
def wave_step(a):
    return (np.sin(a) * 47,)

a = np.ones(1 << 21)
for _ in wave_step.over(range(1), a=a):
    a[...] = np.sin(a) * 47
assert np.allclose(a, np.sin(1) * 47)
process = compiler._background._process
print(*wave_step.runs, process and process._process.pid, flush=True)
if "killed" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("way", ["ended", "killed"])
def test_what_a_program_leaves_is_found_by_the_next(tmp_path: Path, way: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(PROGRAM))

    def run() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-W", "always::ResourceWarning", script, way],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == (-signal.SIGKILL if way == "killed" else 0)
        assert not done.stderr
        return done.stdout.split()

    *ways, process = run()
    assert ways == ["as", "written:", "compiling"]
    assert ".json" not in graphs(tmp_path)
    until(lambda: not is_running(int(process)))
    assert graphs(tmp_path) == [".json", ".so"]
    # Of torch's own library it needs the sine.
    assert run() == ["as", "written:", "opening", "torch's", "library", "None"]


def test_processes_compile_one_after_the_other(tmp_path: Path) -> None:
    """Two processes ask for the same graph, and only one of them compiles it."""
    step = npr.step(**DECLARED)(lambda a: (np.exp(-a) - 53,))
    assert left(step, np.ones(50)) == [0]
    (first,) = compiler._background._jobs.values()
    other = compiler._Background()
    compiler._background, own = other, compiler._background
    try:
        assert left(npr.step(**DECLARED)(step.function), np.ones(50)) == [0]
        (second,) = other._jobs.values()
        until(lambda: first.over and second.over)
    finally:
        compiler._background = own
        other.end()
    took = [each.answer.compiling for each in (first, second)]  # type: ignore[union-attr]
    assert sorted(map(bool, took)) == [False, True]


def test_programs_that_wait_for_their_threads_do_not_wait_for_ours() -> None:
    threads, ran = threading.active_count(), threading.Event()
    start_unseen(ran.set)
    assert ran.wait(_PATIENCE_S)
    step = npr.step(**DECLARED)(lambda a: (a * 1.75 + 3.0,))
    left(step, np.ones(9))
    assert threading.active_count() == threads
