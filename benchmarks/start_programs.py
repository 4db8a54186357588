"""The programs of ``start.py``, in plain NumPy. A call takes NumPy some 0.1 to 0.5 s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

HORIZON = 2.0


def mandelbrot(C, maxiter):
    Z = np.zeros_like(C)
    N = np.zeros(C.shape, dtype=np.int64)
    for n in range(maxiter):
        inside = np.abs(Z) < HORIZON
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    return N


def assignment(points, means):
    distances = ((points[:, None, :] - means[None, :, :]) ** 2).sum(axis=2)
    return distances.argmin(axis=1)


def kuramoto(phases, frequencies, coupling, dt, steps):
    theta = phases.copy()
    for _ in range(steps):
        rate = frequencies.copy()
        across = coupling * np.sin(theta[:, 1:] - theta[:, :-1])
        down = coupling * np.sin(theta[1:, :] - theta[:-1, :])
        rate[:, :-1] += across
        rate[:, 1:] -= across
        rate[:-1, :] += down
        rate[1:, :] -= down
        theta += dt * rate
    return theta


def heat(start, rate, steps):
    u = start.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += rate * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return u


def recurrence(signal, decay, gain):
    smooth = np.zeros(len(signal))
    level = 0.0
    for i in range(len(signal)):
        level = decay * level + gain * signal[i]
        smooth[i] = level
    return smooth


def network(start, weights, bias, steps):
    state = start.copy()
    for _ in range(steps):
        state = np.tanh(weights @ state + bias)
    return state


def schroedinger(start, kinetic, potential, dt, steps):
    psi = start.copy()
    for _ in range(steps):
        psi = np.fft.ifft(kinetic * np.fft.fft(psi))
        psi = psi * np.exp(-1j * dt * (potential + np.abs(psi) ** 2))
    return psi


def mandelbrot_arguments():
    x = np.linspace(-2.25, 0.75, 400)
    y = np.linspace(-1.25, 1.25, 333)
    return x + 1j * y[:, None], 60


def assignment_arguments():
    rng = np.random.default_rng(1)
    return rng.normal(size=(200_000, 4)), rng.normal(size=(8, 4))


def kuramoto_arguments():
    rng = np.random.default_rng(2)
    return rng.uniform(0, 2 * np.pi, (400, 400)), rng.normal(size=(400, 400)), 0.5, 0.01, 40


def heat_arguments():
    return np.random.default_rng(3).random((500, 500)), 0.2, 150


def recurrence_arguments():
    return np.random.default_rng(4).random(1_000_000), 0.9, 0.1


def network_arguments():
    rng = np.random.default_rng(5)
    weights = rng.normal(size=(400, 400)) / 20
    return rng.normal(size=(400, 400)), weights, rng.normal(size=(400, 1)), 8


def schroedinger_arguments():
    x = np.linspace(-20, 20, 1 << 16, endpoint=False)
    k = 2 * np.pi * np.fft.fftfreq(x.size, x[1] - x[0])
    return np.exp(-(x**2) + 2j * x), np.exp(-0.5j * 0.01 * k**2), 0.5 * x**2, 0.01, 40


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = {
    "Mandelbrot": (mandelbrot, mandelbrot_arguments),
    "k-means assignment": (assignment, assignment_arguments),
    "Kuramoto": (kuramoto, kuramoto_arguments),
    "heat 2-D": (heat, heat_arguments),
    "scalar recurrence": (recurrence, recurrence_arguments),
    "matrix product": (network, network_arguments),
    "FFT": (schroedinger, schroedinger_arguments),
}
