"""Arrays that are made in the function get the dtype, also where it is written out."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"height": "float32"},
    sizes=("n",),
    inputs={"arange_value": "float64", "x": "float32"},
    out={"result": "float32"},
    ranks={"arange_value": 1, "x": 1},
    once=True,
    compile=True,
)
def _profile_region(height, n, arange_value, x):
    """Lines of `profile`."""
    k = arange_value.astype(np.float32)  # arange would step in float32: it is cast
    table = np.array([0.5, 0.25, 2], dtype=np.float32)
    base = npr.full(n, height, dtype=np.float32)
    steps = np.zeros((n,), dtype=np.float32)
    steps[: len(table)] = table
    result = x * k + base.astype(np.float32) - np.ones_like(steps) * np.eye(n, dtype=np.float32)[0]
    return (result,)


@nprewrite.jit(level="fast", precision="float32")
def profile(n: int, height: float):
    x = np.linspace(0, 1, n, dtype=np.float32)
    arange_value = np.arange(0.0, n)
    for once in (region := _profile_region.over(
        range(1),
        height=height,
        n=n,
        arange_value=arange_value,
        x=x,
    )):
        k = arange_value.astype(np.float32)  # arange would step in float32: it is cast
        table = np.array([0.5, 0.25, 2], dtype=np.float32)
        base = np.full(n, height, dtype=np.float32)
        steps = np.zeros((n,), dtype=np.float32)
        steps[: len(table)] = table
        return x * k + base.astype(np.float32) - np.ones_like(steps) * np.eye(n, dtype=np.float32)[0]
    del arange_value
    (result,) = region.results
    return result


def cases():
    for n in (3, 8, 21):
        yield "profile", (n, 0.75)
