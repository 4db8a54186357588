"""``npr.fft`` gives what ``numpy.fft`` gives, by the library of torch where that has one."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.fft
from runtime_programs import Array

from nprewrite.runtime import fft, scipy_fft
from nprewrite.runtime.torch import transforms

NAMES = [f"{kind}{axes}" for kind in ("fft", "ifft", "rfft", "irfft") for axes in ("", "2", "n")]
SHAPES = [(), (1,), (2,), (7,), (5000,), (1, 5), (0, 3), (33, 50), (3, 64, 64), (2, 3, 4, 5)]
AXES = [None, 0, -1, 1, (0, 1), (1, 0), (0,), (0, 2), (0, 0), [0, 1], 5]

pytestmark = pytest.mark.skipif(transforms.opened() is None, reason="torch has another library")


@pytest.fixture
def only_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every call computed by the library if it can be, at once."""
    fft._library.is_over = True
    monkeypatch.setattr(
        fft._Way, "begin", lambda way, sides: way.__dict__.update(sides=sides, kept=sides[-1])
    )
    for name in NAMES:
        monkeypatch.setattr(getattr(fft, name), "_ways", {})
        monkeypatch.setattr(getattr(scipy_fft, name), "_ways", {})


def outcome(function: Any, array: Any, named: dict[str, Any]) -> Any:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            return function(array, **named), [str(each.message) for each in said]
        except (ValueError, TypeError, LookupError, FloatingPointError) as error:
            return type(error), str(error)


def assert_same(found: Any, expected: Any, single: bool) -> None:
    if not isinstance(expected[0], np.ndarray):
        assert found == expected
        return
    (found, said), (expected, wanted) = found, expected
    assert (found.dtype, found.shape, said) == (expected.dtype, expected.shape, wanted)
    scale = np.abs(expected).max(initial=1e-300)
    assert np.abs(found * 1.0 - expected).max(initial=0.0) <= (1e-5 if single else 1e-14) * scale


def arrays(shape: tuple[int, ...], dtype: str) -> Iterator[Array]:
    rng = np.random.default_rng(5)
    made = rng.normal(size=shape) * 9
    whole = (made + 1j * rng.normal(size=shape) if dtype in "DF" else made).astype(dtype)
    yield whole
    yield whole.T
    if whole.ndim:
        yield whole[::2]


@pytest.mark.parametrize("dtype", "dfDFg?i")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("only_the_library")
def test_gives_what_numpy_gives(name: str, dtype: str) -> None:
    key = "axes" if name.endswith(("2", "n")) else "axis"
    norms = [None, "ortho", "forward", "sideways"]
    for shape in SHAPES:
        for array in arrays(shape, dtype):
            for axes in AXES:
                for norm in norms[: 4 if axes is None else 2]:
                    named = {} if axes is None else {key: axes}
                    named |= {} if norm is None else {"norm": norm}
                    expected = outcome(getattr(np.fft, name), array, named)
                    assert_same(outcome(getattr(fft, name), array, named), expected, dtype in "fF")


LENGTHS = [None, 1, 4, 9, 20, 0, -3, 2.0, True, (4, 9), (9, 4), (7,), (5, 6, 7), (4, 0), (4, None)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("only_the_library")
def test_other_lengths_are_those_of_numpy(name: str) -> None:
    original, function = getattr(np.fft, name), getattr(fft, name)
    axes, key = ("axes", "s") if name.endswith(("2", "n")) else ("axis", "n")
    for array in (array for shape in ((9,), (7, 8), (3, 64, 64)) for array in arrays(shape, "D")):
        given = array.real if name.startswith("r") else array
        for length in LENGTHS:
            expected = outcome(original, given, {key: length})
            assert_same(outcome(function, given, {key: length}), expected, False)
            assert_same(outcome(lambda a, n=length: function(a, n), given, {}), expected, False)
            for along in (0, 1.0, True, (0, 1), (-1, 0), (1.0, 0), (1,)):
                named = {key: length, axes: along}
                assert_same(outcome(function, given, named), outcome(original, given, named), False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("only_the_library")
def test_gives_what_scipy_gives(name: str) -> None:
    original, function = getattr(scipy.fft, name), getattr(scipy_fft, name)
    for dtype in "dfDF?i":
        for shape in ((7,), (33, 50), (3, 64, 64)):
            for array in arrays(shape, dtype):
                for named in ({}, {"norm": "ortho"}, {"workers": 1}, {"sideways": 1}):
                    expected = outcome(original, array, named)
                    assert_same(outcome(function, array, named), expected, dtype in "fF")
    assert any(way.kept for way in function._ways.values())
    np.testing.assert_array_equal(function(x=[[1.0, 2.0], [3.0, 5.0]]), original(x=[[1.0, 2.0], [3.0, 5.0]]))


@pytest.mark.usefixtures("only_the_library")
def test_the_library_computes() -> None:
    array = np.random.default_rng(6).random((64, 50))
    for name in NAMES:
        function = getattr(fft, name)
        function(array * (1 + 0j) if name.startswith("ir") else array if name.startswith("r") else array + 1j)
        (way,) = function._ways.values()
        assert way.kept


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, complex(0, np.nan), complex(np.inf, np.nan)])
@pytest.mark.parametrize("shape", [(16,), (30,), (12, 20)])
@pytest.mark.usefixtures("only_the_library")
def test_what_is_not_finite_is_computed_by_numpy(shape: tuple[int, ...], bad: complex) -> None:
    array = np.random.default_rng(7).random(shape) + 0j
    array.flat[array.size // 3] = bad
    for name in NAMES:
        given = array.real.copy() if name.startswith("r") else array
        if np.isfinite(given).all():
            continue
        expected = outcome(getattr(np.fft, name), given, {})
        found = outcome(getattr(fft, name), given, {})
        if not isinstance(expected[0], np.ndarray):
            assert found == expected
            continue
        # The inverse of half a spectrum leaves out some imaginary parts.
        exact = not np.isfinite(expected[0]).all()
        np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=0 if exact else 1e-14)
        assert found[1] == expected[1]


@pytest.mark.usefixtures("only_the_library")
def test_other_parameters_are_numpys() -> None:
    array = np.random.default_rng(8).random((6, 8))
    np.testing.assert_array_equal(fft.fft(array, 5, 0), np.fft.fft(array, 5, 0))
    np.testing.assert_array_equal(fft.fft(array, axis=np.int64(0)), np.fft.fft(array, axis=np.int64(0)))
    out = np.empty((6, 8), complex)
    assert fft.fft(array, out=out) is out
    np.testing.assert_array_equal(fft.fft([1, 2, 3]), np.fft.fft([1, 2, 3]))
    np.testing.assert_array_equal(fft.fft(array.astype(">f8")), np.fft.fft(array.astype(">f8")))
    with pytest.raises(TypeError, match="sideways"):
        fft.fft(array, sideways=1)
    with pytest.raises(TypeError, match="multiple values"):
        fft.fft(array, 8, n=8)
    with pytest.raises(TypeError, match="missing"):
        fft.fft()


@pytest.mark.usefixtures("only_the_library")
def test_watched_errors_are_numpys() -> None:
    huge = np.full(64, 1e308)
    with np.errstate(over="raise"):
        expected = outcome(np.fft.fft, huge, {})
        assert outcome(fft.fft, huge, {}) == expected
    assert expected[0] is FloatingPointError
    (way,) = fft.fft._ways.values()
    assert not way.sides


def test_results_do_not_share_memory_and_arguments_stay() -> None:
    fft._library.is_over = True
    array = np.random.default_rng(9).random((32, 32)) + 1j
    before = array.copy()
    first, second = fft.fft2(array), fft.fft2(array)
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, array)
    assert first.flags.writeable
    assert first.flags.owndata
    np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize(
    ("seconds", "kept"),
    [((2.0, 3.0), 0), ((2.0, 1.0), 1), ((3.0, 2.0, 1.0), 2), ((3.0, 2.0, 1.9), 1), ((2.0, 3.0, 1.9), 0)],
)
def test_the_fastest_side_is_kept(seconds: tuple[float, ...], kept: int) -> None:
    way, sides = fft._Way(), [(object(),) for _ in seconds]
    way.begin([*sides])  # type: ignore[list-item]
    seen = []
    for _ in range(fft._TRIES * len(seconds)):
        seen.append(way.turn)
        way.note(seconds[way.turn])
    assert {seen.count(each) for each in range(len(seconds))} == {fft._TRIES}
    assert (way.kept or way.sides[way.turn]) is sides[kept]
    assert (way.kept is not None) == (kept < 2)


def test_threads_that_wait_for_each_other_are_given_up() -> None:
    way, sides = fft._Way(), [(object(),) for _ in range(3)]
    way.begin([*sides])  # type: ignore[list-item]
    while way._left:
        way.note((3.0, 2.0, 1.0)[way.turn])
    for seconds in (9.0, 1.0, *[9.0] * (fft._LATE - 1)):
        way.note(seconds)
        assert way.kept is None
    way.note(9.0)
    assert way.kept is sides[1]


LITTLE = """
import sys
import numpy as np
import nprewrite.runtime as npr
from nprewrite.runtime.torch import package

signal = np.arange(64.0)
for _ in range(20):
    npr.fft.fft(signal)
print("library" if package._opening.cache_info().currsize else "numpy")
npr.fft._library.spend(1.0)
while not npr.fft._library.is_over:
    npr.fft._library.spend(0.0)
for _ in range(20):
    npr.fft.fft(signal)
(way,) = npr.fft.fft._ways.values()
print(way.kept is not None, "torch" in sys.modules)
"""


def test_a_program_that_transforms_little_opens_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LITTLE],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NPREWRITE_WAIT": "0"},
    )
    assert (done.stderr, done.stdout.splitlines()) == ("", ["numpy", "True False"])


def test_without_torch_numpy_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transforms, "opened", lambda: None)
    monkeypatch.setattr(fft.fft, "_ways", {})
    array = np.random.default_rng(10).random(64)
    np.testing.assert_array_equal(fft.fft(array), np.fft.fft(array))
    fft._library.is_over = True
    np.testing.assert_array_equal(fft.fft(array), np.fft.fft(array))
