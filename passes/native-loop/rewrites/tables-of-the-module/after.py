"""Neighbours, weights and moves that stand in small tables of the module, or of the function."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr

NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))
WEIGHTS = [0.1, 0.2, 0.3, 0.4]
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


@npr.native(tables=("NEIGHBOURS", "WEIGHTS"))
def _smoothed_loop(u, NEIGHBOURS, WEIGHTS, new):
    """The loop in `smoothed`."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            total = 0.0
            for (di, dj), weight in zip(NEIGHBOURS, WEIGHTS):
                total += weight * u[i + di, j + dj]
            new[i, j] = total


def smoothed(u: npt.NDArray[np.float64]):
    new = u.copy()
    _smoothed_loop(u, NEIGHBOURS, WEIGHTS, new)
    return new


@npr.native(tables=("NEIGHBOURS",))
def _peaks_loop(u, NEIGHBOURS, found):
    """The loop in `peaks`."""
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            for di, dj in NEIGHBOURS:
                y, x = i + di, j + dj
                if 0 <= y < u.shape[0] and 0 <= x < u.shape[1] and u[y, x] > u[i, j]:
                    break
            else:
                found += 1
    return found


def peaks(u: npt.NDArray[np.float64]):
    found = 0
    found = _peaks_loop(u, NEIGHBOURS, found)
    return found


@npr.native
def _visited_loop(ways, MOVES, x, board, y):
    """The loop in `visited`."""
    for way in ways:
        dx, dy = MOVES[way]
        x = (x + dx) % board.shape[0]
        y = (y + dy) % board.shape[1]
        board[x, y] += 1
    return x, y


def visited(ways: npt.NDArray[np.int64], board: npt.NDArray[np.int64]):
    x = y = 0
    x, y = _visited_loop(ways, MOVES, x, board, y)
    return x, y


@npr.native(tables=("corners",))
def _turned_loop(u, corners, total):
    """The loop in `turned`."""
    for i in range(u.shape[0] - 1):
        for j in range(u.shape[1] - 1):
            for k, (di, dj) in enumerate(corners):
                total += u[i + di, j + dj] * (k + 1)
    return total


def turned(u: npt.NDArray[np.float64]):
    corners = ((0, 0), (0, 1), (1, 1), (1, 0))
    total = 0.0
    total = _turned_loop(u, corners, total)
    return total


def cases():
    u = np.arange(30.0).reshape(5, 6) % 7
    yield "smoothed", (u,)
    yield "smoothed", (np.zeros((2, 2)),)
    yield "peaks", (u,)
    yield "peaks", (np.zeros((0, 3)),)
    yield "visited", (np.array([0, 1, 2, 3, 2, 0, -1]), np.zeros((3, 4), dtype=np.int64))
    yield "visited", (np.array([0, 4]), np.zeros((3, 4), dtype=np.int64)), IndexError
    yield "turned", (u,)
