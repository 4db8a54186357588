"""The burning ship fractal, whose finished points are dropped (Michelitsch and Roessler, Computers & Graphics 16, 1992)."""

import sys

import numpy as np

SIZES = {"bench": (1400, 1050, 350), "small": (60, 45, 20)}


def burning_ship(xmin, xmax, ymin, ymax, xn, yn, itermax, horizon=4.0):
    Xi, Yi = np.mgrid[0:xn, 0:yn]
    Xi, Yi = Xi.astype(np.uint32), Yi.astype(np.uint32)
    X = np.linspace(xmin, xmax, xn, dtype=np.float32)[Xi]
    Y = np.linspace(ymin, ymax, yn, dtype=np.float32)[Yi]
    C = X + Y * 1j
    N_ = np.zeros(C.shape, dtype=np.uint32)
    Z_ = np.zeros(C.shape, dtype=np.complex64)
    Xi.shape = Yi.shape = C.shape = xn * yn

    Z = np.zeros(C.shape, np.complex64)
    for i in range(itermax):
        if not len(Z): break

        # fold the plane, square, add
        Z = np.abs(Z.real) + 1j * np.abs(Z.imag)
        np.multiply(Z, Z, Z)
        np.add(Z, C, Z)

        # which points have left
        I = abs(Z) > horizon
        N_[Xi[I], Yi[I]] = i + 1
        Z_[Xi[I], Yi[I]] = Z[I]

        np.logical_not(I, I)
        Z = Z[I]
        Xi, Yi = Xi[I], Yi[I]
        C = C[I]
    return Z_, N_


def main(xn, yn, itermax):
    Z, N = burning_ship(-2.2, 1.4, -2.0, 0.7, xn, yn, itermax)
    with np.errstate(invalid="ignore", divide="ignore"):
        M = np.nan_to_num(N + 1 - np.log2(np.log(abs(Z))) + 1.0)
    print("escaped:", np.count_nonzero(N), "of", N.size)
    return dict(N=N, M=M)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
