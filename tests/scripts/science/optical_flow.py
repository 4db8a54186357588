"""How a picture moved: optical flow by global smoothness (B. Horn and B. Schunck, Artificial Intelligence 17, 1981)."""

import sys

import numpy as np

SIZES = {"bench": (300, 260, 900), "small": (20, 16, 8)}


def filter2(img, kernel):
    """Correlate with a small kernel; the edge is repeated."""
    kh, kw = kernel.shape
    padded = np.pad(img, ((kh // 2, kh - 1 - kh // 2), (kw // 2, kw - 1 - kw // 2)), mode="edge")
    out = np.zeros_like(img)
    for i in range(kh):
        for j in range(kw):
            if kernel[i, j] != 0:
                out += kernel[i, j] * padded[i:i + img.shape[0], j:j + img.shape[1]]
    return out


HSKERN = np.array([[1 / 12, 1 / 6, 1 / 12],
                   [1 / 6, 0, 1 / 6],
                   [1 / 12, 1 / 6, 1 / 12]])
kernelX = np.array([[-1, 1], [-1, 1]]) * .25
kernelY = np.array([[-1, -1], [1, 1]]) * .25
kernelT = np.ones((2, 2)) * .25


def HornSchunck(im1, im2, *, alpha=1.0, Niter=8):
    U = np.zeros_like(im1)
    V = np.zeros_like(im1)
    fx = filter2(im1, kernelX) + filter2(im2, kernelX)
    fy = filter2(im1, kernelY) + filter2(im2, kernelY)
    ft = filter2(im1, kernelT) + filter2(im2, -kernelT)
    for _ in range(Niter):
        uAvg = filter2(U, HSKERN)
        vAvg = filter2(V, HSKERN)
        der = (fx * uAvg + fy * vAvg + ft) / (alpha**2 + fx**2 + fy**2)
        U = uAvg - fx * der
        V = vAvg - fy * der
    return U, V


def main(h, w, niter):
    y, x = np.mgrid[0:h, 0:w].astype(float)
    im1 = np.sin(x / 5) * np.cos(y / 7) + 0.3 * np.sin((x + y) / 3)
    im2 = np.sin((x - 0.4) / 5) * np.cos((y - 0.2) / 7) + 0.3 * np.sin((x + y - 0.6) / 3)
    U, V = HornSchunck(im1, im2, alpha=0.3, Niter=niter)
    print("mean flow %.4f %.4f" % (U.mean(), V.mean()))
    return dict(U=U, V=V)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
