"""Private buffers, kept from one loop to the next, and the way back into the user's arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array, Buffer, Memory
from nprewrite.runtime.api.spec import DType, Signature, Slot

# Kept on a step for its next loop, because fresh pages cost as much as the work on them.
RETAINED_BYTES = 64 << 20
# What a buffer is for, the name of the value in it, and which of the value's parts it holds.
Key = tuple[str, str, int]


class Workspace:
    """1-D buffers that are reused as long as they are large enough."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._buffers: dict[Key, Buffer] = {}
        self._arrays: dict[Key, Array] = {}
        # What was last asked for under a key: most loops ask for the same again.
        self._shaped: dict[Key, tuple[tuple[int, ...], Buffer]] = {}

    def buffer(self, key: Key, size: int, dtype: DType) -> Buffer:
        """A buffer of ``size`` elements, contents undefined; one key always has one dtype."""
        if key not in self._buffers or self._arrays[key].size < size:
            self._drop(key)
            made = self._buffers[key] = self.memory.empty(size, dtype)
            self._arrays[key] = self.memory.view(made)
        return self._buffers[key][:size]

    def buffers(self, role: str, slot: Slot, size: int) -> list[Buffer]:
        """One buffer for each part of ``slot``."""
        return [self.buffer((role, slot.name, i), size, part) for i, part in enumerate(slot.parts)]

    def shaped(self, role: str, slot: Slot, like: Array) -> list[Buffer]:
        """One buffer for each part of ``slot``, of the shape of an array."""
        return [self._of_shape((role, slot.name, i), like, part) for i, part in enumerate(slot.parts)]

    def _of_shape(self, key: Key, like: Array, dtype: DType) -> Buffer:
        shape, kept = self._shaped.get(key, ((), None))
        if kept is None or shape != like.shape:
            kept = self.buffer(key, like.size, dtype).reshape(like.shape)
            self._shaped[key] = like.shape, kept
        return kept

    def trim(self, limit: int) -> None:
        """Drop buffers until at most ``limit`` bytes are kept."""
        for key in list(self._buffers):
            if self.nbytes <= limit:
                return
            self._drop(key)

    def _drop(self, key: Key) -> None:
        for kept in (self._buffers, self._arrays, self._shaped):
            kept.pop(key, None)

    @property
    def nbytes(self) -> int:
        return sum([array.nbytes for array in self._arrays.values()])


def readable_in_place(slot: Slot, array: Array) -> bool:
    """Whether a step may read the user's own memory: one part, contiguous, and not read-only."""
    return not slot.is_pair and array.flags.c_contiguous and array.flags.writeable


def split(slots: Sequence[Slot], buffers: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """The buffers of each slot by its name, from the list of all parts in order."""
    named = {}
    first = 0
    for slot in slots:
        named[slot.name] = buffers[first : first + len(slot.parts)]
        first += len(slot.parts)
    return named


def carried(
    signature: Signature,
    arguments: Mapping[str, Any],
    memory: Memory,
    buffers: Mapping[str, Sequence[Buffer]],
) -> tuple[Array, ...]:
    """New arrays for what the loop carries; ``buffers`` holds their parts, as long as the arrays."""
    return tuple(
        fresh(memory, np.empty_like(arguments[slot.name]), buffers[slot.name]) for slot in signature.carried
    )


def store_state(
    signature: Signature,
    arguments: Mapping[str, Any],
    memory: Memory,
    buffers: Mapping[str, Sequence[Buffer]],
) -> None:
    """Store the state in the user's arrays; nothing else here writes to them."""

    def store() -> None:
        for slot in signature.state:
            memory.store(arguments[slot.name], buffers[slot.name])

    try:
        store()
    except BaseException:
        # Ctrl-C, say: the arrays, and both parts of a pair, must still be of one iteration.
        store()
        raise


def fresh(memory: Memory, array: Array, buffers: Sequence[Buffer]) -> Array:
    """Fill a new array from its parts."""
    memory.store(array, buffers)
    return array
