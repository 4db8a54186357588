"""What rewritten code imports; torch is imported when the first step is compiled.

``step``, ``pair``, ``scalar`` and ``exact`` declare step functions. The others are complex arithmetic on
pairs of real arrays, for use inside and around steps; reductions over masked elements; functions for which
torch gives other values than NumPy; functions of ``np.vectorize``, computed for all elements at once;
products of several matrices; the positions of masks; triangular systems; and the conditions under which
whole-array statements run in place of a loop over indices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nprewrite.runtime.api.importing import named_objects
from nprewrite.runtime.api.loop import Loop
from nprewrite.runtime.api.nest_guards import apart, are_arrays, are_numbers, fit, quiet, within
from nprewrite.runtime.api.pairs import absolute, divide, exp, join, power, reciprocal, split
from nprewrite.runtime.api.positions import positions
from nprewrite.runtime.api.products import matrix_product
from nprewrite.runtime.api.reductions import masked_max, masked_mean, masked_min
from nprewrite.runtime.api.spec import exact, pair, scalar
from nprewrite.runtime.api.step import Step, step
from nprewrite.runtime.torch.corrected import (
    cosh,
    floor_divide,
    full,
    full_like,
    gradient,
    int_floor_divide,
    int_remainder,
    linspace,
    pad,
    remainder,
    sign,
    sinh,
)

if TYPE_CHECKING:
    from nprewrite.runtime import fft, scipy_fft
    from nprewrite.runtime.numba.decorator import Native, native
    from nprewrite.runtime.numba.reduction import Reduction, reduction
    from nprewrite.runtime.numba.sweep import Sweep, sweep
    from nprewrite.runtime.numba.triangular_systems import backward_substitution, forward_substitution
    from nprewrite.runtime.numba.vectorized import vectorized

__all__ = [
    "Loop",
    "Native",
    "Reduction",
    "Step",
    "Sweep",
    "absolute",
    "apart",
    "are_arrays",
    "are_numbers",
    "backward_substitution",
    "cosh",
    "divide",
    "exact",
    "exp",
    "fft",
    "fit",
    "floor_divide",
    "forward_substitution",
    "full",
    "full_like",
    "gradient",
    "int_floor_divide",
    "int_remainder",
    "join",
    "linspace",
    "masked_max",
    "masked_mean",
    "masked_min",
    "matrix_product",
    "native",
    "pad",
    "pair",
    "positions",
    "power",
    "quiet",
    "reciprocal",
    "reduction",
    "remainder",
    "scalar",
    "scipy_fft",
    "sign",
    "sinh",
    "split",
    "step",
    "sweep",
    "vectorized",
    "within",
]

_LATE = {
    "Native": "nprewrite.runtime.numba.decorator:Native",
    "Reduction": "nprewrite.runtime.numba.reduction:Reduction",
    "Sweep": "nprewrite.runtime.numba.sweep:Sweep",
    "backward_substitution": "nprewrite.runtime.numba.triangular_systems:backward_substitution",
    "fft": "nprewrite.runtime.fft",
    "forward_substitution": "nprewrite.runtime.numba.triangular_systems:forward_substitution",
    "native": "nprewrite.runtime.numba.decorator:native",
    "reduction": "nprewrite.runtime.numba.reduction:reduction",
    "scipy_fft": "nprewrite.runtime.scipy_fft",
    "sweep": "nprewrite.runtime.numba.sweep:sweep",
    "vectorized": "nprewrite.runtime.numba.vectorized:vectorized",
}
"""What runs loops over elements, and transforms, is loaded when it is asked for: most code has none."""

__getattr__ = named_objects(__name__, _LATE)
