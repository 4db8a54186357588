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


def rotation(signature: Signature) -> list[int]:
    """For each part of what an iteration writes the one whose buffer it takes after the iteration."""
    parts = [(slot.name, number) for slot in signature.written for number in range(len(slot.parts))]
    taken = dict(signature.rotates)
    return [parts.index((taken.get(name, name), number)) for name, number in parts]


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
        self._rotation = rotation(signature)
        self._owners = [slot.name for slot in signature.written for _ in slot.parts]

    def run(self, kernel: Kernel, chunk: int, scalars: ScalarBoxes, constants: Sequence[Buffer]) -> None:
        """Run all iterations; see ``LaneLoop.run``."""
        for first in range(0, scalars.trips, chunk):
            boxes = scalars.fill(first, chunk)
            self._out = kernel.run(chunk, boxes, constants, self._inputs, self._sources, self._targets)
            self._sources, self._targets = self._targets, self._sources
            if self._signature.rotates:
                self._sources = [self._sources[position] for position in self._rotation]
                self._targets = [self._targets[position] for position in self._rotation]
                self._owners = [self._owners[position] for position in self._rotation]

    def results(self) -> tuple[Any, ...]:
        """New values for what the loop carries and leaves behind."""
        named = split(self._signature.out, self._out)
        out = tuple(self._result(slot, named[slot.name]) for slot in self._signature.out)
        buffers = split(self._signature.written, self._sources)
        return carried(self._signature, self._arguments, self._memory, buffers) + out + self._rotated()

    def store(self) -> None:
        """Write the state to the user's arrays, after ``results``."""
        buffers = split(self._signature.written, self._sources)
        store_state(self._signature, {**self._arguments, **self._standing()}, self._memory, buffers)

    def _standing(self) -> dict[str, Any]:
        """The user's array that each name stands for now."""
        first = split(self._signature.written, self._owners)
        return {name: self._arguments[owners[0]] for name, owners in first.items()}

    def _rotated(self) -> tuple[Any, ...]:
        standing = self._standing()
        return tuple(standing[name] for name, _ in self._signature.rotates)

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
