"""Functions that become others while a loop that calls them runs: each call is of the one at that time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns


def weight(x: float) -> float:
    return x * 2


def tired(x: float) -> float:
    return -x


def by_global(x: np.ndarray, n: int) -> np.ndarray:
    global weight
    before = weight
    for k in range(n):
        for i in range(len(x)):
            x[i] += weight(k + i)
        if k == 50:
            weight = tired
    weight = before
    return x


def by_nonlocal(x: np.ndarray, n: int) -> np.ndarray:
    def change(a: float) -> float:
        return a + 1

    def swap() -> None:
        nonlocal change
        change = tired

    for k in range(n):
        for i in range(len(x)):
            x[i] = change(x[i])
        if k == 50:
            swap()
    return x


def by_definition(x: np.ndarray, n: int) -> np.ndarray:
    for k in range(n):
        if k:
            for i in range(len(x)):
                x[i] = change(x[i])  # noqa: F821

        def change(a: float, k: int = k) -> float:
            return a + k

    return x


def before_definition(x: np.ndarray, n: int) -> np.ndarray:
    for k in range(n):
        for i in range(len(x)):
            x[i] = change(x[i] + k)  # noqa: F821

    def change(a: float) -> float:
        return a

    return x


@pytest.mark.parametrize("function", [by_global, by_nonlocal, by_definition, before_definition])
def test_calls_of_functions_that_are_rebound(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    rewritten = nprewrite.jit(function, wait=True)
    for _ in range(3):
        results = []
        for each in (function, rewritten):
            try:
                results.append(each(np.zeros(4), 2000).tolist())
            except UnboundLocalError as error:
                results.append(str(error))
        assert results[1] == results[0]
