"""A call whose argument is no literal is computed by NumPy, and what stands around it is compiled."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64"},
    out={"p": "float64"},
    once=True,
    compile=True,
)
def _shifted_region(x):
    """Lines of `shifted`."""
    p = x * x + 1
    p = p / 2
    return (p,)


@npr.step(
    inputs={"p": "float64", "roll_value": "float64"},
    out={"q": "float64"},
    once=True,
    compile=True,
)
def _shifted_region_1(p, roll_value):
    """Lines of `shifted`."""
    q = roll_value * 2 + p
    return (q,)


@npr.step(
    inputs={"p": "float64", "diff_value": "float64", "q": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _shifted_region_2(p, diff_value, q):
    """Lines of `shifted`."""
    r = diff_value * 3 - p
    result = r * q + 1
    return (result,)


@nprewrite.jit
def shifted(x: npt.NDArray[np.float64], n: int):
    for once in (region := _shifted_region.over(range(1), x=x)):
        p = x * x + 1
        p = p / 2
    if region.finished:
        (p,) = region.results
    del region
    roll_value = np.roll(p, n)
    for once_1 in (region_1 := _shifted_region_1.over(range(1), p=p, roll_value=roll_value)):
        q = roll_value * 2 + p
    del roll_value
    if region_1.finished:
        (q,) = region_1.results
    del region_1
    diff_value = np.diff(q, prepend=0.0)
    for once_2 in (region_2 := _shifted_region_2.over(range(1), p=p, diff_value=diff_value, q=q)):
        r = diff_value * 3 - p
        return r * q + 1
    del diff_value
    (result,) = region_2.results
    return result


def cases():
    for n in (0, 2, -1):
        yield "shifted", (np.arange(6.0), n)
    yield "shifted", (np.arange(6.0), None), TypeError
