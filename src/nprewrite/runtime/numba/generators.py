"""Lends the state of generators of random numbers to a compiled loop, which draws what the program would.

The state is read and written where it lies in memory: NumPy and Python hand it out as a dict or a tuple of
624 words, which takes longer than many a loop.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from nprewrite.lowering.draws import Draws
from nprewrite.runtime.api.refusal import Refused

Array = np.ndarray[Any, Any]
_PYTHON: Any = random._inst
_WORDS = 4 * 624
_HEAD = object.__basicsize__
_INTERFACE = 8 * 4
"""The bytes of NumPy's ``bitgen_t`` up to the function that draws a double."""
# An object of its own: that of `ctypes.pythonapi` belongs to all who call the function.
_address_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Lent:
    """A generator that is lent: ``state`` and ``kept`` are ``r_random`` and ``r_normal`` of the loop's text.

    ``normal`` is where it keeps whether a normal number waits for its turn, and that number after it; with
    ``saves`` the run may have to be undone.
    """

    def __init__(self, bits: Any, normal: int | None = None, *, saves: bool = False) -> None:
        self.bits = bits
        self._given = (ctypes.c_int64 * 5)()
        self.state = np.frombuffer(memoryview(self._given), np.int64)
        self.kept = np.zeros(1)
        self._normal = normal
        self._saves = saves
        self._before: Any = None

    def begin(self) -> None:
        """Take the addresses of the generator, and the normal number that waits."""
        ctypes.memmove(self._given, _address_of(self.bits.capsule, b"BitGenerator"), _INTERFACE)
        if self._saves:
            self._before = self._saved()
        if self._normal is not None:
            self._given[4] = ctypes.c_int.from_address(self._normal).value
            self.kept[0] = ctypes.c_double.from_address(self._normal + 8).value

    def end(self, *, is_undone: bool) -> None:
        """Leave the generator as the program's own calls do, or as it was before."""
        if is_undone:
            self._restore()
        elif self._normal is not None:
            ctypes.c_int.from_address(self._normal).value = self._given[4]
            ctypes.c_double.from_address(self._normal + 8).value = float(self.kept[0])

    def _saved(self) -> Any:
        if type(self.bits) is np.random.MT19937 and _is_words_and_position():
            return ctypes.string_at(self._given[0], _WORDS + 4)
        return self.bits.state

    def _restore(self) -> None:
        if isinstance(self._before, bytes):
            ctypes.memmove(self._given[0], self._before, len(self._before))
        elif self._before is not None:
            self.bits.state = self._before


class _LentByPython(Lent):
    """The generator of the module ``random``, or another: it is the Mersenne twister that NumPy has too."""

    def __init__(self, owner: Any) -> None:
        super().__init__(_TWINS.pop() if _TWINS else np.random.MT19937(0))
        self.owner = owner
        self._place = id(owner) + _HEAD

    def begin(self) -> None:
        """Copy the words and the position; see ``Lent``."""
        super().begin()
        ctypes.memmove(self._given[0], self._place + 4, _WORDS)
        ctypes.memmove(self._given[0] + _WORDS, self._place, 4)
        normal = self.owner.gauss_next
        self._given[4], self.kept[0] = normal is not None, normal or 0.0

    def end(self, *, is_undone: bool) -> None:
        """Copy them back, unless the run is undone."""
        if not is_undone:
            ctypes.memmove(self._place + 4, self._given[0], _WORDS)
            ctypes.memmove(self._place, self._given[0] + _WORDS, 4)
            self.owner.gauss_next = float(self.kept[0]) if self._given[4] else None
        _TWINS.append(self.bits)


_TWINS: list[np.random.MT19937] = []
"""Bit generators that stand in for Python's, to be used again: to make one takes longer than many a loop."""


class Loan:
    """The generators that a loop draws from, lent for a run.

    No other thread draws from them meanwhile. With ``is_undone`` they get the state that they had before.
    """

    is_undone = False

    def __init__(self, draws: Sequence[Draws], arguments: Mapping[str, Any], *, saves: bool) -> None:
        self.lent = [_lent(each, arguments, saves=saves) for each in draws]
        locks = {id(each.bits): each.bits.lock for each in self.lent}
        copied = [id(each.owner) for each in self.lent if isinstance(each, _LentByPython)]
        shares = len(locks) < len(self.lent) and any(each.keeps_normal for each in draws)
        if shares or len({*copied}) < len(copied):
            raise Refused("one generator under two names", silent=True)
        # Two loops that draw from the same generators wait for them in the same order.
        self._locks = [locks[each] for each in sorted(locks)]

    def __enter__(self) -> None:
        for each in self._locks:
            each.acquire()
        for lent in self.lent:
            lent.begin()

    def __exit__(self, *_: object) -> None:
        try:
            for each in self.lent:
                each.end(is_undone=self.is_undone)
        finally:
            for lock in self._locks:
                lock.release()


def _lent(draws: Draws, arguments: Mapping[str, Any], *, saves: bool) -> Lent:
    """The source of a loop's random numbers; raises ``Refused``."""
    _check_functions(draws)
    if draws.source.of == "python":
        if not _is_position_and_words():
            raise Refused("where Python keeps random words", silent=True)
        return _LentByPython(arguments.get(draws.source.name, _PYTHON))
    generator = arguments.get(draws.source.name, np.random.mtrand._rand)
    if draws.source.of == "generator":
        return Lent(generator.bit_generator, saves=saves)
    if not draws.keeps_normal:
        return Lent(generator._bit_generator, saves=saves)
    offset = _place_of_normal()
    if offset is None:
        raise Refused("where NumPy keeps a normal number", silent=True)
    return Lent(generator._bit_generator, id(generator) + offset, saves=saves)


def _check_functions(draws: Draws) -> None:
    """Refuse where a module's functions are not its own: tests put others in their place."""
    owners = {"numpy.random": (np.random, np.random.mtrand._rand), "random": (random, _PYTHON)}
    if draws.source.name not in owners:
        return
    module, owner = owners[draws.source.name]
    if any(getattr(getattr(module, each, None), "__self__", None) is not owner for each in draws.functions):
        raise Refused("a function that draws is not that of its module", silent=True)


@cache
def _is_words_and_position() -> bool:
    """Whether the state in memory is what NumPy's C source says: the words, and the position after them."""
    bits = np.random.MT19937(0)
    bits.random_raw(3)
    words = np.frombuffer(ctypes.string_at(bits.ctypes.state_address, _WORDS + 4), np.uint32)
    state: Any = bits.state["state"]
    return np.array_equal(words, [*state["key"], state["pos"]])


@cache
def _is_position_and_words() -> bool:
    """Whether Python's generator lies in memory as its C source says: the position, then the words."""
    own = random.Random(0)
    own.random()
    words = np.frombuffer(ctypes.string_at(id(own) + _HEAD, _WORDS + 4), np.uint32).tolist()
    return own.getstate()[1] == (*words[1:], words[0]) and _is_words_and_position()


@cache
def _place_of_normal() -> int | None:
    """Where in a ``RandomState`` it says whether a normal number waits: that number is 8 bytes further on."""
    own, size = np.random.RandomState(0), np.random.RandomState.__basicsize__

    def places() -> set[int]:
        state: Any = own.get_state(legacy=False)
        memory = ctypes.string_at(id(own), size)
        words = np.frombuffer(memory, np.int32, size // 4)[::2]
        number = np.frombuffer(memory, np.float64, size // 8)
        waits = (number[1:] == state["gauss"]) & (words[:-1] == state["has_gauss"])
        return {8 * int(each) for each in np.flatnonzero(waits)}

    own.standard_normal()
    found = places()
    own.standard_normal(2)
    found &= places()
    return found.pop() if len(found) == 1 else None
