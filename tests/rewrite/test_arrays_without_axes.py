"""Arrays without axes stay arrays: `np.where` of numbers and `x[0, ...]` give one, ufuncs and sums do not."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import nprewrite


def chosen(s: Any, x: Any) -> Any:
    x = x * 2.0 + 1.0
    w = np.where(s > 0.5, s, x.sum())
    return w, x


def chosen_in_a_loop(s: Any, x: Any) -> Any:
    for k in range(3):
        x = x * 0.5 + k
        w = np.where(s > 0.5, s, x.sum())
    return w, x


def filled_in_a_loop(s: Any, x: Any) -> Any:
    for k in range(3):
        x = x * 0.5 + k
        w = np.full((), s)
    return w, x


def made_between(s: Any, x: Any) -> Any:
    y = x * 2.0 + s
    w = np.zeros(())
    z = y * w + x
    return w, z


def view_of_an_element(s: Any, x: Any) -> Any:
    y = x * 2.0 + s
    w = y[0, ...]
    y[0] = 5.0
    return w, y


def numbers(s: Any, x: Any) -> Any:
    y = x * 2.0 + s
    return np.sqrt(np.where(s > 0.5, s, 1.0)), np.where(s > 0.5, s, y.max()) * 2.0, y.sum(), y


@pytest.mark.parametrize(
    "function", [chosen, chosen_in_a_loop, filled_in_a_loop, made_between, view_of_an_element, numbers]
)
@pytest.mark.parametrize("number", [0.25, 1.0, np.float32(0.25), 1])
def test_results_have_the_types_that_numpy_gives(
    function: Callable[..., Any], number: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setattr(import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    decorated = nprewrite.jit(function)
    expected = function(number, np.arange(1.0, 4.0))
    for _ in range(3):
        found = decorated(number, np.arange(1.0, 4.0))
        assert [type(each) for each in found] == [type(each) for each in expected]
        assert all(map(np.array_equal, found, expected))
