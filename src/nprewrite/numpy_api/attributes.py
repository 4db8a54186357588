"""Attributes of arrays, a record for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np


@dataclass(frozen=True)
class Attribute:
    """An attribute of arrays.

    - ``gives``: the "shape", the "dtype", an "integer", "integers", the real or imaginary "parts", the array
      with its axes "reversed" or the last two "swapped", or an "iterator" over its elements.
    - ``view``: it shares the memory of the array; otherwise it says nothing about the elements.
    - ``in_bytes``: it depends on how many bytes an element takes.
    """

    gives: Literal["shape", "dtype", "integer", "integers", "parts", "reversed", "swapped", "iterator"]
    view: bool = False
    in_bytes: bool = False


ATTRIBUTES: dict[str, Attribute] = {
    "T": Attribute("reversed", view=True),
    "mT": Attribute("swapped", view=True),
    "real": Attribute("parts", view=True),
    "imag": Attribute("parts", view=True),
    "flat": Attribute("iterator", view=True),
    "shape": Attribute("shape"),
    "dtype": Attribute("dtype"),
    "size": Attribute("integer"),
    "ndim": Attribute("integer"),
    "nbytes": Attribute("integer", in_bytes=True),
    "itemsize": Attribute("integer", in_bytes=True),
    "strides": Attribute("integers", in_bytes=True),
}


def is_view(name: str) -> bool:
    """Whether ``x.name`` shares the memory of ``x``."""
    return name in ATTRIBUTES and ATTRIBUTES[name].view


def is_part(dotted: str | None) -> bool:
    """Whether a function gives the real or the imaginary parts of an array: ``numpy.real``."""
    owner, _, name = (dotted or "").rpartition(".")
    return owner == "numpy" and name in ATTRIBUTES and ATTRIBUTES[name].gives == "parts"


def is_of_layout(name: str) -> bool:
    """Whether ``x.name`` says how ``x`` lies in memory, and nothing about its elements."""
    return name in ATTRIBUTES and not ATTRIBUTES[name].view


def is_count(name: str) -> bool:
    """Whether ``x.name`` is a number of elements or axes."""
    return name in ATTRIBUTES and ATTRIBUTES[name].gives == "integer" and not ATTRIBUTES[name].in_bytes


def limit(dotted: str | None, dtype: np.dtype[Any] | None, name: str) -> object:
    """``np.finfo(dtype).name`` and ``np.iinfo(dtype).name``; None where there is none."""
    if dtype is None or dotted not in ("numpy.finfo", "numpy.iinfo"):
        return None
    try:
        return getattr(np.finfo(dtype) if dotted == "numpy.finfo" else np.iinfo(dtype), name, None)
    except ValueError:
        # Of integers the one, of floats the other.
        return None
