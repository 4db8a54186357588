"""A gated recurrent unit over a batch of sequences, one time step a trip."""

import numpy as np

ENTRY = "gru"
SIZES = {"bench": (80, 64, 48, 96), "small": (5, 3, 4, 6)}


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def gru(x, h, Wz, Wr, Wh, Uz, Ur, Uh):
    T = x.shape[0]
    out = np.empty((T,) + h.shape)
    for t in range(T):
        z = sigmoid(x[t] @ Wz + h @ Uz)
        r = sigmoid(x[t] @ Wr + h @ Ur)
        candidate = np.tanh(x[t] @ Wh + (r * h) @ Uh)
        h = (1 - z) * h + z * candidate
        out[t] = h
    return out


def setup(T, batch, n_in, n):
    rng = np.random.default_rng(125)
    W = [rng.standard_normal((n_in, n)) / np.sqrt(n_in) for _ in range(3)]
    U = [rng.standard_normal((n, n)) / np.sqrt(n) for _ in range(3)]
    return rng.standard_normal((T, batch, n_in)), np.zeros((batch, n)), *W, *U
