"""A scalar function with branches, applied to arrays by `np.vectorize`."""

import numpy as np

ENTRY = "income_tax"
SIZES = {"bench": (200_000,), "small": (50,)}


def tax(income, married):
    allowance = 20_000.0 if married else 10_000.0
    taxable = income - allowance
    if taxable <= 0:
        return 0.0
    if taxable < 40_000:
        return 0.2 * taxable
    return 8_000.0 + 0.4 * (taxable - 40_000)


def income_tax(income, married):
    return np.vectorize(tax)(income, married)


def setup(n):
    rng = np.random.default_rng(130)
    return rng.uniform(0, 120_000, n), rng.random(n) < 0.5
