"""Functions that the tests of devices compute with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import asanyarray, ascontiguousarray, tri, zeros


def smooth(u: Any, steps: int) -> Any:
    """A loop that becomes a step, and changes its argument."""
    for _ in range(steps):
        u[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
    return u


def mandelbrot(C: Any, steps: int) -> Any:
    """A lanewise step on complex numbers that stops when all lanes have finished."""
    Z = np.zeros_like(C)
    N = np.zeros(C.shape, dtype=np.int64)
    for n in range(steps):
        inside = np.abs(Z) < 2.0
        N[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    return N


def spread(x: Any, y: Any) -> Any:
    """Array code, a constructor and a number."""
    weights = np.linspace(0.0, 1.0, x.size)
    total = np.sqrt(np.sum((x - y) ** 2 * weights))
    out = np.zeros(3)
    out[1] = total
    return {"total": total, "out": out, "larger": np.where(x > y, x, y)}


def products(A: Any, x: Any, alpha: float) -> Any:
    """Products that NumPy computes in the cheapest order, a number beside a matrix among them."""
    return alpha * A @ x + A @ A.T @ A @ x


def energy(x: Any, k: float) -> Any:
    """What can be differentiated."""
    bend = np.sin(x[1:] - x[:-1])
    return np.sum(k * bend**2) + np.exp(-x[0])


def relaxed(x: Any, steps: int) -> Any:
    """A loop that can be differentiated."""
    for _ in range(steps):
        x = x - 0.1 * np.sin(x)
    return x


def decided(x: Any) -> Any:
    """A number of Python's in the middle of it."""
    scale = float(np.max(x))
    return x / scale


def by_element(x: Any) -> Any:
    total = 0.0
    for i in range(x.shape[0]):
        total = total * 0.5 + x[i]
    return total


def inner(x: Any) -> Any:
    return np.cos(x) * 2.0


@dataclass
class Field:
    """An object that keeps its arrays."""

    u: Any
    calls: int = 0

    def advance(self, dt: float) -> Any:
        self.calls += 1
        self.u = self.u + dt * np.sin(self.u)
        return self.u.sum()


def mixed(x: Any) -> Any:
    """A function that goes from tensors to NumPy and back by itself."""
    import torch

    values = x.detach().cpu().numpy()
    return torch.from_numpy(np.tanh(values) + 1.0)


def settled(u: Any, tolerance: float) -> Any:
    """A loop that goes on for as long as the array says so."""
    change = 1.0
    while change > tolerance:
        new = u.copy()
        new[1:-1] = (u[:-2] + u[2:]) / 2
        change = np.abs(new - u).max()
        u = new
    return u


def profile(data: Any, r: Any, edges: Any) -> Any:
    """Reductions that Numba computes in NumPy's memory, in one pass for many iterations."""
    means = np.zeros(edges.size - 1)
    for i in range(edges.size - 1):
        means[i] = data[(edges[i] <= r) & (r < edges[i + 1])].mean()
    return means


def weighted(x: Any, settings: Any) -> Any:
    """What the weight is only a call tells."""
    weight = settings["weight"]
    return np.exp(-x * x) * weight + 1.0


def told(x: Any) -> Any:
    """Numbers become texts, keys and rounded numbers."""
    mean = x.mean()
    texts = f"{mean:.3f} {x.max()}", str(x.min()), str(x[:2]), repr(x.max())
    return texts, {mean: 1}[x.mean()], round(mean, 2), round(mean)


def typed(x: Any) -> Any:
    """A function that asks what it was given."""
    return x * 2 if isinstance(x, np.ndarray) else x


def bytes_of(x: Any) -> Any:
    """Python takes NumPy's arrays as buffers."""
    return x * len(bytes(memoryview(x)))


def nearest(x: Any) -> Any:
    """Tensors become NumPy's arrays in the way that they are told to be."""
    a = x.detach().cpu().numpy()
    return np.argmin(np.abs(a[:, None] - a[None, :3]), axis=1)


def forced(x: Any) -> Any:
    import torch

    return torch.from_numpy(np.cumsum(x.numpy(force=True)))


def summed(x: Any) -> Any:
    """Constructors under names of their own."""
    total = zeros(3)
    total += tri(3) @ ascontiguousarray(asanyarray(x)[:3])
    return total


def bordered(x):
    z = np.zeros(len(x) + 2)
    z[1:-1] = 2 * x
    grid = np.eye(len(x)) + np.arange(x.size)
    return z * z, grid @ x + np.array([0.5])
