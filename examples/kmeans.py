"""One step of k-means: to which of the means each point is nearest.

The program of E. Burovski, R. Gommers and M. Lezcano, "Compiling NumPy code into C++ or CUDA via
torch.compile", with their two blobs of ten million points each; they have it from "NumPy array programming"
by Real Python.
"""

import numpy as np

import nprewrite

NPTS = 10_000_000


@nprewrite.jit
def kmeans(X, means):
    return np.argmin(np.linalg.norm(X - means[:, None], axis=2), axis=0)


def blobs(npts, seed=0):
    X = np.repeat([[5, 5], [10, 10]], [npts, npts], axis=0)
    X = X + np.random.default_rng(seed).standard_normal(X.shape)
    means = np.array([[5, 5], [10, 10]])
    return X, means


def main():
    X, means = blobs(NPTS)
    labels = kmeans(X, means)
    print("points to each mean:", np.bincount(labels))


if __name__ == "__main__":
    main()
