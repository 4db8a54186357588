"""A type that is called with an array converts it; with a number, it makes a number."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    out={"y": "float32", "value": "float32"},
    once=True,
    compile=True,
)
def _contrast_region(x):
    """Lines of `contrast`."""
    y = x.astype(np.float32) / 255.0
    value = y * y
    return y, value


@npr.step(
    constants={"float32_value": npr.scalar("float32")},
    inputs={"value": "float32", "y": "float32"},
    out={"x": "float64"},
    once=True,
    compile=True,
)
def _contrast_region_1(float32_value, value, y):
    """Lines of `contrast`."""
    x = (value * float32_value + np.sqrt(y)).astype(np.float64)
    return (x,)


@nprewrite.jit
def contrast(image: npt.NDArray[np.uint8], gamma: float):
    x = np.empty((200, 300))
    x[:, :] = image[:200, :300]
    for _ in range(3):
        for once in (region := _contrast_region.over(range(1), x=x)):
            y = x.astype(np.float32) / 255.0
            value = y * y
        if region.finished:
            (y, value) = region.results
        del region
        float32_value = np.float32(gamma)
        for once_1 in (region_1 := _contrast_region_1.over(
            range(1),
            float32_value=float32_value,
            value=value,
            y=y,
        )):
            x = (value * float32_value + np.sqrt(y)).astype(np.float64)
        del float32_value, value
        if region_1.finished:
            (x,) = region_1.results
        del region_1
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
