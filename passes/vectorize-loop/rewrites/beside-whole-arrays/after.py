"""A nest of scalar loops in a loop whose other statements are over whole arrays, which change places.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    constants={"c": "float64"},
    inputs={"d2": "float64"},
    carried={"before": "float64", "p": "float64"},
    previous={"before": "p"},
    once=True,
    compile=True,
)
def _waves_step(c, d2, before, p):
    """The array statements of an iteration of the loop in `waves`."""
    after = 2 * p - before + c * d2
    before, p = p, after
    return before, p


def waves(p: npt.NDArray[np.float64], c: float, trips: int):
    before = p.copy()
    d2 = np.zeros_like(p)
    with _waves_step.running(c=c, d2=d2, before=before, p=p) as run:
        for _ in range(trips):
            p = run.own(p)
            if npr.quiet() and npr.are_arrays(np.float64, 1, d2, p) and npr.apart(d2, p):
                with np.errstate(all="ignore"):
                    d2[1:-1] = p[2:] - 2 * p[1:-1] + p[:-2]
            else:
                for i in range(1, len(p) - 1):
                    d2[i] = p[i + 1] - 2 * p[i] + p[i - 1]
            if run.advance():
                (before, p) = run.results
            else:
                after = 2 * p - before + c * d2
                before, p = p, after
    return p


def cases():
    for size in (0, 1, 2, 3, 12):
        for trips in (0, 1, 3):
            yield "waves", (np.linspace(0, 1, size) ** 2, 0.1, trips)
    yield "waves", (np.zeros((3, 2)), 0.1, 2)
    yield "waves", (np.arange(5), 0.1, 2)
