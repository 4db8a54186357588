"""Flame fronts by exponential time differencing (A.-K. Kassam and L. N. Trefethen, SIAM J. Sci. Comput. 26, 2005)."""

import sys

import numpy as np

SIZES = {"bench": (4096, 6000), "small": (64, 30)}


def coefficients(N, h, length):
    k = np.fft.rfftfreq(N) * N * 2 * np.pi / length
    L = k**2 - k**4
    E, E2 = np.exp(h * L), np.exp(h * L / 2)
    M = 16
    r = np.exp(1j * np.pi * (np.arange(1, M + 1) - 0.5) / M)
    LR = h * np.repeat(L[:, None], M, axis=1) + np.repeat(r[None, :], len(k), axis=0)
    Q = h * np.real(np.mean((np.exp(LR / 2) - 1) / LR, axis=1))
    f1 = h * np.real(np.mean((-4 - LR + np.exp(LR) * (4 - 3 * LR + LR**2)) / LR**3, axis=1))
    f2 = h * np.real(np.mean((2 + LR + np.exp(LR) * (-2 + LR)) / LR**3, axis=1))
    f3 = h * np.real(np.mean((-4 - 3 * LR - LR**2 + np.exp(LR) * (4 - LR)) / LR**3, axis=1))
    g = -0.5j * k
    return g, E, E2, Q, f1, f2, f3


def main(N, steps):
    length = 32 * np.pi * N / 128
    x = length * np.arange(1, N + 1) / N
    u = np.cos(x / 16) * (1 + np.sin(x / 16))
    v = np.fft.rfft(u)
    h = 0.25
    g, E, E2, Q, f1, f2, f3 = coefficients(N, h, length)
    nonlinear = lambda v: g * np.fft.rfft(np.fft.irfft(v) ** 2)
    uu, tt = [u], [0.0]
    nplt = max(steps // 20, 1)
    for n in range(1, steps + 1):
        t = n * h
        Nv = nonlinear(v)
        a = E2 * v + Q * Nv
        Na = nonlinear(a)
        b = E2 * v + Q * Na
        Nb = nonlinear(b)
        c = E2 * a + Q * (2 * Nb - Nv)
        Nc = nonlinear(c)
        v = E * v + Nv * f1 + 2 * (Na + Nb) * f2 + Nc * f3
        if n % nplt == 0:
            uu.append(np.fft.irfft(v)); tt.append(t)
    print("t = %g, mean square %.6f" % (tt[-1], np.mean(uu[-1] ** 2)))
    return dict(tt=np.array(tt), rms=np.sqrt(np.mean(np.array(uu) ** 2, axis=1)), first=np.array(uu[:2]))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
