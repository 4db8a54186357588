"""Methods of arrays: a record for each that is not also a function, and questions about all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from nprewrite.numpy_api.effects import changes_its_array
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import array_function


@dataclass(frozen=True)
class Method:
    """A method that changes nothing: it ``gives`` a new array of another "dtype", or something else.

    ``native``: how a lowered loop computes it; ``device``: a device computes it.
    """

    gives: Literal["dtype", "copy", "conjugate", "number", "list", "bytes", "memory"]
    native: Literal["", "copied", "cast"] = ""
    device: bool = False


METHODS: dict[str, Method] = {
    "astype": Method("dtype", native="cast", device=True),
    "copy": Method("copy", native="copied", device=True),
    "conj": Method("conjugate", device=True),
    "conjugate": Method("conjugate", device=True),
    "item": Method("number"),
    "tolist": Method("list"),
    "tobytes": Method("bytes"),
    "view": Method("memory"),
}


def is_method(name: str) -> bool:
    """Whether this is a known method of arrays."""
    followed = array_function(name) is not None or elementwise(f"numpy.{name}") is not None
    return name in METHODS or changes_its_array(name) or (followed and hasattr(np.ndarray, name))


def only_reads(name: str) -> bool:
    """Whether ``x.name(...)`` changes nothing except what ``out`` names."""
    return is_method(name) and not changes_its_array(name)
