"""Forward pass of a perceptron with three layers; NPBench's mlp."""

import numpy as np

ENTRY = "mlp"
SIZES = {"bench": (64, 800, 1500, 500, 10), "small": (4, 6, 8, 5, 3)}


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def mlp(input, w1, b1, w2, b2, w3, b3):
    x = relu(input @ w1 + b1)
    x = relu(x @ w2 + b2)
    x = softmax(x @ w3 + b3)
    return x


def setup(batch, n0, n1, n2, n3):
    rng = np.random.default_rng(120)
    layers = [n0, n1, n2, n3]
    weights = []
    for m, n in zip(layers, layers[1:]):
        weights += [(rng.standard_normal((m, n)) / np.sqrt(m)).astype(np.float32)]
        weights += [np.zeros(n, dtype=np.float32)]
    return rng.random((batch, n0), dtype=np.float32), *weights
