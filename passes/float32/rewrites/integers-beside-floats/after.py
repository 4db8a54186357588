"""Integers beside float32 would give float64: they are cast, and so is a quotient of two of them."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"angle": npr.scalar("float32")},
    inputs={"j": "int64", "i": "int64", "chosen": "float32"},
    out={"value": "int64", "value_1": "float32"},
    once=True,
    compile=True,
)
def _lattice_region(angle, j, i, chosen):
    """Lines of `lattice`."""
    value = i // 2 + j
    value_1 = chosen * angle
    return value, value_1


@nprewrite.jit(level="fast", precision="float32")
def lattice(n: int):
    arange_value = np.arange(n)
    arange_value_1 = np.arange(n)
    i, j = arange_value, arange_value_1 * 2
    phase = (i / n).astype(np.float32) + j.astype(np.float32) * 0.5
    chosen = np.where(phase > 1, i.astype(np.float32), phase)
    root = np.sqrt(i).astype(np.float32)
    angle = np.float32(np.sin(2.0))
    for once in (region := _lattice_region.over(range(1), angle=angle, j=j, i=i, chosen=chosen)):
        value = i // 2 + j
        value_1 = chosen * angle
    if region.finished:
        (value, value_1) = region.results
    mean_value = (i * j).mean()
    return phase, value_1, value, root, mean_value.astype(np.float32)


def cases():
    for n in (1, 6, 40):
        yield "lattice", (n,)
