"""A compiled step over whole arrays reads the user's arrays where they lie, and gives new ones."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from runtime_programs import Array

import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    state={"u": "float64"},
    carried={"p": "float64", "m": "bool"},
    out={"total": "float64", "top": "float64"},
    compile=True,
)
def mixed_step(x: Array, u: Array, p: Array, m: Array) -> tuple[Array, ...]:
    u[1:-1] = 0.5 * (u[2:] + u[:-2]) + p[1:-1]
    p = p * x + u
    m = m ^ (p > 0.5)
    return u, p, m, p.sum(), p[:3]


def as_written(x: Array, u: Array, p: Array, m: Array, trips: int) -> tuple[Any, ...]:
    for _ in range(trips):
        u[1:-1] = 0.5 * (u[2:] + u[:-2]) + p[1:-1]
        p = p * x + u
        m = m ^ (p > 0.5)
    return p, m, p.sum(), p[:3]


def arguments(layout: str) -> dict[str, Array]:
    rng = np.random.default_rng(3)
    given = {
        "x": rng.random((6, 5)),
        "u": rng.random((6, 5)),
        "p": rng.random((6, 5)),
        "m": rng.random((6, 5)) < 0.5,
    }
    if layout == "F":
        return {name: np.asfortranarray(array) for name, array in given.items()}
    if layout == "read-only":
        given["p"].setflags(write=False)
    return given


@pytest.mark.parametrize(
    ("trips", "layout"), [*itertools.product([1, 2, 3, 4], ["C"]), (1, "F"), (3, "read-only")]
)
def test_what_is_read_stays_and_what_is_given_is_new(trips: int, layout: str) -> None:
    given, wanted = arguments(layout), arguments(layout)
    before = {name: array.copy() for name, array in given.items()}
    results = as_written(**wanted, trips=trips)
    for _ in (loop := mixed_step.over(range(trips), **given)):
        pass
    assert loop.finished, mixed_step.runs
    given_back = loop.results
    for found, right in zip(given_back, results, strict=True):
        assert type(found) is type(right)
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=1e-12)
    np.testing.assert_allclose(given["u"], wanted["u"], rtol=1e-12)
    for name in ("x", "p", "m"):
        np.testing.assert_array_equal(given[name], before[name])
    new = [each for each in given_back if isinstance(each, np.ndarray)]
    assert new[0].flags.f_contiguous == given["p"].flags.f_contiguous
    for one, other in itertools.combinations([*new, *given.values()], 2):
        assert not np.may_share_memory(one, other)


def test_results_of_one_loop_stay_when_the_next_runs() -> None:
    given = arguments("C")
    (first,) = [loop.results for loop in [mixed_step.over(range(2), **given)] if list(loop) == []]
    kept = [np.copy(each) for each in first]
    assert list(mixed_step.over(range(3), **given)) == []
    for found, right in zip(first, kept, strict=True):
        np.testing.assert_array_equal(found, right)


@npr.step(
    inputs={"left": "float64", "row": "float64"},
    state={"inner": "float64"},
    once=True,
    read_first=("left", "row"),
    compile=True,
)
def shifted_step(left: Array, row: Array, inner: Array) -> tuple[Array, ...]:
    inner += 0.5 * left + row
    return (inner,)


@pytest.mark.parametrize("disabled", ["0", "1"])
def test_what_is_read_before_the_store_may_be_stored_into(
    disabled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", disabled)
    x = np.random.default_rng(4).random((6, 5))
    wanted = x.copy()
    wanted[1:, 1:] += 0.5 * wanted[1:, :-1] + wanted[0, 1:]
    loop = shifted_step.over(range(1), left=x[1:, :-1], row=x[0, 1:], inner=x[1:, 1:])
    assert list(loop) == []
    np.testing.assert_allclose(x, wanted, rtol=1e-14)
