"""Constants of the module, of the function and of the call: read once, as the loop reads them unchanged."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr

RATE = 0.25
SHIFT = 3


@npr.step(
    counter="_",
    scalars={"scalar_float32": "float32"},
    constants={"half": "float32", "SHIFT": "float32"},
    carried={"x": "float32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _blend_step(scalar_float32, half, SHIFT, x):
    """One iteration of the loop over `_` in `blend`."""
    x = x * half + scalar_float32 + SHIFT - np.pi * 0.1
    return (x,)


def blend(x: npt.NDArray[np.float32], weight: float, trips: int):
    half = 0.5
    for _ in (loop := _blend_step.over(
        range(trips),
        scalars=lambda _: (RATE * weight,),
        half=half,
        SHIFT=SHIFT,
        x=x,
    )):
        x = x * half + RATE * weight + SHIFT - np.pi * 0.1
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    row = np.linspace(-1, 1, 7, dtype=np.float32)
    for trips in (9, 8, 1, 0):
        yield "blend", (row, 0.3, trips)
    yield "blend", (row, 3, 9)
    yield "blend", (row, np.float32(0.3), 9)
    yield "blend", (row, np.float64(0.3), 9)
    yield "blend", (row, True, 9)
    yield "blend", (row, np.nan, 9)
    yield "blend", (row, 1e300, 9)
    yield "blend", (row, np.arange(7.0), 9)
    yield "blend", (row, 1j, 9)
    yield "blend", (row, None, 9), TypeError
    yield "blend", (row, None, 0)
