"""Statistics of groups collected in a dictionary, printed on the way: array code among other things."""

import numpy as np

ENTRY = "summarise"
SIZES = {"bench": (3_000_000,), "small": (120,)}


def summarise(data, groups, verbose=False):
    summary = {}
    z = (data - data.mean()) / data.std()
    outliers = np.abs(z) > 3.0
    if verbose:
        print(f"{outliers.sum()} outliers of {data.size}")
    for name, (lo, hi) in groups.items():
        part = data[lo:hi]
        centred = part - np.mean(part)
        m2 = np.mean(centred**2)
        m4 = np.mean(centred**4)
        summary[name] = {
            "n": len(part),
            "mean": float(part.mean()),
            "kurtosis": m4 / m2**2 - 3.0,
            "range": (part.min(), part.max()),
        }
        if verbose:
            print(name, summary[name]["mean"])
    summary["outliers"] = int(outliers.sum())
    return summary


def setup(n):
    data = np.random.default_rng(83).standard_normal(n)
    return data, {"first": (0, n // 3), "second": (n // 3, n // 2), "rest": (n // 2, n)}
