"""Functions that move, join, repeat and pick elements; see ``ArrayFunction`` for the fields."""

from __future__ import annotations

from dataclasses import replace

from nprewrite.numpy_api.record import FLOATS, NOT_IN_TORCH, ArrayFunction

_ALL = "fibuc"
_PICKS = "positions may be out of range, which raises in NumPy only"
_DATA = "its shape depends on the elements"
_TURNED = ArrayFunction("axis", _ALL, "axis", view="maybe", keeps_shape=True, native="turned")
_JOINED = ArrayFunction("", _ALL, "", arrays=0, changes_shape=True, native="joined")
_FOUND = ArrayFunction(by_data=True, because=_DATA, finds=True)

TABLE: dict[str, ArrayFunction] = {
    "transpose": ArrayFunction("axes", _ALL, "axes", view="always"),
    "swapaxes": ArrayFunction("axis1 axis2", _ALL, "axis1 axis2", view="always"),
    "moveaxis": ArrayFunction("source destination", _ALL, "source destination", view="always"),
    "reshape": ArrayFunction("shape", _ALL, "shape", view="maybe"),
    "rollaxis": ArrayFunction("axis start", view="maybe"),
    "expand_dims": ArrayFunction("axis", _ALL, "axis", view="always"),
    "squeeze": ArrayFunction("axis", view="maybe", because="its number of dimensions depends on the sizes"),
    "ravel": ArrayFunction("order", _ALL, "", view="maybe"),
    "flatten": ArrayFunction("order", _ALL, "", native="in a row"),
    "diagonal": ArrayFunction("offset axis1 axis2", _ALL, "", view="maybe"),
    "diag": ArrayFunction("k", _ALL, "", view="maybe"),
    **dict.fromkeys(["triu", "tril"], ArrayFunction("k", _ALL, "k", keeps_shape=True)),
    **dict.fromkeys(["atleast_1d", "atleast_2d", "atleast_3d"], ArrayFunction("", view="maybe")),
    "roll": ArrayFunction("shift axis", _ALL, "shift axis", keeps_shape=True, native="rolled"),
    "flip": _TURNED,
    **dict.fromkeys(["fliplr", "flipud"], replace(_TURNED, positions="", options="")),
    "rot90": ArrayFunction("k axes", _ALL, "k", view="maybe", changes_shape=True),
    **dict.fromkeys(["concatenate", "stack"], replace(_JOINED, positions="axis out", options="axis")),
    **dict.fromkeys(["hstack", "vstack", "column_stack"], _JOINED),
    "dstack": replace(_JOINED, native=""),
    "append": replace(_JOINED, positions="axis", options="axis", arrays=2),
    "tile": ArrayFunction("reps", _ALL, "reps", changes_shape=True, native="repeated"),
    "repeat": ArrayFunction("repeats axis", _ALL, "repeats axis", changes_shape=True, native="repeated"),
    "diff": ArrayFunction("n axis prepend append", "fi", "n axis", changes_shape=True, native="differences"),
    "ediff1d": ArrayFunction("to_end to_begin", device=NOT_IN_TORCH),
    "gradient": ArrayFunction(
        "",
        FLOATS,
        "axis",
        because="its spacing is no number of its dtype, or it has second-order edges",
        corrected=True,
        rounds=True,
        error="normwise",
        device_refuses="b1 i1 u1 i2",
        device_floats=True,
    ),
    "pad": ArrayFunction(
        "pad_width mode",
        _ALL,
        "pad_width mode=constant mode=edge",
        because="its elements are computed otherwise",
        corrected=True,
        device_refuses="c",
    ),
    "resize": ArrayFunction("new_shape"),
    **dict.fromkeys(
        ["split", "array_split"], ArrayFunction("indices_or_sections axis", view="maybe", lists=True)
    ),
    **dict.fromkeys(
        ["hsplit", "vsplit", "dsplit"], ArrayFunction("indices_or_sections", view="maybe", lists=True)
    ),
    "broadcast_to": ArrayFunction("shape", view="maybe"),
    "broadcast_arrays": ArrayFunction("", view="maybe", arrays=2),
    "take": ArrayFunction("indices axis out mode", because=_PICKS),
    "take_along_axis": ArrayFunction("axis", arrays=2, because=_PICKS, device=_PICKS),
    "choose": ArrayFunction("choices out mode", because=_PICKS, device=_PICKS),
    "select": ArrayFunction("choicelist default", arrays=0, device=NOT_IN_TORCH),
    "delete": ArrayFunction("obj axis", by_data=True, device=NOT_IN_TORCH),
    "insert": ArrayFunction("obj values axis", by_data=True, device=NOT_IN_TORCH),
    "compress": ArrayFunction("axis out", arrays=2, by_data=True, because=_DATA, device=NOT_IN_TORCH),
    "extract": ArrayFunction("", arrays=2, by_data=True, because=_DATA, device=NOT_IN_TORCH),
    "nonzero": replace(_FOUND, native="found"),
    "flatnonzero": replace(_FOUND, native="positions"),
    "argwhere": _FOUND,
    "where": replace(_FOUND, native="chosen"),
    "copy": ArrayFunction("", _ALL, "", native="copied"),
    "trim_zeros": ArrayFunction(by_data=True, because=_DATA, view="maybe", device=NOT_IN_TORCH),
    "ascontiguousarray": ArrayFunction("", view="maybe"),
    "asfortranarray": ArrayFunction("", view="maybe", device=NOT_IN_TORCH),
    "nan_to_num": ArrayFunction("copy nan"),
    "ix_": ArrayFunction("", arrays=2, view="maybe", finds=True, device=NOT_IN_TORCH),
    "angle": ArrayFunction("deg", keeps_shape=True, device_refuses="b1 i1 u1 i2", device_floats=True),
    "unwrap": ArrayFunction("discont axis", rounds=True, device=NOT_IN_TORCH),
    **dict.fromkeys(["fft.fftshift", "fft.ifftshift"], ArrayFunction("axes", _ALL, "", keeps_shape=True)),
}
