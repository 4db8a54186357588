"""Loops that return from within another statement: what follows runs where they do not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite

A = np.arange(70_000.0)


def in_loop(a: np.ndarray, t: float) -> Any:
    for k in range(3):
        print(k)
        for j in range(len(a)):
            if a[j] > t + k:
                return k, j
    return "end"


def in_while(a: np.ndarray, t: float) -> Any:
    left = [3, 2, 1]
    while left:
        t -= left.pop()
        for j in range(len(a)):
            if a[j] > t:
                return j
    return left


def before_more(a: np.ndarray, t: float) -> Any:
    if len(a) > 1:
        for j in range(len(a)):
            if a[j] > t:
                return j
        a = a[1:]
    return len(a)


def in_else(a: np.ndarray, t: float) -> Any:
    if t < 0:
        return None
    if t > 1:
        for j in range(len(a)):
            if a[j] > t:
                return j
    return -1


def in_with(a: np.ndarray, t: float) -> Any:
    with contextlib.suppress(IndexError):
        for j in range(len(a) + 1):
            if a[j] > t:
                return j
    return -1


def in_try(a: np.ndarray, t: float) -> Any:
    try:
        for j in range(len(a) + 1):
            if a[j] > t:
                return j
    except IndexError:
        return "past the end"
    return -1


def in_match(a: np.ndarray, t: float) -> Any:
    match len(a):
        case 70_000:
            for j in range(len(a)):
                if a[j] > t:
                    return j
    return -1


def last_in_branches(a: np.ndarray, t: float) -> Any:  # noqa: RET503 (it ends where the loop does)
    if t < 0:
        return None
    if t > 1:
        for j in range(len(a)):
            if a[j] > t:
                return j


NESTED = [in_loop, in_while, before_more, in_else, in_with, in_try, in_match, last_in_branches]


@pytest.mark.parametrize("function", NESTED)
def test_what_follows_runs(function: Callable[..., Any]) -> None:
    rewritten = nprewrite.jit(function, wait=True)
    for t in (60_000.0, 1e9, -1.0, 2.0):
        assert [rewritten(A, t) for _ in range(3)] == [function(A, t)] * 3


def test_a_loop_at_the_end_of_its_function_runs_natively() -> None:
    rewritten = nprewrite.jit(last_in_branches, wait=True)
    assert rewritten(A, 1e9) is None
    assert "compiled" in str(rewritten.report())
