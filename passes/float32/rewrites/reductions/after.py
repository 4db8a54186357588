"""Sums, means and the like are accumulated in float64, and their results cast."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float32"},
    out={"centred": "float32", "spread": "float32", "total": "float32", "astype_value": "float32"},
    ranks={"x": 2},
    once=True,
    compile=True,
)
def _moments_region(x):
    """Lines of `moments`."""
    centred = x - x.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = np.std(centred, axis=1, dtype=np.float64).astype(np.float32)
    total = np.sum(x * x, dtype=np.float64).astype(np.float32)
    astype_value = np.cumsum(x, dtype=np.float64).astype(np.float32)
    return centred, spread, total, astype_value


@nprewrite.jit(level="fast", precision="float32")
def moments(n: int):
    linspace_value = np.linspace(-1, 2, n * n, dtype=np.float32)
    x = linspace_value.reshape(n, n)
    del linspace_value
    for once in (region := _moments_region.over(range(1), x=x)):
        centred = x - x.mean(axis=0, dtype=np.float64).astype(np.float32)
        spread = np.std(centred, axis=1, dtype=np.float64).astype(np.float32)
        total = np.sum(x * x, dtype=np.float64).astype(np.float32)
        astype_value = np.cumsum(x, dtype=np.float64).astype(np.float32)
    if region.finished:
        (centred, spread, total, astype_value) = region.results
    return centred, spread, total, astype_value, x.max(), x.argmax(), np.linalg.norm(x)


def cases():
    for n in (2, 5, 16):
        yield "moments", (n,)
