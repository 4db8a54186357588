"""The step in NumPy: for debugging, and where torch is not installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array, Expected, StepFunction
from nprewrite.runtime.api.spec import DType


class NumpyKernel:
    """Runs the step function as it stands; see ``backend.Kernel``."""

    compact_above = 1 << 9
    only_reads = False
    torch_operations = ()

    def __init__(self, function: StepFunction, expected: Expected) -> None:
        self._function = function
        self._expected = expected
        self._checked: tuple[list[DType], list[bool]] | None = None

    def run(
        self,
        size: int,
        scalars: Sequence[Array],
        constants: Sequence[Array],
        inputs: Sequence[Array],
        sources: Sequence[Array],
        targets: Sequence[Array],
    ) -> Sequence[Any]:
        current = sources
        numbers = [each.shape[1] if each.ndim == 2 else each[0, ...] for each in constants]
        with np.errstate(all="ignore"):
            for j in range(size):
                boxes = [box[j, ...] for box in scalars]
                results = self._function(*boxes, *numbers, *inputs, *current)
                current = results[: len(sources)]
        arrays = [np.asarray(result) for result in results]
        pairs = list(zip(arrays, targets, strict=False))
        seen = ([array.dtype for array in arrays], [array.shape == target.shape for array, target in pairs])
        if seen != self._checked:
            self._expected.check([dtype.name for dtype in seen[0]], seen[1])
            self._checked = seen
        # A step that swaps two names returns each in the other's buffer: copy both before either is written.
        moved = [(_apart(array, target, sources), target) for array, target in pairs if array is not target]
        for array, target in moved:
            np.copyto(target, array)
        return arrays[len(targets) :]


def _apart(array: Array, target: Array, buffers: Sequence[Array]) -> Array:
    shared = any(buffer is not target and np.may_share_memory(array, buffer) for buffer in buffers)
    return array.copy() if shared else array
