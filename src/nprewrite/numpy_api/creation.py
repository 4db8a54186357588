"""Functions that make arrays, a record for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Creation:
    """A function that makes an array.

    - ``rule``: what decides the shape and the dtype of the result.
    - ``fills``: the number that all elements are; None where it is an argument, or there is no such number.
    - ``takes_dtype``: the ``dtype`` converts what the function would give without; ``arange`` steps in it.
    - ``pure``: its result depends on plain arguments only, so that it may be made once.
    - ``device``: it is "made" on the device, "taken" there from its argument, "sent" there once NumPy has
      made it, or computed by torch's "function"; empty where it stays in NumPy.
    - ``native``: how a lowered loop makes it; empty where it does not.
    - ``view``: it may be the memory of its argument.
    """

    rule: Literal["filled", "like", "counted", "spaced", "places", "converted", "unit", "grid", "subclass"]
    fills: int | None = None
    takes_dtype: bool = False
    pure: bool = False
    device: Literal["", "made", "taken", "sent", "function"] = ""
    native: Literal["", "filled", "like", "identity", "counted", "copied"] = ""
    view: bool = False


CREATION: dict[str, Creation] = {
    "zeros": Creation("filled", 0, takes_dtype=True, pure=True, device="made", native="filled"),
    "ones": Creation("filled", 1, takes_dtype=True, pure=True, device="made", native="filled"),
    "empty": Creation("filled", 0, takes_dtype=True, pure=True, device="made", native="filled"),
    "full": Creation("filled", takes_dtype=True, pure=True, device="made", native="filled"),
    "zeros_like": Creation("like", 0, device="function", native="like"),
    "ones_like": Creation("like", 1, device="function", native="like"),
    "empty_like": Creation("like", 0, device="function", native="like"),
    "full_like": Creation("like", device="function", native="like"),
    "arange": Creation("counted", pure=True, device="sent", native="counted"),
    "linspace": Creation("spaced", takes_dtype=True, pure=True, device="sent"),
    "logspace": Creation("spaced", device="sent"),
    "geomspace": Creation("spaced", device="sent"),
    "indices": Creation("places", device="sent"),
    "meshgrid": Creation("grid", device="function", view=True),
    "eye": Creation("unit", takes_dtype=True, pure=True, device="sent", native="identity"),
    "identity": Creation("unit", takes_dtype=True, pure=True, device="sent", native="identity"),
    "tri": Creation("unit", device="sent"),
    "array": Creation("converted", takes_dtype=True, pure=True, device="taken", native="copied"),
    "asarray": Creation("converted", takes_dtype=True, device="taken", native="copied", view=True),
    "ascontiguousarray": Creation("converted", device="taken", view=True),
    "asanyarray": Creation("subclass", device="taken", view=True),
    "matrix": Creation("subclass"),
    "asmatrix": Creation("subclass", view=True),
    "memmap": Creation("subclass", view=True),
}


def creation(dotted: str | None) -> Creation | None:
    """The record for a dotted name such as ``numpy.zeros``."""
    owner, _, name = (dotted or "").rpartition(".")
    return CREATION.get(name) if owner == "numpy" else None
