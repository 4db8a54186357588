"""The attributes of objects are read without making a dictionary of the object."""

from __future__ import annotations

import functools
import gc
import sys
from typing import Any

import numpy as np

import nprewrite
from nprewrite.decorated.own_attributes import is_plain, own


class Field:
    rate = 0.5
    default = None

    def __init__(self) -> None:
        self.u = np.ones(50)
        self.rate = 0.25
        self.nothing = None

    @functools.cached_property
    def costly(self) -> Any:
        raise AssertionError("asked for")

    @property
    def asked(self) -> Any:
        raise AssertionError("asked for")

    @staticmethod
    def alone() -> int:
        return 1

    def advanced(self) -> Any:
        return self.u * self.rate

    def summed(self) -> Any:
        return self.advanced().sum()


class Lazy(Field):
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


NAMES = ("u", "rate", "costly", "asked", "alone", "advanced", "missing", "nothing", "default")


def has_dictionary(value: object) -> bool:
    return any(type(each) is dict for each in gc.get_referents(value))


def test_what_an_object_has_of_its_own() -> None:
    for kind in (Field, Lazy):
        field = kind()
        assert is_plain(field)
        assert own(field, NAMES).keys() == {"u", "rate", "nothing"}
        field.advanced = field.alone = max  # type: ignore[assignment, method-assign]
        vars(field)["costly"] = 3
        assert own(field, NAMES).keys() == {"u", "rate", "nothing", "costly", "alone", "advanced"}


class Kept(Field):
    """Of which no object has had a dictionary."""


def test_a_call_makes_no_dictionary_of_an_object() -> None:
    field = Kept()
    summed: Any = nprewrite.jit(Field.summed)
    for _ in range(5):
        assert summed(field) == 12.5
    assert not has_dictionary(field)
    if sys.version_info < (3, 13):
        assert vars(field)
        assert has_dictionary(field)
