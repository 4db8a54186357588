"""Private buffers, kept from one loop to the next, and the way back into the user's arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.spec import DType, Signature, Slot

# Kept on a step for its next loop, because fresh pages cost as much as the work on them.
RETAINED_BYTES = 64 << 20
# What a buffer is for, the name of the value in it, and which of the value's parts it holds.
Key = tuple[str, str, int]


class Workspace:
    """1-D buffers that are reused as long as they are large enough."""

    def __init__(self) -> None:
        self._buffers: dict[Key, Array] = {}
        # What was last asked for under a key: most loops ask for the same again.
        self._shaped: dict[Key, tuple[tuple[int, ...], Array]] = {}

    def buffer(self, key: Key, size: int, dtype: DType) -> Array:
        """A buffer of ``size`` elements, contents undefined; one key always has one dtype."""
        if key not in self._buffers or self._buffers[key].size < size:
            self._drop(key)
            self._buffers[key] = np.empty(size, dtype)
        return self._buffers[key][:size]

    def buffers(self, role: str, slot: Slot, size: int) -> list[Array]:
        """One buffer for each part of ``slot``."""
        return [self.buffer((role, slot.name, i), size, part) for i, part in enumerate(slot.parts)]

    def shaped(self, role: str, slot: Slot, like: Array) -> list[Array]:
        """One buffer for each part of ``slot``, of the shape of an array."""
        return [self._of_shape((role, slot.name, i), like, part) for i, part in enumerate(slot.parts)]

    def _of_shape(self, key: Key, like: Array, dtype: DType) -> Array:
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
        for kept in (self._buffers, self._shaped):
            kept.pop(key, None)

    @property
    def nbytes(self) -> int:
        return sum([array.nbytes for array in self._buffers.values()])


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


def load(buffers: Sequence[Array], array: Array) -> None:
    """Copy an array into one buffer, or the parts of a complex one into two, in C order."""
    sources = (array,) if len(buffers) == 1 else (array.real, array.imag)
    for buffer, source in zip(buffers, sources, strict=True):
        np.copyto(buffer.reshape(array.shape), source)


def store(array: Array, buffers: Sequence[Array]) -> None:
    """Undo ``load`` in place: the array keeps its memory and layout."""
    if len(buffers) == 1:
        array[...] = buffers[0].reshape(array.shape)
        return
    array.real = buffers[0].reshape(array.shape)
    array.imag = buffers[1].reshape(array.shape)


def store_state(
    signature: Signature, arguments: Mapping[str, Any], buffers: Mapping[str, Sequence[Array]]
) -> None:
    """Store the state in the user's arrays; nothing else here writes to them."""

    def store_all() -> None:
        for slot in signature.state:
            store(arguments[slot.name], buffers[slot.name])

    completely(store_all)


def completely(store_all: Callable[[], None]) -> None:
    """Store, whatever is raised meanwhile.

    After Ctrl-C, say, the arrays, and both parts of a pair, must still be of one iteration.
    """
    try:
        store_all()
    except BaseException:
        store_all()
        raise


def fresh(array: Array, buffers: Sequence[Array]) -> Array:
    """Fill a new array from its parts."""
    store(array, buffers)
    return array


def own(array: Array, dtype: DType, taken: list[Array]) -> Any:
    """A result in memory of its own, which is none of what is ``taken`` and is taken from now on.

    A graph may return one array for two results, as for ``x`` and ``x.copy()``. As in NumPy a result is a
    scalar where it has no dimensions.
    """
    for each in taken:
        if array is each or (array.base is not None and np.may_share_memory(array, each)):
            array = array.copy()
            break
    taken.append(array)
    typed = array if array.dtype is dtype else array.view(dtype)
    return typed if typed.ndim else typed[()]
