"""With ``keep_output_dtype`` results have NumPy's dtypes."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float32"},
    out={"y": "float32", "astype_value": npr.pair("float64")},
    once=True,
    compile=True,
)
def _waves_region(x):
    """Lines of `waves`."""
    y = np.sin(x) * np.exp(-x)
    t_re, t_im = npr.exp(0.0 * x - 1.0 * 0.0, 0.0 * 0.0 + 1.0 * x)
    astype_value_re, astype_value_im = t_re.astype(np.float64), t_im.astype(np.float64)
    return y, astype_value_re, astype_value_im


@npr.step(
    inputs={"x": "float32", "y": "float32"},
    out={"astype_value_1": "float64", "astype_value_2": "float64"},
    ranks={"x": 1, "y": 1},
    once=True,
    compile=True,
)
def _waves_region_1(x, y):
    """Lines of `waves`."""
    astype_value_1 = (x + y).astype(np.float64)
    astype_value_2 = np.max(y).astype(np.float64)
    return astype_value_1, astype_value_2


@nprewrite.jit(level="fast", precision="float32", keep_output_dtype=True)
def waves(n: int):
    x = np.linspace(0, 3, n, dtype=np.float32)
    for once in (region := _waves_region.over(range(1), x=x)):
        y = np.sin(x) * np.exp(-x)
        astype_value = np.exp(1j * x).astype(np.complex128)
    if region.finished:
        (y, astype_value) = region.results
    del region
    value = {"y": y.astype(np.float64), "spectrum": astype_value}
    del astype_value
    for once_1 in (region_1 := _waves_region_1.over(range(1), x=x, y=y)):
        astype_value_1 = (x + y).astype(np.float64)
        astype_value_2 = np.max(y).astype(np.float64)
    if region_1.finished:
        (astype_value_1, astype_value_2) = region_1.results
    return value, (astype_value_1, n, astype_value_2)


def cases():
    for n in (2, 31):
        yield "waves", (n,)
