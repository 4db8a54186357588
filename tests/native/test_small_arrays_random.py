"""Random loops over rows and parts of arrays give the same as written and compiled, but for rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_programs import RowWriter, row_arguments

from nprewrite.runtime import Native


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any]:
    """What a call gives, and its arrays afterwards; the type of what it raises."""
    given = [each.copy(order="K") if isinstance(each, np.ndarray) else each for each in arguments]
    with np.errstate(all="ignore"):
        try:
            made: Any = function(*given)
        except (IndexError, TypeError, ValueError) as error:
            made = (type(error),)
    return [*made, *given]


def assert_same(left: Any, right: Any) -> None:
    """The same types and dtypes; values as close as sums in another order are."""
    assert type(left) is type(right)
    if isinstance(left, np.ndarray | np.generic):
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        rough = left.dtype == np.float32
        np.testing.assert_allclose(left, right, rtol=1e-3 if rough else 1e-9, atol=1e-4 if rough else 1e-10)
    else:
        assert left == right or (left != left and right != right)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [1, 4, 7, 12, 15, 23])
def test_same_outcome(seed: int, make: Callable[[str], Native]) -> None:
    compiled = make(RowWriter(seed).function())
    for number in range(3):
        given = row_arguments(10 * seed + number)
        for left, right in zip(outcome(compiled, given), outcome(compiled.function, given), strict=True):
            assert_same(left, right)
