"""The caller's array that is stored into stays float64, and so does one that may be a view of it."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"weights": "float32", "u": "float64"},
    state={"inner": "float64"},
    out={"result": "float32"},
    read_first=("weights", "u"),
    once=True,
    compile=True,
)
def _relax_region(weights, u, inner):
    """Lines of `relax`."""
    inner += weights * (u[2:].astype(np.float32) - 2 * u[1:-1].astype(np.float32) + u[:-2].astype(np.float32))
    result = inner.astype(np.float32).max()
    return inner, result


@nprewrite.jit(level="fast", precision="float32")
def relax(u, n: int):
    u = np.asarray(u, dtype=np.float64)
    inner = u[1:-1]
    weights = np.linspace(0, 0.5, n, dtype=np.float32)
    for once in (region := _relax_region.over(range(1), weights=weights, u=u, inner=inner)):
        inner += weights * (u[2:].astype(np.float32) - 2 * u[1:-1].astype(np.float32) + u[:-2].astype(np.float32))
        return inner.astype(np.float32).max()
    (result,) = region.results
    return result


def cases():
    for n in (3, 17):
        yield "relax", (np.random.default_rng(n).random(n + 2), n)
