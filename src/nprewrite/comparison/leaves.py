"""The plain values in whatever a program returns, each by the place where a caller finds it."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PLAIN = (str, bytes, type(None), bool, int, float, complex, np.generic)
_NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


@dataclass
class Leaves:
    """What stands at each place.

    ``values``: arrays, numbers, strings. ``structure``: types, lengths, keys, names, by place.
    ``identity``: for each list, array and object the first place where the same object stands.
    ``opaque``: the types, by place, of values that cannot be compared.
    """

    values: dict[str, Any] = field(default_factory=dict)
    structure: dict[str, Any] = field(default_factory=dict)
    identity: dict[str, str] = field(default_factory=dict)
    opaque: dict[str, str] = field(default_factory=dict)
    _first: dict[int, str] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    def add(self, place: str, value: Any) -> None:
        """Take in a value and everything in it."""
        if isinstance(value, PLAIN):
            self.values[place] = value
            return
        seen = self._first.setdefault(id(value), place)
        if seen != place:
            self.identity[place] = seen
            return
        # The value must live as long as its id is used.
        self._kept.append(value)
        self.identity[place] = place
        if isinstance(value, np.ndarray) and value.dtype.names and not isinstance(value, np.ma.MaskedArray):
            # Each field is taken by itself, because rounding is judged for numbers and a record is not one.
            self.structure[place] = f"{type_name(value)} of {value.dtype} and shape {value.shape}"
            for name in value.dtype.names:
                self.add(f"{place}[{name!r}]", value[name])
        elif isinstance(value, np.ndarray):
            self.values[place] = value
        else:
            self._add_inner(place, value)

    def _add_inner(self, place: str, value: Any) -> None:
        self.structure[place] = type_name(value)
        inner = _inner(value)
        if inner is not None:
            self.structure[f"{place} (keys)"] = [key for key, _ in inner]
            for key, item in inner:
                self.add(f"{place}{key}", item)
        elif isinstance(value, _NAMED):
            self.structure[place] = f"{type_name(value)} {getattr(value, '__qualname__', value.__name__)}"
        elif type(value).__eq__ is not object.__eq__:  # type: ignore[comparison-overlap]  # as mypy sees them
            self.values[place] = value
        else:
            self.opaque[place] = type_name(value)


def type_name(value: object) -> str:
    """The type's name, because a class of the user's module is a different object in the rewritten module."""
    return type(value).__qualname__


def _inner(value: Any) -> list[tuple[str, Any]] | None:
    """The parts of a container or plain object, by their keys as text; None if it has none."""
    if isinstance(value, np.random.Generator):
        return [(".bit_generator.state", value.bit_generator.state)]
    if isinstance(value, np.random.RandomState):
        return [(".get_state()", value.get_state(legacy=False))]
    if isinstance(value, list | tuple):
        return [(f"[{index}]", item) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, _NAMED):
        return None
    names = [name for each in type(value).__mro__ for name in _slots(each) if hasattr(value, name)]
    attributes = {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in names}}
    if not attributes and not hasattr(value, "__dict__"):
        return None
    return [(f".{name}", item) for name, item in attributes.items()]


def _slots(kind: type) -> list[str]:
    slots = kind.__dict__.get("__slots__", ())
    return [slots] if isinstance(slots, str) else [name for name in slots if not name.startswith("__")]
