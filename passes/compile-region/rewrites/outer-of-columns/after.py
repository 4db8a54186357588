"""torch.compile traces no methods of ufuncs, and promotes an integer column with a float32 row to float32."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"scale": "float64"},
    sizes=("n",),
    out={"result": "float64"},
    once=True,
    grows=True,
    compile=True,
)
def _kernel_region(scale, n):
    """Lines of `kernel`."""
    nodes = npr.linspace(0.0, 1.0, n)
    steps = np.arange(n)
    d = np.subtract(nodes[:, None], 2 * nodes + scale)
    later = np.less(steps[:, None], steps)
    result = (np.exp(-d * d) * later).sum(axis=1)
    return (result,)


@nprewrite.jit
def kernel(n: int, scale: float):
    for once in (region := _kernel_region.over(range(1), scale=scale, n=n)):
        nodes = np.linspace(0.0, 1.0, n)
        steps = np.arange(n)
        d = np.subtract.outer(nodes, 2 * nodes + scale)
        later = np.less.outer(steps, steps)
        return (np.exp(-d * d) * later).sum(axis=1)
    (result,) = region.results
    return result


@nprewrite.jit
def mixed(n: int):
    d = np.subtract.outer(np.arange(n), np.linspace(0.0, 1.0, 3).astype(np.float32))
    return d * d + 1.0


@nprewrite.jit
def of_matrices(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]):
    d = np.add.outer(x, y)
    return d * d + 1.0


def cases():
    yield "kernel", (7, 0.25)
    yield "kernel", (0, 0.25)
    yield "mixed", (4,)
    yield "of_matrices", (np.ones((2, 3)), np.arange(4.0))
    yield "of_matrices", (np.ones(3), np.arange(4.0))
