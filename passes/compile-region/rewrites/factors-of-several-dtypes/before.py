"""torch multiplies matrices of one dtype, and promotes integers with float32 to float32."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def alignment(distances: npt.NDArray[np.float32], velocity: npt.NDArray[np.float32]):
    near = distances < 0.5
    steer = np.matmul(near, velocity) / np.maximum(near.sum(axis=1), 1)[:, None]
    return steer - velocity


@nprewrite.jit
def counted(counts: npt.NDArray[np.int32], weights: npt.NDArray[np.float32], x: npt.NDArray[np.float64]):
    shares = (counts + 1) @ weights
    return shares * 2.0 - weights @ x


@nprewrite.jit
def of_integers(counts: npt.NDArray[np.int64], x: npt.NDArray[np.int64]):
    return (counts + 1) @ (x * 2) + 3


def cases():
    rng = np.random.default_rng(5)
    yield "alignment", (rng.random((5, 5), np.float32), rng.random((5, 2), np.float32))
    weights = rng.random((4, 4), np.float32)
    yield "counted", (rng.integers(0, 9, (4, 4), np.int32), weights, rng.random((4, 4)))
    yield "of_integers", (rng.integers(-9, 9, (4, 4)), rng.integers(-9, 9, 4))
