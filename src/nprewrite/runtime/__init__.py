"""What rewritten code imports; torch is imported when the first step is compiled.

``step``, ``pair`` and ``scalar`` declare step functions; the other functions are complex arithmetic on pairs
of real arrays, for use inside steps and around them, reductions over masked elements, and functions of
``np.vectorize`` computed for all elements at once.
"""

from nprewrite.runtime.native import Native, native
from nprewrite.runtime.pairs import absolute, divide, exp, join, power, reciprocal, split
from nprewrite.runtime.reductions import masked_max, masked_min
from nprewrite.runtime.spec import pair, scalar
from nprewrite.runtime.step import Loop, Step, step
from nprewrite.runtime.vectorized import vectorized

__all__ = [
    "Loop",
    "Native",
    "Step",
    "absolute",
    "divide",
    "exp",
    "join",
    "masked_max",
    "masked_min",
    "native",
    "pair",
    "power",
    "reciprocal",
    "scalar",
    "split",
    "step",
    "vectorized",
]
