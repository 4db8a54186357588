"""Nine directions side by side in one array, numbers of them in arrays: each trip uses its own part."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    scalars={"scalar_float64": "float64"},
    inputs={"cxs": "int64", "cys": "int64", "weights": "float64"},
    state={"F": "float64"},
    ranks={"F": 3, "cxs": 1, "cys": 1, "weights": 1},
    compile=True,
)
def _boltzmann_step(scalar_float64, cxs, cys, weights, F):
    """One iteration of the loop over `_` in `boltzmann`."""
    F_0 = np.roll(F[:, :, 0], 0, axis=1)
    F_0 = np.roll(F_0, 0, axis=0)
    F_1 = np.roll(F[:, :, 1], 0, axis=1)
    F_1 = np.roll(F_1, 1, axis=0)
    F_2 = np.roll(F[:, :, 2], 1, axis=1)
    F_2 = np.roll(F_2, 1, axis=0)
    F_3 = np.roll(F[:, :, 3], 1, axis=1)
    F_3 = np.roll(F_3, 0, axis=0)
    F_4 = np.roll(F[:, :, 4], 1, axis=1)
    F_4 = np.roll(F_4, -1, axis=0)
    F_5 = np.roll(F[:, :, 5], 0, axis=1)
    F_5 = np.roll(F_5, -1, axis=0)
    F_6 = np.roll(F[:, :, 6], -1, axis=1)
    F_6 = np.roll(F_6, -1, axis=0)
    F_7 = np.roll(F[:, :, 7], -1, axis=1)
    F_7 = np.roll(F_7, 0, axis=0)
    F_8 = np.roll(F[:, :, 8], -1, axis=1)
    F_8 = np.roll(F_8, 1, axis=0)
    F[...] = np.stack([F_0, F_1, F_2, F_3, F_4, F_5, F_6, F_7, F_8], axis=2)
    rho = np.sum(F, 2)
    ux = np.sum(F * cxs, 2) / rho
    uy = np.sum(F * cys, 2) / rho
    Feq = np.zeros(F.shape)
    u = cxs[0] * ux + cys[0] * uy
    Feq_0 = rho * weights[0] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[1] * ux + cys[1] * uy
    Feq_1 = rho * weights[1] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[2] * ux + cys[2] * uy
    Feq_2 = rho * weights[2] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[3] * ux + cys[3] * uy
    Feq_3 = rho * weights[3] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[4] * ux + cys[4] * uy
    Feq_4 = rho * weights[4] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[5] * ux + cys[5] * uy
    Feq_5 = rho * weights[5] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[6] * ux + cys[6] * uy
    Feq_6 = rho * weights[6] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[7] * ux + cys[7] * uy
    Feq_7 = rho * weights[7] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    u = cxs[8] * ux + cys[8] * uy
    Feq_8 = rho * weights[8] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
    Feq[...] = np.stack([Feq_0, Feq_1, Feq_2, Feq_3, Feq_4, Feq_5, Feq_6, Feq_7, Feq_8], axis=2)
    F += scalar_float64 * (F - Feq)
    return (F,)


@npr.step(
    sizes=("ny", "nx"),
    out={"F": "float64"},
    once=True,
    compile=True,
)
def _boltzmann_region(ny, nx):
    """Lines of `boltzmann`."""
    F = np.ones((ny, nx, 9))
    F[:, :, 3] += 0.2 * np.cos(npr.linspace(0, 6, nx))
    return (F,)


@nprewrite.jit
def boltzmann(ny: int, nx: int, tau: float, trips: int):
    cxs = np.array([0, 0, 1, 1, 1, 0, -1, -1, -1])
    cys = np.array([0, 1, 1, 0, -1, -1, -1, 0, 1])
    weights = np.array([4 / 9, 1 / 9, 1 / 36, 1 / 9, 1 / 36, 1 / 9, 1 / 36, 1 / 9, 1 / 36])
    for once in (region := _boltzmann_region.over(range(1), ny=ny, nx=nx)):
        F = np.ones((ny, nx, 9))
        F[:, :, 3] += 0.2 * np.cos(np.linspace(0, 6, nx))
    if region.finished:
        (F,) = region.results
    del region
    for _ in _boltzmann_step.over(
        range(trips),
        scalars=lambda _: (-(1.0 / tau),),
        cxs=cxs,
        cys=cys,
        weights=weights,
        F=F,
    ):
        F_0 = np.roll(F[:, :, 0], 0, axis=1)
        F_0 = np.roll(F_0, 0, axis=0)
        F_1 = np.roll(F[:, :, 1], 0, axis=1)
        F_1 = np.roll(F_1, 1, axis=0)
        F_2 = np.roll(F[:, :, 2], 1, axis=1)
        F_2 = np.roll(F_2, 1, axis=0)
        F_3 = np.roll(F[:, :, 3], 1, axis=1)
        F_3 = np.roll(F_3, 0, axis=0)
        F_4 = np.roll(F[:, :, 4], 1, axis=1)
        F_4 = np.roll(F_4, -1, axis=0)
        F_5 = np.roll(F[:, :, 5], 0, axis=1)
        F_5 = np.roll(F_5, -1, axis=0)
        F_6 = np.roll(F[:, :, 6], -1, axis=1)
        F_6 = np.roll(F_6, -1, axis=0)
        F_7 = np.roll(F[:, :, 7], -1, axis=1)
        F_7 = np.roll(F_7, 0, axis=0)
        F_8 = np.roll(F[:, :, 8], -1, axis=1)
        F_8 = np.roll(F_8, 1, axis=0)
        F[...] = np.stack([F_0, F_1, F_2, F_3, F_4, F_5, F_6, F_7, F_8], axis=2)
        del F_0, F_1, F_2, F_3, F_4, F_5, F_6, F_7, F_8
        rho = np.sum(F, 2)
        ux = np.sum(F * cxs, 2) / rho
        uy = np.sum(F * cys, 2) / rho
        Feq = np.zeros(F.shape)
        u = cxs[0] * ux + cys[0] * uy
        Feq_0 = rho * weights[0] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[1] * ux + cys[1] * uy
        Feq_1 = rho * weights[1] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[2] * ux + cys[2] * uy
        Feq_2 = rho * weights[2] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[3] * ux + cys[3] * uy
        Feq_3 = rho * weights[3] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[4] * ux + cys[4] * uy
        Feq_4 = rho * weights[4] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[5] * ux + cys[5] * uy
        Feq_5 = rho * weights[5] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[6] * ux + cys[6] * uy
        Feq_6 = rho * weights[6] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[7] * ux + cys[7] * uy
        Feq_7 = rho * weights[7] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        u = cxs[8] * ux + cys[8] * uy
        Feq_8 = rho * weights[8] * (1 + 3 * u + 9 * u ** 2 / 2 - 3 * (ux ** 2 + uy ** 2) / 2)
        Feq[...] = np.stack([Feq_0, Feq_1, Feq_2, Feq_3, Feq_4, Feq_5, Feq_6, Feq_7, Feq_8], axis=2)
        del Feq_0, Feq_1, Feq_2, Feq_3, Feq_4, Feq_5, Feq_6, Feq_7, Feq_8
        F += -(1.0 / tau) * (F - Feq)
    return F


def cases():
    for trips in (3, 1, 0):
        yield "boltzmann", (5, 7, 0.6, trips)
    yield "boltzmann", (0, 4, 0.6, 2)
    yield "boltzmann", (1, 1, 0.6, 2)
