"""Running a step on whole arrays of any shape, one iteration a call.

Each iteration reads one set of buffers and writes another, because a stencil must not overwrite
what it still reads. Nothing of the user's arrays is written before ``store``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.backend import Array, Buffer, Kernel
from nprewrite.runtime.boxes import ScalarBoxes
from nprewrite.runtime.buffers import Workspace, carried, fresh, readable_in_place, split, store_state
from nprewrite.runtime.spec import Signature, Slot


class WholeLoop:
    """One loop of a step over arrays of any shapes."""

    def __init__(self, signature: Signature, arguments: Mapping[str, Any], workspace: Workspace) -> None:
        self._signature = signature
        self._arguments = arguments
        self._workspace = workspace
        self._memory = workspace.memory
        self._inputs = [buffer for slot in signature.inputs for buffer in self._load_input(slot)]
        self._sources = [buffer for slot in signature.written for buffer in self._load(slot)]
        self._targets = [buffer for slot in signature.written for buffer in self._shaped("next", slot)]
        self._out: Sequence[Any] = ()

    def run(self, kernel: Kernel, chunk: int, scalars: ScalarBoxes, constants: Sequence[Buffer]) -> None:
        """Run all iterations; see ``LaneLoop.run``."""
        for first in range(0, scalars.trips, chunk):
            boxes = scalars.fill(first, chunk)
            self._out = kernel.run(chunk, boxes, constants, self._inputs, self._sources, self._targets)
            self._sources, self._targets = self._targets, self._sources

    def results(self) -> tuple[Any, ...]:
        """New values for what the loop carries and leaves behind."""
        named = split(self._signature.out, self._out)
        out = tuple(self._result(slot, named[slot.name]) for slot in self._signature.out)
        buffers = split(self._signature.written, self._sources)
        return carried(self._signature, self._arguments, self._memory, buffers) + out

    def store(self) -> None:
        """Write the state to the user's arrays, after ``results``."""
        buffers = split(self._signature.written, self._sources)
        store_state(self._signature, self._arguments, self._memory, buffers)

    def _result(self, slot: Slot, buffers: Sequence[Buffer]) -> Any:
        array = self._memory.view(buffers[0])
        if slot.is_pair or self._is_private(array):
            array = fresh(self._memory, np.empty(array.shape, slot.dtype), buffers)
        # NumPy gives a scalar where a result has no dimensions.
        return array.view(slot.dtype)[()]

    def _is_private(self, array: Array) -> bool:
        """Whether memory is the loop's own, which its next run uses again."""
        private = (*self._inputs, *self._sources, *self._targets)
        return any(np.may_share_memory(array, self._memory.view(each)) for each in private)

    def _load_input(self, slot: Slot) -> Sequence[Buffer]:
        array = self._arguments[slot.name]
        if readable_in_place(slot, array):
            return [self._memory.wrap(array)]
        return self._load(slot)

    def _load(self, slot: Slot) -> Sequence[Buffer]:
        buffers = self._shaped("this", slot)
        self._memory.load(buffers, self._arguments[slot.name])
        return buffers

    def _shaped(self, role: str, slot: Slot) -> Sequence[Buffer]:
        array = self._arguments[slot.name]
        return [buffer.reshape(array.shape) for buffer in self._workspace.buffers(role, slot, array.size)]
