"""Numbers of a step that are the same in each iteration are computed once, others in each."""

from __future__ import annotations

import dis
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime.api import boxes
from nprewrite.runtime.api.boxes import ScalarBoxes
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import signature

SPACING = 0.5


def _made(h: float, each: Any) -> dict[str, Any]:
    return {
        "power": lambda _: (h**2,),
        "attribute": lambda _: (-each.h * SPACING,),
        "counted": lambda n: (h * n,),
        "called": lambda _: (abs(h),),
        "chosen": lambda _: (h if each.h else 2.0,),
    }


@pytest.mark.parametrize(
    ("name", "steady"),
    [("power", True), ("attribute", True), ("counted", False), ("called", False), ("chosen", False)],
)
def test_what_reads_no_loop_variable_and_calls_nothing_is_steady(name: str, steady: bool) -> None:
    scalars = _made(0.25, SimpleNamespace(h=2.0))[name]
    assert boxes._is_steady(scalars.__code__) is steady, [*dis.get_instructions(scalars)]
    made = ScalarBoxes(
        signature(counter="n", scalars={"s": "float64"}, carried={"u": "float64"}), range(2, 9), scalars
    )
    for first, size in ((0, 3), (3, 3), (6, 1), (0, 1)):
        expected = [scalars(n)[0] for n in range(2, 9)[first : first + size]]
        np.testing.assert_array_equal(made.fill(first, size)[0], expected)
    made.check_from(5)


def test_a_number_that_does_not_fit_is_refused_each_time() -> None:
    h = np.float32(0.5)
    made = ScalarBoxes(
        signature(counter="n", scalars={"s": "float64"}, carried={"u": "float64"}), range(4), lambda _: (h,)
    )
    for _ in range(2):
        with pytest.raises(Refused):
            made.fill(0, 1)
    with pytest.raises(Refused):
        made.check_from(1)


def test_a_number_that_raises_is_refused() -> None:
    h = 0.0
    made = ScalarBoxes(
        signature(counter="n", scalars={"s": "float64"}, carried={"u": "float64"}),
        range(4),
        lambda _: (1 / h,),
    )
    with pytest.raises(Refused, match="scalars raise"):
        made.fill(0, 1)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [("float64", 0.5, "x"), ("float32", 2, np.float64(0.5)), ("int8", 5, 1000), ("bool", True, 1)],
)
def test_each_number_is_checked_though_those_before_it_were_right(kind: str, right: Any, wrong: Any) -> None:
    made = ScalarBoxes(
        signature(counter="n", scalars={"s": kind}, carried={"u": "float64"}),
        range(9),
        lambda n: (wrong if n == 7 else right,),
    )
    for first in (0, 3):
        (box,) = made.fill(first, 3)
        assert [*box] == [right] * 3
    with pytest.raises(Refused, match=r"(type|range) of s"):
        made.fill(6, 3)
