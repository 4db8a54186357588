"""Principal components: centre, covariance, eigenvectors, projection, explained variance."""

import numpy as np

ENTRY = "pca"
SIZES = {"bench": (40_000, 40, 3), "small": (60, 5, 2)}


def pca(X, n_components):
    mean = X.mean(axis=0)
    Xc = X - mean
    cov = Xc.T @ Xc / (X.shape[0] - 1)
    values, vectors = np.linalg.eigh(cov)
    order = np.argsort(values)[::-1]
    values, vectors = values[order], vectors[:, order]
    W = vectors[:, :n_components]
    W = W * np.sign(W[np.argmax(np.abs(W), axis=0), np.arange(n_components)])
    return Xc @ W, values / values.sum()


def setup(n, d, k):
    rng = np.random.default_rng(72)
    return rng.standard_normal((n, d)) * np.linspace(3, 1, d), k
