"""Particles as objects: inheritance, properties, slots, dataclasses, shared arrays and a closure."""

import sys
from dataclasses import dataclass, field

import numpy as np


class Body:
    count = 0
    gravity = np.array([0.0, -9.81])

    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.position = rng.normal(size=(n, 2))
        self.velocity = np.zeros((n, 2))
        self.time = 0.0
        self.trace = []
        Body.count += 1

    @property
    def energy(self):
        return 0.5 * (self.velocity**2).sum() - (self.position * self.gravity).sum()

    def force(self):
        return self.gravity - 0.1 * self.velocity

    def advance(self, dt):
        self.velocity += dt * self.force()
        self.position += dt * self.velocity
        low = self.position[:, 1] < -2
        self.velocity[low, 1] *= -0.8
        self.position[low, 1] = -2
        self.time += dt

    def run(self, steps, dt=0.01):
        for _ in range(steps):
            self.advance(dt)
            self.trace.append(self.energy)
        return self


class Charged(Body):
    def __init__(self, n, charge, seed=1):
        super().__init__(n, seed)
        self.charge = charge

    def force(self):
        swap = self.velocity[:, ::-1] * np.array([1.0, -1.0])
        return super().force() + self.charge * swap

    @classmethod
    def pair(cls, n):
        return cls(n, 1.0), cls(n, -1.0)

    @staticmethod
    def distance(a, b):
        d = a - b
        return np.sqrt((d * d).sum(axis=1))


class Slotted:
    __slots__ = ("u", "rate")

    def __init__(self, u, rate):
        self.u, self.rate = u, rate

    def decay(self, n):
        for _ in range(n):
            self.u = self.u * (1 - self.rate)
        return self.u


@dataclass
class Field:
    n: int
    values: np.ndarray = field(init=False)

    def __post_init__(self):
        self.values = np.linspace(0, 1, self.n)

    def relax(self, n):
        v = self.values
        for _ in range(n):
            v[1:-1] = (v[2:] + v[:-2]) / 2
        return v.sum()

    def __call__(self, scale):
        self.values = self.values * scale
        return self


def meter(limit):
    best = np.full(3, -np.inf)
    calls = 0

    def observe(values):
        nonlocal best, calls
        calls += 1
        best = np.maximum(best, values[:3])
        best[best > limit] = limit
        return calls

    return observe, lambda: best


body = Body(300).run(40)
first, second = Charged.pair(200)
for step in range(20):
    first.advance(0.02)
    second.advance(0.02)
first.velocity, second.velocity = second.velocity, first.velocity
first.run(3)
shared = Body(5)
twin = Body(5)
twin.position = shared.position
shared.run(4)
twin.run(4)
slotted = Slotted(np.ones(8), 0.1)
slotted.decay(5)
field_ = Field(50)
relaxed = field_.relax(10)
field_(2.0)(3)
observe, best = meter(1.5)
calls = [observe(body.position[:, 0]), observe(np.array([9, 0, -1]))]
body.position = body.position.astype(np.float32)
body.velocity = body.velocity.astype(np.float32)
body.run(5)
np.savez(
    sys.argv[1],
    body=body.position,
    bv=body.velocity,
    time=body.time,
    trace=body.trace,
    first=first.position,
    second=second.velocity,
    ft=first.trace,
    shared=shared.position,
    twin=twin.velocity,
    slotted=slotted.u,
    field=field_.values,
    relaxed=relaxed,
    best=best(),
    calls=calls,
    count=Body.count,
    distance=Charged.distance(first.position, second.position),
)
