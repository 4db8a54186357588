"""What a rewrite or torch.compile changes in a program at run time: each gives what it gave, compiled.

Rows of three kinds: stores and stencils, scalars and single precision, and torch itself. Every program runs
through ``@nprewrite.jit`` with everything compiled that can be, on arrays as small as these.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from nprewrite.decorated import turns

pytest.importorskip("torch")

Arguments = Callable[[], tuple[Any, ...]]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("hazards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NPREWRITE_CACHE_DIR", str(folder))
        patch.delenv("NPREWRITE_DISABLE", raising=False)
        patch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
        patch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
        patch.setattr(turns, "ALWAYS", "rewritten")
        # Their arrays are small, and stand for large ones.
        patch.setattr("nprewrite.regions.native.small_arrays._MOST", 0)
        patch.syspath_prepend(str(Path(__file__).parent))
        yield importlib.import_module("hazard_programs")
        sys.modules.pop("hazard_programs")


def line(count: int = 12, dtype: Any = np.float64) -> Any:
    return np.linspace(0.25, 2.0, count).astype(dtype)


def grid() -> Any:
    return np.linspace(-1.0, 3.0, 35).reshape(5, 7)


def frozen(array: Any) -> Any:
    array.flags.writeable = False
    return array


def over_bytes() -> Any:
    return np.frombuffer(bytes(range(96)), np.uint8).astype(np.float64).tobytes()


def mapped(folder: Path) -> Any:
    path = folder / "array.bin"
    line().tofile(path)
    return np.memmap(path, np.float64, "r")


def overlapping_pair() -> tuple[Any, ...]:
    base = line(20)
    return base[:12], base[8:]


def one_array_twice() -> tuple[Any, ...]:
    x = line()
    return x, x


def distances() -> Any:
    d = np.array([[0.0, 3, 8], [2, 0, 1], [4, 7, 0]])
    d[1, 1] = -0.5
    return d


def generator() -> Any:
    np.random.seed(7)
    return np.random.default_rng(5)


def calls(folder: Path) -> dict[str, tuple[str, list[Arguments]]]:
    """For each row the program, and what makes its arguments anew."""
    return {
        # Stores in place, and stencils.
        "another-name-sees-it": ("other_name", [lambda: (line(),)]),
        "float32-stays": (
            "added_doubles",
            [lambda: (line(dtype=np.float32), 5), lambda: (line(dtype=np.float32)[::2], 9)],
        ),
        "integers-divided-in-place": ("divided_in_place", [lambda: (np.arange(12),), lambda: (line(),)]),
        "wider-right-side": ("widened_in_place", [lambda: (np.ones(2), np.ones((2, 2)))]),
        "buffered-overlap": ("overlapping", [lambda: (line(), 3)]),
        "what-this-sweep-wrote": ("swept", [lambda: (line(),)]),
        "minus-one-wraps": ("around", [lambda: (line(),)]),
        "integer-stores-truncate": ("truncated", [lambda: (np.arange(12) ** 2, 4), lambda: (line(), 4)]),
        "order-of-sums": ("summed_one_by_one", [lambda: (line(1000, np.float32),)]),
        "zeros-with-signs": ("zeros_with_signs", [lambda: (np.array([0.0, -0.0, 1.0, -0.0, -1.0]),)]),
        "negative-diagonal": ("shortest_paths", [lambda: (distances(),)]),
        # Scalars and single precision.
        "numpy-integer-wraps": (
            "plus_ten",
            [lambda: (np.arange(5, dtype=np.uint8), np.uint8(250)), lambda: (np.arange(5), 250)],
        ),
        "integer-widens-float32": (
            "times_number",
            [
                lambda: (line(dtype=np.float32), np.int64(2)),
                lambda: (line(dtype=np.float32), 2),
                lambda: (line(dtype=np.float32), np.float64(2)),
            ],
        ),
        "numbers-of-several-types": (
            "sometimes_numpys",
            [
                partial(lambda dtype, k, trips: (line(dtype=dtype), k, trips), *each)
                for each in product(
                    (np.float64, np.float32, np.int64),
                    (2, 0.5, np.float64(0.5), np.float32(0.5), 2**60, True),
                    (1, 2, 3, 5),
                )
            ],
        ),
        "numbers-reduced-again": (
            "summed_twice",
            [lambda: (line(),), lambda: (line(dtype=np.float32),), lambda: (np.full(3, np.nan),)],
        ),
        "root-of-a-negative-number": (
            "cube_roots",
            [lambda: (grid(), -8.0), lambda: (grid(), np.float64(-8.0))],
        ),
        "integer-in-a-slice": ("first_ones", [lambda: (line(),)]),
        "float32-limits": ("next_number", [lambda: (np.full(5, 2.0**24, np.float32), 1e39)]),
        "tolerance-below-the-precision": (
            "converged",
            [lambda: (line(dtype=np.float32) + 1, 50), lambda: (line() + 1, 50)],
        ),
        # Torch.
        "read-only-arrays": (
            "only_read",
            [lambda: (frozen(line()), line()), lambda: (frozen(line())[::2], frozen(line(6)))],
        ),
        "arrays-over-bytes": ("only_read", [lambda: (np.frombuffer(over_bytes()), line(96))]),
        "read-only-files": (
            "only_read",
            [lambda: (np.asarray(mapped(folder)), line()), lambda: (mapped(folder), line())],
        ),
        "caught-index": ("attempt", [lambda: (line(), 7), lambda: (line(), 70)]),
        "numpy-scalars": ("scalars", [lambda: (line(),), lambda: (line(dtype=np.float32),)]),
        "scalar-of-a-loop": ("scalar_of_a_loop", [lambda: (line(), 4), lambda: (line(), 0)]),
        "random-numbers": ("drawn", [lambda: (line(), generator())]),
        "error-state": ("silenced", [lambda: (line(),), lambda: (np.zeros(5),)]),
        "unsigned": ("unsigned", [lambda: (np.arange(12, dtype=np.uint32), 5)]),
        "mutation-and-views": (
            "stored",
            [lambda: (line(), 5), lambda: (line(24)[::2], 5), lambda: (line()[::-1], 5)],
        ),
        "overlapping-arguments": ("both", [overlapping_pair, one_array_twice]),
        "read-only-target": ("both", [lambda: (frozen(line()), line()), lambda: (line(), frozen(line()))]),
        "arguments-given-back": ("same_back", [lambda: (grid(),)]),
        "lists-that-grow": ("deleted", [lambda: (line(), [])]),
        "other-shapes": ("only_read", [lambda: (grid(), grid()), lambda: (grid(), grid()[0])]),
        "empty-arrays": ("only_read", [lambda: (line(0), line(0)), lambda: (grid()[:0], grid()[0])]),
        "subclasses": ("only_read", [lambda: (np.ma.masked_less(line(), 1), line())]),
    }


ROWS = list(calls(Path()))


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result or the type of the exception; the arguments after the call stand beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            return type(error), None
    return None, result


def assert_same(new: Any, old: Any, where: str) -> None:
    """Type, dtype, shape, layout's flags, values up to rounding."""
    assert type(new) is type(old), where
    if isinstance(old, tuple | list):
        assert len(new) == len(old)
        for number, (one, other) in enumerate(zip(new, old, strict=True)):
            assert_same(one, other, f"{where}[{number}]")
    elif isinstance(old, np.ndarray | np.generic):
        assert new.dtype == old.dtype, where
        assert new.shape == old.shape, where
        assert new.flags.writeable == old.flags.writeable, where
        exact = old.dtype.kind in "biu"
        rtol = 0 if exact else 100 * np.finfo(old.dtype).eps
        np.testing.assert_allclose(new, old, rtol=rtol, err_msg=where)
    elif isinstance(old, np.random.Generator):
        assert new.bit_generator.state == old.bit_generator.state, where
    else:
        assert new == old or (new != new and old != old), where


def sharing(result: Any, arguments: tuple[Any, ...]) -> list[tuple[bool, bool]]:
    """Which results are an argument, or lie in its memory."""
    results = result if isinstance(result, tuple) else (result,)
    return [
        (one is each, isinstance(one, np.ndarray) and np.shares_memory(one, each))
        for one in results
        for each in arguments
        if isinstance(each, np.ndarray)
    ]


@pytest.mark.parametrize("row", ROWS)
def test_row(programs: ModuleType, tmp_path: Path, row: str) -> None:
    name, cases = calls(tmp_path)[row]
    function = getattr(programs, name)
    for case in cases:
        # Twice: what runs first may be another thing than what runs then.
        for _ in range(2):
            given = case()
            new, drawn = outcome(function, given), np.random.get_state()[1:3]
            kept = case()
            old, wanted = outcome(function.original, kept), np.random.get_state()[1:3]
            assert new[0] is old[0]
            assert_same(new[1], old[1], "result")
            assert_same(given, kept, "arguments")
            assert_same(drawn, wanted, "random numbers")
            assert sharing(new[1], given) == sharing(old[1], kept)


COMPILED = ["added_doubles", "truncated", "only_read", "scalars", "scalar_of_a_loop", "stored"]


@pytest.mark.parametrize("name", COMPILED)
def test_these_ran_compiled(programs: ModuleType, tmp_path: Path, name: str) -> None:
    """The rows above tell something only where something was compiled."""
    function = getattr(programs, name)
    arguments = next(cases[0] for program, cases in calls(tmp_path).values() if program == name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(*arguments())
        before = function.version.compiled_runs
        function(*arguments())
    assert function.version.compiled_runs > before


@pytest.mark.parametrize("state", ["raise", "print", "log", "call"])
def test_watched_errors_run_as_written(
    programs: ModuleType, state: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    told: list[Any] = []

    class Log:
        def write(self, text: str) -> None:
            told.append(text)

    def listener(kind: str, flag: int) -> None:
        told.append(kind)

    handler = listener if state == "call" else Log()
    ways = []
    for function in (programs.watched, programs.watched.original):
        with np.errstate(divide=state, call=handler):
            result = outcome(function, (np.array([1.0, 0.0]),))
        ways.append((result[0], list(told), capfd.readouterr()))
        told.clear()
    assert ways[0] == ways[1]
    assert ways[0][0] is FloatingPointError or ways[0][1] or ways[0][2].out or ways[0][2].err


def test_numbers_and_words_are_not_compiled_one_by_one(
    programs: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nprewrite.runtime.torch import compiler

    asked = []
    ask = compiler.ask
    monkeypatch.setattr(compiler, "ask", lambda job, seconds: asked.append(job) or ask(job, seconds))
    for k in range(12):
        np.testing.assert_allclose(
            programs.scaled(line(), k, k + 1), programs.scaled.original(line(), k, k + 1), rtol=1e-13
        )
    # Eight trips in a call, and one.
    assert len(asked) <= 2
    asked.clear()
    for k in range(12):
        word = "double" if k == 5 else "x" * k
        np.testing.assert_allclose(
            programs.by_name(line(), word), programs.by_name.original(line(), word), rtol=1e-13
        )
    assert len(asked) <= 2
