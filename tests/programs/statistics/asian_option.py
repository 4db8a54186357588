"""An Asian call by Monte Carlo: geometric Brownian paths step by step, random numbers inside of the loop."""

import numpy as np

ENTRY = "asian_call"
SIZES = {"bench": (100_000, 60), "small": (50, 6)}


def asian_call(rng, S0, K, r, sigma, T, steps, paths):
    dt = T / steps
    S = np.full(paths, S0)
    total = np.zeros(paths)
    for _ in range(steps):
        Z = rng.standard_normal(paths)
        S = S * np.exp((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * Z)
        total += S
    payoff = np.maximum(total / steps - K, 0.0)
    price = np.exp(-r * T) * payoff.mean()
    error = payoff.std(ddof=1) / np.sqrt(paths)
    return price, error


def setup(paths, steps):
    return np.random.default_rng(78), 100.0, 105.0, 0.03, 0.2, 1.0, steps, paths
