"""Wind drives a basin: vorticity by Arakawa's Jacobian, the streamfunction by relaxation (A. Arakawa, J. Comput. Phys. 1, 1966; H. Stommel, 1948)."""

import sys

import numpy as np

SIZES = {"bench": (160, 360, 25), "small": (14, 5, 6)}


def jacobian(p, z, d):
    J = np.zeros_like(p)
    pN, pS, pE, pW = p[1:-1, 2:], p[1:-1, :-2], p[2:, 1:-1], p[:-2, 1:-1]
    zN, zS, zE, zW = z[1:-1, 2:], z[1:-1, :-2], z[2:, 1:-1], z[:-2, 1:-1]
    pNE, pNW, pSE, pSW = p[2:, 2:], p[:-2, 2:], p[2:, :-2], p[:-2, :-2]
    zNE, zNW, zSE, zSW = z[2:, 2:], z[:-2, 2:], z[2:, :-2], z[:-2, :-2]
    J1 = (pE - pW) * (zN - zS) - (pN - pS) * (zE - zW)
    J2 = pE * (zNE - zSE) - pW * (zNW - zSW) - pN * (zNE - zNW) + pS * (zSE - zSW)
    J3 = zN * (pNE - pNW) - zS * (pSE - pSW) - zE * (pNE - pSE) + zW * (pNW - pSW)
    J[1:-1, 1:-1] = (J1 + J2 + J3) / (12 * d * d)
    return J


def laplace(f, d):
    out = np.zeros_like(f)
    out[1:-1, 1:-1] = (f[2:, 1:-1] + f[:-2, 1:-1] + f[1:-1, 2:] + f[1:-1, :-2] - 4 * f[1:-1, 1:-1]) / d**2
    return out


def relax(psi, zeta, d, sweeps, omega=0.9):
    for _ in range(sweeps):
        new = psi.copy()
        new[1:-1, 1:-1] = 0.25 * (psi[2:, 1:-1] + psi[:-2, 1:-1] + psi[1:-1, 2:] + psi[1:-1, :-2] - d * d * zeta[1:-1, 1:-1])
        psi = (1 - omega) * psi + omega * new
    return psi


def main(n, steps, sweeps, beta=2.0, r=0.1, nu=1e-3):
    d = 1.0 / (n - 1)
    dt = 0.4 * d
    y = np.linspace(0, 1, n)
    wind = -np.pi * np.sin(np.pi * y)[np.newaxis, :] * np.ones((n, 1))
    psi = np.zeros((n, n))
    zeta = np.zeros((n, n))
    zold = zeta
    kinetic = []
    for step in range(steps):
        betav = np.zeros_like(psi)
        betav[1:-1, :] = beta * (psi[2:, :] - psi[:-2, :]) / (2 * d)
        tendency = -jacobian(psi, zeta, d) - betav + wind - r * zeta + nu * laplace(zeta, d)
        zeta, zold = zeta + dt * tendency, zeta
        if step % 20 == 10:
            zeta = 0.5 * (zeta + zold)
        zeta[0, :] = zeta[-1, :] = 0
        zeta[:, 0] = zeta[:, -1] = 0
        psi = relax(psi, zeta, d, sweeps)
        kinetic.append(-0.5 * (psi * zeta).sum() * d * d)
        if step % 40 == 0:
            print("step", step, "kinetic %.3e" % kinetic[-1])
    return dict(psi=psi, zeta=zeta, kinetic=np.array(kinetic))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
