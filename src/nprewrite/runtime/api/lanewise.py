"""Running a lanewise step: flat private lanes, several iterations a call, only the live lanes.

Each element of the arrays evolves by itself, so the arrays may be flattened, and lanes that have
finished may be left out. Nothing of the user's arrays is written before ``store``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array, Kernel
from nprewrite.runtime.api.boxes import ScalarBoxes
from nprewrite.runtime.api.buffers import (
    Workspace,
    fresh,
    load,
    readable_in_place,
    split,
    store_state,
)
from nprewrite.runtime.api.refusal import Compiling
from nprewrite.runtime.api.spec import BOOL, Signature, Slot

# torch compiles sizes 0 and 1 separately from all others, so where few lanes are needed some more are run.
LEAST_LANES = 16
COMPACT_BELOW_LIVE = 0.7


class LaneLoop:
    """One loop of a lanewise step over arrays of equal shape.

    ``inputs``, ``sources`` and ``targets`` are the kernel's arguments for the lanes that still run.
    """

    def __init__(self, signature: Signature, arguments: Mapping[str, Any], workspace: Workspace) -> None:
        self._signature = signature
        self._arguments = arguments
        self._workspace = workspace
        self._like: Array = arguments[signature.written[0].name]
        self._width = max(self._like.size, LEAST_LANES)
        # Where the lanes that still run lie in the full width; None while all of them run.
        self._index: Array | None = None
        self.inputs = [buffer for slot in signature.inputs for buffer in self._load_input(slot)]
        self.sources = [buffer for slot in signature.written for buffer in self._load(slot)]
        further = signature.out + signature.mask
        self.targets = [
            *self.sources,
            *(b for s in further for b in workspace.buffers("all", s, self._width)),
        ]
        self._full_inputs, self._full_targets = self.inputs, self.targets

    def run(self, kernel: Kernel, chunk: int, scalars: ScalarBoxes, constants: Sequence[Array]) -> None:
        """Run all iterations: ``chunk`` in a call, those left over one by one.

        Raises ``Refused`` where a scalar does not fit its box, and what the kernel raises.
        """
        first = 0
        while first < scalars.trips:
            size = chunk if scalars.trips - first >= chunk else 1
            boxes = scalars.fill(first, size)
            try:
                kernel.run(size, boxes, constants, self.inputs, self.sources, self.targets)
            except Compiling:
                if scalars.trips % size:
                    # What is left over in the end needs code of its own, which is made next.
                    boxes = scalars.fill(0, 1)
                    kernel.run(1, boxes, constants, self.inputs, self.sources, self.targets)
                raise
            first += size
            if self._signature.live and not self._drop_finished(kernel.compact_above):
                break
        scalars.check_from(first)

    def results(self) -> tuple[Array, ...]:
        """New arrays for what the loop carries and leaves behind."""
        if self._index is not None:
            self._put_back(self._index)
        buffers = self._final()
        new = [(slot, np.empty_like(self._arguments[slot.name])) for slot in self._signature.carried]
        new += [(slot, np.empty(self._like.shape, slot.dtype)) for slot in self._signature.out]
        return tuple([fresh(array, buffers[slot.name]) for slot, array in new])

    def store(self) -> None:
        """Write the state to the user's arrays, after ``results``."""
        store_state(self._signature, self._arguments, self._final())

    def stop(self) -> None:
        """Write the state after the last iterations that have ended."""
        if self._index is not None:
            self._put_back(self._index)
        self.store()

    def _final(self) -> dict[str, Sequence[Array]]:
        slots = self._signature.written + self._signature.out
        return split(slots, [target[: self._like.size] for target in self._full_targets])

    def _load_input(self, slot: Slot) -> Sequence[Array]:
        array = self._arguments[slot.name]
        if readable_in_place(slot, array) and array.size == self._width:
            return [array.reshape(-1)]
        return self._load(slot)

    def _load(self, slot: Slot) -> Sequence[Array]:
        array = self._arguments[slot.name]
        buffers = self._workspace.buffers("all", slot, self._width)
        load([buffer[: array.size] for buffer in buffers], array)
        if array.size < self._width:
            for lanes in buffers:
                # Repeated lanes compute the same as the lanes that they repeat, and are dropped at the end.
                lanes[...] = np.resize(lanes[: array.size], self._width)
        return buffers

    def _drop_finished(self, compact_above: int) -> bool:
        """Leave out finished lanes where there are many; return whether any lane still runs."""
        mask = self.targets[-1].view(BOOL)
        live = np.count_nonzero(mask)
        if len(mask) > compact_above and 0 < live < COMPACT_BELOW_LIVE * len(mask):
            self._compact(np.flatnonzero(mask))
        return bool(live)

    def _compact(self, positions: Array) -> None:
        if len(positions) < LEAST_LANES:
            positions = np.resize(positions, LEAST_LANES)
        if self._index is not None:
            self._put_back(self._index)
            positions = self._index[positions]
        self._index = positions
        self.inputs = self._narrow("live inputs", self._full_inputs)
        self.sources = self._narrow("live sources", self._full_targets[: len(self.sources)])
        further = self._narrow("live results", self._full_targets[len(self.sources) :], gather=False)
        self.targets = self.sources + further

    def _narrow(self, role: str, full: Sequence[Array], *, gather: bool = True) -> list[Array]:
        assert self._index is not None
        size = len(self._index)
        narrow = []
        for i, source in enumerate(full):
            buffer = self._workspace.buffer((role, "", i), size, source.dtype)
            if gather:
                # With mode="raise" NumPy gathers into a temporary copy of the buffer first.
                np.take(source, self._index, out=buffer, mode="clip")
            narrow.append(buffer)
        return narrow

    def _put_back(self, index: Array) -> None:
        """Write the lanes that still run to their places among all lanes; the mask is not needed there."""
        written = len(self.targets) - len(self._signature.mask)
        for full, narrow in zip(self._full_targets[:written], self.targets[:written], strict=True):
            full[index] = narrow
