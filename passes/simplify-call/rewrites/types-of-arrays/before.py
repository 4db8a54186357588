"""A type that is called with an array converts it; with a number, it makes a number."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def contrast(image: npt.NDArray[np.uint8], gamma: float):
    x = np.empty((200, 300))
    x[:, :] = image[:200, :300]
    for _ in range(3):
        y = np.float32(x) / 255.0
        x = np.float64(y * y * np.float32(gamma) + np.sqrt(y))
    return x


@nprewrite.jit
def steps(n: int):
    x = np.linspace(0, 1, n)
    for _ in range(4):
        k = np.int64(x * 10)
        x = x + np.float64(k) * 0.25 + np.float64(3)
    return x


def cases():
    image = np.random.default_rng(0).integers(0, 255, (210, 310), dtype=np.uint8)
    yield "contrast", (image, 0.5)
    yield "steps", (700,)
    yield "steps", (0,)
