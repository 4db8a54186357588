"""Gradients of a network, zero where its units are off: products give the array and the mask their shapes."""

import numpy as np


def train(rows: int, units: int, others: int, epochs: int):
    x = np.sin(np.arange(5.0 * rows)).reshape(rows, 5)
    first = np.full((5, units), 0.1)
    second = np.full((5, others), 0.2)
    for _ in range(epochs):
        z = x @ first
        back = x @ second
        back[z <= 0] = 0
        second += 0.01 * (x.T @ back)
    return second


def cases():
    for epochs in (0, 1, 9):
        wrong = (IndexError,) if epochs else ()
        yield "train", (30, 7, 7, epochs)
        # A mask of another shape raises, also where it could be broadcast.
        yield "train", (30, 7, 6, epochs), *wrong
        yield "train", (30, 1, 6, epochs), *wrong
