"""Filters whose matrices are listed in the function: their text says that they are small."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _kalman_loop(z, F, x, P, Q, H, r, out):
    """The loop in `kalman`."""
    for k in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        S = (H @ P @ H.T)[0, 0] + r
        K = P @ H[0] / S
        x = x + K * (z[k] - x[0])
        P = P - np.outer(K, H[0] @ P)
        out[k] = x


def kalman(z: npt.NDArray[np.float64], dt: float, q: float, r: float):
    F = np.array([[1.0, dt], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q = q * np.eye(2)
    x = np.zeros(2)
    P = np.eye(2)
    out = np.zeros((len(z), 2))
    _kalman_loop(z, F, x, P, Q, H, r, out)
    return out


@npr.native
def _bearings_loop(z, x, P, noise, path):
    """The loop in `bearings`."""
    for k in range(z.shape[0]):
        r = np.linalg.norm(x)
        expected = np.array([r, np.arctan2(x[1], x[0])])
        H = np.array([[x[0] / r, x[1] / r], [-x[1] / r**2, x[0] / r**2]])
        S = H @ P @ H.T + noise
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z[k] - expected)
        P = (np.eye(2) - K @ H) @ P
        path[k] = x
    return P


def bearings(z: npt.NDArray[np.float64], noise: npt.NDArray[np.float64]):
    x = np.array([1.0, 0.5])
    P = np.identity(2)
    path = np.empty((z.shape[0], 2))
    P = _bearings_loop(z, x, P, noise, path)
    return path, P


@npr.native
def _boris_loop(n, field, x, v, path):
    """The loop in `boris`."""
    for i in range(n):
        t = 0.05 * field * (1 + x[0] ** 2)
        s = 2.0 * t / (1.0 + np.dot(t, t))
        v = v + np.cross(v + np.cross(v, t), s)
        x = x + 0.1 * v
        path[i] = x


def boris(bx: float, bz: float, n: int):
    x = np.zeros(3)
    v = np.array([1.0, 0.0, 0.2])
    field = np.array([bx, 0.0, bz])
    path = np.zeros((n, 3))
    _boris_loop(n, field, x, v, path)
    return path


def cases():
    rng = np.random.default_rng(16)
    for n in (0, 1, 30):
        yield "kalman", (np.cumsum(rng.standard_normal(n)), 0.1, 1e-3, 0.2)
        yield "bearings", (1 + 0.1 * rng.standard_normal((n, 2)), np.diag([0.1, 0.2]))
        yield "boris", (0.3, 1.1, n)
    yield "bearings", (np.ones((3, 2)), np.diag([np.nan, 1.0]))
