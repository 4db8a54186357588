"""Each iteration makes rows of its own out of arrays that stay as they are, and stores one of them."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def haversine(n: int):
    lat = np.linspace(-1.2, 1.3, n)
    lon = np.linspace(0.0, 3.0, n) ** 2
    out = np.zeros((n, n))
    if npr.quiet():
        with np.errstate(all="ignore"):
            dlat_1 = lat - lat[:, None]
            dlon_1 = lon - lon[:, None]
            a_1 = np.sin(dlat_1 / 2) ** 2 + np.cos(lat[:, None]) * np.cos(lat) * np.sin(dlon_1 / 2) ** 2
            out[...] = 2 * 6371.0 * np.arcsin(np.sqrt(a_1))
    else:
        for i in range(n):
            dlat = lat - lat[i]
            dlon = lon - lon[i]
            a = np.sin(dlat / 2) ** 2 + np.cos(lat[i]) * np.cos(lat) * np.sin(dlon / 2) ** 2
            out[i, :] = 2 * 6371.0 * np.arcsin(np.sqrt(a))
    return out


def springs(n: int, m: int, k: float):
    x = np.sin(np.arange(n * 1.0))
    y = np.cos(np.arange(m * 1.0))
    force = np.ones((n, m))
    if npr.quiet() and type(k) is float and force.shape[1] == y.shape[0] and n <= x.shape[0]:
        with np.errstate(all="ignore"):
            d_1 = x[:n, None] - y
            force += k * d_1 * d_1 * d_1
    else:
        for i in range(n):
            d = x[i] - y
            force[i] += k * d * d * d
    return force


def cases():
    for n in (0, 1, 2, 9):
        yield "haversine", (n,)
        yield "springs", (n, 5, 0.5)
    yield "springs", (3, 0, -2.0)
