"""A Kalman filter without any noise: a covariance becomes singular on the way, and NumPy raises."""

import numpy as np

TWIN_OF = "kalman_filter"
ENTRY = "kalman"
SIZES = {"small": (12,)}


def kalman(z, dt, noise, R):
    F = np.array([[1.0, dt], [0.0, 1.0]])
    Q = noise * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    H = np.eye(2)
    x = np.zeros(2)
    P = np.eye(2)
    track = np.zeros((len(z), 2))
    for k in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z[k] - H @ x)
        P = (np.eye(2) - K @ H) @ P
        track[k] = x
    return track, P


def setup(n):
    rng = np.random.default_rng(410)
    truth = np.stack([np.linspace(0, 5, n), np.ones(n)], axis=1)
    return truth + 0.1 * rng.standard_normal((n, 2)), 0.1, 0.0, np.zeros((2, 2))
