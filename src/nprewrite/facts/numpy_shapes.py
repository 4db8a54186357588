"""Functions that move, join, repeat and pick elements; the fields of a line are those of ``Known``."""

from __future__ import annotations

from nprewrite.facts.known import Known

_ALL = "fibuc"
_PICKS = "positions may be out of range, which raises in NumPy only"
_DATA = "its shape depends on the elements"

TABLE: dict[str, Known] = {
    "transpose": Known("axes", _ALL, "axes", view="always"),
    "swapaxes": Known("axis1 axis2", _ALL, "axis1 axis2", view="always"),
    "moveaxis": Known("source destination", _ALL, "source destination", view="always"),
    "reshape": Known("shape", _ALL, "shape", view="maybe"),
    "rollaxis": Known("axis start", view="maybe"),
    "expand_dims": Known("axis", _ALL, "axis", view="always"),
    "squeeze": Known("axis", view="maybe", because="its number of dimensions depends on the sizes"),
    "ravel": Known("order", _ALL, "", view="maybe"),
    "flatten": Known("order", _ALL, ""),
    "diagonal": Known("offset axis1 axis2", _ALL, "", view="maybe"),
    "diag": Known("k", _ALL, "", view="maybe"),
    **dict.fromkeys(["triu", "tril"], Known("k", _ALL, "k", keeps_shape=True)),
    **dict.fromkeys(["atleast_1d", "atleast_2d", "atleast_3d"], Known("", view="maybe")),
    "roll": Known("shift axis", _ALL, "shift axis", keeps_shape=True),
    "flip": Known("axis", _ALL, "axis", view="maybe", keeps_shape=True),
    **dict.fromkeys(["fliplr", "flipud"], Known("", _ALL, "", view="maybe", keeps_shape=True)),
    "rot90": Known("k axes", _ALL, "k", view="maybe"),
    **dict.fromkeys(["concatenate", "stack"], Known("axis", _ALL, "axis", arrays=0)),
    **dict.fromkeys(["hstack", "vstack", "dstack", "column_stack"], Known("", _ALL, "", arrays=0)),
    "append": Known("axis", _ALL, "axis", arrays=2),
    "tile": Known("reps", _ALL, "reps"),
    "repeat": Known("repeats axis", _ALL, "repeats axis"),
    "diff": Known("n axis prepend append", "fi", "n axis"),
    "ediff1d": Known("to_end to_begin"),
    "gradient": Known("", because="torch traces it for a spacing of one only", rounds=True),
    "pad": Known("pad_width mode"),
    "resize": Known("new_shape"),
    **dict.fromkeys(["split", "array_split"], Known("indices_or_sections axis", view="maybe")),
    **dict.fromkeys(["hsplit", "vsplit", "dsplit"], Known("indices_or_sections", view="maybe")),
    "broadcast_to": Known("shape", view="maybe"),
    "broadcast_arrays": Known("", view="maybe", arrays=2),
    "take": Known("indices axis out mode", because=_PICKS),
    "take_along_axis": Known("axis", arrays=2, because=_PICKS),
    "choose": Known("choices", because=_PICKS),
    "select": Known("choicelist default", arrays=0),
    **dict.fromkeys(["delete"], Known("obj axis", by_data=True)),
    "insert": Known("obj values axis", by_data=True),
    **dict.fromkeys(["compress", "extract"], Known("", arrays=2, by_data=True, because=_DATA)),
    **dict.fromkeys(["nonzero", "flatnonzero", "argwhere", "where"], Known(by_data=True, because=_DATA)),
    "copy": Known("", _ALL, ""),
    "trim_zeros": Known(by_data=True, because=_DATA, view="maybe"),
    "ascontiguousarray": Known("", view="maybe"),
    "asfortranarray": Known("", view="maybe"),
    "nan_to_num": Known("copy nan"),
    "ix_": Known("", arrays=2, view="maybe"),
    "unwrap": Known("discont axis", rounds=True),
    **dict.fromkeys(["fft.fftshift", "fft.ifftshift"], Known("axes", _ALL, "", keeps_shape=True)),
}
