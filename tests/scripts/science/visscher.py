"""A wave packet meets a barrier: real and imaginary parts leap over each other (P. B. Visscher, Computers in Physics 5, 1991)."""

import sys

import numpy as np

SIZES = {"bench": (300, 240, 2400), "small": (30, 24, 10)}

nx, ny, steps = SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]
dt = 0.05
x, y = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
V = np.where((x > 0.55 * nx) & (x < 0.58 * nx) & (np.abs(y - ny / 2) > ny / 20), 5.0, 0.0)
packet = np.exp(-((x - nx / 4) ** 2 + (y - ny / 2) ** 2) / (2 * (nx / 15) ** 2)) * np.exp(0.8j * x)
R, I = packet.real.copy(), packet.imag.copy()


def H(psi):
    """The Hamiltonian; walls of the box hold the wave at zero."""
    out = np.zeros_like(psi)
    out[1:-1, 1:-1] = -0.5 * (psi[2:, 1:-1] + psi[:-2, 1:-1] + psi[1:-1, 2:] + psi[1:-1, :-2] - 4 * psi[1:-1, 1:-1])
    return out + V * psi


def animate(frame):
    global R, I
    for _ in range(10):
        R += dt * H(I)
        I -= dt * H(R)
    return R**2 + I**2


def main():
    norms = []
    for frame in range(steps // 10):
        P = animate(frame)
        norms.append(P.sum())
        if frame % 10 == 0:
            print("frame", frame, "norm %.6f" % norms[-1], "through %.4f" % (P[int(0.58 * nx):].sum() / norms[-1]))
    return dict(P=P, norms=np.array(norms))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main())
