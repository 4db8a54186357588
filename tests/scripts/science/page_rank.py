"""The rank of pages by their links, iterated until it settles (S. Brin and L. Page, Computer Networks 30, 1998)."""

import sys

import numpy as np

SIZES = {"bench": (300000, 4000000, 1e-12), "small": (50, 200, 1e-6)}


def links(pages, count):
    rng = np.random.default_rng(98)
    source = rng.integers(0, pages, count)
    target = (pages * rng.random(count) ** 3).astype(np.int64)
    return source, target


def pagerank(source, target, n, d=0.85, tol=1e-8):
    outdeg = np.bincount(source, minlength=n)
    dangling = outdeg == 0
    share = np.zeros(n)
    r = np.full(n, 1.0 / n)
    history = []
    while True:
        share[:] = 0
        np.divide(r, outdeg, out=share, where=~dangling)
        new = np.bincount(target, weights=share[source], minlength=n)
        new += r[dangling].sum() / n
        new *= d
        new += (1 - d) / n
        err = np.abs(new - r).sum()
        history.append(err)
        r = new
        if err < tol:
            return r, history


def main(n, m, tol):
    source, target = links(n, m)
    r, history = pagerank(source, target, n, tol=tol)
    order = np.argsort(-r)
    print(len(history), "iterations; best", order[:5])
    return dict(r=r, best=order[:10], history=np.array(history))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
