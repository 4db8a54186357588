"""Gradients of a network, zero where its units are off: products give the array and the mask their shapes."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"x": "float64", "z": "float64"},
    state={"second": "float64"},
    aligned=("z",),
    ranks={"x": 2, "second": 2, "z": 2},
    grows=True,
    compile=True,
)
def _train_step(x, z, second):
    """One iteration of the loop over `_` in `train`."""
    back = x @ second
    if (z <= 0).shape != back.shape:
        raise IndexError("the mask has another shape")
    back[...] = np.where(z <= 0, 0, back)
    second += 0.01 * (x.T @ back)
    return (second,)


def train(rows: int, units: int, others: int, epochs: int):
    x = np.sin(np.arange(5.0 * rows)).reshape(rows, 5)
    first = np.full((5, units), 0.1)
    second = np.full((5, others), 0.2)
    if range(epochs):
        z = x @ first
        for _ in _train_step.over(range(epochs), x=x, z=z, second=second):
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
