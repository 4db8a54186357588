"""Dictionaries and sets of numbers: the same objects afterwards, with their items in the same order."""

from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _counts_loop(x, found):
    """The loop in `counts`."""
    for i in range(len(x)):
        if x[i] not in found:
            found[x[i]] = 0
        found[x[i]] += 1


def counts(x: npt.NDArray[np.int64]):
    found = {}
    _counts_loop(x, found)
    return found


@npr.native
def _neighbours_loop(labels, pairs, alone):
    """The loop in `neighbours`."""
    for i in range(len(labels) - 1):
        a, b = labels[i], labels[i + 1]
        pairs[a, b] += 1
        if a == b:
            alone[a] += 1


def neighbours(labels: npt.NDArray[np.int64]):
    pairs, alone = defaultdict(int), Counter()
    _neighbours_loop(labels, pairs, alone)
    return pairs, alone


@npr.native
def _accepted_loop(n, spins, u, weights, changed):
    """The loop in `accepted`."""
    for i in range(n):
        change = 2 * spins[i] * (spins[i - 1] + spins[(i + 1) % n])
        if change <= 0 or u[i] < weights[change]:
            spins[i] = -spins[i]
            changed += 1
    return changed


def accepted(spins: npt.NDArray[np.int64], u: npt.NDArray[np.float64]):
    weights = {change: np.exp(-0.5 * change) for change in (-4, 0, 4)}
    n, changed = len(spins), 0
    changed = _accepted_loop(n, spins, u, weights, changed)
    return changed


@npr.native
def _visited_loop(steps, x, y, seen, again):
    """The loop in `visited`."""
    for k in range(len(steps)):
        if steps[k] < 2:
            x += 2 * steps[k] - 1
        else:
            y += 2 * steps[k] - 5
        if (x, y) in seen:
            again += 1
        else:
            seen.add((x, y))
    return again


def visited(steps: npt.NDArray[np.int64]):
    x = y = again = 0
    seen = {(0, 0)}
    again = _visited_loop(steps, x, y, seen, again)
    return len(seen), again


@npr.native
def _longest_loop(limit, cache, best):
    """The loop in `longest`."""
    for start in range(2, limit):
        n, steps = start, 0
        while n not in cache:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        cache[start] = steps + cache[n]
        best = max(best, cache.get(start, 0))
    return best


def longest(limit: int):
    cache, best = {1: 1}, 0
    best = _longest_loop(limit, cache, best)
    return best, cache


@npr.native
def _named_loop(x, names, total):
    """The loop in `named`."""
    for i in range(len(x)):
        total += names[x[i]]
    return total


def named(x: npt.NDArray[np.int64]):
    names, total = {1: 0.5, 2: 1.5}, 0.0
    total = _named_loop(x, names, total)
    return total


def cases():
    random = np.random.default_rng(0)
    yield "counts", (np.array([1, 2, 2, 9]),)
    yield "neighbours", (random.integers(0, 4, 90),)
    yield "accepted", (random.choice([-1, 1], 60), random.random(60))
    yield "visited", (random.integers(0, 4, 200),)
    yield "longest", (40,)
    yield "named", (np.array([1, 2, 2, 1]),)
    yield "named", (np.array([1, 2, 3, 1]),), KeyError
