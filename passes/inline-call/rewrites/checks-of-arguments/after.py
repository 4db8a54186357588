"""Functions that look at what they get, and raise."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def sound(pressure, density):
    assert pressure.ndim == 1, "one axis"
    if pressure.shape != density.shape:
        raise ValueError(f"{len(pressure)} pressures, {len(density)} densities")
    return np.sqrt(1.4 * pressure / density)


def limited(a, b, kind):
    if kind == "minmod":
        return np.where(np.abs(a) < np.abs(b), a, b)
    elif kind == "none":
        return 1.0 * a
    else:
        raise ValueError("unknown limiter " + kind)


@npr.step(
    inputs={"rho": "float64", "p": "float64"},
    out={"c": "float64", "limited_a": "float64", "limited_b": "float64"},
    once=True,
    compile=True,
)
def _advance_region(rho, p):
    """Lines of `advance`."""
    c = np.sqrt(1.4 * p / rho)
    limited_a = p[1:-1] - p[:-2]
    limited_b = p[2:] - p[1:-1]
    return c, limited_a, limited_b


@npr.step(
    inputs={"limited_a": "float64", "limited_b": "float64"},
    out={"slopes": "float64"},
    once=True,
    compile=True,
)
def _advance_region_1(limited_a, limited_b):
    """Lines of `advance`."""
    slopes = np.where(np.abs(limited_a) < np.abs(limited_b), limited_a, limited_b)
    return (slopes,)


@npr.step(
    inputs={"p": "float64", "slopes": "float64", "c": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _advance_region_2(p, slopes, c):
    """Lines of `advance`."""
    result = p[1:-1] + 0.1 * c[1:-1] * slopes - 0.05 * c[2:]
    return (result,)


@nprewrite.jit
def advance(p: npt.NDArray[np.float64], rho: npt.NDArray[np.float64], kind: str):
    assert p.ndim == 1, 'one axis'
    if p.shape != rho.shape:
        raise ValueError(f'{len(p)} pressures, {len(rho)} densities')
    for once in (region := _advance_region.over(range(1), rho=rho, p=p)):
        c = np.sqrt(1.4 * p / rho)
        limited_a = p[1:-1] - p[:-2]
        limited_b = p[2:] - p[1:-1]
    if region.finished:
        (c, limited_a, limited_b) = region.results
    del region
    if kind == 'minmod':
        for once_1 in (region_1 := _advance_region_1.over(
            range(1),
            limited_a=limited_a,
            limited_b=limited_b,
        )):
            slopes = np.where(np.abs(limited_a) < np.abs(limited_b), limited_a, limited_b)
        if region_1.finished:
            (slopes,) = region_1.results
        del region_1
    else:
        if kind == 'none':
            slopes = 1.0 * limited_a
        else:
            raise ValueError('unknown limiter ' + kind)
    del limited_a, limited_b
    for once_2 in (region_2 := _advance_region_2.over(range(1), p=p, slopes=slopes, c=c)):
        return p[1:-1] + 0.1 * c[1:-1] * slopes - 0.05 * c[2:]
    (result,) = region_2.results
    return result


def cases():
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "minmod")
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "none")
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "other"), ValueError
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(1), "none"), ValueError
    yield "advance", (np.ones((5, 5)), np.ones((5, 5)), "none"), AssertionError
