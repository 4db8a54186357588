"""The Mandelbrot set with NumPy: every point of a grid at once, escaped points masked out.

The program is the one of N. P. Rougier, "From Python to Numpy", chapter 4.3 (temporal vectorization),
https://www.labri.fr/perso/nrougier/from-python-to-numpy/, with the sizes of the tutorial that takes this
program through torch.compile by hand, step by step (steps_to_compile_mandelbrot, 2023).
"""

import argparse
import math

import numpy as np

XMIN, XMAX, XN = -2.25, +0.75, 3000 // 3
YMIN, YMAX, YN = -1.25, +1.25, 2500 // 3
MAXITER = 200
HORIZON = 2.0**40


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype="float32")
    Y = np.linspace(ymin, ymax, yn, dtype="float32")
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in range(maxiter):
        I = np.abs(Z) < horizon
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    N[N == maxiter - 1] = 0
    return Z, N


def visualize(Z, N, horizon, extent, path):
    """Save the escape times, smoothed and lit from the north-west, as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib import colors

    yn, xn = N.shape
    # Points that never escape have no logarithm of a logarithm; nan_to_num paints them black.
    with np.errstate(invalid="ignore", divide="ignore"):
        M = np.nan_to_num(N + 1 - np.log2(np.log(abs(Z))) + math.log(horizon, 2))

    dpi = 72
    width = 10
    height = 10 * yn / xn
    fig = plt.figure(figsize=(width, height), dpi=dpi)
    ax = fig.add_axes([0.0, 0.0, 1.0, 1.0], frameon=False, aspect=1)
    light = colors.LightSource(azdeg=315, altdeg=10)
    ax.imshow(
        light.shade(M, cmap=plt.cm.hot, vert_exag=1.5, norm=colors.PowerNorm(0.3), blend_mode="hsv"),
        extent=extent,
        interpolation="bicubic",
    )
    ax.set_xticks([])
    ax.set_yticks([])
    fig.savefig(path, dpi=dpi)
    plt.close(fig)


def main():
    parser = argparse.ArgumentParser(description="Iterate the Mandelbrot set and print a checksum.")
    parser.add_argument("--save", metavar="PNG", help="save the picture here (needs matplotlib)")
    arguments = parser.parse_args()
    Z, N = mandelbrot(XMIN, XMAX, YMIN, YMAX, XN, YN, MAXITER, HORIZON)
    print("sum of escape times:", N.sum())
    if arguments.save:
        visualize(Z, N, HORIZON, [XMIN, XMAX, YMIN, YMAX], arguments.save)


if __name__ == "__main__":
    main()
