"""Linear forms: arithmetic, text, and what follows from bounds."""

from __future__ import annotations

from itertools import product

import pytest

from nprewrite.types.affine import Affine, Known, Span, divides, minima, number, symbol

i, j, n, m = (symbol(name) for name in "ijnm")


def test_arithmetic_drops_what_cancels() -> None:
    form = n * 2 - i + 3 - (n - i)
    assert form == n + 3
    assert (form - form).terms == ()
    assert form.replaced("n", i - 3) == i


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (n - i - 1, "n - i - 1"),
        (-i + 2, "-i + 2"),
        (number(0), "0"),
        (n * 3 - m * 2, "3 * n - 2 * m"),
        (number(-4), "-4"),
    ],
)
def test_text(form: Affine, text: str) -> None:
    assert form.text({name: name for name in "ijnm"}) == text


def test_bounds_of_inner_loops_depend_on_outer_ones() -> None:
    spans = [Span("i", (number(0),), (n,)), Span("j", (i + 1,), (n,))]
    assert list(minima(j - i - 1, spans)) == [number(0)]
    assert list(minima(n - 1 - j, spans)) == [number(0)]
    assert list(minima(j, spans)) == [number(1)]


def test_known_lengths_and_forms() -> None:
    known = Known(["n"], [m - n])
    assert known.nonnegative(n + 2)
    assert known.nonnegative(m - n + 1)
    assert known.nonnegative(m)
    assert not known.nonnegative(n - 1)
    assert not known.nonnegative(n - m)


@pytest.mark.parametrize(("low", "high", "stride"), [*product((0, 1, 3), (2, 5), (1, 2))])
def test_minima_hold_for_all_values(low: int, high: int, stride: int) -> None:
    spans = [Span("i", (number(low),), (number(high),), stride), Span("j", (i,), (i + 3,))]
    form = i * 2 - j * 3 + 1
    values = [2 * a - 3 * b + 1 for a in range(low, high, stride) for b in range(a, a + 3)]
    (least,) = minima(form, spans)
    assert all(least.constant <= value for value in values)


def test_divisibility() -> None:
    assert divides(i * 2 - 4, {})
    assert not divides(i * 2 - 3, {})
    assert not divides(i - 3, {"i": 2})
    assert not divides(number(1), {})
