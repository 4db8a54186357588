"""Reductions, cumulative sums and statistics; the fields of a line are those of ``Known``."""

from __future__ import annotations

from nprewrite.facts.known import ANY, FLOATS, NUMBERS, Known

_AXIS = "axis dtype out keepdims initial where"
_ORDER = "axis out keepdims initial where"
_OTHER_SHAPE = "torch gives another shape or dtype"

REDUCTIONS: dict[str, Known] = {
    "sum": Known(_AXIS, ANY, "axis keepdims dtype", rounds=True),
    "prod": Known(_AXIS, NUMBERS, "axis keepdims dtype", rounds=True),
    "mean": Known("axis dtype out keepdims", FLOATS, "axis keepdims dtype", rounds=True),
    "std": Known("axis dtype out ddof keepdims", FLOATS, "axis keepdims ddof dtype", rounds=True),
    "var": Known("axis dtype out ddof keepdims", FLOATS, "axis keepdims ddof dtype", rounds=True),
    **dict.fromkeys(["min", "max", "amin", "amax"], Known(_ORDER, NUMBERS, "axis keepdims")),
    **dict.fromkeys(["any", "all"], Known("axis out keepdims", ANY, "axis keepdims")),
    "count_nonzero": Known("axis", ANY, ""),
}
"""Functions that a masked selection may be given to."""

TABLE: dict[str, Known] = {
    **REDUCTIONS,
    "argmin": Known("axis out", NUMBERS, "axis keepdims"),
    "argmax": Known("axis out", NUMBERS, "axis keepdims"),
    "ptp": Known("axis out keepdims", NUMBERS, "axis keepdims"),
    "cumsum": Known("axis dtype out", ANY, "axis dtype", rounds=True),
    "cumprod": Known("axis dtype out", NUMBERS, "axis dtype", rounds=True),
    **dict.fromkeys(["round", "around"], Known("decimals out", FLOATS, "decimals", keeps_shape=True)),
    "trace": Known("offset axis1 axis2 dtype out", ANY, "", rounds=True),
    "average": Known("axis weights", FLOATS, "axis", rounds=True),
    "linalg.norm": Known("ord axis keepdims", FLOATS, "axis keepdims ord", rounds=True),
    **dict.fromkeys(["median", "nanmedian"], Known("axis out overwrite_input", because=_OTHER_SHAPE)),
    **dict.fromkeys(
        ["percentile", "quantile", "nanpercentile", "nanquantile"],
        Known("axis out overwrite_input", arrays=2, because=_OTHER_SHAPE),
    ),
    **dict.fromkeys(["nansum", "nanprod", "nanmean", "nanmin", "nanmax"], Known("axis", rounds=True)),
    **dict.fromkeys(["nanstd", "nanvar"], Known("axis dtype out ddof keepdims", rounds=True)),
    **dict.fromkeys(["nanargmin", "nanargmax"], Known("axis")),
    **dict.fromkeys(["nancumsum", "nancumprod"], Known("axis", rounds=True)),
    **dict.fromkeys(["cov", "corrcoef"], Known("y", rounds=True)),
    "trapezoid": Known("x dx axis", rounds=True),
    "trapz": Known("x dx axis", rounds=True),
}
