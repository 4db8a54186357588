"""Lists that are kept as heaps: the shortest ways over a grid, and a queue with several servers."""

import heapq
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt


def shortest(cost: npt.NDArray[np.float64], i: int, j: int):
    n, m = cost.shape
    far = np.full((n, m), np.inf)
    far[i, j] = 0.0
    heap = [(0.0, i, j)]
    while heap:
        d, i, j = heapq.heappop(heap)
        if d > far[i, j]:
            continue
        for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < m and d + cost[a, b] < far[a, b]:
                far[a, b] = d + cost[a, b]
                heapq.heappush(heap, (far[a, b], a, b))
    return far


def waiting(arrivals: npt.NDArray[np.float64], service: npt.NDArray[np.float64], servers: int):
    busy = []
    total = 0.0
    for k in range(len(arrivals)):
        start = arrivals[k]
        if len(busy) == servers:
            start = max(start, heappop(busy))
        total += start - arrivals[k]
        heappush(busy, start + service[k])
    return total, busy


def taken(x: npt.NDArray[np.int64], count: int):
    heap, kept = [], []
    for k in range(len(x)):
        heappush(heap, (x[k] % 7, k))
    for k in range(count):
        rank, place = heappop(heap)
        kept.append(place)
    return kept, heap


def cases():
    random = np.random.default_rng(0)
    yield "shortest", (random.random((9, 12)), 3, 4)
    yield "shortest", (random.random((9, 12)), 9, 4), IndexError
    yield "waiting", (np.cumsum(random.exponential(1.0, 60)), random.exponential(2.0, 60), 2)
    yield "taken", (random.integers(0, 100, 50), 20)
    yield "taken", (random.integers(0, 100, 50), 60), IndexError
