"""Nine directions side by side in one array, numbers of them in arrays: each trip uses its own part."""

import numpy as np

import nprewrite


@nprewrite.jit
def boltzmann(ny: int, nx: int, tau: float, trips: int):
    cxs = np.array([0, 0, 1, 1, 1, 0, -1, -1, -1])
    cys = np.array([0, 1, 1, 0, -1, -1, -1, 0, 1])
    weights = np.array([4 / 9, 1 / 9, 1 / 36, 1 / 9, 1 / 36, 1 / 9, 1 / 36, 1 / 9, 1 / 36])
    F = np.ones((ny, nx, 9))
    F[:, :, 3] += 0.2 * np.cos(np.linspace(0, 6, nx))
    for _ in range(trips):
        for i, cx, cy in zip(range(9), cxs, cys):
            F[:, :, i] = np.roll(F[:, :, i], cx, axis=1)
            F[:, :, i] = np.roll(F[:, :, i], cy, axis=0)
        rho = np.sum(F, 2)
        ux = np.sum(F * cxs, 2) / rho
        uy = np.sum(F * cys, 2) / rho
        Feq = np.zeros(F.shape)
        for i, cx, cy, w in zip(range(9), cxs, cys, weights):
            u = cx * ux + cy * uy
            Feq[:, :, i] = rho * w * (1 + 3 * u + 9 * u**2 / 2 - 3 * (ux**2 + uy**2) / 2)
        F += -(1.0 / tau) * (F - Feq)
    return F


def cases():
    for trips in (3, 1, 0):
        yield "boltzmann", (5, 7, 0.6, trips)
    yield "boltzmann", (0, 4, 0.6, 2)
    yield "boltzmann", (1, 1, 0.6, 2)
