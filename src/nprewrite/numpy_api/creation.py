"""Functions that make arrays, a record for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class Creation:
    """A function that makes an array.

    - ``rule``: what decides the shape and the dtype of the result.
    - ``fills``: the number that all elements are; None where it is an argument, or there is no such number.
    - ``takes_dtype``: ``dtype`` converts what the function would give without it (``arange`` steps in it).
    - ``pure``: its result depends on plain arguments only, so that it may be made once.
    - ``device``: it is "made" on the device, "taken" there from its argument, "sent" there once NumPy has
      made it, or computed by torch's "function"; empty where it stays in NumPy.
    - ``native``: how a lowered loop makes it; empty where it does not.
    - ``step``: its parameters in order, as far as a step takes them; empty where NumPy makes it, because
      torch gives other last bits, or does not trace it.
    - ``numbers``: those of them that are numbers of any kind; one that is not written out becomes a parameter
      of the step, for one of nprewrite's functions.
    - ``spelt``: torch chooses another dtype where none is spelt out.
    - ``undefined``: its elements are not set.
    - ``view``: it may share the memory of its argument.
    """

    rule: Literal["filled", "like", "counted", "spaced", "places", "converted", "unit", "grid", "subclass"]
    fills: int | None = None
    takes_dtype: bool = False
    pure: bool = False
    device: Literal["", "made", "taken", "sent", "function"] = ""
    native: Literal["", "filled", "like", "identity", "counted", "spaced", "copied"] = ""
    step: str = ""
    numbers: str = ""
    spelt: bool = False
    undefined: bool = False
    view: bool = False


_FILLED = Creation("filled", takes_dtype=True, pure=True, device="made", native="filled", step="shape dtype")
_LIKE = Creation("like", device="function", native="like", step="prototype dtype")
_UNIT = Creation("unit", takes_dtype=True, pure=True, device="sent", native="identity", step="N M k dtype")
_CONVERTED = Creation("converted", takes_dtype=True, device="taken", native="copied", step="object dtype")

CREATION: dict[str, Creation] = {
    "zeros": replace(_FILLED, fills=0),
    "ones": replace(_FILLED, fills=1),
    "empty": replace(_FILLED, fills=0, undefined=True),
    "full": replace(_FILLED, step="shape fill_value dtype", numbers="fill_value"),
    "zeros_like": replace(_LIKE, fills=0),
    "ones_like": replace(_LIKE, fills=1),
    "empty_like": replace(_LIKE, fills=0, undefined=True),
    "full_like": replace(_LIKE, step="prototype fill_value dtype", numbers="fill_value"),
    "arange": Creation("counted", pure=True, device="sent", native="counted", step="start stop step dtype"),
    "linspace": Creation(
        "spaced",
        takes_dtype=True,
        pure=True,
        device="sent",
        native="spaced",
        step="start stop num endpoint",
        numbers="start stop",
    ),
    "logspace": Creation("spaced", device="sent"),
    "geomspace": Creation("spaced", device="sent"),
    "indices": Creation("places", device="sent", step="dimensions dtype"),
    "meshgrid": Creation("grid", device="function", view=True, step="indexing"),
    "eye": _UNIT,
    "identity": replace(_UNIT, step="n dtype", spelt=True),
    "tri": Creation("unit", device="sent", step="N M k dtype", spelt=True),
    "array": replace(_CONVERTED, pure=True),
    "asarray": replace(_CONVERTED, view=True, step="a dtype"),
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
