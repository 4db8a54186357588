"""With ``keep_output_dtype`` results have NumPy's dtypes."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32", keep_output_dtype=True)
def waves(n: int):
    x = np.linspace(0, 3, n)
    y = np.sin(x) * np.exp(-x)
    return {"y": y, "spectrum": np.exp(1j * x)}, (x + y, n, np.max(y))


def cases():
    for n in (2, 31):
        yield "waves", (n,)
