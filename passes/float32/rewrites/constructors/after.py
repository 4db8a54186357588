"""Arrays that are made in the function get the dtype, also where it is written out."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float32", "k": "float32", "base": "float32", "steps": "float32"},
    out={"value": "float32", "ones_like_value": "float32"},
    ranks={"x": 1, "k": 1, "base": 1, "steps": 1},
    once=True,
    compile=True,
)
def _profile_region(x, k, base, steps):
    """Lines of `profile`."""
    value = x * k + base.astype(np.float32)
    ones_like_value = np.ones_like(steps)
    return value, ones_like_value


@npr.step(
    inputs={"value": "float32", "ones_like_value": "float32", "eye_value": "float32"},
    out={"result": "float32"},
    ranks={"value": 1, "ones_like_value": 1, "eye_value": 2},
    once=True,
    compile=True,
)
def _profile_region_1(value, ones_like_value, eye_value):
    """Lines of `profile`."""
    result = value - ones_like_value * eye_value[0]
    return (result,)


@nprewrite.jit(level="fast", precision="float32")
def profile(n: int, height: float):
    x = np.linspace(0, 1, n, dtype=np.float32)
    arange_value = np.arange(0.0, n)
    k = arange_value.astype(np.float32)  # arange would step in float32: it is cast
    table = np.array([0.5, 0.25, 2], dtype=np.float32)
    base = np.full(n, height, dtype=np.float32)
    steps = np.zeros((n,), dtype=np.float32)
    steps[: len(table)] = table
    for once in (region := _profile_region.over(range(1), x=x, k=k, base=base, steps=steps)):
        value = x * k + base.astype(np.float32)
        ones_like_value = np.ones_like(steps)
    if region.finished:
        (value, ones_like_value) = region.results
    eye_value = np.eye(n, dtype=np.float32)
    for once_1 in (region_1 := _profile_region_1.over(
        range(1),
        value=value,
        ones_like_value=ones_like_value,
        eye_value=eye_value,
    )):
        return value - ones_like_value * eye_value[0]
    (result,) = region_1.results
    return result


def cases():
    for n in (3, 8, 21):
        yield "profile", (n, 0.75)
