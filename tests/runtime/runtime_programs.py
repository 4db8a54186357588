"""Programs in the form that rewritten code has, with the step beside the body as written.

The steps live as long as the process, so that a graph is compiled once for all tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import nprewrite.runtime as npr

Array = np.ndarray[Any, Any]


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    constants={"horizon": "float32"},
    bounds={"horizon": (2.0**-60, 2.0**63)},
    inputs={"C": npr.pair("float32")},
    state={"N": "int64", "Z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    live="I",
    compile=True,
)
def mandelbrot_step(
    n: Array, horizon: Array, C_re: Array, C_im: Array, N: Array, Z_re: Array, Z_im: Array
) -> tuple[Array, ...]:
    I = Z_re * Z_re + Z_im * Z_im < horizon * horizon  # noqa: E741
    N = np.where(I, n, N)
    Z_re, Z_im = (
        np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
        np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im),
    )
    return N, Z_re, Z_im, I


def mandelbrot_body(n: int, C: Array, N: Array, Z: Array, horizon: float) -> None:
    I = Z.real * Z.real + Z.imag * Z.imag < np.float32(horizon) * np.float32(horizon)  # noqa: E741
    N[I] = n
    re = Z.real * Z.real - Z.imag * Z.imag + C.real
    im = Z.real * Z.imag + Z.imag * Z.real + C.imag
    Z.real = np.where(I, re, Z.real)
    Z.imag = np.where(I, im, Z.imag)


def mandelbrot(trips: range, C: Array, N: Array, Z: Array, horizon: float = 2.0) -> Any:
    loop = mandelbrot_step.over(trips, horizon=horizon, C=C, N=N, Z=Z)
    for n in loop:
        mandelbrot_body(n, C, N, Z, horizon)
    return loop


def mandelbrot_as_written(trips: range, C: Array, N: Array, Z: Array, horizon: float = 2.0) -> None:
    for n in trips:
        mandelbrot_body(n, C, N, Z, horizon)


def plane(shape: tuple[int, ...], left: float = -2.2, right: float = 0.8) -> Array:
    """Points of the complex plane, complex64, some in the set and some not."""
    x = np.linspace(left, right, int(np.prod(shape)), dtype=np.float32)
    return (x + 1j * np.sin(40 * x).astype(np.float32)).astype(np.complex64).reshape(shape)


@npr.step(
    counter="n",
    scalars={"n": "int64", "t": "float64"},
    constants={"odd": "bool", "w": npr.pair("float64")},
    inputs={"chosen": "bool"},
    state={"seen": "bool", "a": "float64", "k": "uint8"},
    carried={"b": "float64", "i": "int16"},
    out={"sum": "float64", "above": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def mixture_step(
    n: Array, t: Array, odd: Array, w_re: Array, w_im: Array, chosen: Array, seen: Array, a: Array, k: Array,
    b: Array, i: Array,
) -> tuple[Array, ...]:  # fmt: skip
    total = a * w_re + b * w_im + t
    above = total > 1.0
    seen = seen | (chosen & above & odd)
    k = k * np.uint8(3) + np.uint8(7)
    i = np.where(above, i * np.int16(5), i + n.astype(np.int16))
    # a and b change places.
    return seen, b, k, a, i, total, above


def mixture_as_written(
    trips: range, chosen: Array, seen: Array, a: Array, k: Array, b: Array, i: Array, odd: bool, w: complex
) -> tuple[Array, ...]:
    total, above = np.empty(a.shape), np.empty(a.shape, bool)
    for n in trips:
        total = a * w.real + b * w.imag + 0.25 * n
        above = total > 1.0
        seen[...] = seen | (chosen & above & odd)
        k[...] = k * np.uint8(3) + np.uint8(7)
        i = np.where(above, i * np.int16(5), i + np.int16(n))
        old = a.copy()
        a[...] = b
        b = old
    return b, i, total, above


@npr.step(
    counter="n",
    constants={"rate": "float64"},
    inputs={"source": "float64"},
    state={"u": "float64"},
    carried={"v": "float64"},
    out={"change": "float64", "edge": "float64", "hot": "bool"},
    compile=True,
)
def heat_step(rate: Array, source: Array, u: Array, v: Array) -> tuple[Any, ...]:
    new = u.copy()
    new[1:-1, 1:-1] = u[1:-1, 1:-1] + rate * (
        u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1] + source
    )
    return new, v + new[0], np.max(np.abs(new - u)), new[:, 1], new[1] > 0.5


def heat_as_written(trips: range, rate: float, source: Array, u: Array, v: Array) -> tuple[Any, ...]:
    change, edge, hot = np.float64(0), u[:, 1], u[1] > 0.5
    for _ in trips:
        new = u.copy()
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + rate * (
            u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1] + source
        )
        change, edge, hot = np.max(np.abs(new - u)), new[:, 1], new[1] > 0.5
        u[...] = new
        v = v + new[0]
    return v, change, edge, hot


@npr.step(
    inputs={"r": "float64"}, state={"alive": "bool"}, carried={"x": "float64"}, lanewise=True, chunked=True,
    compile=True,
)  # fmt: skip
def logistic_step(r: Array, alive: Array, x: Array) -> tuple[Array, ...]:
    y = r * x * (1 - x)
    alive = alive & (y < 0.99)
    return alive, np.where(alive, y, x)
