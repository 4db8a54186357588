"""Weather on a ring, put right by observations: an ensemble Kalman filter (G. Evensen, J. Geophys. Res. 99, 1994; E. N. Lorenz, 1996)."""

import sys

import numpy as np

SIZES = {"bench": (240, 160, 30, 8), "small": (20, 6, 4, 3)}


class Lorenz96:
    def __init__(self, n, forcing=8.0, dt=0.02):
        self.n, self.F, self.dt = n, forcing, dt

    def rhs(self, x):
        return (np.roll(x, -1, axis=-1) - np.roll(x, 2, axis=-1)) * np.roll(x, 1, axis=-1) - x + self.F

    def __call__(self, x):
        dt = self.dt
        k1 = self.rhs(x)
        k2 = self.rhs(x + dt / 2 * k1)
        k3 = self.rhs(x + dt / 2 * k2)
        k4 = self.rhs(x + dt * k3)
        return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def analysis(E, y, H, R, rng, inflation=1.05):
    mean = E.mean(axis=0)
    A = (E - mean) * inflation
    HA = A[:, H]
    P = HA.T @ HA / (len(E) - 1) + R * np.eye(len(H))
    perturbed = y + np.sqrt(R) * rng.standard_normal((len(E), len(H)))
    innovation = perturbed - (mean[H] + HA)
    gain = np.linalg.solve(P, innovation.T).T
    return mean + A + gain @ (HA.T @ A) / (len(E) - 1)


def main(n, members, cycles, between):
    rng = np.random.default_rng(96)
    model = Lorenz96(n)
    truth = 8.0 + 0.01 * rng.standard_normal(n)
    for _ in range(200):
        truth = model(truth)
    E = truth + rng.standard_normal((members, n))
    H = np.arange(0, n, 2)
    errors, spreads = [], []
    for cycle in range(cycles):
        for _ in range(between):
            truth = model(truth)
            E = model(E)
        y = truth[H] + rng.standard_normal(len(H))
        E = analysis(E, y, H, 1.0, rng)
        errors.append(np.sqrt(np.mean((E.mean(axis=0) - truth) ** 2)))
        spreads.append(E.std(axis=0).mean())
        if cycle % 20 == 0:
            print("cycle", cycle, "spread %.4f" % spreads[-1])
    return dict(errors=np.array(errors[:4]), spreads=np.array(spreads[:4]), first=E.shape)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
