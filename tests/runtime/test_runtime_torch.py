"""When torch is imported, what happens where it is missing or fails, and how the chunk is chosen."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base.errors import NprewriteWarning
from nprewrite.runtime.api import cache
from nprewrite.runtime.choosing import tuning

DECAY = """
import sys, warnings
{prelude}
import numpy as np
import nprewrite.runtime as npr
from nprewrite.runtime.choosing import budget

budget.SECONDS = 600.0

@npr.step(state={{"a": "float64"}}, lanewise=True, compile=True)
def decay_step(a):
    return (a * 0.5,)

@npr.step(state={{"a": "float64"}}, lanewise=True, compile=True)
def growth_step(a):
    return (a * 2.0,)

for step in (decay_step, growth_step):
    a = np.ones(1 << 18)
    loop = step.over(range(4), a=a)
    assert list(loop) == [], step.runs
    assert loop.finished and loop.counter == 3
    print(a[0], a[-1], dict(step.runs))
print("torch" in sys.modules and sys.modules["torch"] is not None)
"""


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
        timeout=120,
    )


def test_importing_the_runtime_imports_numpy_and_the_standard_library_only() -> None:
    code = """
import sys
before = set(sys.modules)
import numpy
import nprewrite.runtime
roots = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(roots - set(sys.stdlib_module_names) - {"numpy", "nprewrite"}))
print(sorted({name.split(".")[1] for name in sys.modules if name.startswith("nprewrite.")}))
"""
    loaded, own = python(code).stdout.splitlines()
    assert loaded == "[]"
    assert own == "['base', 'numpy_api', 'runtime']"


def test_without_torch_the_step_runs_in_numpy_and_says_so_once() -> None:
    done = python(DECAY.format(prelude="sys.modules['torch'] = None"))
    assert done.stdout.splitlines() == ["0.0625 0.0625 {'numpy': 1}", "16.0 16.0 {'numpy': 1}", "False"]
    assert done.stderr.count("NprewriteWarning") == 1
    assert "<string>:20: torch is missing" in done.stderr
    assert "pip install nprewrite[torch]" in done.stderr


def test_disabled_the_step_runs_in_numpy_without_importing_torch() -> None:
    done = python(DECAY.format(prelude=""), NPREWRITE_DISABLE="1")
    assert not done.stderr
    assert done.stdout.splitlines() == ["0.0625 0.0625 {'numpy': 1}", "16.0 16.0 {'numpy': 1}", "False"]


@pytest.mark.parametrize("value", ["0", ""])
def test_an_empty_switch_is_no_switch(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", value)
    a = np.ones(50)
    assert list(tuned_step.over(range(9), a=a)) == []
    assert set(tuned_step.runs) == {"compiled"}


FORK = """
import os
a = np.ones(1 << 18)
child = os.fork()
if not child: {first}
for _ in decay_step.over(range(4), a=a):
    a *= 0.5
# In one piece: both processes write at once.
os.write(1, f"{{a[0]}} {{a[-1]}} {{dict(decay_step.runs)}}\\n".encode())
if child:
    print(os.waitpid(child, 0)[1])
"""
ONCE, TWICE = "{'compiled': 1}", "{'compiled': 2}"
REFUSED = "'as written: a fork of a process that has torch': 1}"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.parametrize(
    ("prelude", "runs_before", "first", "threads", "parent", "child"),
    [
        ("", True, "pass", "2", TWICE, f"{ONCE[:-1]}, {REFUSED}"),
        ("", True, "pass", "1", TWICE, TWICE),
        ("", True, "import torch; torch.set_num_threads(1)", "2", TWICE, TWICE),
        ("import torch", False, "pass", "2", ONCE, f"{{{REFUSED}"),
        ("", False, "import torch", "2", ONCE, ONCE),
    ],
    ids=["after a run", "one thread", "one thread in the child", "after an import", "before any torch"],
)
def test_a_fork_that_lacks_threads_of_torch_runs_as_written(
    prelude: str, runs_before: bool, first: str, threads: str, parent: str, child: str
) -> None:
    """OpenMP of a forked child waits for threads that only the parent has, if there are to be several."""
    before = DECAY.format(prelude=prelude)
    before = before[: before.index("for step in")]
    if runs_before:
        before += "for _ in decay_step.over(range(4), a=np.ones(1 << 18)): pass\n"
    done = python(before + FORK.format(first=first), OMP_NUM_THREADS=threads)
    lines = [f"0.0625 0.0625 {child}", f"0.0625 0.0625 {parent}", "0"]
    assert sorted(done.stdout.splitlines()) == sorted(lines)
    assert done.stderr == ""


@npr.step(state={"a": "float64"}, compile=True)
def untraceable_step(a: Array) -> tuple[Array, ...]:
    with open("/dev/null"):
        return (a * 2,)


def test_a_step_that_torch_cannot_compile_runs_as_written_and_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a = np.ones(4)
    with pytest.warns(NprewriteWarning, match=r"runs as written: torch.compile failed: Unsupported: "):
        assert list(untraceable_step.over(range(3), a=a)) == [0, 1, 2]
    monkeypatch.setattr("nprewrite.runtime.torch.kernels.TorchKernel.run", None)
    with pytest.warns(NprewriteWarning, match=r"torch.compile failed"):
        assert list(untraceable_step.over(range(3), a=a)) == [0, 1, 2]
    assert untraceable_step.runs == {"as written: torch.compile failed": 2}
    assert a.tolist() == [1, 1, 1, 1]


def test_a_failed_step_keeps_no_array_alive() -> None:
    import gc
    import weakref

    a = np.ones(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        list(untraceable_step.over(range(3), a=a))
    gone = weakref.ref(a)
    del a
    gc.collect()
    assert gone() is None


def test_without_a_compiler_the_body_runs() -> None:
    # A new cache, so that no kernel is found ready.
    prelude = "import tempfile, os; os.environ['TORCHINDUCTOR_CACHE_DIR'] = tempfile.mkdtemp()"
    code = DECAY.format(prelude=prelude).replace(
        "assert list(loop) == []", "assert list(loop) == [0, 1, 2, 3]"
    )
    code = code.replace("assert loop.finished and loop.counter == 3", "assert not loop.finished")
    done = python(code, CXX="/nowhere/c++")
    assert done.stdout.splitlines()[0] == "1.0 1.0 {'as written: torch.compile failed': 1}"
    assert "`nprewrite doctor` says whether a C++ compiler works" in done.stderr


def test_dtypes_without_kernels_run_in_numpy() -> None:
    step = npr.step(state={"a": "uint32"}, lanewise=True, compile=True)(lambda a: (a * np.uint32(3),))
    a = np.full(4, 2**31, np.uint32)
    with pytest.warns(
        NprewriteWarning, match="does not compute with uint32 as NumPy does; the step runs in NumPy"
    ):
        assert list(step.over(range(3), a=a)) == []
    assert step.runs == {"numpy": 1}
    assert a.tolist() == [2**31 * 27 % 2**32] * 4


@npr.step(state={"z": "complex64"}, carried={"w": "complex128"}, lanewise=True, compile=True)
def spiral_step(z: Array, w: Array) -> tuple[Array, ...]:
    return z * (0.5 + 0.5j), np.conj(w) + z


def test_complex_arrays_as_they_are() -> None:
    z, w = np.arange(20).astype(np.complex64), np.arange(20) * 1j
    wanted_z, wanted_w = z.copy(), w.copy()
    for _ in range(3):
        wanted_z, wanted_w = wanted_z * (0.5 + 0.5j), np.conj(wanted_w) + wanted_z
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        loop = spiral_step.over(range(3), z=z, w=w)
        assert list(loop) == []
    assert spiral_step.runs == {"compiled": 1}
    np.testing.assert_allclose(z, wanted_z, rtol=1e-6)
    np.testing.assert_allclose(loop.results[0], wanted_w, rtol=1e-6)


@npr.step(state={"a": "float64"}, compile=True)
def narrow_step(a: Array) -> tuple[Array, ...]:
    return (a.astype(np.float32),)


def test_a_compiled_result_of_another_dtype_is_refused() -> None:
    a = np.ones(4)
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert list(narrow_step.over(range(3), a=a)) == [0, 1, 2]
    assert narrow_step.runs == {"as written: dtype of the result a": 2}


@npr.step(state={"a": "float64"}, lanewise=True, chunked=True, compile=True)
def tuned_step(a: Array) -> tuple[Array, ...]:
    return (a * 0.5 + 1,)


def test_tuning_measures_on_copies_and_remembers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tuning, "CHUNKS", (2, 8))
    measured = []
    seconds = {2: 1.0, 8: 2.0}
    best = tuning.best_chunk

    def watch(run: Any, trips: int) -> int | None:
        def timed(chunk: int) -> float:
            measured.append(chunk)
            run(chunk)
            return seconds[chunk]

        return best(timed, trips)

    monkeypatch.setattr(tuning, "best_chunk", watch)
    wanted = np.linspace(0, 9, 50)
    for _ in range(19):
        wanted = wanted * 0.5 + 1
    for _ in range(2):
        step = npr.Step(tuned_step.function, tuned_step.signature, compile=True)
        step.tune = True
        a = np.linspace(0, 9, 50)
        assert list(step.over(range(19), a=a)) == []
        np.testing.assert_array_equal(a, wanted)
        # The second step finds what the first remembered.
        assert measured == [2] * 6 + [8] * 6
    assert list(json.loads((tmp_path / "cache" / tuning.FILE).read_text()).values()) == [8]


def test_costly_steps_run_fewer_iterations_a_call() -> None:
    assert tuning.default_chunk(lambda x: (x * x + 1,)) == tuning.DEFAULT_CHUNK
    assert tuning.default_chunk(lambda x: (np.exp(x),)) == tuning.COSTLY_CHUNK


def test_the_cheapest_iteration_wins_and_long_compiles_end_the_search() -> None:
    def timing(seconds: dict[int, float], compiling: dict[int, float], asked: list[int]) -> Any:
        def run(chunk: int) -> float:
            asked.append(chunk)
            return compiling[chunk] if asked.count(chunk) == 1 else seconds[chunk]

        return run

    asked: list[int] = []
    quick = dict.fromkeys(tuning.CHUNKS, 3.0)
    assert tuning.best_chunk(timing({4: 4, 8: 7, 16: 16, 32: 33}, quick, asked), 100) == 8
    assert set(asked) == {4, 8, 16, 32}
    asked.clear()
    assert tuning.best_chunk(timing({4: 4, 8: 7, 16: 12}, quick | {16: 20.5}, asked), 100) == 16
    assert set(asked) == {4, 8, 16}
    asked.clear()
    assert tuning.best_chunk(timing({4: 4, 8: 9}, quick, asked), 15) == 4
    assert set(asked) == {4, 8}
    assert tuning.best_chunk(timing({}, quick, asked), 3) is None


def test_what_is_remembered_survives_a_broken_file(tmp_path: Path) -> None:
    path = cache.directory() / tuning.FILE
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for text in ("{", "[1]", '{"k": 7}', '{"k": "8"}'):
        path.write_text(text)
        assert tuning.remembered("k") is None
    tuning.remember("k", 16)
    tuning.remember("other", 4)
    tuning.remember("none", None)
    tuning.remember(None, 4)
    assert tuning.remembered("k") == 16
    assert json.loads(path.read_text()) == {"k": 16, "other": 4}
    assert [entry.name for entry in path.parent.iterdir()] == [tuning.FILE]


def test_a_cache_that_cannot_be_written_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    tuning.remember("k", 16)
    assert tuning.remembered("k") is None


def test_the_cache_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NPREWRITE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() == tmp_path / "xdg" / "nprewrite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.directory() == tmp_path / "home" / ".cache" / "nprewrite"


def test_the_key_tells_steps_dtypes_and_machines_apart() -> None:
    keys = {
        tuning.key(step.function, step.signature, machine)
        for step in (tuned_step, narrow_step, npr.Step(tuned_step.function, spiral_step.signature))
        for machine in ("one", "two")
    }
    assert len(keys) == 6
    assert None not in keys
    made: dict[str, Any] = {}
    exec("def unseen(a): return (a,)", made)
    assert tuning.key(made["unseen"], tuned_step.signature, "one") is None


@pytest.mark.parametrize(
    ("function", "passes_on"),
    [
        (lambda x, a, b: (a * x, b + a), False),
        (lambda x, a, b: (a, b), False),
        (lambda x, a, b: (b, a), True),
        (lambda x, a, b: (b, a + b), True),
        (lambda x, a, b: (a + 1, a.copy()), True),
        (lambda x, a, b: (a + 1, np.where(x > 0, a, b)), True),
        (lambda x, a, b: (a[1000], b), True),
    ],
)
def test_values_that_change_names_are_not_stored_in_place(function: Any, passes_on: bool) -> None:
    from nprewrite.runtime.api.backend import Expected
    from nprewrite.runtime.torch.kernels import passes_values_on

    step = npr.step(inputs={"x": "f8"}, state={"a": "f8", "b": "f8"}, lanewise=True)(function)
    assert passes_values_on(function, Expected(step.signature)) is passes_on


def test_a_step_of_a_module_that_cannot_be_imported() -> None:
    """As in a program run by ``runpy``: Dynamo would import the module by its name."""
    names: dict[str, Any] = {"npr": npr, "np": np, "__name__": "nowhere_to_be_found"}
    exec("step = npr.step(state={'u': 'float64'}, compile=True)(lambda u: (np.sqrt(u) + 1,))", names)
    u = np.full(64, 4.0)
    assert list(names["step"].over(range(1), u=u)) == []
    assert names["step"].runs == {"compiled": 1}
    assert u.tolist() == [3.0] * 64
