"""An adaptive filter that learns to take the hum away (B. Widrow and M. Hoff, Adaptive Switching Circuits, 1960)."""

import sys

import numpy as np

SIZES = {"bench": (200000, 32), "small": (300, 8)}


def lms(x, d, taps, mu):
    n = len(x)
    w = np.zeros(taps)
    y = np.zeros(n)
    e = np.zeros(n)
    for k in range(taps, n):
        window = x[k - taps:k][::-1]
        y[k] = np.dot(w, window)
        e[k] = d[k] - y[k]
        w += 2 * mu * e[k] * window
    return y, e, w


def main(n, taps):
    rng = np.random.default_rng(1960)
    t = np.arange(n) / 8000
    speech = np.sin(2 * np.pi * 440 * t) * (np.sin(2 * np.pi * 3 * t) > 0)
    reference = rng.standard_normal(n)
    hum = np.convolve(reference, [0.5, -0.3, 0.2, 0.1])[:n]
    y, e, w = lms(reference, 0.3 * speech + hum, taps, 0.002)
    pcm = np.clip(e * 20000, -32768, 32767).astype(np.int16)
    print("hum %.4f left %.4f" % (hum.var(), (e[n // 2:] - 0.3 * speech[n // 2:]).var()))
    return dict(w=w, pcm=pcm)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
