"""Sorting, searching, sets and histograms; the fields of a line are those of ``Known``."""

from __future__ import annotations

from nprewrite.facts.known import Known

_ORDER = Known("axis kind order", because="NumPy sorts faster, and equal elements in an order of its own")
_DATA = "its shape depends on the elements"
_SET = Known(by_data=True, because=_DATA)
_SETS = Known(arrays=2, by_data=True, because=_DATA)

TABLE: dict[str, Known] = {
    **dict.fromkeys(["sort", "argsort"], _ORDER),
    **dict.fromkeys(["partition", "argpartition"], Known("kth axis", because=_ORDER.because)),
    "lexsort": Known("axis", arrays=0),
    "searchsorted": Known("side", arrays=2),
    "digitize": Known("right", arrays=2),
    "interp": Known("left right period", arrays=3, rounds=True),
    "isin": Known("", arrays=2),
    "in1d": Known("", arrays=2),
    **dict.fromkeys(["unique", "unique_values"], _SET),
    **dict.fromkeys(["union1d", "intersect1d", "setdiff1d", "setxor1d"], _SETS),
    "bincount": Known("weights minlength", by_data=True, because=_DATA),
    "histogram": Known("bins range"),
    "histogram2d": Known("bins range", arrays=2),
    "histogram_bin_edges": Known("bins range"),
    **dict.fromkeys(
        ["array_equal", "allclose", "array_equiv"], Known("", arrays=2, because="it gives a bool of Python's")
    ),
    "isclose": Known("rtol atol", arrays=2),
    "shares_memory": Known("", arrays=2),
    "may_share_memory": Known("", arrays=2),
    "iscomplexobj": Known(""),
    "isrealobj": Known(""),
}
