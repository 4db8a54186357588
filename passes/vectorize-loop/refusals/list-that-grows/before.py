"""Lists are no longer what they were made as: one has grown, the items of another have other types."""

import numpy as np

LIMITS = [1.0]


def allow(limit: float):
    LIMITS.append(limit)


def weighted(n: int, scale: float):
    powers, scales = [1], [0, 0]
    powers.append(2.5)
    scales[0] = scale
    a = np.array(powers)
    b = np.array(scales)
    out = np.zeros(n)
    for i in range(n):
        for j in range(len(a)):
            out[i] += a[j] * b[j] * i
    return out, a * b


def within(n: int):
    allow(2.0)
    a = np.array(LIMITS)
    out = np.zeros(n)
    for i in range(n):
        for j in range(len(a)):
            out[i] += a[j] * i
    LIMITS.pop()
    return out


def cases():
    yield "weighted", (5, 1.5)
    yield "within", (4,)
