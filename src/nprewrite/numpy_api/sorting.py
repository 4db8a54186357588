"""Sorting, searching, sets and histograms; the fields of a line are those of ``ArrayFunction``."""

from __future__ import annotations

from dataclasses import replace

from nprewrite.numpy_api.record import NOT_IN_TORCH, ArrayFunction

_ORDER = ArrayFunction(
    "axis kind order", because="NumPy sorts faster, and equal elements in an order of its own"
)
_DATA = "its shape depends on the elements"
_OTHER_DTYPE = "torch gives another dtype"
_SET = ArrayFunction(by_data=True, because=_DATA)
_SETS = ArrayFunction(arrays=2, by_data=True, because=_DATA, device=NOT_IN_TORCH)

TABLE: dict[str, ArrayFunction] = {
    "sort": replace(_ORDER, native="sorted"),
    "argsort": replace(_ORDER, finds=True),
    "partition": replace(_ORDER, positions="kth axis", device=NOT_IN_TORCH),
    "argpartition": replace(_ORDER, positions="kth axis", finds=True, device=NOT_IN_TORCH),
    "lexsort": ArrayFunction("axis", arrays=0, finds=True, device=NOT_IN_TORCH),
    "searchsorted": ArrayFunction("side", arrays=2, finds=True, native="insertion"),
    "digitize": ArrayFunction("right", arrays=2, finds=True, device=NOT_IN_TORCH),
    "interp": ArrayFunction(
        "left right period",
        arrays=3,
        rounds=True,
        error="normwise",
        native="interpolated",
        device=NOT_IN_TORCH,
    ),
    "isin": ArrayFunction("", arrays=2, device=NOT_IN_TORCH),
    "in1d": ArrayFunction("", arrays=2, device=NOT_IN_TORCH),
    "unique": _SET,
    "unique_values": replace(_SET, device=NOT_IN_TORCH),
    **dict.fromkeys(["union1d", "intersect1d", "setdiff1d", "setxor1d"], _SETS),
    "bincount": ArrayFunction("weights minlength", by_data=True, because=_DATA),
    "histogram": ArrayFunction("bins range", device=_OTHER_DTYPE),
    "histogram2d": ArrayFunction("bins range", arrays=2, device=_OTHER_DTYPE),
    "histogram_bin_edges": ArrayFunction("bins range", device=NOT_IN_TORCH),
    **dict.fromkeys(
        ["array_equal", "allclose", "array_equiv"],
        ArrayFunction("", arrays=2, because="it gives a bool of Python's"),
    ),
    "isclose": ArrayFunction("rtol atol", arrays=2),
    "shares_memory": ArrayFunction("", arrays=2, device=NOT_IN_TORCH),
    "may_share_memory": ArrayFunction("", arrays=2, device=NOT_IN_TORCH),
    "iscomplexobj": ArrayFunction(""),
    "isrealobj": ArrayFunction(""),
}
