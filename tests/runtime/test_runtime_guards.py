"""Where a step must not run, the body as written does, from the start, and the user is told once."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.base.errors import NprewriteWarning
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature
from nprewrite.runtime.choosing import cost

pytestmark = pytest.mark.usefixtures("in_numpy")


@npr.step(
    counter="n",
    scalars={"n": "int8"},
    constants={"c": "float32", "k": "int16"},
    bounds={"c": (0.5, 4.0)},
    inputs={"x": "float32"},
    state={"a": "float32"},
    lanewise=True,
)
def growth_step(n: Array, c: Array, k: Array, x: Array, a: Array) -> tuple[Array, ...]:
    return (a * c + x,)


class Sub(np.ndarray[Any, Any]):
    """A subclass that looks like an array."""


@pytest.fixture
def arguments() -> dict[str, Any]:
    return {"c": 2.0, "k": 3, "x": np.arange(6, dtype=np.float32), "a": np.ones(6, np.float32)}


def runs(iterable: Any, arguments: dict[str, Any]) -> list[Any]:
    """The iterations left for the body as written; none where the step ran."""
    return list(growth_step.over(iterable, **arguments))


def test_the_step_runs_where_nothing_is_wrong(arguments: dict[str, Any]) -> None:
    wanted = arguments["a"].copy()
    for _ in range(5):
        wanted = wanted * np.float32(2) + arguments["x"]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        assert runs(range(5), arguments) == []
    assert not told
    np.testing.assert_array_equal(arguments["a"], wanted)


def overlapping() -> Array:
    return np.lib.stride_tricks.as_strided(np.ones(8, np.float32), (6,), (0,))


def sliding() -> Array:
    return np.lib.stride_tricks.sliding_window_view(np.ones(8, np.float32), 3, writeable=True)


def unaligned() -> Array:
    return np.zeros(25, np.uint8)[1:25].view(np.float32)


def read_only() -> Array:
    array = np.ones(6, np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("a", np.ones(6, np.float32).view(Sub), "type of a"),
        ("a", np.ma.masked_array(np.ones(6, np.float32)), "type of a"),
        ("a", [1.0] * 6, "type of a"),
        ("a", np.float32(1), "type of a"),
        ("x", np.ones(6), "dtype of x"),
        ("x", np.ones(6, ">f4"), "dtype of x"),
        ("a", unaligned(), "alignment of a"),
        ("x", np.ones((6, 1), np.float32), "shape of x"),
        ("x", np.ones(1, np.float32), "shape of x"),
        ("a", np.ones((), np.float32), "shape of a"),
        ("a", read_only(), "a is read-only"),
        ("a", overlapping(), "a overlaps itself"),
        ("c", 1, None),
        ("c", np.float32(2), "type of c"),
        ("c", np.float64(2), "type of c"),
        ("c", True, "type of c"),
        ("c", 2 + 0j, "type of c"),
        ("c", 10**400, "range of c"),
        ("c", 4.5, "bounds of c"),
        ("c", float("nan"), "bounds of c"),
        ("k", 3.0, "type of k"),
        ("k", True, "type of k"),
        ("k", np.int16(3), "type of k"),
        ("k", 2**15, "range of k"),
        ("k", -(2**15), None),
    ],
)
def test_arguments(arguments: dict[str, Any], name: str, value: Any, reason: str | None) -> None:
    arguments[name] = value
    growth_step.runs.clear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        left = runs(range(5), arguments)
    if reason is None:
        assert left == []
        assert growth_step.runs == {"numpy": 1}
        assert not told
        return
    assert left == [0, 1, 2, 3, 4]
    assert growth_step.runs == {f"as written: {reason}": 1}
    if "alignment" in reason:
        # A field of packed records: nothing that its author would change.
        assert not told
        return
    assert [warning.category for warning in told] == [NprewriteWarning]
    assert repr(name) in str(told[0].message)


def test_state_that_shares_memory(arguments: dict[str, Any]) -> None:
    arguments["x"] = arguments["a"][::-1]
    with pytest.warns(NprewriteWarning, match="'a' and 'x' may share memory, expected separate memory"):
        assert runs(range(3), arguments) == [0, 1, 2]


def test_inputs_may_share_memory() -> None:
    x = np.arange(6.0)
    step = npr.step(inputs={"x": "float64", "y": "float64"}, state={"a": "float64"}, lanewise=True)(
        lambda x, y, a: (a + x * y,)
    )
    a = np.zeros(6)
    assert list(step.over(range(2), x=x, y=x, a=a)) == []
    np.testing.assert_array_equal(a, 2 * x * x)


def test_a_sliding_window_overlaps_itself() -> None:
    assert guards.may_overlap_itself(sliding())
    assert not guards.may_overlap_itself(np.ones((3, 4, 5))[::-1, ::2].transpose(2, 0, 1))
    assert not guards.may_overlap_itself(np.broadcast_to(np.ones(1), (1, 1)))


@pytest.mark.parametrize("action", ["raise", "call", "print", "log"])
def test_watched_floating_point_errors(arguments: dict[str, Any], action: Any) -> None:
    growth_step.runs.clear()
    with np.errstate(over=action), pytest.warns(NprewriteWarning, match=f"over='{action}'"):
        assert runs(range(2), arguments) == [0, 1]
    assert growth_step.runs == {"as written: floating-point errors are watched": 1}


@pytest.mark.parametrize("iterable", [[1, 2, 3], np.arange(3), (n for n in (4, 5))])
def test_only_a_range(arguments: dict[str, Any], iterable: Any) -> None:
    kept, given = itertools.tee(iterable) if isinstance(iterable, Iterator) else (iterable, iterable)
    with pytest.warns(NprewriteWarning, match="expected a range"):
        assert runs(given, arguments) == list(kept)


def test_a_range_too_long_to_count(arguments: dict[str, Any]) -> None:
    def first() -> int:
        for number in growth_step.over(range(10**30), **arguments):
            return int(number)
        return -1

    with pytest.warns(NprewriteWarning, match="expected fewer iterations"):
        assert first() == 0


def test_no_iterations(arguments: dict[str, Any]) -> None:
    before = arguments["a"].copy()
    loop = growth_step.over(range(0), **arguments)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        assert list(loop) == []
    assert not told
    assert not loop.finished
    np.testing.assert_array_equal(arguments["a"], before)


def test_empty_arrays_are_silent(arguments: dict[str, Any]) -> None:
    arguments |= {"a": np.ones(0, np.float32), "x": np.ones(0, np.float32)}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        assert runs(range(2), arguments) == [0, 1]
    assert not told


@pytest.mark.parametrize(
    ("trips", "fits"), [(range(128), True), (range(129), False), (range(0, -131, -1), False)]
)
def test_the_counter_must_fit_its_box(arguments: dict[str, Any], trips: range, fits: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert runs(trips, arguments) == ([] if fits else list(trips))


def test_a_warning_names_the_loop_and_comes_once_a_line(arguments: dict[str, Any]) -> None:
    arguments["c"] = 9.0
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            runs(range(1), arguments)
        list(growth_step.over(range(1), **arguments))
        arguments["c"] = True
        runs(range(1), arguments)
    assert [warning.filename for warning in told] == [__file__] * 3
    assert len({warning.lineno for warning in told}) == 2
    first = str(told[0].message)
    assert first.startswith(f"{__file__}:{told[0].lineno}: the loop in `runs` runs as written: ")
    assert "'c' is 9.0, expected 0.5 to 4.0" in first


def test_a_loop_that_is_left_with_an_error_is_not_told_before_it(arguments: dict[str, Any]) -> None:
    arguments["a"] = np.ones((2, 3), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NprewriteWarning)
        with contextlib.suppress(ArithmeticError):
            for number in growth_step.over(range(7), **arguments):
                raise ArithmeticError(number)
    with pytest.warns(NprewriteWarning, match="the loop in `runs` runs as written"):
        assert runs(range(7), arguments) == list(range(7))


def test_wrong_names_are_errors(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="other arguments than the step declares: k, q"):
        growth_step.over(range(3), **{"q" if name == "k" else name: arguments[name] for name in arguments})


SCALED = npr.step(
    counter="n", scalars={"n": "int64", "f": "float64"}, state={"a": "float64"}, carried={"b": "float64"}
)


@SCALED
def scaled_step(n: Array, f: Array, a: Array, b: Array) -> tuple[Array, ...]:
    return a * f + n, b + a


@pytest.mark.parametrize(
    ("scalars", "error", "reason"),
    [
        (lambda n: (n, 1 / (n - 12)), "ZeroDivisionError", "scalars raise"),
        (lambda n: (n, [1.0, 2.0][n // 10]), "IndexError", "scalars raise"),
        (lambda n: (n, 2.0**n if n < 13 else 2.0**5000), "OverflowError", "scalars raise"),
        (lambda n: (2**60 * n, 1.0), "", "range of n"),
        (lambda n: (n, n if n != 13 else np.float32(n)), "", "type of f"),
        (lambda n: (n, 10**400 if n == 14 else 1), "", "range of f"),
    ],
)
def test_a_scalar_that_fails_late_leaves_everything_to_the_body(
    scalars: Any, error: str, reason: str
) -> None:
    a, b = np.ones(4), np.ones(4)
    scaled_step.runs.clear()
    with pytest.warns(NprewriteWarning, match=error or "expected|too large"):
        left = list(scaled_step.over(range(30), scalars=scalars, a=a, b=b))
    assert left == list(range(30))
    assert scaled_step.runs == {f"as written: {reason}": 1}
    assert a.tolist() == [1, 1, 1, 1]


def test_scalars_after_an_early_stop_are_checked_as_well() -> None:
    step = npr.step(
        counter="n", scalars={"n": "int64", "f": "float64"}, state={"a": "float64"}, lanewise=True, live="m"
    )(lambda n, f, a: (a, a > 1))
    a = np.zeros(4)
    with pytest.warns(NprewriteWarning, match="ZeroDivisionError"):
        left = list(step.over(range(30), scalars=lambda n: (n, 1 / (n - 25)), a=a))
    assert left == list(range(30))
    assert list(step.over(range(25), scalars=lambda n: (n, 1 / (n - 25)), a=a)) == []


def test_scalars_are_needed_where_one_is_not_the_counter() -> None:
    with pytest.raises(TypeError, match="needs scalars="):
        scaled_step.over(range(3), a=np.ones(2), b=np.ones(2))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda a, b: (a.astype(np.float32), b), "dtype of the result a"),
        (lambda a, b: (a, b[:2]), "shape of the result b"),
        (lambda a, b: (a, b.sum()), "shape of the result b"),
        (lambda a, b: (a, b[7]), "the step raised IndexError"),
    ],
)
def test_results_must_be_as_declared(function: Any, reason: str) -> None:
    step = npr.step(state={"a": "float64"}, carried={"b": "float64"})(function)
    a, b = np.ones(4), np.ones(4)
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert list(step.over(range(3), a=a, b=b)) == [0, 1, 2]
    assert step.runs == {f"as written: {reason}": 2}


def test_a_store_into_state_broadcasts() -> None:
    step = npr.step(state={"a": "float64"})(lambda a: (a[0] + 1,))
    a = np.arange(6.0).reshape(2, 3)
    assert list(step.over(range(2), a=a)) == []
    assert a.tolist() == [[2, 3, 4], [2, 3, 4]]


@pytest.mark.parametrize(
    ("declared", "error"),
    [
        ({"inputs": {"x": "float64"}}, ValueError),
        ({"state": {"a": "float64"}, "live": "m"}, ValueError),
        ({"state": {"a": "float64"}, "chunked": True}, ValueError),
        ({"state": {"a": "float64"}, "bounds": {"h": (0, 1)}}, ValueError),
        ({"state": {"a": "f8"}, "constants": {"h": npr.pair("f4")}, "bounds": {"h": (0, 1)}}, ValueError),
        ({"state": {"a": "U3"}}, TypeError),
        ({"state": {"a": "float65"}}, TypeError),
    ],
)
def test_declarations_that_disagree(declared: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        npr.step(**declared)


def test_a_pair_is_of_two_floats() -> None:
    with pytest.raises(TypeError, match="float32 or float64"):
        npr.pair("int32")


@pytest.mark.parametrize(
    ("value", "good"), [(1 + 2j, True), (2, True), (0.5, True), (np.complex64(1), False)]
)
def test_complex_constants(value: Any, good: bool) -> None:
    step = npr.step(
        constants={"c": npr.pair("float32"), "d": "complex64"},
        state={"z": npr.pair("float32")},
        lanewise=True,
    )(lambda c_re, c_im, d, z_re, z_im: (z_re + c_re + d.real, z_im + c_im + d.imag))
    z = np.zeros(3, np.complex64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        left = list(step.over(range(2), c=value, d=value, z=z))
    assert left == ([] if good else [0, 1])
    assert z.dtype == np.complex64
    assert z.tolist() == [4 * value if good else 0] * 3


def test_little_work_is_left_to_the_body_without_a_word(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any]
) -> None:
    monkeypatch.delenv("NPREWRITE_DISABLE")
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 1 << 20)
    step = npr.step(inputs={"x": "float32"}, state={"a": "float32"}, compile=True)(lambda x, a: (a + x,))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        assert list(step.over(range(3), x=arguments["x"], a=arguments["a"])) == [0, 1, 2]
    assert not told
    assert step.runs == {"as written: too little work to compile for": 1}


def test_the_place_of_a_loop_is_where_over_is_called(tmp_path: Path, arguments: dict[str, Any]) -> None:
    code = compile("\n\nleft = list(step.over('abc', **arguments))", str(tmp_path / "user.py"), "exec")
    with pytest.warns(NprewriteWarning, match=r"user\.py:3: ") as told:
        exec(code, {"step": growth_step, "arguments": arguments})
    assert told[0].lineno == 3


@npr.step(carried={"x": "float64"}, compile=True)
def sum_step(x: Array) -> tuple[Array, ...]:
    return (x + x * 0.5,)


@npr.step(carried={"x": "float64"}, compile=True)
def wave_step(x: Array) -> tuple[Array, ...]:
    return (np.sin(x) + np.cos(x) * np.exp(-x),)


def _check_work(signature: Signature, given: dict[str, Any], weight: int) -> None:
    size = guards.work(signature, given, weight)
    guards.check_work(range(8), signature, size, 1 << 15, 1 << 20)


@pytest.mark.parametrize(("step", "weight", "refused"), [(sum_step, 1, True), (wave_step, 13, False)])
def test_elements_that_cost_more_are_less_to_compile_for(step: npr.Step, weight: int, refused: bool) -> None:
    assert cost.weight(step.function) == weight
    given = {"x": np.ones(1 << 15)}
    if not refused:
        _check_work(step.signature, given, weight)
        return
    with pytest.raises(Refused) as caught:
        _check_work(step.signature, given, weight)
    assert caught.value.silent


@npr.step(inputs={"x": "float64"}, carried={"mean": "float64"}, compile=True)
def mean_step(x: Array, mean: Array) -> tuple[Array, ...]:
    return (mean + (x - mean).mean(axis=0),)


def test_small_arrays_are_worth_a_call_in_many_operations() -> None:
    x = np.ones(1000)
    guards.check_work(range(1), ONCE, x.size, 1 << 15, 1 << 20, operations=40)
    with pytest.raises(Refused):
        guards.check_work(range(1), ONCE, x.size, 1 << 15, 1 << 20, operations=10)


@npr.step(inputs={"x": "float64"}, out={"d": "float64"}, once=True, grows=True, compile=True)
def pairs_step(x: Array) -> tuple[Array, ...]:
    return (x - x.T,)


ONCE = pairs_step.signature


def test_differences_of_all_pairs_are_as_many_as_their_product() -> None:
    assert guards.work(ONCE, {"x": np.ones((1500, 1))}, 1) == 1500 * 1500
    assert cost.operations(pairs_step.function) == 1


def test_the_largest_array_is_the_work() -> None:
    """Few numbers of many points: what is carried is small."""
    assert guards.work(mean_step.signature, {"x": np.ones((1000, 3)), "mean": np.zeros(3)}, 2) == 6000


def test_an_int_for_a_float_that_integer_arrays_may_meet() -> None:
    """NumPy keeps integers that an int is multiplied with, and widens them for a float."""

    @npr.step(constants={"a": npr.exact("float64")}, inputs={"x": "int64"}, out={"y": "float64"}, once=True)
    def scaled_step(a: Array, x: Array) -> tuple[Array, ...]:
        return (x * a,)

    x = np.arange(6)
    assert list(scaled_step.over(range(1), a=2.0, x=x)) == []
    assert list(scaled_step.over(range(1), a=np.float64(2), x=x)) == []
    with pytest.warns(NprewriteWarning, match=r"'a' is 2 of type int, expected a Python float or float64"):
        assert list(scaled_step.over(range(1), a=2, x=x)) == [0]


@npr.step(inputs={"y": "float64"}, carried={"x": "float64"})
def averaged_step(y: Array, x: Array) -> tuple[Array, ...]:
    return (0.5 * (x + y),)


@pytest.mark.parametrize("turned", [(False, False), (True, True), (False, True), (True, False)])
def test_new_arrays_have_the_layout_that_numpy_gives(turned: tuple[bool, bool]) -> None:
    x, y = (np.ones((4, 3)).T if each else np.ones((3, 4)) for each in turned)
    loop = averaged_step.over(range(2), x=x, y=y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        left = list(loop)
    assert bool(left) == (turned == (True, False))
    if not left:
        assert loop.results[0].strides == (0.5 * (x + y)).strides
