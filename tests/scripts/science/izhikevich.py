"""A thousand spiking neurons (E. M. Izhikevich, IEEE Trans. Neural Networks 14, 2003)."""

import sys

import numpy as np

SIZES = {"bench": (3200, 800, 800), "small": (40, 10, 30)}


def main(Ne, Ni, ms):
    rng = np.random.RandomState(2003)
    re, ri = rng.rand(Ne), rng.rand(Ni)
    a = np.concatenate((0.02 * np.ones(Ne), 0.02 + 0.08 * ri))
    b = np.concatenate((0.2 * np.ones(Ne), 0.25 - 0.05 * ri))
    c = np.concatenate((-65 + 15 * re**2, -65 * np.ones(Ni)))
    d = np.concatenate((8 - 6 * re**2, 2 * np.ones(Ni)))
    S = np.hstack((0.5 * rng.rand(Ne + Ni, Ne), -rng.rand(Ne + Ni, Ni))) * 1000 / (Ne + Ni)
    v = -65 * np.ones(Ne + Ni)
    u = b * v
    firings = []
    for t in range(ms):
        I = np.concatenate((5 * rng.randn(Ne), 2 * rng.randn(Ni)))
        fired = np.where(v >= 30)[0]
        if len(fired) > 0:
            firings.extend((t, n) for n in fired)
        v[fired] = c[fired]
        u[fired] = u[fired] + d[fired]
        I = I + S[:, fired].sum(axis=1)
        v = v + 0.5 * (0.04 * v**2 + 5 * v + 140 - u + I)
        v = v + 0.5 * (0.04 * v**2 + 5 * v + 140 - u + I)
        u = u + a * (b * v - u)
    firings = np.array(firings).reshape(-1, 2)
    rate = np.bincount(firings[:, 0].astype(int), minlength=ms)
    print(len(firings), "spikes, peak", rate.max())
    return dict(rate=rate, v=v, u=u)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
