"""The comparison sees what a wrong rewrite would change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from catalogue_compare import Closeness, differences, leaf_difference, observe

EXACT = Closeness()
ROUNDING = Closeness(rounding=True)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2), np.ma.masked_array([0.0, 0.0])),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([1.0]), np.nextafter(np.array([1.0]), 2)),
        (np.array([np.nan]), np.array([1.0])),
        (np.array([complex(0.0, -0.0)]), np.array([0j])),
        (np.array([2**53 + 1]), np.array([2**53])),
        (np.float64(1), 1.0),
        (np.float64(1), np.array(1.0)),
        (np.float32(1), np.float64(1)),
        (np.ma.masked_array([1, 2], mask=[0, 1]), np.ma.masked_array([1, 2], mask=[0, 0])),
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("a", "b"),
        (None, 0),
    ],
)
def test_difference_is_seen(left: Any, right: Any) -> None:
    assert leaf_difference(left, right, EXACT)
    assert leaf_difference(left, left, EXACT) is None


def test_same_values_are_the_same() -> None:
    row = np.array([0.0, -0.0, np.nan, np.inf])
    assert leaf_difference(row, row.copy(), EXACT) is None
    assert leaf_difference(float("nan"), float("nan"), EXACT) is None
    records = np.ones(2, dtype=[("x", "f8"), ("y", "i4")])
    assert leaf_difference(records, records.copy(), EXACT) is None


def test_rounding_is_normwise() -> None:
    z = np.array([1e6 + 1e-9j])
    assert leaf_difference(z, z + 1e-6j, ROUNDING) is None
    assert leaf_difference(z, z + 1.0, ROUNDING)
    assert leaf_difference(np.array([np.inf]), np.array([np.nan]), ROUNDING)
    assert leaf_difference(np.array([np.inf]), np.array([-np.inf]), ROUNDING)
    assert leaf_difference(np.array([complex(np.inf, 0)]), np.array([complex(np.nan, 1)]), ROUNDING) is None
    assert leaf_difference(np.array([complex(np.inf, 0)]), np.array([1j]), ROUNDING)
    assert leaf_difference(np.array([1, 2]), np.array([1, 3]), ROUNDING)


def test_share_of_differing_lanes() -> None:
    some = Closeness(rounding=True, differing_lanes=0.25)
    assert leaf_difference(np.zeros(8), np.array([1.0, 1, 0, 0, 0, 0, 0, 0]), some) is None
    assert leaf_difference(np.zeros(8), np.array([1.0, 1, 1, 0, 0, 0, 0, 0]), some)


def _in_place(x: np.ndarray) -> np.ndarray:
    x += 1
    return x


def _beside(x: np.ndarray) -> np.ndarray:
    return x + 1


def _view(x: np.ndarray) -> np.ndarray:
    x += 1
    return x[:]


def _fail(x: np.ndarray) -> np.ndarray:
    return x[9]


@pytest.mark.parametrize("other", [_beside, _view, _fail])
def test_behaviour_beside_the_values(other: Callable[[np.ndarray], np.ndarray]) -> None:
    """The same numbers come back, but the caller's array, its sharing or the exception differ."""
    ours, theirs = observe(_in_place, (np.zeros(2),)), observe(other, (np.zeros(2),))
    assert differences(ours, theirs, EXACT)
    assert differences(ours, observe(_in_place, (np.zeros(2),)), EXACT) == []
