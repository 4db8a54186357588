"""The conditions under which whole-array statements run in place of a loop over indices."""

from __future__ import annotations

import numpy as np
import pytest

import nprewrite.runtime as npr


def test_quiet_where_numpy_only_warns() -> None:
    assert npr.quiet()
    with np.errstate(all="ignore"):
        assert npr.quiet()


@pytest.mark.parametrize("action", ["raise", "print"])
def test_not_quiet_where_somebody_listens(action: str) -> None:
    with np.errstate(over=action):  # type: ignore[call-overload]
        assert not npr.quiet()


def test_arrays_are_plain_and_of_one_kind() -> None:
    x = np.zeros((2, 3))
    assert npr.are_arrays(np.float64, 2, x, x.T, x[:0])
    for other in (x[0], x.astype(np.float32), np.ma.masked_array(x), x.astype(">f8"), [[1.0]], 1.0, None):
        assert not npr.are_arrays(np.float64, 2, x, other)


def test_arrays_with_any_number_of_axes() -> None:
    assert npr.are_arrays(np.float64, None, np.zeros((2, 3)), np.zeros(3), np.zeros(()))
    assert not npr.are_arrays(np.float64, None, np.zeros(3), np.zeros(3, complex))


def test_numbers_are_of_a_kind_or_of_one_that_it_holds() -> None:
    whole, fractions = (2, True, np.uint8(3), -(2**63)), (0.5, np.float32(0.5), np.float64("nan"))
    assert npr.are_numbers(int, *whole)
    assert npr.are_numbers(float, *whole, *fractions)
    assert npr.are_numbers(complex, *whole, *fractions, 1j, np.complex64(1j))
    assert npr.are_numbers(bool, True)
    assert not npr.are_numbers(bool, 1)
    assert not any(npr.are_numbers(int, each) for each in fractions)
    for other in (1j, 2**63, "half", [0.5], np.zeros(1), np.bool_(True), None):
        assert not npr.are_numbers(float, 0.5, other)


def test_apart() -> None:
    x = np.zeros((4, 4))
    assert npr.apart(x)
    assert npr.apart(x, np.zeros(3))
    assert npr.apart(x[:2], x[2:])
    assert not npr.apart(x[:3], x[2:])
    assert not npr.apart(x, x)
    assert not npr.apart(np.broadcast_to(np.zeros(1), (3,)))
    assert not npr.apart(np.lib.stride_tricks.sliding_window_view(np.zeros(5), 2, writeable=True))
    x.flags.writeable = False
    assert not npr.apart(x)


def test_within() -> None:
    assert npr.within(np.array([0, -3, 2]), 3)
    assert not npr.within(np.array([3]), 3)
    assert not npr.within(np.array([-4]), 3)
    assert npr.within(np.array([], dtype=np.int64), 0)
    assert npr.within(np.array([[0, 1]], dtype=np.uint8), 2)


def test_integers_that_fit() -> None:
    bytes_, wide = np.zeros(1, np.int8), np.zeros(1, np.int64)
    assert npr.fit(np.array([127, -128]), bytes_)
    assert npr.fit(np.array([], np.uint64), bytes_)
    assert not npr.fit(np.array([[0, -129]]), bytes_)
    assert npr.fit(np.array([2**63 - 1], np.uint64), wide)
    assert not npr.fit(np.array([2**63], np.uint64), wide)
