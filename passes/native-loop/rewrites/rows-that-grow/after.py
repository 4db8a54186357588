"""Lists in lists and in dictionaries to which a loop appends, and which it reads: cells, networks, groups."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _crowding_loop(x, cells, size, y):
    """The loop in `crowding`."""
    for i in range(len(x)):
        cells[int(x[i] // size), int(y[i] // size)].append(i)


@npr.native
def _crowding_loop_1(cells, x, y, size, near):
    """The loop in `crowding`."""
    for (a, b), members in cells.items():
        for da in (-1, 0, 1):
            for db in (-1, 0, 1):
                others = cells.get((a + da, b + db), [])
                for i in members:
                    for j in others:
                        if i != j and (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < size * size:
                            near[i] += 1


def crowding(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], size: float):
    cells = defaultdict(list)
    _crowding_loop(x, cells, size, y)
    near = np.zeros(len(x), dtype=np.int64)
    _crowding_loop_1(cells, x, y, size, near)
    return near, dict(cells)


@npr.native
def _density_loop(x, grid, n, y):
    """The loop in `density`."""
    for k in range(len(x)):
        grid[int(x[k] * n)][int(y[k] * n)].append(k)


@npr.native
def _density_loop_1(n, grid, x, y, found):
    """The loop in `density`."""
    for i in range(n):
        for j in range(n):
            for k in grid[i][j]:
                for other in grid[i][j]:
                    found[k] += 1.0 / (1.0 + (x[k] - x[other]) ** 2 + (y[k] - y[other]) ** 2)


def density(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], n: int):
    grid = [[[] for _ in range(n)] for _ in range(n)]
    _density_loop(x, grid, n, y)
    found = np.zeros(len(x))
    _density_loop_1(n, grid, x, y, found)
    return found


@npr.native
def _network_loop(steps, n, links):
    """The loop in `network`."""
    for k in range(len(steps) - 1):
        a, b = steps[k] % n, steps[k + 1] % n
        if a != b and b not in links[a]:
            links[a].append(b)
            links[b].append(a)


@npr.native
def _network_loop_1(links, found):
    """The loop in `network`."""
    for a in links:
        for b in links[a]:
            for c in links[b]:
                if c in links[a]:
                    found += 1
    return found


def network(steps: npt.NDArray[np.int64], n: int):
    links = {i: [] for i in range(n)}
    _network_loop(steps, n, links)
    found = 0
    found = _network_loop_1(links, found)
    return found, links


@npr.native
def _shortest_loop(steps, roads, n):
    """The loop in `shortest`."""
    for k in range(len(steps) - 1):
        roads[steps[k] % n].append((int(steps[k + 1] % n), 0.5 * float(k)))


@npr.native
def _shortest_loop_1(changed, n, roads, far):
    """The loop in `shortest`."""
    while changed:
        changed = False
        for i in range(n):
            for j, length in roads[i]:
                if far[i] + length < far[j]:
                    far[j] = far[i] + length
                    changed = True


def shortest(steps: npt.NDArray[np.int64], n: int):
    roads = [[] for _ in range(n)]
    _shortest_loop(steps, roads, n)
    far = [1e9] * n
    far[0] = 0.0
    changed = True
    _shortest_loop_1(changed, n, roads, far)
    return far


def cases():
    random = np.random.default_rng(0)
    yield "crowding", (random.random(60), random.random(60), 0.2)
    yield "crowding", (np.array([0.1, 0.15]), np.array([0.5, np.nan]), 0.2), ValueError
    yield "density", (random.random(60), random.random(60), 4)
    yield "density", (np.array([0.1, 1.5]), np.array([0.5, 0.5]), 4), IndexError
    yield "network", (random.integers(0, 1000, 200), 12)
    yield "shortest", (random.integers(0, 1000, 200), 12)
