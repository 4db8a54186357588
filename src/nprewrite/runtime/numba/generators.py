"""Lends the state of a generator of random numbers to a compiled loop, which draws what the program would."""

from __future__ import annotations

import contextlib
import ctypes
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np

from nprewrite.lowering.draws import Draws
from nprewrite.lowering.lower import Lowered
from nprewrite.runtime.api.refusal import Refused

Array = np.ndarray[Any, Any]
_FUNCTIONS = ("next_uint64", "next_uint32", "next_double")
_STATE_BYTES = 4 * 625
_HAS_NORMAL = 1 + len(_FUNCTIONS)


@dataclass
class Lent:
    """What a compiled loop is given of a generator: ``r_random`` and ``r_normal`` of its text.

    With ``is_undone`` the generator gets the state that it had before the run.
    """

    state: Array = field(default_factory=lambda: np.zeros(_HAS_NORMAL + 1, np.int64))
    kept: Array = field(default_factory=lambda: np.zeros(1))
    is_undone: bool = False

    def fill(self, bits: Any, normal: float | None = None) -> None:
        """Take the addresses of a bit generator, and the normal number that waits for its turn."""
        interface = bits.ctypes
        functions = [ctypes.cast(getattr(interface, each), ctypes.c_void_p).value for each in _FUNCTIONS]
        self.state[:] = [interface.state_address, *functions, normal is not None]
        self.kept[0] = normal or 0.0

    @property
    def normal(self) -> float | None:
        """The normal number that waits for its turn."""
        return float(self.kept[0]) if self.state[_HAS_NORMAL] else None


@contextlib.contextmanager
def lent(given: Lent, lowered: Lowered, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Lend the generator that a loop draws from; when the run is over, it goes on from there.

    No other thread draws from it meanwhile.
    """
    draws = lowered.draws
    assert draws is not None
    _check_functions(draws)
    if draws.source.of == "python":
        with _python(given):
            yield
        return
    generator = arguments.get(draws.source.name, np.random.mtrand._rand)
    bits = generator._bit_generator if draws.source.of == "state" else generator.bit_generator
    # Only a loop that may have to run again as written needs the state of before.
    kept = _normal_kept(given, generator, bits) if draws.keeps_normal else _bits(given, bits, lowered.replays)
    with bits.lock, kept:
        yield


def _check_functions(draws: Draws) -> None:
    """Refuse where a module's functions are not its own: tests put others in their place."""
    owners = {"numpy.random": (np.random, np.random.mtrand._rand), "random": (random, random._inst)}
    if draws.source.name not in owners:
        return
    module, owner = owners[draws.source.name]
    if any(getattr(getattr(module, each, None), "__self__", None) is not owner for each in draws.functions):
        raise Refused("a function that draws is not that of its module", silent=True)


@contextlib.contextmanager
def _bits(given: Lent, bits: Any, saves: bool) -> Iterator[None]:
    """A bit generator."""
    restore = _restoring(bits) if saves else None
    given.fill(bits)
    yield
    if given.is_undone and restore is not None:
        restore()


def _restoring(bits: Any) -> Callable[[], object]:
    """What gives a bit generator the state back that it has now."""
    if type(bits) is not np.random.MT19937 or not _is_words_and_position():
        return partial(setattr, bits, "state", bits.state)
    # To make a dict of 624 words takes NumPy longer than many a loop.
    address = bits.ctypes.state_address
    return partial(ctypes.memmove, address, ctypes.string_at(address, _STATE_BYTES), _STATE_BYTES)


@cache
def _is_words_and_position() -> bool:
    """Whether the state in memory is what NumPy's C source says: the words, and the position after them."""
    bits = np.random.MT19937(0)
    bits.random_raw(3)
    words = np.frombuffer(ctypes.string_at(bits.ctypes.state_address, _STATE_BYTES), np.uint32)
    state: Any = bits.state["state"]
    return np.array_equal(words, [*state["key"], state["pos"]])


@contextlib.contextmanager
def _normal_kept(given: Lent, generator: Any, bits: Any) -> Iterator[None]:
    """A ``RandomState`` with the normal number that it keeps for its next call."""
    before = generator.get_state(legacy=False)
    given.fill(bits, before["gauss"] if before["has_gauss"] else None)
    yield
    if given.is_undone:
        generator.set_state(before)
        return
    normal = given.normal
    generator.set_state(
        {**generator.get_state(legacy=False), "has_gauss": int(normal is not None), "gauss": normal or 0.0}
    )


@contextlib.contextmanager
def _python(given: Lent) -> Iterator[None]:
    """The generator of the module ``random``: it is the Mersenne twister that NumPy has too."""
    version, words, normal = random.getstate()
    twin = np.random.MT19937(0)
    twin.state = {
        "bit_generator": "MT19937",
        "state": {"key": np.array(words[:-1], np.uint32), "pos": words[-1]},
    }
    given.fill(twin, normal)
    yield
    if given.is_undone:
        return
    after: Any = twin.state["state"]
    random.setstate((version, (*after["key"].tolist(), int(after["pos"])), given.normal))
