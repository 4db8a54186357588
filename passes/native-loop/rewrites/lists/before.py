"""Lists of numbers, which the loop appends to, reads and stores into, hold the same objects afterwards."""

import numpy as np
import numpy.typing as npt


def oscillator(steps: int, dt: float):
    x, v = 1, 0.0
    xs, path = [], [(1.0, 0.0)]
    for _ in range(steps):
        xs.append(x)
        v -= x * dt
        x += v * dt
        path.append((x, v))
    return xs, path


def epidemic(steps: int, beta: float, gamma: float):
    s, i = [0.99], [0.01]
    for n in range(steps):
        new = beta * s[n] * i[-1]
        s.append(s[n] - new)
        i.append(i[-1] + new - gamma * i[n])
    return s, i


def damped(steps: int, dt: float):
    x, v, ts, xs = 1.0, 0.0, [0], []
    for i in range(steps):
        v -= (x + 0.1 * v) * dt
        x += v * dt
        ts.append((i + 1) * dt)
        xs.append(x)
    return np.array(ts), np.asarray(xs)


def spikes(current: npt.NDArray[np.float32], threshold: float):
    v, times, peaks = 0.0, [], [None]
    for n in range(len(current)):
        v += current[n]
        if v > threshold:
            times.append(n)
            peaks.append(current[n])
            v = 0.0
    return times, peaks


def counts(x: npt.NDArray[np.int64]):
    found = [0] * 10
    for i in range(len(x)):
        found[x[i]] += 1
    return found


def primes(limit: int):
    found = []
    for n in range(2, limit):
        is_prime = True
        for p in found:
            if p * p > n:
                break
            if n % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(n)
    return found


def depth_first(children: npt.NDArray[np.int64], root: int):
    stack, order = [root], []
    while stack:
        node = stack.pop()
        order.append(node)
        for k in range(children.shape[1]):
            if children[node, k] >= 0:
                stack.append(children[node, k])
    return order


def cases():
    for steps in (0, 1, 70):
        yield "oscillator", (steps, 0.01)
        yield "damped", (steps, 0.01)
        yield "epidemic", (steps, 0.3, 0.1)
    yield "spikes", (np.linspace(0, 1, 90, dtype=np.float32), 2.5)
    yield "counts", (np.array([1, 2, 2, 9, -1]),)
    yield "counts", (np.array([1, 2, 10, 9]),), IndexError
    yield "primes", (100,)
    yield "depth_first", (np.array([[1, 2], [3, -1], [-1, 4], [-1, -1], [-1, -1]]), 0)
