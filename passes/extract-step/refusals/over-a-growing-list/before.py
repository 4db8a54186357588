"""The list grows while the loop runs.

Hazards: 3.growing-list
"""

import numpy as np


def drain(size: int, queue: list):
    x = np.zeros(size)
    for v in queue:
        x = x + v
        if len(queue) < 5:
            queue.append(v + 1)
    return x, queue


def cases():
    yield "drain", (3, [1])
    yield "drain", (3, [])
