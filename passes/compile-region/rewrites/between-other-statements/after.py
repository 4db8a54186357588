"""Array code among printing and a dictionary: two regions, the rest as it is, in order."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"y": "float64", "x": "float64"},
    out={"a": "float64"},
    once=True,
    compile=True,
)
def _survey_region(y, x):
    """Lines of `survey`."""
    a = np.exp(-x * x) + y  # the first region
    return (a,)


@npr.step(
    constants={"count": "float64"},
    inputs={"a": "float64"},
    out={"b": "float64"},
    aligned=("a",),
    once=True,
    compile=True,
)
def _survey_region_1(count, a):
    """Lines of `survey`."""
    b = np.sqrt(np.abs(a)) * 2 / count
    b[...] = np.where(b > 1, 1, b)
    return (b,)


@npr.step(
    inputs={"b": "float64"},
    state={"x": "float64"},
    once=True,
    compile=True,
)
def _survey_region_2(b, x):
    """Lines of `survey`."""
    x *= 0.5
    x += b
    return (x,)


@nprewrite.jit
def survey(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], log: dict):
    count = x.size
    for once in (region := _survey_region.over(range(1), y=y, x=x)):
        a = np.exp(-x * x) + y  # the first region
    if region.finished:
        (a,) = region.results
    del region
    log["mean"] = float(a.mean())
    for once_1 in (region_1 := _survey_region_1.over(range(1), count=count, a=a)):
        b = np.sqrt(np.abs(a)) * 2 / count
        b[b > 1] = 1
    if region_1.finished:
        (b,) = region_1.results
    del region_1
    if count > 3:
        for once_2 in (region_2 := _survey_region_2.over(range(1), b=b, x=x)):
            x *= 0.5
            x += b
    print(count)
    return b, x


def cases():
    yield "survey", (np.arange(6.0), np.ones(6), {})
    yield "survey", (np.arange(3.0), np.ones(3), {})
    yield "survey", (np.arange(6.0)[::-1], np.ones(1), {})
    yield "survey", (np.arange(6.0), np.ones(2), {}), ValueError
    yield "survey", (np.zeros(0), np.ones(0), {})
