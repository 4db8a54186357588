"""What rewritten code imports; torch is imported when the first step is compiled.

``step``, ``pair``, ``scalar`` and ``exact`` declare step functions. The others are complex arithmetic on
pairs of real arrays, for use inside and around steps; reductions over masked elements; functions for which
torch gives other values than NumPy; functions of ``np.vectorize``, computed for all elements at once;
products of several matrices; triangular systems; and the conditions under which whole-array statements run
in place of a loop over indices.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nprewrite.runtime.api.loop import Loop
from nprewrite.runtime.api.nest_guards import apart, are_arrays, are_numbers, fit, quiet, within
from nprewrite.runtime.api.pairs import absolute, divide, exp, join, power, reciprocal, split
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

_NATIVE = {
    "Native": "decorator",
    "Reduction": "reduction",
    "Sweep": "sweep",
    "backward_substitution": "triangular_systems",
    "forward_substitution": "triangular_systems",
    "native": "decorator",
    "reduction": "reduction",
    "sweep": "sweep",
    "vectorized": "vectorized",
}


def __getattr__(name: str) -> Any:
    """Load what runs loops over elements when it is asked for: most rewritten code has no such loops."""
    if name in ("fft", "scipy_fft"):
        return import_module(f"nprewrite.runtime.{name}")
    if name in _NATIVE:
        value = getattr(import_module(f"nprewrite.runtime.numba.{_NATIVE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'nprewrite.runtime' has no attribute {name!r}")
