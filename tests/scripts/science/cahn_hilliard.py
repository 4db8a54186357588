"""An alloy that unmixes (J. W. Cahn and J. E. Hilliard, J. Chem. Phys. 28, 1958), with periodic differences."""

import sys

import numpy as np

SIZES = {"bench": (300, 250), "small": (20, 8)}


def laplacian(f, dx):
    return (np.roll(f, 1, axis=0) + np.roll(f, -1, axis=0) + np.roll(f, 1, axis=1) + np.roll(f, -1, axis=1) - 4.0 * f) / dx**2


def chemical_potential(c, params):
    return params["A"] * (c**3 - c) - params["kappa"] * laplacian(c, params["dx"])


def free_energy(c, params):
    gx = (np.roll(c, -1, 0) - c) / params["dx"]
    gy = (np.roll(c, -1, 1) - c) / params["dx"]
    return np.sum(params["A"] / 4 * (c**2 - 1) ** 2 + params["kappa"] / 2 * (gx**2 + gy**2)) * params["dx"] ** 2


def main(n, steps):
    params = {"A": 1.0, "kappa": 0.5, "dx": 1.0, "M": 1.0, "dt": 0.02}
    rng = np.random.default_rng(1958)
    c = 0.1 * rng.standard_normal((n, n))
    energies = []
    for step in range(steps):
        mu = chemical_potential(c, params)
        c = c + params["dt"] * params["M"] * laplacian(mu, params["dx"])
        if step % 10 == 0:
            energies.append(free_energy(c, params))
        if step % 50 == 0:
            print(f"step {step:5d}  energy {energies[-1]:.3f}  mean {c.mean():+.2e}")
    return dict(c=c, energies=np.array(energies))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
