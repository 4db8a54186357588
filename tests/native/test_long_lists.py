"""Long lists that a loop reads are copied where that has paid."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nprewrite.runtime import Native
from nprewrite.runtime.numba import long_lists

Make = Callable[[str], Native]

REFUSED = "as written: a long list for a few trips"
SEARCH = """
def f(start, xs):
    i = start
    while i in xs:
        i = xs[i]
    return i
"""
ROWS = """
def f(start, xs):
    total = 0
    for i in xs[start]:
        for j in xs[i]:
            total += j
    return total
"""
_CHAIN = {i: i + 1 for i in range(50_000)}
_NETWORK = {i: [i + 1, (i * 7) % 50_000] for i in range(50_000)}


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of earlier runs; whatever else the machine does, a run takes as long as it does."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("nprewrite.runtime.numba.decorator.now", time.thread_time)


@pytest.mark.parametrize(("text", "given"), [(SEARCH, _CHAIN), (ROWS, _NETWORK)])
def test_a_search_that_is_over_at_once_copies_nothing(text: str, given: Any, make: Make) -> None:
    compiled = make(text)
    for _ in range(9):
        assert compiled(49_990, given) == compiled.function(49_990, given)
    assert [*compiled.runs] == [REFUSED]


def test_a_search_that_takes_long_is_compiled_the_next_time(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_lists, "_COPY_S", 1e-8)
    monkeypatch.setattr(long_lists, "_LEAST_S", 0.0)
    compiled = make(SEARCH)
    assert [compiled(0, _CHAIN) for _ in range(4)] == [50_000] * 4
    assert compiled.runs[REFUSED] == 2
    assert compiled.runs["compiled"] == 2
    # Another process knows.
    later = make(SEARCH)
    assert later(0, _CHAIN) == 50_000
    assert [*later.runs] == ["compiled"]
