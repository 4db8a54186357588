"""Sod's shock tube by the HLL flux with limited slopes and steps as long as the waves allow (E. F. Toro, Riemann Solvers, chapter 10)."""

import sys

import numpy as np

SIZES = {"bench": (20000, 0.004), "small": (100, 0.05)}
gamma = 1.4


def primitive(U):
    rho, mom, ene = U
    vel = mom / rho
    return rho, vel, (gamma - 1) * (ene - 0.5 * rho * vel**2)


def minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def flux(rho, vel, p):
    ene = p / (gamma - 1) + 0.5 * rho * vel**2
    return np.array([rho, rho * vel, ene]), np.array([rho * vel, rho * vel**2 + p, (ene + p) * vel])


def hll(WL, WR):
    UL, FL = flux(*WL)
    UR, FR = flux(*WR)
    cL, cR = np.sqrt(gamma * WL[2] / WL[0]), np.sqrt(gamma * WR[2] / WR[0])
    SL = np.minimum(WL[1] - cL, WR[1] - cR)
    SR = np.maximum(WL[1] + cL, WR[1] + cR)
    F = (SR * FL - SL * FR + SL * SR * (UR - UL)) / (SR - SL)
    F = np.where(SL >= 0, FL, F)
    F = np.where(SR <= 0, FR, F)
    return F


class Tube:
    def __init__(self, n):
        self.dx = 1.0 / n
        self.x = (np.arange(-2, n + 2) + 0.5) * self.dx
        left = self.x < 0.5
        rho = np.where(left, 1.0, 0.125)
        p = np.where(left, 1.0, 0.1)
        self.U = np.array([rho, np.zeros_like(rho), p / (gamma - 1)])
        self.t = 0.0
        self.steps = 0

    def boundaries(self):
        self.U[:, :2] = self.U[:, 2:3]
        self.U[:, -2:] = self.U[:, -3:-2]

    def advance(self, cfl, final):
        rho, vel, p = primitive(self.U)
        c = np.sqrt(gamma * p / rho)
        dt = cfl * self.dx / np.max(np.abs(vel) + c)
        if self.t + dt > final:
            dt = final - self.t
        W = np.array([rho, vel, p])
        slope = minmod(W[:, 1:-1] - W[:, :-2], W[:, 2:] - W[:, 1:-1])
        WL = W[:, 1:-1] + 0.5 * slope
        WR = W[:, 1:-1] - 0.5 * slope
        F = hll(WL[:, :-1], WR[:, 1:])
        self.U[:, 2:-2] -= dt / self.dx * (F[:, 1:] - F[:, :-1])
        self.boundaries()
        self.t += dt
        self.steps += 1


def main(n, final):
    tube = Tube(n)
    while tube.t < final:
        tube.advance(0.4, final)
    rho, vel, p = primitive(tube.U)
    print(tube.steps, "steps to t =", round(tube.t, 6))
    return dict(rho=rho, vel=vel, p=p, steps=tube.steps)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
