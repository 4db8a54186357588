"""Positions that a loop finds in a row or a column, and reads elements by: links in the matrix of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite


def ranked(graph: Any, trips: int) -> Any:
    n = len(graph)
    rank = np.ones(n)
    for _ in range(trips):
        before = rank.copy()
        for i in range(n):
            links = np.where(graph[:, i] == 1)[0]
            total = np.sum(before[links] / len(links)) if links.size > 0 else 0
            rank[i] = 0.15 / n + 0.85 * total
        if np.linalg.norm(rank - before, 1) < 1e-3:
            break
    return rank


@pytest.mark.parametrize("dtype", [int, float, np.int8])
def test_links_of_a_graph(monkeypatch: pytest.MonkeyPatch, dtype: Any) -> None:
    monkeypatch.setattr("nprewrite.decorated.turns.ALWAYS", "rewritten")
    graph = (np.random.default_rng(1).random((60, 60)) < 0.05).astype(dtype)
    function = nprewrite.jit(ranked)
    for _ in range(2):
        np.testing.assert_array_equal(function(graph, 9), ranked(graph, 9))
    assert "the loop can run compiled" in str(function.report())
