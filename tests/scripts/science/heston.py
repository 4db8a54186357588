"""Stochastic volatility by Euler's scheme with full truncation (S. Heston, Rev. Financial Studies 6, 1993), work arrays and ``out=``."""

import sys

import numpy as np

SIZES = {"bench": (200000, 250), "small": (100, 6)}


class Heston:
    def __init__(self, kappa=2.0, theta=0.04, xi=0.3, rho=-0.7, r=0.02):
        self.kappa, self.theta, self.xi, self.rho, self.r = kappa, theta, xi, rho, r

    def simulate(self, S0, v0, T, n, steps, seed=None):
        rng = np.random.default_rng(seed)
        dt = T / steps
        logS = np.full(n, np.log(S0))
        v = np.full(n, v0)
        vp = np.empty(n)
        z1, z2, tmp = np.empty(n), np.empty(n), np.empty(n)
        for _ in range(steps):
            rng.standard_normal(out=z1)
            rng.standard_normal(out=z2)
            np.multiply(z2, np.sqrt(1 - self.rho**2), out=z2)
            np.multiply(z1, self.rho, out=tmp)
            np.add(z2, tmp, out=z2)
            np.maximum(v, 0.0, out=vp)
            np.sqrt(vp, out=tmp)
            tmp *= np.sqrt(dt)
            logS += (self.r - 0.5 * vp) * dt
            logS += tmp * z1
            v += self.kappa * (self.theta - vp) * dt
            np.multiply(tmp, z2, out=tmp)
            v += self.xi * tmp
        return np.exp(logS), v


def main(n, steps):
    model = Heston()
    S, v = model.simulate(100.0, 0.04, 1.0, n, steps, seed=1993)
    strikes = np.arange(80, 125, 5.0)
    prices = np.array([np.exp(-model.r) * np.maximum(S - K, 0).mean() for K in strikes])
    for K, p in zip(strikes, prices):
        print(f"{K:6.1f} {p:8.4f}")
    return dict(S=S, v=v, prices=prices)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
