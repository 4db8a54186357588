"""Integers beside float32 would give float64: they are cast, and so is a quotient of two of them."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"n_float64": "float64"},
    sizes=("n",),
    out={"i": "int64", "j": "int64", "phase": "float32", "chosen": "float32", "root": "float32"},
    once=True,
    compile=True,
)
def _lattice_region(n_float64, n):
    """Lines of `lattice`."""
    i, j = np.arange(n), np.arange(n) * 2
    phase = (i.astype(np.float64) / n_float64).astype(np.float32) + j.astype(np.float32) * 0.5
    chosen = np.where(phase > 1, i.astype(np.float32), phase)
    root = np.sqrt(i).astype(np.float32)
    return i, j, phase, chosen, root


@npr.step(
    inputs={"j": "int64", "i": "int64"},
    out={"value": "int64", "astype_value": "float32"},
    once=True,
    compile=True,
)
def _lattice_region_1(j, i):
    """Lines of `lattice`."""
    value = i // 2 + j
    astype_value = (i * j).astype(np.float64).mean().astype(np.float32)
    return value, astype_value


@nprewrite.jit(level="fast", precision="float32")
def lattice(n: int):
    for once in (region := _lattice_region.over(range(1), n_float64=n, n=n)):
        i, j = np.arange(n), np.arange(n) * 2
        phase = (i / n).astype(np.float32) + j.astype(np.float32) * 0.5
        chosen = np.where(phase > 1, i.astype(np.float32), phase)
        root = np.sqrt(i).astype(np.float32)
    if region.finished:
        (i, j, phase, chosen, root) = region.results
    del region
    angle = np.float32(np.sin(2.0))
    for once_1 in (region_1 := _lattice_region_1.over(range(1), j=j, i=i)):
        value = i // 2 + j
        astype_value = (i * j).mean().astype(np.float32)
    if region_1.finished:
        (value, astype_value) = region_1.results
    return phase, chosen * angle, value, root, astype_value


def cases():
    for n in (1, 6, 40):
        yield "lattice", (n,)
