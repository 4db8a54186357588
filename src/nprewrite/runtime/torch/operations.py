"""Operations for which Inductor has no kernel, in NumPy's words.

NumPy has its own transforms, sorts, sums and solvers, and its arithmetic on complex arrays is what the
program asked for. What is not listed here is left to torch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_OPERATORS = {"mul": "*", "div": "/", "sub": "-", "pow": "**", "eq": "==", "ne": "!="}
"""Python's operators for operations of two arrays."""
_SCALES = ("backward", "ortho", "forward")
"""NumPy's names for torch's three ways to scale a transform; those of an inverse count from the end."""
VIEWS = frozenset({"view_as_real.default", "view_as_complex.default", "view.dtype"})
"""Operations that give the same memory another dtype."""
CHECKS = frozenset({"_linalg_check_errors.default"})
"""What torch asks of results for which NumPy raises an error."""

Parts = Mapping[int | None, str]
"""The text of each part of an operation's result by its number, or of the whole result by None."""


class Unknown(ValueError):
    """NumPy has no words for an operation."""


@dataclass(frozen=True)
class Given:
    """An operation, by torch's name without the overload, and its arguments: nodes, texts, options by name.

    ``rank`` tells the number of an argument's axes.
    """

    name: str
    nodes: Sequence[ast.expr]
    texts: Sequence[str]
    options: Mapping[str, ast.expr]
    rank: Callable[[ast.expr], int | None]

    def value(self, number: int, name: str) -> Any:
        """An argument that is written out, by its place or its name."""
        return ast.literal_eval(self.nodes[number] if number < len(self.nodes) else self.options[name])


def name_of(function: ast.expr) -> str | None:
    """``mul.Tensor`` for ``torch.ops.aten.mul.Tensor``."""
    text = ast.unparse(function)
    return text.removeprefix("torch.ops.aten.") if text.startswith("torch.ops.aten.") else None


def in_numpy(name: str, given: Given) -> Parts:
    """The texts of an operation's results. Raises ``Unknown``."""
    if not given.options and (written := _elementwise(given.name, given.texts)) is not None:
        return {None: written}
    write = _WRITTEN.get(name)
    if write is None:
        raise Unknown(name)
    try:
        return write(given)
    except (ValueError, LookupError, TypeError) as error:
        raise Unknown(name) from error


def _elementwise(name: str, texts: Sequence[str]) -> str | None:
    """The text of an elementwise operation; those of complex arrays mostly have the same name in NumPy."""
    if name in _OPERATORS and len(texts) == 2:
        return f"(({texts[0]}) {_OPERATORS[name]} ({texts[1]}))"
    if name == "neg" and len(texts) == 1:
        return f"(-({texts[0]}))"
    if name == "_conj_physical":
        return f"({texts[0]}).conj()"
    found = getattr(np, name, None)
    if not isinstance(found, np.ufunc) or found.nin != len(texts):
        return None
    return f"np.{name}({', '.join(texts)})" if any(each.startswith("D") for each in found.types) else None


def dtype_of(node: ast.expr) -> str:
    """``float64`` for ``torch.float64``."""
    match node:
        case ast.Attribute(ast.Name("torch"), name):
            return name
    raise Unknown(ast.unparse(node))


def _full(given: Given) -> Parts:
    return {None: f"np.full({given.texts[0]}, {given.texts[1]}, {dtype_of(given.options['dtype'])!r})"}


def _between_complex(given: Given) -> Parts:
    axes, scale, forward = (given.value(n, "") for n in (1, 2, 3))
    if forward:
        return {None: _transform("fft", given.texts[0], axes, _SCALES[scale])}
    return {None: _transform("ifft", given.texts[0], axes, _SCALES[2 - scale])}


def _from_real(given: Given) -> Parts:
    axes, scale, onesided = (given.value(n, "") for n in (1, 2, 3))
    return {None: _transform("rfft" if onesided else "fft", given.texts[0], axes, _SCALES[scale])}


def _to_real(given: Given) -> Parts:
    (axis,), scale = given.value(1, ""), given.value(2, "")
    return {None: f"np.fft.irfft({given.texts[0]}, {given.texts[3]}, {axis}, {_SCALES[2 - scale]!r})"}


def _transform(name: str, array: str, axes: Sequence[int], scale: str) -> str:
    if len(axes) == 1:
        return f"np.fft.{name}({array}, axis={axes[0]}, norm={scale!r})"
    return f"np.fft.{name}n({array}, axes={tuple(axes)}, norm={scale!r})"


def _sort(given: Given) -> Parts:
    axis = _axis(given, given.options["dim"])
    if ast.literal_eval(given.options["descending"]):
        raise Unknown("descending")
    kind = ", kind='stable'" if ast.literal_eval(given.options["stable"]) else ""
    ending = f"({given.texts[0]}, axis={axis}{kind})"
    return {0: f"np.sort{ending}", 1: f"np.argsort{ending}"}


def _cumulative(given: Given) -> Parts:
    axis = _axis(given, given.nodes[1] if len(given.nodes) > 1 else given.options["dim"])
    dtype = f", dtype={dtype_of(given.options['dtype'])!r}" if "dtype" in given.options else ""
    return {None: f"np.{given.name}({given.texts[0]}, axis={axis}{dtype})"}


def _axis(given: Given, node: ast.expr) -> int:
    if not given.rank(given.nodes[0]):
        raise Unknown("an axis of a number")
    return int(ast.literal_eval(node))


def _solve(given: Given) -> Parts:
    # Of stacks of matrices torch and NumPy ask in different ways which right-hand sides are vectors.
    if given.options or [given.rank(each) for each in given.nodes] not in ([2, 1], [2, 2]):
        raise Unknown("solve")
    return {0: f"np.linalg.solve({', '.join(given.texts)})"}


def _of_matrix(given: Given) -> Parts:
    (array,) = given.texts
    if given.options:
        raise Unknown(given.name)
    function = given.name.removeprefix("_").removeprefix("linalg_").removesuffix("_ex")
    return {0: f"np.linalg.{function}({array})"}


def _search(given: Given) -> Parts:
    sorter, narrow = (ast.literal_eval(given.options[each]) for each in ("sorter", "out_int32"))
    if sorter is not None or narrow or given.rank(given.nodes[0]) != 1:
        raise Unknown("searchsorted")
    return {None: f"np.searchsorted({', '.join(given.texts)}, {ast.unparse(given.options['side'])})"}


def _slice(given: Given) -> Parts:
    bounds = ":".join(given.texts[2:])
    return {None: f"{given.texts[0]}[{':, ' * given.value(1, 'dim')}{bounds}]"}


def _select(given: Given) -> Parts:
    return {None: f"{given.texts[0]}[{':, ' * given.value(1, 'dim')}{given.texts[2]}]"}


def _permute(given: Given) -> Parts:
    return {None: f"{given.texts[0]}.transpose({given.texts[1]})"}


def _gather(given: Given) -> Parts:
    match given.nodes[1]:
        case ast.List(items):
            at = [":" if ast.unparse(each) == "None" else ast.unparse(each) for each in items]
            return {None: f"{given.texts[0]}[{', '.join(at)}]"}
    raise Unknown("index")


_WRITTEN: dict[str, Callable[[Given], Parts]] = {
    "full.default": _full,
    "_fft_c2c.default": _between_complex,
    "_fft_r2c.default": _from_real,
    "_fft_c2r.default": _to_real,
    "sort.stable": _sort,
    "cumsum.default": _cumulative,
    "cumprod.default": _cumulative,
    "_linalg_solve_ex.default": _solve,
    "_linalg_det.default": _of_matrix,
    "linalg_inv_ex.default": _of_matrix,
    "linalg_cholesky_ex.default": _of_matrix,
    "index.Tensor": _gather,
    "permute.default": _permute,
    "slice.Tensor": _slice,
    "select.int": _select,
    "searchsorted.Tensor": _search,
}
