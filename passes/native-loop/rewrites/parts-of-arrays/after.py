"""Loops over parts of arrays, forwards and backwards, over rows, and over numbers that are written out."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _runs_loop(x, last, length, values, k, counts):
    """The loop in `runs`."""
    for v in x[1:]:
        if v == last:
            length += 1
        else:
            values[k], counts[k] = last, length
            k += 1
            last, length = v, 1
    return k, last, length


def runs(x: npt.NDArray[np.int64], values: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]):
    k = 0
    last, length = x[0], 1
    k, last, length = _runs_loop(x, last, length, values, k, counts)
    return k, last, length


@npr.native
def _growth_loop(x, ups, total):
    """The loop in `growth`."""
    for k, (a, b) in enumerate(zip(x[:-1], x[1:]), start=1):
        if b > a:
            ups += k
        total += (b - a) / a
    return ups, total


def growth(x: npt.NDArray[np.float64]):
    ups, total = 0, 0.0
    ups, total = _growth_loop(x, ups, total)
    return ups, total


@npr.native
def _horner_loop(x, coefficients):
    """The loop in `horner`."""
    for i in range(len(x)):
        total = 0.0
        for c in reversed(coefficients):
            total = total * x[i] + c
        x[i] = total


def horner(coefficients: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    _horner_loop(x, coefficients)
    return x


@npr.native
def _merged_loop(edges, parent):
    """The loop in `merged`."""
    for a, b in edges:
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        parent[b] = a


def merged(edges: npt.NDArray[np.int64], parent: npt.NDArray[np.int64]):
    _merged_loop(edges, parent)
    return parent


@npr.native
def _filled_loop(head, tail, queue, n, m, walls, steps):
    """The loop in `filled`."""
    while head < tail:
        i, j = queue[head]
        head += 1
        for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < m and not walls[a, b] and steps[a, b] < 0:
                steps[a, b] = steps[i, j] + 1
                queue[tail] = a, b
                tail += 1
    return tail


def filled(
    walls: npt.NDArray[np.bool_],
    steps: npt.NDArray[np.int64],
    queue: npt.NDArray[np.int64],
    n: int,
    m: int,
):
    head, tail = 0, 1
    tail = _filled_loop(head, tail, queue, n, m, walls, steps)
    return tail


def started():
    steps = np.full((5, 6), -1)
    steps[0, 0] = 0
    walls = np.zeros((5, 6), bool)
    walls[2, :4] = True
    return walls, steps


def cases():
    x = np.array([3, 3, 1, 1, 1, 2])
    yield "runs", (x, np.zeros(6, int), np.zeros(6, int))
    yield "runs", (x[:1], np.zeros(1, int), np.zeros(1, int))
    yield "runs", (x, np.zeros(1, int), np.zeros(1, int)), IndexError
    yield "growth", (np.array([1.0, 2.0, 1.5, 0.0, 3.0]),)
    yield "growth", (np.ones(1),)
    yield "horner", (np.array([1.0, -2.0, 0.5]), np.linspace(-1, 1, 5))
    yield "horner", (np.zeros(0), np.linspace(-1, 1, 5))
    yield "merged", (np.array([[0, 1], [1, 2], [4, 3], [3, 1]]), np.arange(5))
    yield "merged", (np.array([[0, 1], [1, 9]]), np.arange(5)), IndexError
    yield "merged", (np.array([[0, 1, 2]]), np.arange(5)), ValueError
    yield "filled", (*started(), np.zeros((30, 2), int), 5, 6)
    yield "filled", (*started(), np.zeros((30, 3), int), 5, 6), ValueError
    yield "filled", (*started(), np.zeros((4, 2), int), 5, 6), IndexError
