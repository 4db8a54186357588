"""The records as a page of tables: of the documentation, and of ``python -m nprewrite.numpy_api NAME...``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from nprewrite.numpy_api import linear_algebra, reductions, shapes, sorting
from nprewrite.numpy_api.creation import CREATION, Creation
from nprewrite.numpy_api.elementwise import ELEMENTWISE, Elementwise
from nprewrite.numpy_api.python import MATH, MathFunction
from nprewrite.numpy_api.record import ArrayFunction

_HEAD = """\
# NumPy's functions

What nprewrite knows of each: a tick, or why not. `python -m nprewrite.numpy_api` prints this page from the
records in `src/nprewrite/numpy_api`.

- **types**: the dtype and the shape of the result are known without running the program.
- **array code**: a loop that calls it for single numbers can become statements over whole arrays; – where it
  takes or makes whole ones.
- **compiled step**: torch.compile computes it as NumPy does, with the same bits or but for rounding.
- **native loop**: a loop that Numba compiles may call it.
- **device**: it is computed where the arrays lie; what is not is computed on the CPU.

Methods are as the functions of their name. `where(m, x, y)` is elementwise in steps and on devices.
"""
_YES, _NO_QUESTION, _NOT_LOWERED = "✓", "–", "not lowered"
_COLUMNS = ("function", "types", "array code", "compiled step", "native loop", "device")
_KINDS = {"f": "floats", "i": "integers", "u": "unsigned integers", "b": "bools", "c": "complex numbers"}
_MADE = {"made": "✓", "function": "✓", "taken": "✓ from its argument", "sent": "made by NumPy and sent there"}

Row = tuple[str, ...]


@dataclass(frozen=True)
class _Section:
    title: str
    columns: Row
    rows: Sequence[Row]

    def text(self) -> str:
        """The section in Markdown, with columns that are aligned in plain text too."""
        lines = [self.columns, *self.rows]
        widths = [max(len(each[k]) for each in lines) for k in range(len(self.columns))]
        padded = [[cell.ljust(width) for cell, width in zip(each, widths, strict=True)] for each in lines]
        head, *rows = (f"| {' | '.join(each)} |" for each in padded)
        rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
        return "\n".join([f"## {self.title}", "", head, rule, *rows, ""])


def text(names: Collection[str] = ()) -> str:
    """The page; with ``names``, only the lines of these functions, with the heads of their tables."""
    if not names:
        return "\n".join([_HEAD, *(each.text() for each in _sections())])
    found = [_Section(each.title, each.columns, _named(names, each.rows)) for each in _sections()]
    return "\n".join(each.text() for each in found if each.rows)


def _named(names: Collection[str], rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if not {*names}.isdisjoint(row[0].split(", "))]


def _sections() -> list[_Section]:
    of_arrays = {
        "Reductions, cumulative sums, statistics": reductions.TABLE,
        "Shapes, joins, shifts, positions": shapes.TABLE,
        "Products, linear algebra, Fourier transforms": linear_algebra.TABLE,
        "Sorting, searching, sets, histograms": sorting.TABLE,
    }
    math = (
        "function",
        "NumPy's twin",
        "array code",
        "native loop",
        "where it raises, the code as written runs",
    )
    return [
        _Section("Elementwise", _COLUMNS, [_elementwise(*each) for each in ELEMENTWISE.items()]),
        *(
            _Section(title, _COLUMNS, [_of_arrays(*each) for each in table.items()])
            for title, table in of_arrays.items()
        ),
        _Section("Creation", _COLUMNS, [_creation(*each) for each in CREATION.items()]),
        _Section("`math`", math, [_math(*each) for each in MATH.items()]),
    ]


def _elementwise(name: str, entry: Elementwise) -> Row:
    limits = [
        "same bits" if entry.same_bits else "",
        "no integers" if not entry.integers else "no bools" if not entry.bools else "",
    ]
    compiled = f"{_YES} {', '.join(filter(None, limits))}".rstrip()
    native = _tick(entry.native) or ("as an operator" if entry.operator else _NOT_LOWERED)
    return (
        ", ".join([name, *entry.aliases]),
        _YES,
        _YES,
        entry.because or compiled,
        native,
        _device(entry),
    )


def _of_arrays(name: str, line: ArrayFunction) -> Row:
    kinds = [words for kind, words in _KINDS.items() if kind in line.kinds]
    compiled = f"{_YES} {', '.join(kinds) if len(kinds) < len(_KINDS) else ''}".rstrip()
    return (
        name,
        _YES,
        _NO_QUESTION,
        compiled if line.compiled else line.because,
        _tick(line.native) or _NOT_LOWERED,
        _device(line),
    )


def _device(entry: Elementwise | ArrayFunction) -> str:
    refused = ", ".join(
        _KINDS[each] if each in _KINDS else np.dtype(each).name for each in entry.device_refuses.split()
    )
    return entry.device or (f"{_YES} not of {refused}" if refused else _YES)


def _creation(name: str, made: Creation) -> Row:
    return (
        name,
        _YES if made.rule != "subclass" else "gives a subclass of ndarray",
        _NO_QUESTION,
        _YES if made.step else "made before it" if made.pure else "stays in NumPy",
        _tick(made.native) or _NOT_LOWERED,
        _MADE.get(made.device, "stays in NumPy"),
    )


def _math(name: str, each: MathFunction) -> Row:
    return (
        name,
        each.twin,
        _tick(each.lanes) or "NumPy has none",
        _tick(each.native) or _NOT_LOWERED,
        each.raises.replace("|", "or"),
    )


def _tick(fact: object) -> str:
    return _YES if fact else ""
