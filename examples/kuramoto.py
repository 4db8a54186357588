"""The Kuramoto model on a lattice: oscillators that pull at their four neighbours, zero flux over the edges.

The right-hand side, written twice, and the sizes are those of A. Srinivasan, "Build You a NumPy: From
Dot-Products to Machine Code" (2022); the time steps are Euler's, ten a unit of time. The intrinsic
frequencies are drawn as the phases.

    python examples/kuramoto.py --solver naive --size 100 --save kuramoto.png
"""

import argparse
from dataclasses import dataclass, field

import numpy as np

import nprewrite


@nprewrite.jit
def dudt(u, omega, K):
    dudt = omega.copy()
    dudx_right = u[:, 1:] - u[:, :-1]
    dudy_down = u[1:, :] - u[:-1, :]
    dudt[:, :-1] += K * np.sin(dudx_right)
    dudt[:, 1:] += K * np.sin(-dudx_right)
    dudt[:-1, :] += K * np.sin(dudy_down)
    dudt[1:, :] += K * np.sin(-dudy_down)
    return dudt


@dataclass
class Solver:
    """Phases of N x N oscillators over a time T; ``frames`` holds them after each step, if recorded."""

    N: int = 100
    T: float = 10
    K: float = 2.0
    dt: float = 0.1
    dtype: str = "float64"
    seed: int = 0
    record: bool = False
    frames: list = field(default_factory=list)

    def __post_init__(self):
        rng = np.random.default_rng(self.seed)
        shape = (self.N, self.N)
        self.initial = rng.uniform(0, 2 * np.pi, size=shape).astype(self.dtype)
        self.omega = rng.uniform(0, 2 * np.pi, size=shape).astype(self.dtype)

    def integrate(self):
        u = self.initial
        for _ in range(round(self.T / self.dt)):
            u = u + self.dt * self.dudt(u)
            if self.record:
                self.frames.append(u)
        return u


class Naive(Solver):
    """Oscillator by oscillator."""

    @nprewrite.jit
    def dudt(self, u):
        dudt = self.omega.copy()
        for row in range(self.N):
            for col in range(self.N):
                if row > 0:
                    dudt[row, col] += self.K * np.sin(u[row - 1, col] - u[row, col])
                if row < self.N - 1:
                    dudt[row, col] += self.K * np.sin(u[row + 1, col] - u[row, col])
                if col > 0:
                    dudt[row, col] += self.K * np.sin(u[row, col - 1] - u[row, col])
                if col < self.N - 1:
                    dudt[row, col] += self.K * np.sin(u[row, col + 1] - u[row, col])
        return dudt


class Slices(Solver):
    """All oscillators at once."""

    def dudt(self, u):
        return dudt(u, self.omega, self.K)


SOLVERS = {"naive": Naive, "slices": Slices}


def kuramoto(N, T, K, dt=0.1, dtype="float64", seed=0):
    return Slices(N, T, K, dt, dtype, seed).integrate()


def order(u):
    """How far the phases agree, from 0 to 1."""
    return abs(np.exp(1j * u).mean())


def picture(frames, path):
    """Save the phases at eight times; as an animation of all of them where the file is a .gif."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    options = {"cmap": "twilight", "vmin": 0, "vmax": 2 * np.pi, "interpolation": "nearest"}
    if path.endswith(".gif"):
        figure = Figure(figsize=(4, 4), layout="constrained")
        image = figure.subplots().imshow(frames[0] % (2 * np.pi), **options)
        frame = FuncAnimation(figure, lambda u: image.set_data(u % (2 * np.pi)), frames=frames)
        frame.save(path, writer=PillowWriter(fps=20))
        return
    figure = Figure(figsize=(12, 6.4), layout="constrained")
    numbers = np.linspace(0, len(frames) - 1, 8).astype(int)
    for axes, number in zip(figure.subplots(2, 4).flat, numbers, strict=True):
        axes.imshow(frames[number] % (2 * np.pi), **options)
        axes.set_title(f"step {number + 1}, order {order(frames[number]):.2f}")
        axes.axis("off")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description="Phases of oscillators on a lattice.")
    parser.add_argument("--solver", choices=SOLVERS, default="slices")
    parser.add_argument("--size", type=int, default=100, help="oscillators a side")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--coupling", type=float, default=2.0)
    parser.add_argument("--dtype", choices=["float32", "float64"], default="float64")
    parser.add_argument("--save", metavar="FILE", help="a picture (.png) or an animation (.gif)")
    given = parser.parse_args()
    solver = SOLVERS[given.solver](given.size, given.time, given.coupling, dtype=given.dtype)
    solver.record = given.save is not None
    u = solver.integrate()
    print(f"order (0 to 1): {order(u):.4f}")
    if given.save:
        picture(solver.frames, given.save)


if __name__ == "__main__":
    main()
