"""Windows over two axes: a correlation, a local mean and range, and a convolution with channels."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _correlated_loop(h, k, w, out, image, kernel):
    """The loop in `correlated`."""
    for i in range(h - k + 1):
        for j in range(w - 2):
            out[i, j] = np.sum(image[i : i + k, j : j + 3] * kernel)


def correlated(h: int, w: int, k: int, seed: int):
    rng = np.random.default_rng(seed)
    image, kernel = rng.random((h, w)), rng.random((k, 3))
    out = np.zeros((h, w))
    _correlated_loop(h, k, w, out, image, kernel)
    return out


@npr.native
def _local_loop(k, h, w, image, mean, spread):
    """The loop in `local`."""
    for i in range(k, h - k):
        for j in range(k, w - k):
            window = image[i - k : i + k + 1, j - k : j + k + 1]
            mean[i, j] = window.mean()
            spread[i, j] = window.std() / (window.max() - window.min() + 1)


def local(h: int, w: int, k: int, seed: int):
    rng = np.random.default_rng(seed)
    image = rng.random((w, h)).T[:, ::-1]
    mean, spread = np.zeros((h, w)), np.zeros((h, w))
    _local_loop(k, h, w, image, mean, spread)
    return mean, spread


@npr.native
def _convolved_loop(rows, stride, volume, out, kernels):
    """The loop in `convolved`."""
    for n in range(2):
        for c in range(4):
            for i in range((rows - 3) // stride + 1):
                for j in range(6 // stride + 1):
                    top, left = i * stride, j * stride
                    window = volume[n, top : top + 3, left : left + 2, :]
                    out[n, i, j, c] = np.sum(window * kernels[:, :, :, c])


def convolved(rows: int, channels: int, stride: int, seed: int):
    rng = np.random.default_rng(seed)
    volume, kernels = rng.random((2, rows, 8, 3)), rng.random((3, 2, channels, 4))
    out = np.zeros((2, rows // stride, 8, 4))
    _convolved_loop(rows, stride, volume, out, kernels)
    return out


def cases():
    for h, w, k in ((9, 8, 2), (3, 9, 3), (2, 9, 3), (0, 0, 1), (20, 30, 5)):
        yield "correlated", (h, w, k, 3)
        yield "local", (h, w, k, 3)
    for rows, channels, stride in ((9, 3, 1), (9, 3, 2), (9, 1, 1), (2, 3, 1)):
        yield "convolved", (rows, channels, stride, 3)
