"""Islands and a chaotic sea: where kicked rotors go (B. V. Chirikov, Physics Reports 52, 1979)."""

import sys

import numpy as np

SIZES = {"bench": (200000, 80, 400), "small": (100, 10, 20)}

TWO_PI = 2 * np.pi


def kick(theta, p, K):
    p = (p + K * np.sin(theta)) % TWO_PI
    theta = (theta + p) % TWO_PI
    return theta, p


def lyapunov(theta, p, K, n):
    """The growth of a small difference, by the tangent map."""
    dx, dp = np.ones_like(theta), np.zeros_like(theta)
    total = np.zeros_like(theta)
    for i in range(n):
        dp = dp + K * np.cos(theta) * dx
        dx = dx + dp
        r = np.sqrt(dx * dx + dp * dp)
        total += np.log(r)
        dx /= r; dp /= r
        theta, p = kick(theta, p, K)
    return total / n


def main(rotors, kicks, bins, K=0.971635):
    rng = np.random.default_rng(1979)
    theta, p = TWO_PI * rng.random(rotors), TWO_PI * rng.random(rotors)
    density = np.zeros(bins * bins, dtype=np.int64)
    for n in range(kicks):
        theta, p = kick(theta, p, K)
        i = (theta / TWO_PI * bins).astype(np.int64)
        j = (p / TWO_PI * bins).astype(np.int64)
        i[i == bins] = bins - 1
        j[j == bins] = bins - 1
        density += np.bincount(i * bins + j, minlength=bins * bins)
    exponent = lyapunov(theta[::10], p[::10], K, 20)
    print("chaotic share", (exponent > 0.05).mean())
    return dict(density=density.reshape(bins, bins)[:, : bins // 2].sum(), visited=np.count_nonzero(density), share=np.round((exponent > 0.05).mean(), 2))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
