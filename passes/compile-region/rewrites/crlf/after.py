"""Lines that end as on Windows: array code becomes a region."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    out={"a": "float64", "b": "float64"},
    once=True,
    compile=True,
)
def _mixed_region(x):
    """Lines of `mixed`."""
    a = np.exp(-x * x) + x  # the first of two
    b = np.sqrt(np.abs(a)) * 2 + a
    return a, b


@npr.step(
    inputs={"a": "float64", "b": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mixed_region_1(a, b):
    """Lines of `mixed`."""
    result = np.sin(a) + b * 0.5
    return (result,)


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], log: list):
    for once in (region := _mixed_region.over(range(1), x=x)):
        a = np.exp(-x * x) + x  # the first of two
        b = np.sqrt(np.abs(a)) * 2 + a
    if region.finished:
        (a, b) = region.results
    del region
    log.append(x.size)
    for once_1 in (region_1 := _mixed_region_1.over(range(1), a=a, b=b)):
        return np.sin(a) + b * 0.5
    (result,) = region_1.results
    return result


def cases():
    for size in (0, 1, 9):
        yield "mixed", (np.linspace(-1.0, 2.0, size), [])
