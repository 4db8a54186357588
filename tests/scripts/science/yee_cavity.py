"""Fields in a metal box on Yee's lattice (A. Taflove and S. C. Hagness, Computational Electrodynamics, chapter 3); a dictionary of fields."""

import sys

import numpy as np

SIZES = {"bench": (56, 50, 44, 120), "small": (8, 7, 6, 6)}

c0 = 299792458.0
mu0 = 4e-7 * np.pi
eps0 = 1 / (mu0 * c0**2)


def allocate(nx, ny, nz):
    return {
        "Ex": np.zeros((nx, ny + 1, nz + 1)), "Ey": np.zeros((nx + 1, ny, nz + 1)), "Ez": np.zeros((nx + 1, ny + 1, nz)),
        "Hx": np.zeros((nx + 1, ny, nz)), "Hy": np.zeros((nx, ny + 1, nz)), "Hz": np.zeros((nx, ny, nz + 1)),
    }


def update_h(F, ch):
    F["Hx"] += ch * (np.diff(F["Ey"], axis=2) - np.diff(F["Ez"], axis=1))
    F["Hy"] += ch * (np.diff(F["Ez"], axis=0) - np.diff(F["Ex"], axis=2))
    F["Hz"] += ch * (np.diff(F["Ex"], axis=1) - np.diff(F["Ey"], axis=0))


def update_e(F, ce):
    F["Ex"][:, 1:-1, 1:-1] += ce * (np.diff(F["Hz"], axis=1)[:, :, 1:-1] - np.diff(F["Hy"], axis=2)[:, 1:-1, :])
    F["Ey"][1:-1, :, 1:-1] += ce * (np.diff(F["Hx"], axis=2)[1:-1, :, :] - np.diff(F["Hz"], axis=0)[:, :, 1:-1])
    F["Ez"][1:-1, 1:-1, :] += ce * (np.diff(F["Hy"], axis=0)[:, 1:-1, :] - np.diff(F["Hx"], axis=1)[1:-1, :, :])


def main(nx, ny, nz, steps):
    h = 1e-2
    dt = 0.99 * h / (c0 * np.sqrt(3))
    fields = allocate(nx, ny, nz)
    rng = np.random.default_rng(8)
    fields["Ex"][:, 1:-1, 1:-1] = rng.random((nx, ny - 1, nz - 1)) - 0.5
    probe = np.empty(steps)
    for n in range(steps):
        update_h(fields, dt / (mu0 * h))
        update_e(fields, dt / (eps0 * h))
        probe[n] = fields["Ex"][nx // 2, ny // 2, nz // 2]
        if n % 40 == 0:
            energy = sum((fields[k] ** 2).sum() * (eps0 if k[0] == "E" else mu0) for k in fields)
            print(n, "energy %.6e" % energy)
    return dict(probe=probe, spectrum=np.abs(np.fft.rfft(probe)), Ez=fields["Ez"])


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
