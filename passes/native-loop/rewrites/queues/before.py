"""Queues, whose first item is taken: lists, and the deques of Python's collections."""

from collections import deque

import numpy as np
import numpy.typing as npt


def clusters(grid: npt.NDArray[np.bool_]):
    labels, count = np.zeros(grid.shape, dtype=int), 0
    n, m = grid.shape
    for i in range(n):
        for j in range(m):
            if grid[i, j] and labels[i, j] == 0:
                count += 1
                labels[i, j] = count
                queue = deque([(i, j)])
                while queue:
                    a, b = queue.popleft()
                    for c, d in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                        if 0 <= c < n and 0 <= d < m and grid[c, d] and labels[c, d] == 0:
                            labels[c, d] = count
                            queue.append((c, d))
    return labels, count


def distances(links: npt.NDArray[np.int64], start: int):
    found = np.full(len(links), -1)
    found[start] = 0
    queue = [start]
    while len(queue) > 0:
        node = queue.pop(0)
        for k in range(links.shape[1]):
            if found[links[node, k]] < 0:
                found[links[node, k]] = found[node] + 1
                queue.append(links[node, k])
    return found


def flooded(grid: npt.NDArray[np.bool_]):
    labels = np.zeros(grid.shape, dtype=int)
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if grid[i, j] and labels[i, j] == 0:
                queue = []
                queue.append((i, j))
                labels[i, j] = i + 1
                while len(queue) > 0:
                    place = queue.pop(0)
                    around = [(place[0], place[1] + 1), (place[0] + 1, place[1]), (place[0], place[1] - 1)]
                    for to in around:
                        if 0 <= to[0] < grid.shape[0] and 0 <= to[1] < grid.shape[1]:
                            if grid[to] and labels[to] == 0:
                                labels[to] = i + 1
                                queue.append(to)
    return labels


def josephus(n: int, step: int):
    circle, order = deque(range(n)), []
    while len(circle) > 0:
        for _ in range(step - 1):
            circle.append(circle.popleft())
        order.append(circle.popleft())
    return order


def emptied(n: int):
    queue, total = deque([1, 2]), 0
    for k in range(n):
        total += queue.popleft() * k
    return total


def cases():
    random = np.random.default_rng(0)
    yield "clusters", (random.random((30, 20)) < 0.6,)
    yield "clusters", (np.zeros((0, 3), bool),)
    yield "flooded", (random.random((20, 30)) < 0.6,)
    yield "distances", (random.integers(0, 40, (40, 2)), 3)
    yield "josephus", (41, 3)
    yield "emptied", (2,)
    yield "emptied", (3,), IndexError
