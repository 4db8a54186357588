"""Sequential k-means: each point moves its mean before the next point is assigned (MacQueen)."""

import numpy as np

TWIN_OF = "kmeans_assignment"
ENTRY = "assign"
SIZES = {"small": (60,)}


def assign(X, means):
    labels = np.empty(len(X), dtype=np.int64)
    for i in range(len(X)):
        labels[i] = np.argmin(np.linalg.norm(X[i] - means, axis=1))
        means[labels[i]] += 0.1 * (X[i] - means[labels[i]])
    return labels


def setup(n):
    rng = np.random.default_rng(70)
    return rng.standard_normal((n, 2)), np.array([[0.5, 0.0], [-0.5, 0.0]])
