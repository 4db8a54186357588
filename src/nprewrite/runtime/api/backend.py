"""What runs the iterations of a step: a kernel, and what it must find and give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.api.spec import Signature, parts

Array = np.ndarray[Any, Any]
StepFunction = Callable[..., tuple[Any, ...]]

# Whatever a step body, torch.compile or a kernel may raise. At that point the user's arrays are still
# untouched, so the loop as written can run and meet its own errors at its own time.
STEP_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Kernel(Protocol):
    """Runs a step's iterations on buffers."""

    @property
    def compact_above(self) -> int:
        """The number of lanes below which a call is mostly overhead: leaving out more gains nothing."""

    @property
    def only_reads(self) -> bool:
        """Whether a step over whole arrays leaves its inputs and sources as they are."""

    @property
    def torch_operations(self) -> tuple[str, ...]:
        """The operations for which it imports torch."""

    def run(
        self,
        size: int,
        scalars: Sequence[Array],
        constants: Sequence[Array],
        inputs: Sequence[Array],
        sources: Sequence[Array],
        targets: Sequence[Array],
    ) -> Sequence[Any]:
        """Run ``size`` iterations and write the last results to ``targets``; return the results beyond them.

        Each of ``scalars`` has one element for each iteration; each of ``constants`` has one element, or is a
        size. For a lanewise step ``targets`` are ``sources`` themselves, followed by buffers for the further
        results; otherwise no buffers share memory.
        """


class Expected:
    """The dtypes of a step's parameters, and the dtypes and shapes that its results must have."""

    def __init__(self, signature: Signature) -> None:
        slots = signature.written + signature.out + signature.mask
        self.names = [slot.name for slot in slots for _ in slot.parts]
        self.dtypes = parts(slots)
        self.scalars = parts(signature.scalars)
        self.constants = parts(signature.constants) + [np.dtype(np.int64)] * len(signature.sizes)
        self.inputs = parts(signature.inputs)
        self.sources = parts(signature.written)
        # A store into state broadcasts; a rebound name takes whatever shape it is given.
        exact = {slot.name for slot in signature.carried}
        if signature.lanewise:
            exact |= {slot.name for slot in signature.out}
        self.exact = [name in exact for name in self.names]

    def check(self, dtypes: Sequence[str], same_shape: Sequence[bool]) -> None:
        """Raise ``Unusable`` where a result differs from its declaration."""
        for name, wanted, dtype in zip(self.names, self.dtypes, dtypes, strict=True):
            if dtype != wanted.name:
                raise Unusable(
                    f"dtype of the result {name}",
                    f"an iteration gives {name!r} as {dtype}, expected {wanted}; "
                    f"convert it in the loop with astype",
                )
        for name, exact, same in zip(self.names, self.exact, same_shape, strict=False):
            if exact and not same:
                raise Unusable(f"shape of the result {name}", f"an iteration changes the shape of {name!r}")
