"""Prices and deltas of European options; the normal distribution by Abramowitz and Stegun's 26.2.17."""

import numpy as np

ENTRY = "black_scholes"
SIZES = {"bench": (500_000,), "small": (64,)}


def cnd(d):
    A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
    K = 1.0 / (1.0 + 0.2316419 * np.abs(d))
    value = (
        1.0 / np.sqrt(2 * np.pi) * np.exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))))
    )
    return np.where(d > 0, 1.0 - value, value)


def black_scholes(S, X, T, R=0.02, V=0.30):
    sqrtT = np.sqrt(T)
    d1 = (np.log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cnd_d1, cnd_d2 = cnd(d1), cnd(d2)
    exp_rt = np.exp(-R * T)
    call = S * cnd_d1 - X * exp_rt * cnd_d2
    put = X * exp_rt * (1.0 - cnd_d2) - S * (1.0 - cnd_d1)
    return call, put, cnd_d1


def setup(n):
    rng = np.random.default_rng(76)
    return rng.uniform(5, 30, n), rng.uniform(1, 100, n), rng.uniform(0.25, 10, n)
