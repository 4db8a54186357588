"""A convolutional layer as in NPBench: the batch's windows summed against the weights, pixel by pixel."""

import numpy as np

ENTRY = "conv2d_bias"
SIZES = {"bench": (8, 3, 4, 16, 40), "small": (2, 3, 2, 3, 6)}


def conv2d(input, weights):
    K = weights.shape[0]
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out), dtype=np.float32)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def conv2d_bias(input, weights, bias):
    return conv2d(input, weights) + bias


def setup(N, K, C_in, C_out, H):
    rng = np.random.default_rng(122)
    return (
        rng.random((N, H, H, C_in), dtype=np.float32),
        rng.random((K, K, C_in, C_out), dtype=np.float32),
        rng.random((C_out,), dtype=np.float32),
    )
