"""An American put by least squares on simulated paths (F. Longstaff and E. Schwartz, Rev. Financial Studies 14, 2001)."""

import sys

import numpy as np

SIZES = {"bench": (100000, 50), "small": (200, 6)}


def simulate(S0, r, sigma, T, paths, steps, rng):
    dt = T / steps
    S = np.empty((steps + 1, paths))
    S[0] = S0
    for t in range(1, steps + 1):
        z = rng.standard_normal(paths // 2)
        z = np.concatenate((z, -z))
        S[t] = S[t - 1] * np.exp((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z)
    return S


def laguerre(x, K):
    x = x / K
    e = np.exp(-x / 2)
    return np.column_stack([np.ones_like(x), e, e * (1 - x), e * (1 - 2 * x + x**2 / 2)])


def main(paths, steps):
    S0, K, r, sigma, T = 36.0, 40.0, 0.06, 0.2, 1.0
    rng = np.random.default_rng(2001)
    S = simulate(S0, r, sigma, T, paths, steps, rng)
    disc = np.exp(-r * T / steps)
    cash = np.maximum(K - S[-1], 0)
    boundary = np.full(steps + 1, np.nan)
    for t in range(steps - 1, 0, -1):
        cash *= disc
        itm = S[t] < K
        if not itm.any():
            continue
        X = laguerre(S[t, itm], K)
        beta = np.linalg.solve(X.T @ X, X.T @ cash[itm])
        continuation = X @ beta
        exercise = K - S[t, itm]
        now = exercise > continuation
        idx = np.where(itm)[0][now]
        cash[idx] = exercise[now]
        if now.any():
            boundary[t] = S[t, idx].max()
    price = disc * cash.mean()
    print("price %.4f +- %.4f" % (price, cash.std() / np.sqrt(paths)))
    return dict(price=price, boundary=boundary, cash=cash)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
