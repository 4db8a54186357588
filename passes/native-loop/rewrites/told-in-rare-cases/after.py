"""A message for the case that an iteration did not converge: only then the loop runs as written."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _anomalies_loop(mean, e, out):
    """The loop in `anomalies`."""
    for i in range(len(mean)):
        x, change, trips = np.pi, 1.0, 0
        while abs(change) > 1e-9 and trips < 30:
            change = (x - e * np.sin(x) - mean[i]) / (1 - e * np.cos(x))
            x = x - change
            trips += 1
        if abs(change) > 1e-9:
            print("no convergence at", i)
        out[i] = x


def anomalies(mean: npt.NDArray[np.float64], e: float, out: npt.NDArray[np.float64]):
    _anomalies_loop(mean, e, out)
    return out


def cases():
    yield "anomalies", (np.linspace(0, 6, 40), 0.4, np.zeros(40))
    yield "anomalies", (np.linspace(0, 6, 40), 2.5, np.zeros(40))
