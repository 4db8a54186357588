"""Edges with two thresholds: weak ones stay where they touch strong ones (J. Canny, IEEE Trans. PAMI 8, 1986)."""

import sys

import numpy as np

SIZES = {"bench": (1000, 900, 7), "small": (32, 28, 2)}


def gaussian_blur(img, sigma):
    radius = int(3 * sigma + 0.5)
    t = np.arange(-radius, radius + 1)
    g = np.exp(-t**2 / (2 * sigma**2))
    g /= g.sum()
    padded = np.pad(img, radius, mode="reflect")
    rows = sum(w * padded[k:k + img.shape[0], :] for k, w in enumerate(g))
    return sum(w * rows[:, k:k + img.shape[1]] for k, w in enumerate(g))


def gradients(img):
    p = np.pad(img, 1, mode="edge")
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    return np.hypot(gx, gy), np.rad2deg(np.arctan2(gy, gx)) % 180


def thin(mag, angle):
    p = np.pad(mag, 1)
    h, w = mag.shape
    out = np.zeros_like(mag)
    q = ((angle + 22.5) // 45).astype(int) % 4
    for k, (di, dj) in enumerate([(0, 1), (1, 1), (1, 0), (1, -1)]):
        a = p[1 + di:1 + di + h, 1 + dj:1 + dj + w]
        b = p[1 - di:1 - di + h, 1 - dj:1 - dj + w]
        keep = (q == k) & (mag >= a) & (mag >= b)
        out[keep] = mag[keep]
    return out


def hysteresis(thinned, low, high):
    strong, weak = thinned >= high, thinned >= low
    while True:
        grown = strong.copy()
        p = np.pad(strong, 1)
        for di in range(3):
            for dj in range(3):
                grown |= p[di:di + strong.shape[0], dj:dj + strong.shape[1]]
        grown &= weak
        if np.array_equal(grown, strong):
            return strong
        strong = grown


def main(h, w, frames):
    rng = np.random.default_rng(86)
    y, x = np.mgrid[0:h, 0:w]
    edges = []
    for k in range(frames):
        img = (128 + 80 * np.sin(x / (15.0 + k)) * np.cos(y / 21.0) + rng.normal(0, 8, (h, w))).clip(0, 255).astype(np.uint8)
        smooth = gaussian_blur(img.astype(float), 1.4)
        mag, angle = gradients(smooth)
        edges.append(hysteresis(thin(mag, angle), 15, 45))
        print("frame", k, "edge pixels", edges[-1].sum())
    return dict(edges=np.array(edges), mag=mag)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
