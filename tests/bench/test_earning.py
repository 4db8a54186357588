"""When compiling pays: against a count of every single call."""

from __future__ import annotations

from itertools import accumulate, chain, islice, repeat

import pytest

from nprewrite.benching.earning import break_even, crossings


def counted(first: list[float], steady: float, original: float, most: int = 10_000) -> int | None:
    """The smallest count from which on so many calls, up to ``most``, take no longer than the original's."""
    spent = list(islice(accumulate(chain(first, repeat(steady))), most))
    late = [count for count, total in enumerate(spent, start=1) if total > original * count]
    last = late[-1] if late else 0
    return None if last == most else last + 1


@pytest.mark.parametrize(
    ("first", "steady", "original"),
    [
        ([10.0], 0.5, 1.0),
        ([10.0, 3.0, 0.5], 0.5, 1.0),
        ([0.5], 0.5, 1.0),
        ([0.5, 9.0, 0.25], 0.25, 1.0),
        ([4.0, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25], 0.25, 1.0),
        ([1.5, 0.25, 0.25, 0.25, 0.25], 0.25, 1.0),
        ([10.0], 1.0, 1.0),
        ([10.0], 2.0, 1.0),
        ([0.5], 1.0, 1.0),
    ],
)
def test_break_even_is_that_of_counting(first: list[float], steady: float, original: float) -> None:
    assert break_even(first, steady, original) == counted(first, steady, original)


def test_a_head_start_is_lost_where_each_call_is_slower() -> None:
    assert break_even([0.1], 1.1, 1.0) is None


def test_crossing_of_power_laws() -> None:
    sizes = [10.0, 100.0, 1000.0]
    linear = [size * 1e-6 for size in sizes]
    square = [size * size * 1e-8 for size in sizes]
    assert crossings(sizes, square, linear) == pytest.approx([100.0])
    steep = [size * size * 2e-9 for size in sizes]
    assert crossings(sizes, steep, linear) == pytest.approx([500.0])
    assert crossings(sizes, linear, steep) == pytest.approx([500.0])
    assert crossings(sizes, linear, [time * 2 for time in linear]) == []


def test_two_crossings() -> None:
    found = crossings([1.0, 10.0, 100.0], [2.0, 1.0, 2.0], [1.0, 2.0, 1.0])
    assert found == pytest.approx([10**0.5, 10**1.5])
