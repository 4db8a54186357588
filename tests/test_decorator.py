"""``@nprewrite.jit``: the passes on one function, at import time or with the types of a call."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pickle
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns
from nprewrite.engine.outcomes import Outcome

pytestmark = pytest.mark.usefixtures("nothing_beside", "small_stands_for_large")

PROGRAM = """
import numpy as np
import nprewrite

calls = []


@nprewrite.jit
def escape(width, trips, horizon=2.0):
    X = np.linspace(-2.0, 1.0, width, dtype="float32")
    C = X + X[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in range(trips):
        I = np.abs(Z) < horizon
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    return Z, N


@nprewrite.jit(level="rounding", tune=False)
def decay(x, rate, trips):
    for k in range(trips):
        big = abs(x) > 1e-3
        x[big] = rate[big] * x[big]
    return x


@nprewrite.jit
def scaled(x, factor, trips):
    for _ in range(trips):
        x = x * factor + 1
    return x


@nprewrite.jit
def printing(x):
    for _ in range(3):
        print(x.sum())
    return x


class Field:
    @nprewrite.jit
    def advance(self, x, trips):
        for k in range(trips):
            x = x * 0.5 + k
        return x


def nested(factor):
    @nprewrite.jit
    def inner(trips: int):
        x = np.ones(4)
        for _ in range(trips):
            x = x * factor
        return x

    return inner
"""


WITHOUT_MODULE = """
from numpy import dot, ravel
import nprewrite


@nprewrite.jit
def convolve(windows, kernel):
    k = ravel(kernel)
    d = dot(windows, k)
    return d
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return loaded(PROGRAM, tmp_path, monkeypatch)


def loaded(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of this text, in which steps run in NumPy."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "program.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "program", made)
    spec.loader.exec_module(made)
    return made


def test_a_step_sees_numpy_where_its_module_has_no_name_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convolve = loaded(WITHOUT_MODULE, tmp_path, monkeypatch).convolve
    windows, kernel = np.ones((5, 9)), np.arange(9).reshape(3, 3)
    assert convolve(windows, kernel).tolist() == [36.0] * 5
    (step,) = convolve.specializations.last.steps
    assert "np.float64" in convolve.source
    assert step.function(kernel=kernel, windows=windows)[0].tolist() == [36.0] * 5


def verdicts(function: nprewrite.decorated.jitted.Jitted) -> set[tuple[str, str]]:
    return {(site.code, site.verdict) for site in function.report().sites}


def test_rewritten_at_import(module: ModuleType) -> None:
    assert ("NPR401", "rewritten") in verdicts(module.escape)
    assert "_escape_step.over(range(trips)" in module.escape.source
    assert module.escape.source.startswith("@npr.step(")
    printed = str(module.escape.report())
    assert str(Path(module.__file__)) in printed
    assert "line 14: NPR401 rewritten: the loop can run compiled" in printed
    assert "_escape_step" not in printed


def test_same_result_as_the_original(module: ModuleType) -> None:
    for trips in (0, 1, 7, 8, 23):
        for new, old in zip(module.escape(20, trips), module.escape.original(20, trips), strict=True):
            assert new.dtype == old.dtype
            np.testing.assert_allclose(new, old, rtol=1e-4)


def test_a_long_sum_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum is a tree as deep as it is long: what follows it needs more room than the usual stack has."""
    total = " + ".join(["1"] * 1200)
    lines = [
        *("import numpy as np", "def halved(x, trips):", f"    count = {total}", "    if trips == 0:"),
        *("        return x", "    return halved(np.sin(x) / count, trips - 1)"),
    ]
    path = tmp_path / "long_sum.py"
    path.write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("long_sum")
    expected = module.halved(np.ones(3), 4)
    module.halved = nprewrite.jit(module.halved)
    for _ in range(30):
        np.testing.assert_array_equal(module.halved(np.ones(3), 4), expected)


def test_text_is_a_real_file(module: ModuleType, tmp_path: Path) -> None:
    filename = module.escape.version.function.__code__.co_filename
    assert Path(filename).is_relative_to(tmp_path / "cache")
    assert module.escape.source in Path(filename).read_text() + "\n"


def test_one_frame_stands_between_a_call_and_the_function() -> None:
    @nprewrite.jit
    def divide(x: np.ndarray, parts: list[int]) -> np.ndarray:
        for k in range(3):
            x = np.exp(-x) / parts[k]
        return x

    for _ in range(4):
        with pytest.raises(IndexError) as caught:
            divide(np.ones(3), [1, 2])
        names = [each.name for each in traceback.extract_tb(caught.value.__traceback__)]
        assert names[1:3] == ["__call__", "divide"]


def test_the_frames_of_a_package_beside_nprewrite_stay() -> None:
    file, names = f"{Path(nprewrite.__file__).parent}_more/calls.py", dict[str, Any]()
    exec(compile("def calling(function):\n    return function()\n", file, "exec"), names)
    with pytest.raises(ZeroDivisionError) as caught:
        nprewrite.jit(names["calling"])(lambda: 1 // 0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [each.name for each in frames[1:]] == ["__call__", "calling", "<lambda>"]


def test_traceback_shows_the_rewritten_line(module: ModuleType) -> None:
    with pytest.raises(TypeError) as caught:
        module.escape("wide", 3)
    text = "".join(traceback.format_exception(caught.value))
    assert 'X = np.linspace(-2.0, 1.0, width, dtype="float32")' in text


def test_waits_for_the_types_of_a_call(module: ModuleType) -> None:
    assert ("NPR401", "deferred") in verdicts(module.decay)
    x, rate = np.linspace(-1, 1, 50), np.linspace(0.1, 0.9, 50)
    view = x[:]
    expected = module.decay.original(x.copy(), rate, 9)
    result = module.decay(x, rate, trips=9)
    assert result is x
    np.testing.assert_array_equal(view, expected)
    assert ("NPR401", "rewritten") in verdicts(module.decay)


def test_each_signature_has_its_own_version(module: ModuleType) -> None:
    for dtype in (np.float64, np.float32):
        x = np.linspace(0, 1, 12, dtype=dtype)
        result = module.scaled(x, 0.5, 10)
        assert result.dtype == dtype
        np.testing.assert_allclose(result, module.scaled.original(x, 0.5, 10), rtol=1e-6)
        assert np.dtype(dtype).name in module.scaled.source


def test_arguments_that_are_no_arrays_run_as_written(module: ModuleType) -> None:
    assert module.scaled(1.0, 0.5, 10) == module.scaled.original(1.0, 0.5, 10)
    assert type(module.scaled(3, 2, 2)) is int


def test_wrong_arguments_raise_as_the_original_does(module: ModuleType) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        module.scaled(np.ones(3), 0.5)


def test_nothing_to_rewrite_is_the_original(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    module.printing(np.ones(2))
    assert capsys.readouterr().out == "2.0\n" * 3
    assert all(site.outcome is Outcome.REFUSED for site in module.printing.report().sites)


def test_methods(module: ModuleType) -> None:
    field = module.Field()
    x = np.linspace(0, 1, 9)
    np.testing.assert_array_equal(field.advance(x, 5), module.Field.advance.original(field, x, 5))
    assert ("NPR401", "rewritten") in verdicts(module.Field.advance)


def test_closures(module: ModuleType) -> None:
    inner = module.nested(0.5)
    np.testing.assert_array_equal(inner(3), np.full(4, 0.125))


def test_metadata(module: ModuleType) -> None:
    assert module.decay.__name__ == "decay"
    assert module.escape.__module__ == "program"
    assert module.decay.__wrapped__ is module.decay.original
    assert inspect.getfullargspec(module.escape).args == ["width", "trips", "horizon"]
    assert module.escape.__code__.co_varnames[:3] == ("width", "trips", "horizon")
    assert module.escape.__defaults__ == (2.0,)
    assert module.escape.__globals__ is vars(module)
    assert module.nested(2.0).__closure__[0].cell_contents == 2.0
    assert repr(module.decay) == f"Jitted({module.decay.original!r})"


def test_defaults_that_a_program_sets() -> None:
    def scaled(x: Any, factor: float = 2.0, *, offset: float = 0.0) -> Any:
        return x * factor + offset

    decorated: Any = nprewrite.jit(scaled)
    x = np.linspace(0, 1, 9)
    assert decorated(x).sum() == 9.0
    decorated.__defaults__, decorated.__kwdefaults__ = (4.0,), {"offset": 1.0}
    assert decorated(x).sum() == 27.0
    assert (scaled.__defaults__, scaled.__kwdefaults__) == ((4.0,), {"offset": 1.0})


WRAPPED = """
import functools
import numpy as np
import nprewrite


def twice(function):
    @functools.wraps(function)
    def wrapper(*args):
        return 2 * function(*args)

    return wrapper


@nprewrite.jit
def shrink(x, n):
    for i in range(n):
        x[x > 1.0] = np.sqrt(x[x > 1.0])
    return x


@nprewrite.jit
def run(x, n):
    for k in range(n):
        x = x + 0.5 * shrink(x, 2)
    return x


@nprewrite.jit
def apply(function, x, n):
    for k in range(n):
        x = x + 0.5 * function(x, 2)
    return x


shrink_twice = twice(shrink)
"""


def test_what_wraps_a_decorated_function_is_another_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``functools.wraps`` copies the attributes of what it wraps, and calls are followed by the text."""
    (tmp_path / "wrapped.py").write_text(WRAPPED)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    wrapped = importlib.import_module("wrapped")
    monkeypatch.delitem(sys.modules, "wrapped")
    for each in (wrapped.shrink, wrapped.shrink_twice, wrapped.shrink.original):
        expected = wrapped.apply.original(each, np.full(3, 4.0), 3)
        np.testing.assert_array_equal(wrapped.apply(each, np.full(3, 4.0), 3), expected)
    before = wrapped.run(np.full(3, 4.0), 3)
    wrapped.shrink = wrapped.shrink_twice
    expected = wrapped.run.original(np.full(3, 4.0), 3)
    assert (expected != before).all()
    np.testing.assert_array_equal(wrapped.run(np.full(3, 4.0), 3), expected)


def test_module_gets_no_new_names(module: ModuleType) -> None:
    module.scaled(np.ones(3), 0.5, 4)
    public = {name for name in vars(module) if not name.startswith("__")}
    assert public == {
        "np",
        "nprewrite",
        "calls",
        "escape",
        "decay",
        "scaled",
        "printing",
        "Field",
        "nested",
    }


def test_unknown_level_and_wrong_target() -> None:
    with pytest.raises(ValueError, match="exact, rounding, fast"):
        nprewrite.jit(level="sloppy")
    with pytest.raises(TypeError, match="Python function"):
        nprewrite.jit(np.sin)


def test_source_that_is_not_there_warns_and_runs() -> None:
    namespace: dict[str, object] = {}
    exec("def double(x):\n    return 2 * x", namespace)
    with pytest.warns(nprewrite.NprewriteWarning, match="source is not available"):
        double = nprewrite.jit(namespace["double"])
    assert double(4) == 8


@pytest.mark.parametrize("reason", ["read-only", "full"])
def test_without_a_place_for_the_text(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """A read-only home or a full disk: the text is kept in memory, where tracebacks find it."""
    if reason == "full":
        (tmp_path / "full").mkdir()
        monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "full"))
        monkeypatch.setattr(os, "replace", Mock(side_effect=OSError(28, "No space left on device")))
    else:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    expected = module.scaled.original(np.ones(3), 0.5, 4)
    np.testing.assert_array_equal(module.scaled(np.ones(3), 0.5, 4), expected)
    assert "_scaled_step" in module.scaled.source
    made = module.scaled.version.function
    assert made.__code__.co_filename.startswith("<nprewrite program-")
    assert "_scaled_step.over(" in inspect.getsource(made)
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".tmp"]


def test_jitted_functions_pickle_by_name(module: ModuleType) -> None:
    assert pickle.loads(pickle.dumps(module.escape)) is module.escape


RECURSIVE = """
import functools
import numpy as np
import nprewrite

calls = []


@nprewrite.jit
def tree(x, n, factor=2.0):
    y = np.sqrt(x) * factor + x * x + np.exp(-x)
    return y.sum() if n == 0 else tree(y, n - 1) + y.sum()


@functools.lru_cache
@nprewrite.jit
def cached(n):
    calls.append(n)
    x = np.sqrt(np.ones(4)) * 2 + n
    return x.sum() if n < 2 else cached(n - 1) + cached(n - 2) + x.sum()
"""


@pytest.mark.parametrize("disabled", ["0", "1"])
def test_a_recursive_function_calls_what_its_name_stands_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disabled: str
) -> None:
    """With the defaults of its parameters, and what else has been put around it."""
    monkeypatch.setenv("NPREWRITE_DISABLE", disabled)
    (tmp_path / "recursive.py").write_text(RECURSIVE)
    monkeypatch.syspath_prepend(tmp_path)
    recursive = importlib.import_module("recursive")
    monkeypatch.delitem(sys.modules, "recursive")
    for _ in range(3):
        np.testing.assert_allclose(
            recursive.tree(np.ones(9), 3), recursive.tree.original(np.ones(9), 3), rtol=1e-12
        )
    assert recursive.tree.version.function.__code__.co_name == "tree"
    recursive.cached(12)
    assert sorted(recursive.calls) == [*range(13)]


def halves(n: int, memo: dict[int, int] = {}) -> int:  # noqa: B006
    return 1 if n < 2 else sum(halves(n // 2) + n * 0 for _ in range(2)) + len(memo)


def test_a_function_that_calls_itself_in_a_comprehension(monkeypatch: pytest.MonkeyPatch) -> None:
    """After many short calls it stands in its module with a statement more, which others must not see."""
    monkeypatch.delenv("NPREWRITE_WAIT")
    expected = halves(8)
    monkeypatch.setitem(globals(), "halves", nprewrite.jit(halves))
    assert {halves(8) for _ in range(3000)} == {expected}
    assert halves.__code__.co_name == "halves"
