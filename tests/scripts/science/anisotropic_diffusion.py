"""A picture smoothed within its edges (P. Perona and J. Malik, IEEE Trans. PAMI 12, 1990), bytes in and bytes out."""

import sys

import numpy as np

SIZES = {"bench": (512, 512, 500, 1), "small": (24, 20, 5, 2)}


def anisodiff(img, niter=1, kappa=50, gamma=0.1, step=(1., 1.), option=1):
    img = img.astype('float32')
    imgout = img.copy()

    deltaS = np.zeros_like(imgout)
    deltaE = deltaS.copy()
    NS = deltaS.copy()
    EW = deltaS.copy()
    gS = np.ones_like(imgout)
    gE = gS.copy()

    for ii in range(niter):
        # differences to the south and to the east
        deltaS[:-1, :] = np.diff(imgout, axis=0)
        deltaE[:, :-1] = np.diff(imgout, axis=1)

        if option == 1:
            gS = np.exp(-(deltaS/kappa)**2.)/step[0]
            gE = np.exp(-(deltaE/kappa)**2.)/step[1]
        elif option == 2:
            gS = 1./(1.+(deltaS/kappa)**2.)/step[0]
            gE = 1./(1.+(deltaE/kappa)**2.)/step[1]

        E = gE*deltaE
        S = gS*deltaS

        NS[:] = S
        EW[:] = E
        NS[1:, :] -= S[:-1, :]
        EW[:, 1:] -= E[:, :-1]

        imgout += gamma*(NS+EW)
    return imgout


def picture(h, w):
    rng = np.random.default_rng(90)
    y, x = np.ogrid[:h, :w]
    img = 60 + 120 * ((x - w / 2) ** 2 + (y - h / 2) ** 2 < (min(h, w) / 3) ** 2) + 20.0 * (x > w / 2)
    return np.clip(img + rng.normal(0, 12, (h, w)), 0, 255).astype(np.uint8)


def main(h, w, niter, option):
    img = picture(h, w)
    out = anisodiff(img, niter, kappa=30, gamma=0.2, option=option)
    smooth = np.clip(out, 0, 255).astype(np.uint8)
    print("noise", img.std(), "->", smooth.std())
    return dict(out=out, smooth=smooth)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
