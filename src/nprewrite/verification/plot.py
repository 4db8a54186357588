"""A picture of where two arrays differ: before, after, and the difference on a logarithmic scale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_NO_MATPLOTLIB = "a picture needs matplotlib: pip install 'nprewrite[plot]'"


def plot_difference(before: Array, after: Array, path: str | Path, *, title: str) -> None:
    """Save a picture of two numeric arrays of the same shape; the suffix of ``path`` gives the format.

    Arrays of one dimension are drawn as lines, of two as images; of more, the leading axes are flattened.
    Complex numbers are shown by their modulus, their difference by its modulus. Raises RuntimeError where
    matplotlib (extra ``plot``) is missing, and ValueError where the arrays are empty or their shapes differ.
    """
    if before.shape != after.shape or not before.size:
        raise ValueError(f"no picture of arrays of shape {before.shape} and {after.shape}")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RuntimeError(_NO_MATPLOTLIB) from error
    figure = Figure(figsize=(12, 4.2), layout="constrained")
    wrong = _difference(before, after)
    figure.suptitle(f"{title}: {np.count_nonzero(wrong)} of {wrong.size} elements differ")
    if before.ndim > 1:
        _images(figure, _flat(_shown(before)), _flat(_shown(after)), _flat(wrong))
    else:
        _lines(figure, np.atleast_1d(_shown(before)), np.atleast_1d(_shown(after)), np.atleast_1d(wrong))
    figure.savefig(path)


def _lines(figure: Any, before: Array, after: Array, wrong: Array) -> None:
    values, differences = figure.subplots(1, 2)
    values.plot(before, label="before", marker=".", markersize=3, linewidth=0.8)
    values.plot(after, label="after", marker=".", markersize=3, linewidth=0.8, alpha=0.7)
    values.legend()
    values.set_title("values")
    differences.set_title("|after - before|, red: not finite")
    places = np.flatnonzero(wrong)
    finite = np.isfinite(wrong[places])
    for place in places[~finite]:
        differences.axvline(place, color="red", linewidth=0.8)
    if np.any(finite):
        differences.plot(places[finite], wrong[places[finite]], marker=".", linestyle="none")
        differences.set_yscale("log")
    differences.set_xlim(values.get_xlim())
    for axes in (values, differences):
        axes.set_xlabel("index")


def _images(figure: Any, before: Array, after: Array, wrong: Array) -> None:
    from matplotlib.colors import LogNorm

    panels = figure.subplots(1, 3, sharex=True, sharey=True)
    finite = [array[np.isfinite(array)] for array in (before, after)]
    limits = {
        "vmin": min((array.min() for array in finite if array.size), default=0),
        "vmax": max((array.max() for array in finite if array.size), default=1),
    }
    for axes, array, name in zip(panels, (before, after), ("before", "after"), strict=False):
        figure.colorbar(axes.imshow(array, aspect="auto", interpolation="nearest", **limits), ax=axes)
        axes.set_title(name)
    axes = panels[2]
    axes.set_title("|after - before|, red: not finite")
    axes.set_facecolor("0.9")
    positive = wrong[np.isfinite(wrong) & (wrong > 0)]
    if positive.size:
        norm = LogNorm(positive.min(), max(positive.max(), positive.min() * 10))
        shown = np.ma.masked_where(~(np.isfinite(wrong) & (wrong > 0)), wrong)
        figure.colorbar(axes.imshow(shown, norm=norm, aspect="auto", interpolation="nearest"), ax=axes)
    red = np.zeros((*wrong.shape, 4))
    red[~np.isfinite(wrong)] = (1, 0, 0, 1)
    axes.imshow(red, aspect="auto", interpolation="nearest")
    for axes in panels:
        axes.set_xlabel("last axis")


def _shown(array: Array) -> Array:
    return np.abs(array).astype(float) if array.dtype.kind == "c" else array.astype(float)


def _flat(array: Array) -> Array:
    return array.reshape(-1, array.shape[-1])


def _difference(before: Array, after: Array) -> Array:
    """|after - before|, infinite where only one is finite; 0 where both are the same infinity or NaN."""
    kind = np.promote_types(np.promote_types(before.dtype, after.dtype), float)
    with np.errstate(all="ignore"):
        distance = np.abs(after.astype(kind) - before.astype(kind))
        same = (before == after) | (np.isnan(before.astype(kind)) & np.isnan(after.astype(kind)))
    return np.asarray(np.where(same, 0, np.where(np.isnan(distance), np.inf, distance)))
