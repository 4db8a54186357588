"""Other tasks run while the loop waits.

Hazards: 3.await
"""

import asyncio

import numpy as np


async def slow(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        x *= 0.5
        await asyncio.sleep(0)
    return x


def run(size: int, trips: int):
    return asyncio.run(slow(size, trips))


def cases():
    yield "run", (4, 3)
