"""Edges of a grid whose sizes are names, and which NumPy's own helper writes."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    sizes=("width", "rows", "columns"),
    state={"u": "float64"},
    once=True,
    compile=True,
)
def _smooth_region(width, rows, columns, u):
    """Lines of `smooth`."""
    u[width:rows - width, 1:-1] = 0.5 * u[width:rows - width, 1:-1] + 0.25 * (u[width : rows - width, 2:] + u[width : rows - width, :-2])
    u[:, 0] = u[:, 1]
    u[0, :columns // 2] = u[-1, :columns // 2]
    return (u,)


@nprewrite.jit
def smooth(u: npt.NDArray[np.float64], width: int):
    rows, columns = u.shape
    for once in (region := _smooth_region.over(
        range(1),
        width=width,
        rows=rows,
        columns=columns,
        u=u,
    )):
        u[width:rows - width, 1:-1] = 0.5 * u[width:rows - width, 1:-1] + 0.25 * (u[width : rows - width, 2:] + u[width : rows - width, :-2])
        u[:, 0] = u[:, 1]
        u[0, :columns // 2] = u[-1, :columns // 2]
    return u


def cases():
    rng = np.random.default_rng(1)
    for width in (0, 1, 3):
        yield "smooth", (rng.random((7, 8)), width)
