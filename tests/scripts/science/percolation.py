"""Clusters of site percolation: labels spread until none changes (D. Stauffer and A. Aharony, Introduction to Percolation Theory)."""

import sys

import numpy as np

SIZES = {"bench": (400, 0.58, 3), "small": (20, 0.55, 2)}


def spread(labels, occupied):
    """One pass: each site takes the largest label around it."""
    new = labels.copy()
    new[1:, :] = np.maximum(new[1:, :], labels[:-1, :])
    new[:-1, :] = np.maximum(new[:-1, :], labels[1:, :])
    new[:, 1:] = np.maximum(new[:, 1:], labels[:, :-1])
    new[:, :-1] = np.maximum(new[:, :-1], labels[:, 1:])
    new[~occupied] = 0
    return new


def clusters(occupied):
    n, m = occupied.shape
    labels = np.arange(1, n * m + 1, dtype=np.int32).reshape(n, m)
    labels[~occupied] = 0
    passes = 0
    while True:
        new = spread(labels, occupied)
        passes += 1
        if (new == labels).all():
            break
        labels = new
    return labels, passes


def main(n, p, samples):
    rng = np.random.default_rng(58)
    spanning = []
    for s in range(samples):
        occupied = rng.random((n, n)) < p
        labels, passes = clusters(occupied)
        sizes = np.bincount(labels[labels > 0])
        top, bottom = np.unique(labels[0]), np.unique(labels[-1])
        both = np.intersect1d(top[top > 0], bottom[bottom > 0])
        spanning.append(len(both) > 0)
        print("sample", s, "passes", passes, "largest", sizes.max())
    return dict(labels=labels, sizes=sizes, spanning=np.array(spanning))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
