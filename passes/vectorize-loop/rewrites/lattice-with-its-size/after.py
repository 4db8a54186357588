"""The size comes with the arrays: where it is that of the axes, slices run to their end, and are compiled."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"u": "float64"},
    out={"flow": "float64"},
    once=True,
    compile=True,
)
def _relaxed_region(u):
    """Lines of `relaxed`."""
    flow = np.zeros_like(u)
    flow_part = np.full_like(flow, -0.0)
    flow_part[1:] = np.broadcast_to(0.5 * (u[:-1] - u[1:]), flow_part[1:].shape)
    flow += flow_part
    flow_part_1 = np.full_like(flow, -0.0)
    flow_part_1[:-1] = np.broadcast_to(u[1:] - u[:-1], flow_part_1[:-1].shape)
    flow += flow_part_1
    return (flow,)


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], n: int):
    if npr.quiet() and npr.are_arrays(np.float64, 1, u) and n == u.shape[0]:
        with np.errstate(all="ignore"):
            for once in (region := _relaxed_region.over(range(1), u=u)):
                flow = np.zeros_like(u)
                flow[1:] += 0.5 * (u[:-1] - u[1:])
                flow[:-1] += u[1:] - u[:-1]
            if region.finished:
                (flow,) = region.results
            del region
    elif npr.quiet() and npr.are_arrays(np.float64, 1, u) and n <= u.shape[0] and n >= 1:
        with np.errstate(all="ignore"):
            flow = np.zeros_like(u)
            flow[1:n] += 0.5 * (u[:n - 1] - u[1:n])
            flow[:n - 1] += u[1:n] - u[:n - 1]
    else:
        flow = np.zeros_like(u)

        # Between neighbours.
        for i in range(n):
            if i > 0:
                flow[i] += 0.5 * (u[i - 1] - u[i])
            if i < n - 1:
                flow[i] += u[i + 1] - u[i]
    return u + flow


def cases():
    u = np.arange(9.0) ** 2
    yield "relaxed", (u, 9)
    yield "relaxed", (u, 4)
    yield "relaxed", (u, 0)
    yield "relaxed", (u, -3)
    yield "relaxed", (u, 10), IndexError
    yield "relaxed", (np.zeros(0), 0)
    yield "relaxed", (np.full(5, -0.0), 5)
    yield "relaxed", (np.arange(12.0).reshape(4, 3), 4)
