"""Forward substitution: each unknown needs those before it."""

import numpy as np
import numpy.typing as npt


def solve(L: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return x


def cases():
    yield "solve", (np.tril(np.ones((5, 5))) + np.eye(5), np.arange(5.0))
