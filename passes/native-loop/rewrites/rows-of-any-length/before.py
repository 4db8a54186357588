"""Lists of lists of any lengths, which the loop only reads: the neighbours in a network."""

import numpy as np
import numpy.typing as npt


def ranks(damping: float, steps: int):
    links = [[1, 2], [2], [0], [0, 1, 2], []]
    rank = [1.0 / len(links)] * len(links)
    for _ in range(steps):
        new = [(1 - damping) / 5] * 5
        for i in range(5):
            for j in links[i]:
                new[j] += damping * rank[i] / len(links[i])
        for i in range(5):
            rank[i] = new[i]
    return rank


def triangles(steps: int):
    near = [[1, 2, 3], [0, 2], [0, 1, 3], [0, 2]]
    found = 0
    for _ in range(steps):
        for i in range(4):
            for j in near[i]:
                for k in near[j]:
                    if k != i and k in near[i]:
                        found += 1
    return found


def walked(steps: npt.NDArray[np.int64], start: int):
    near, place, hits = [[1, 2, 3], [0, 2], [0, 1, 3], [0, 2]], start, [0] * 4
    for k in range(len(steps)):
        place = near[place][steps[k]]
        hits[place] += 1
    return hits


def cases():
    random = np.random.default_rng(0)
    yield "ranks", (0.85, 40)
    yield "triangles", (20,)
    yield "walked", (random.integers(0, 2, 200), 1)
    yield "walked", (np.array([0, 1, 2, 2] * 30), 1), IndexError
