"""Lloyd's algorithm: assign, average each cluster through a mask, until nothing moves."""

import numpy as np

ENTRY = "kmeans"
SIZES = {"bench": (60_000, 6, 12), "small": (60, 3, 5)}


def kmeans(X, centers, maxiter):
    k = len(centers)
    centers = centers.copy()
    for _ in range(maxiter):
        d = ((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
        labels = d.argmin(axis=1)
        old = centers.copy()
        for i in range(k):
            if np.any(labels == i):
                centers[i] = X[labels == i].mean(axis=0)
        if np.allclose(old, centers):
            break
    return centers, labels


def setup(n, k, maxiter):
    rng = np.random.default_rng(71)
    blobs = rng.uniform(-10, 10, (k, 2))
    X = blobs[rng.integers(0, k, n)] + rng.standard_normal((n, 2))
    return X, X[:k].copy(), maxiter
