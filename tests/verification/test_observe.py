"""What is compared beside the values (types, mutation, sharing, exceptions, random state), and the copies."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from nprewrite.comparison import Case, CaseReport, Verdict, verify
from nprewrite.comparison.memory import copy_arguments

Function = Callable[..., Any]


def judged(before: Function, after: Function, *args: Any) -> CaseReport:
    """The report of one case; the functions are local, so that there is no oracle."""
    return verify(before, after, [Case("", args)]).cases[0]


@dataclass
class Box:
    """A plain object that holds an array."""

    content: Any


class Slotted:
    """An object without a dictionary."""

    __slots__ = ("content",)

    def __init__(self, content: Any) -> None:
        self.content = content


def _raises(error: BaseException) -> Function:
    def function(x: Any) -> Any:
        raise error

    return function


def _after(change: Callable[[Any], object]) -> Function:
    def function(x: Any) -> Any:
        change(x)
        return 1

    return function


def _writeable(x: Any, flag: bool) -> Any:
    made = x + 1
    made.flags.writeable = flag
    return made


PAIRS: list[tuple[str, Function, Function]] = [
    ("dtype", lambda x: x + 1, lambda x: (x + 1).astype("float32")),
    ("shape", lambda x: x.copy(), lambda x: x[:, None].copy()),
    ("type", lambda x: x.sum(), lambda x: np.asarray(x.sum())),
    ("type", lambda x: np.float64(1), lambda x: 1.0),
    ("type", lambda x: 1, lambda x: True),
    ("type", lambda x: np.ma.masked_array(x), lambda x: x.copy()),
    ("type", lambda x: np.float32(1), lambda x: np.float32(1).astype(np.float16)),
    ("tuple", lambda x: (1, 2), lambda x: [1, 2]),
    ("keys", lambda x: (1, 2), lambda x: (1, 2, 3)),
    ("keys", lambda x: {"a": 1, "b": 2}, lambda x: {"b": 2, "a": 1}),
    ("Box", lambda x: Box(1), lambda x: Slotted(1)),
    ("result.content", lambda x: Box(x + 1), lambda x: Box(x + 2)),
    ("result.content", lambda x: Slotted(x + 1), lambda x: Slotted(x + 2)),
    ("'a' before, 'b' after", lambda x: "a", lambda x: "b"),
    ("None", lambda x: None, lambda x: "None"),
    ("result", lambda x: 2**100, lambda x: 2**100 + 1),
    ("result", lambda x: np.array(["a"]), lambda x: np.array(["b"])),
    ("result", lambda x: np.array("2001", "M8[Y]"), lambda x: np.array("2002", "M8[Y]")),
    ("result", lambda x: np.ones(1, "i4,f8"), lambda x: np.zeros(1, "i4,f8")),
    ("result", lambda x: {1, 2}, lambda x: {1, 3}),
    (
        "result",
        lambda x: np.ma.masked_array(x, x > 0),
        lambda x: np.ma.masked_array(x, x > 1),
    ),
    ("args[0]", _after(lambda x: x.fill(1)), _after(lambda x: None)),
    ("writeable", lambda x: _writeable(x, False), lambda x: _writeable(x, True)),
    ("args[0]", lambda x: x, lambda x: x.copy()),
    ("share memory", lambda x: x[:], lambda x: x.copy()),
    ("same object", lambda x: (y := x + 1, y), lambda x: (x + 1, x + 1)),
    ("same object", lambda x: ([y := [1], y]), lambda x: [[1], [1]]),
    ("raises", _raises(ValueError("a")), _raises(TypeError("a"))),
    ("raises", _raises(ValueError("a")), lambda x: x),
    ("raises SystemExit", lambda x: x, _raises(SystemExit(2))),
    ("numpy.random", _after(lambda x: np.random.rand()), _after(lambda x: None)),
    ("random", _after(lambda x: random.random()), _after(lambda x: None)),
    ("result", lambda x: np.random.rand(), lambda x: 1 - np.random.rand()),
]


@pytest.mark.parametrize(("word", "before", "after"), PAIRS, ids=range(len(PAIRS)))
def test_difference_is_seen(word: str, before: Function, after: Function) -> None:
    x = np.arange(3.0)
    report = judged(before, after, x)
    assert report.verdict is Verdict.DIFFERENT
    assert word in " ".join(report.differences)
    assert judged(before, before, x).verdict is Verdict.SAME
    assert judged(after, after, x).verdict is Verdict.SAME
    np.testing.assert_array_equal(x, np.arange(3.0))


def test_random_numbers_are_the_same_on_both_sides() -> None:
    state = np.random.get_state()[1].tobytes()  # type: ignore[index,union-attr]
    assert judged(lambda: np.random.rand(3), lambda: np.random.random(3)).verdict is Verdict.SAME
    assert np.random.get_state()[1].tobytes() == state  # type: ignore[index,union-attr]


def test_generator_arguments_are_copied_and_compared() -> None:
    generator = np.random.default_rng(3)
    assert judged(lambda g: g.random(2), lambda g: g.random(2), generator).verdict is Verdict.SAME
    twice = judged(lambda g: g.random(2), lambda g: (g.random(2), g.random(2))[0], generator)
    assert twice.verdict is Verdict.DIFFERENT


@pytest.mark.parametrize("value", [lambda x: (k for k in x), lambda x: iter([1]), lambda x: object()])
def test_what_cannot_be_compared_is_said(value: Function) -> None:
    report = judged(value, value, np.ones(2))
    assert report.verdict is Verdict.FAILED
    assert "cannot be compared" in report.differences[0]


def test_arguments_that_cannot_be_copied_fail() -> None:
    report = judged(len, len, (k for k in range(3)))
    assert report.verdict is Verdict.FAILED
    assert "cannot be copied" in report.differences[0]


def test_lack_of_memory_fails() -> None:
    report = judged(lambda: 1, lambda: (_ for _ in ()).throw(MemoryError("2 TiB")))
    assert report.verdict is Verdict.FAILED
    assert "2 TiB" in report.differences[0]


def test_functions_and_classes_are_compared_by_name() -> None:
    assert judged(lambda: (len, Box), lambda: (len, Box)).verdict is Verdict.SAME
    assert judged(lambda: len, lambda: sum).verdict is Verdict.DIFFERENT


def test_cycles_end() -> None:
    def cycle() -> Any:
        made: list[Any] = [1]
        made.append(made)
        return made

    assert judged(cycle, cycle).verdict is Verdict.SAME


def _places(args: tuple[Any, ...]) -> list[Any]:
    return [(a.strides, a.flags.writeable, a.__array_interface__["data"][0] % 64) for a in args]


def test_copies_keep_layout_and_sharing() -> None:
    base = np.arange(24.0).reshape(4, 6)
    frozen = np.arange(3)
    frozen.flags.writeable = False
    args = (base[:, ::2], base.T, base[::-1], np.asfortranarray(base), frozen, base[0, 3:])
    copies, _ = copy_arguments(args, {})
    assert _places(copies) == _places(args)
    for old, new in zip(args, copies, strict=True):
        np.testing.assert_array_equal(old, new)
        assert not np.shares_memory(old, new)
    copies[2][3, 4] = -1.0
    assert copies[0][0, 2] == copies[1][4, 0] == copies[5][1] == -1.0
    assert copies[3][0, 4] == base[0, 4] == 4.0
    (empty,), _ = copy_arguments((base[1:1],), {})
    assert (empty.shape, empty.strides) == ((0, 6), (48, 8))


def test_copies_keep_identity_in_containers() -> None:
    x = np.zeros(3)
    (first, box), kwargs = copy_arguments((x, Box([x, {"part": x[1:]}])), {"again": x})
    assert first is box.content[0] is kwargs["again"]
    assert np.shares_memory(first, box.content[1]["part"])


def test_copies_of_python_objects_and_subclasses() -> None:
    objects = np.array([[1], "a"], dtype=object)
    masked = np.ma.masked_array([1, 2], [0, 1])
    (copied, other), _ = copy_arguments((objects, masked), {})
    copied[0].append(2)
    assert objects[0] == [1]
    assert other.mask.tolist() == [False, True]


def test_broadcast_arguments_stay_broadcast() -> None:
    row = np.lib.stride_tricks.as_strided(np.arange(3.0), (4, 3), (0, 8))
    (copied,), _ = copy_arguments((row,), {})
    assert copied.strides == (0, 8)
    np.testing.assert_array_equal(copied, row)


def test_odd_sharing_does_not_hang() -> None:
    x = np.zeros(2**16)
    a = np.lib.stride_tricks.as_strided(x, (20, 20, 20), (8 * 97, 8 * 89, 8 * 83))
    b = np.lib.stride_tricks.as_strided(x[1:], (20, 20, 20), (8 * 79, 8 * 73, 8 * 71))
    assert judged(lambda a, b: 1, lambda a, b: 1, a, b).verdict is Verdict.SAME


def test_recursion_of_the_program_is_its_own() -> None:
    def deep(n: int) -> int:
        return deep(n + 1)

    limit = sys.getrecursionlimit()
    assert judged(deep, deep, 0).verdict is Verdict.SAME
    assert sys.getrecursionlimit() == limit


def test_fields_are_judged_as_numbers() -> None:
    """A field that rounds in another order is the same, another value in it is not."""
    fields = np.zeros(5, [("u", "f8"), ("n", "i8")])
    fields["u"] = np.linspace(0.1, 1, 5)

    def scaled(w: Any) -> Any:
        w["u"] *= 3.0
        return w

    def in_another_order(w: Any) -> Any:
        w["u"] = w["u"] + w["u"] * 2.0
        return w

    def another_count(w: Any) -> Any:
        w["n"][2] = 1
        return scaled(w)

    def wider(w: Any) -> Any:
        return scaled(w).astype([("u", "f8"), ("n", "i4")])

    assert judged(scaled, in_another_order, fields).verdict is Verdict.SAME
    for after, place in ((another_count, "['n']"), (wider, "result")):
        report = judged(scaled, after, fields)
        assert report.verdict is Verdict.DIFFERENT
        assert place in report.differences[0]
