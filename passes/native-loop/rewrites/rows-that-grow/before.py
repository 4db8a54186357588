"""Lists in lists and in dictionaries to which a loop appends, and which it reads: cells, networks, groups."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt


def crowding(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], size: float):
    cells = defaultdict(list)
    for i in range(len(x)):
        cells[int(x[i] // size), int(y[i] // size)].append(i)
    near = np.zeros(len(x), dtype=np.int64)
    for (a, b), members in cells.items():
        for da in (-1, 0, 1):
            for db in (-1, 0, 1):
                others = cells.get((a + da, b + db), [])
                for i in members:
                    for j in others:
                        if i != j and (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < size * size:
                            near[i] += 1
    return near, dict(cells)


def density(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], n: int):
    grid = [[[] for _ in range(n)] for _ in range(n)]
    for k in range(len(x)):
        grid[int(x[k] * n)][int(y[k] * n)].append(k)
    found = np.zeros(len(x))
    for i in range(n):
        for j in range(n):
            for k in grid[i][j]:
                for other in grid[i][j]:
                    found[k] += 1.0 / (1.0 + (x[k] - x[other]) ** 2 + (y[k] - y[other]) ** 2)
    return found


def network(steps: npt.NDArray[np.int64], n: int):
    links = {i: [] for i in range(n)}
    for k in range(len(steps) - 1):
        a, b = steps[k] % n, steps[k + 1] % n
        if a != b and b not in links[a]:
            links[a].append(b)
            links[b].append(a)
    found = 0
    for a in links:
        for b in links[a]:
            for c in links[b]:
                if c in links[a]:
                    found += 1
    return found, links


def shortest(steps: npt.NDArray[np.int64], n: int):
    roads = [[] for _ in range(n)]
    for k in range(len(steps) - 1):
        roads[steps[k] % n].append((int(steps[k + 1] % n), 0.5 * float(k)))
    far = [1e9] * n
    far[0] = 0.0
    changed = True
    while changed:
        changed = False
        for i in range(n):
            for j, length in roads[i]:
                if far[i] + length < far[j]:
                    far[j] = far[i] + length
                    changed = True
    return far


def cases():
    random = np.random.default_rng(0)
    yield "crowding", (random.random(60), random.random(60), 0.2)
    yield "crowding", (np.array([0.1, 0.15]), np.array([0.5, np.nan]), 0.2), ValueError
    yield "density", (random.random(60), random.random(60), 4)
    yield "density", (np.array([0.1, 1.5]), np.array([0.5, 0.5]), 4), IndexError
    yield "network", (random.integers(0, 1000, 200), 12)
    yield "shortest", (random.integers(0, 1000, 200), 12)
