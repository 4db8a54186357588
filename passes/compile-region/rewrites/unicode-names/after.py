"""Names in other alphabets: code over arrays becomes a region."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    out={"α": "float64", "b": "float64"},
    once=True,
    compile=True,
)
def _mixed_region(x):
    """Lines of `mixed`."""
    α = np.exp(-x * x) + x  # the first of two
    b = np.sqrt(np.abs(α)) * 2 + α
    return α, b


@npr.step(
    inputs={"α": "float64", "b": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mixed_region_1(α, b):
    """Lines of `mixed`."""
    result = np.sin(α) + b * 0.5
    return (result,)


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], log: list):
    for once in (region := _mixed_region.over(range(1), x=x)):
        α = np.exp(-x * x) + x  # the first of two
        b = np.sqrt(np.abs(α)) * 2 + α
    if region.finished:
        (α, b) = region.results
    del region
    log.append(x.size)
    for once_1 in (region_1 := _mixed_region_1.over(range(1), α=α, b=b)):
        return np.sin(α) + b * 0.5
    (result,) = region_1.results
    return result


def cases():
    for size in (0, 1, 9):
        yield "mixed", (np.linspace(-1.0, 2.0, size), [])
