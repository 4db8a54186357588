"""Prices of European call options (F. Black and M. Scholes, 1973), one after the other."""

import numpy as np
import numpy.typing as npt
from scipy.stats import norm
import nprewrite.runtime as npr


@npr.native
def _prices_loop(spot, strike, rate, sigma, years, found):
    """The loop in `prices`."""
    for i in range(len(spot)):
        d1 = (np.log(spot[i] / strike) + (rate + 0.5 * sigma**2) * years) / (sigma * np.sqrt(years))
        d2 = d1 - sigma * np.sqrt(years)
        found[i] = spot[i] * norm.cdf(d1) - strike * np.exp(-rate * years) * norm.cdf(d2)


def prices(spot: npt.NDArray[np.float64], strike: float, rate: float, sigma: float, years: float):
    found = np.zeros(len(spot))
    _prices_loop(spot, strike, rate, sigma, years, found)
    return found


def cases():
    yield "prices", (np.linspace(50.0, 150.0, 40), 100.0, 0.05, 0.2, 1.0)
    yield "prices", (np.array([]), 100.0, 0.05, 0.2, 1.0)
    yield "prices", (np.array([100.0]), 100.0, 0.05, 0.2, 4.0)
