"""With ``accumulate="float32"`` sums are what NumPy makes of float32."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"v": "float32"},
    out={"result_1": "float32", "result_2": "float32"},
    ranks={"v": 1},
    once=True,
    compile=True,
)
def _energy_region(v):
    """Lines of `energy`."""
    result_1, result_2 = 0.5 * (v * v).sum(), np.mean(v, dtype=np.float32)
    return result_1, result_2


@nprewrite.jit(level="fast", precision="float32", accumulate="float32")
def energy(n: int):
    v = np.linspace(-1, 1, n, dtype=np.float32)
    for once in (region := _energy_region.over(range(1), v=v)):
        return 0.5 * (v * v).sum(), np.mean(v, dtype=np.float32)
    (result_1, result_2) = region.results
    return result_1, result_2


def cases():
    for n in (2, 50):
        yield "energy", (n,)
