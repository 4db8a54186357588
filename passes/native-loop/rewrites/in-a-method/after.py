"""In a method, below a loop that prints: the inner nest is compiled. Of the base the file does not tell."""

from contextlib import ContextDecorator

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _settle_loop(u, factor):
    """The loop in `Chain.settle`."""
    for i in range(1, len(u)):
        u[i] = factor * (u[i - 1] + u[i])


class Chain(ContextDecorator):
    factor = 0.5

    def settle(self, u: npt.NDArray[np.float64], rounds: int):
        factor = self.factor
        messages = []
        for n in range(rounds):
            _settle_loop(u, factor)
            messages.append(f"round {n}")
        return u, messages


def settle(u, rounds):
    return Chain().settle(u, rounds)


def cases():
    for rounds in (3, 1, 0):
        yield "settle", (np.linspace(0, 5, 6) ** 2, rounds)
