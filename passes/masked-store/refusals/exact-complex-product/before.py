"""NumPy fuses complex products or not by how the operands lie: the selected elements have other last bits.

Hazards: 2.fused
"""

import numpy as np


def turn(size: int):
    z = np.full(size, 0.3 + 0.4j)
    m = np.abs(z) > 0.1
    z[m] = z[m] * (0.2 + 0.7j)
    return z


def cases():
    yield "turn", (5,)
    yield "turn", (0,)
