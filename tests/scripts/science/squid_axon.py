"""A pulse along the squid's axon (A. Hodgkin and A. Huxley, J. Physiol. 117, 1952): gates by exponential Euler, the cable by differences."""

import sys

import numpy as np

SIZES = {"bench": (6000, 4000), "small": (50, 30)}


class Gate:
    def __init__(self, alpha, beta, v):
        self.alpha, self.beta = alpha, beta
        self.x = alpha(v) / (alpha(v) + beta(v))

    def update(self, v, dt):
        a, b = self.alpha(v), self.beta(v)
        inf = a / (a + b)
        self.x = inf + (self.x - inf) * np.exp(-dt * (a + b))


def vtrap(x, y):
    small = np.abs(x / y) < 1e-6
    safe = np.where(small, 1.0, x)
    return np.where(small, y * (1 - x / y / 2), safe / (np.exp(safe / y) - 1))


def main(n, steps):
    v = np.full(n, -65.0)
    gates = {
        "m": Gate(lambda v: 0.1 * vtrap(-(v + 40), 10), lambda v: 4 * np.exp(-(v + 65) / 18), v),
        "h": Gate(lambda v: 0.07 * np.exp(-(v + 65) / 20), lambda v: 1 / (np.exp(-(v + 35) / 10) + 1), v),
        "n": Gate(lambda v: 0.01 * vtrap(-(v + 55), 10), lambda v: 0.125 * np.exp(-(v + 65) / 80), v),
    }
    gna, gk, gl, ena, ek, el, cm = 120.0, 36.0, 0.3, 50.0, -77.0, -54.387, 1.0
    dt, coupling = 0.01, 20.0
    arrival = np.full(n, -1.0)
    for step in range(steps):
        t = step * dt
        for gate in gates.values():
            gate.update(v, dt)
        m, h, k = (gates[name].x for name in "mhn")
        current = gna * m**3 * h * (v - ena) + gk * k**4 * (v - ek) + gl * (v - el)
        axial = np.zeros(n)
        axial[1:-1] = coupling * (v[2:] - 2 * v[1:-1] + v[:-2])
        axial[0] = coupling * (v[1] - v[0])
        axial[-1] = coupling * (v[-2] - v[-1])
        stimulus = np.zeros(n)
        if t < 1.0:
            stimulus[:5] = 200.0
        v = v + dt / cm * (axial + stimulus - current)
        first = (v > 0) & (arrival < 0)
        arrival[first] = t
    print("reached", np.count_nonzero(arrival >= 0), "compartments")
    return dict(v=v, arrival=arrival)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
