"""Reductions, cumulative sums and statistics; the fields of a line are those of ``ArrayFunction``."""

from __future__ import annotations

from dataclasses import replace

from nprewrite.numpy_api.record import ANY, FLOATS, NOT_IN_TORCH, NUMBERS, ArrayFunction

_AXIS = "axis dtype out keepdims initial where"
_OF_SPREAD = ArrayFunction(
    "axis dtype out ddof keepdims",
    FLOATS,
    "axis keepdims ddof dtype",
    rounds=True,
    error="spread",
    in_float64=True,
)
_EXTREME = ArrayFunction("axis out keepdims initial where", NUMBERS, "axis keepdims")
_TEST = ArrayFunction("axis out keepdims", ANY, "axis keepdims")
_OTHER_SHAPE = "torch gives another shape or dtype"

REDUCTIONS: dict[str, ArrayFunction] = {
    "sum": ArrayFunction(
        _AXIS,
        ANY,
        "axis keepdims dtype",
        rounds=True,
        error="sum",
        masked="{np}.where({m}, {x}, 0).sum()",
        masked_in_step="{np}.where({m}, {x}, 0).sum()",
        native="total",
        batched="sum",
    ),
    "prod": ArrayFunction(
        _AXIS, NUMBERS, "axis keepdims dtype", rounds=True, error="growing", native="factors"
    ),
    "mean": ArrayFunction(
        "axis dtype out keepdims",
        FLOATS,
        "axis keepdims dtype",
        rounds=True,
        error="mean",
        masked="{npr}.masked_mean({x}, {m})",
        masked_in_step="{np}.where({m}, {x}, 0).sum({dtype}) / {np}.sum({m}){cast}",
        native="average",
        batched="mean",
        in_float64=True,
    ),
    "std": replace(_OF_SPREAD, native="deviation"),
    "var": replace(_OF_SPREAD, native="variance"),
    **dict.fromkeys(
        ["min", "amin"],
        replace(_EXTREME, masked="{npr}.masked_min({x}, {m})", native="least", batched="min"),
    ),
    **dict.fromkeys(
        ["max", "amax"],
        replace(_EXTREME, masked="{npr}.masked_max({x}, {m})", native="greatest", batched="max"),
    ),
    "any": replace(
        _TEST,
        masked="{np}.where({m}, {x}, 0).any()",
        masked_in_step="{np}.where({m}, {x}, 0).any()",
        native="some",
    ),
    "all": replace(
        _TEST,
        masked="{np}.where({m}, {x}, 1).all()",
        masked_in_step="{np}.where({m}, {x}, 1).all()",
        native="every",
    ),
    "count_nonzero": ArrayFunction(
        "axis",
        ANY,
        "",
        masked="{np}.count_nonzero({np}.where({m}, {x}, 0))",
        native="trues",
        batched="nonzero",
    ),
}
"""Functions that may be applied to a masked selection."""

_RUNNING = ArrayFunction("axis dtype out", options="axis dtype", rounds=True, native="running")

TABLE: dict[str, ArrayFunction] = {
    **REDUCTIONS,
    "argmin": ArrayFunction(
        "axis out", NUMBERS, "axis keepdims", native="least place", batched="argmin", finds=True
    ),
    "argmax": ArrayFunction(
        "axis out", NUMBERS, "axis keepdims", native="greatest place", batched="argmax", finds=True
    ),
    "ptp": ArrayFunction("axis out keepdims", NUMBERS, "axis keepdims"),
    "cumsum": replace(_RUNNING, kinds=ANY, error="sum"),
    "cumprod": replace(_RUNNING, kinds=NUMBERS, error="growing"),
    "cumulative_sum": ArrayFunction(rounds=True, error="sum", device=NOT_IN_TORCH),
    "cumulative_prod": ArrayFunction(rounds=True, error="growing", device=NOT_IN_TORCH),
    **dict.fromkeys(
        ["round", "around"],
        ArrayFunction(
            "decimals out", FLOATS, "decimals", keeps_shape=True, native="nearest", device_refuses="b"
        ),
    ),
    "trace": ArrayFunction(
        "offset axis1 axis2 dtype out", ANY, "", rounds=True, error="sum", native="traced"
    ),
    "average": ArrayFunction("axis weights", FLOATS, "axis", rounds=True, error="mean"),
    "linalg.norm": ArrayFunction(
        "ord axis keepdims", FLOATS, "axis keepdims ord", rounds=True, error="growing", native="norm"
    ),
    "median": ArrayFunction(
        "axis out overwrite_input",
        because=_OTHER_SHAPE,
        native="middle",
        device_refuses="c",
        device_floats=True,
    ),
    "nanmedian": ArrayFunction("axis out overwrite_input", because=_OTHER_SHAPE, device=NOT_IN_TORCH),
    **dict.fromkeys(
        ["percentile", "quantile", "nanpercentile", "nanquantile"],
        ArrayFunction("axis out overwrite_input", arrays=2, because=_OTHER_SHAPE, device=_OTHER_SHAPE),
    ),
    "nansum": ArrayFunction(_AXIS, rounds=True, error="sum", device=NOT_IN_TORCH),
    "nanprod": ArrayFunction(_AXIS, rounds=True, error="growing", device=NOT_IN_TORCH),
    "nanmean": ArrayFunction("axis dtype out keepdims", rounds=True, error="mean", device=NOT_IN_TORCH),
    **dict.fromkeys(["nanmin", "nanmax"], ArrayFunction(_EXTREME.positions, device=NOT_IN_TORCH)),
    **dict.fromkeys(
        ["nanstd", "nanvar"],
        ArrayFunction(_OF_SPREAD.positions, rounds=True, error="spread", device=NOT_IN_TORCH),
    ),
    **dict.fromkeys(["nanargmin", "nanargmax"], ArrayFunction("axis out", finds=True, device=NOT_IN_TORCH)),
    "nancumsum": ArrayFunction("axis dtype out", rounds=True, error="sum", device=NOT_IN_TORCH),
    "nancumprod": ArrayFunction("axis dtype out", rounds=True, error="growing", device=NOT_IN_TORCH),
    **dict.fromkeys(
        ["cov", "corrcoef"],
        # NumPy computes it in float64, whatever the precision of the array.
        ArrayFunction("y", rounds=True, error="normwise", device_refuses="f4 c8", device_floats=True),
    ),
    **dict.fromkeys(
        ["trapezoid", "trapz"], ArrayFunction("x dx axis", rounds=True, error="sum", device=NOT_IN_TORCH)
    ),
}
