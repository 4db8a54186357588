"""Code objects whose positions are those of the user's file, though they were compiled from rewritten text.

The line table is rewritten in the format of CPython 3.11 and later (``Objects/locations.md`` there), so that
this works for every loader, whatever it does to the tree between text and code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import CodeType

Position = tuple[int | None, int | None, int | None, int | None]
"""Line, last line, column, last column, as ``code.co_positions()`` gives them."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_NO_COLUMNS, _LONG, _NOTHING = 13, 14, 15


class Lines:
    """For each line of the rewritten text its line in the source; columns where both are the same, or
    the first is only indented further."""

    def __init__(self, source: str, text: str, origins: Sequence[int]) -> None:
        before, after = _LINE_END.split(source), _LINE_END.split(text)
        self._origins = origins
        lines = zip(origins, after, strict=False)
        self._indents = [_further_indent(before[origin - 1], line) for origin, line in lines]

    def of(self, code: CodeType) -> CodeType:
        """The code object, and those inside it, with the source's positions."""
        first = self._line(code.co_firstlineno)
        inner = tuple(self.of(each) if isinstance(each, CodeType) else each for each in code.co_consts)
        positions = [self._position(each) for each in code.co_positions()]
        table = bytes(_encoded(code.co_linetable, positions, first))
        return code.replace(co_firstlineno=first, co_linetable=table, co_consts=inner)

    def _position(self, position: Position) -> Position:
        line, last, column, last_column = position
        if line is None or last is None:
            return None, None, None, None
        if line < 1:
            # What a module does before its first line has no position.
            return position
        here, there = self._line(line), self._line(last)
        first_indent, last_indent = self._indent(line), self._indent(last)
        if here > there or first_indent is None or last_indent is None:
            return here, here, None, None
        if column is None or last_column is None:
            return here, there, None, None
        # A comprehension or lambda begins, in its own code, at column 0 of its line.
        return here, there, max(column - first_indent, 0), max(last_column - last_indent, 0)

    def _line(self, line: int) -> int:
        """The source's line for a line of the text; a number outside the text (0 is before it) stays."""
        return self._origins[line - 1] if 1 <= line <= len(self._origins) else line

    def _indent(self, line: int) -> int | None:
        return self._indents[line - 1] if 1 <= line <= len(self._indents) else None


def _further_indent(before: str, after: str) -> int | None:
    """How much further than ``before`` a line is indented; None where it is another one."""
    indent = after[: len(after) - len(before)]
    return len(indent) if after == indent + before and not indent.strip() else None


def _encoded(table: bytes, positions: Sequence[Position], line: int) -> Iterator[int]:
    """``table`` with other positions; each entry covers as many code units as before."""
    unit = 0
    # The first byte of an entry is the one with bit 7 set; the low three bits are its code units less one.
    for count in (1 + (byte & 7) for byte in table if byte & 0x80):
        position = positions[unit]
        yield from _entry(position, count, line)
        line = position[0] if position[0] is not None else line
        unit += count


def _entry(position: Position, count: int, previous: int) -> Iterator[int]:
    line, last, column, last_column = position
    if line is None or last is None:
        yield 0x80 | _NOTHING << 3 | count - 1
        return
    columns = column is not None and last_column is not None
    yield 0x80 | (_LONG if columns else _NO_COLUMNS) << 3 | count - 1
    delta = line - previous
    yield from _varint(delta << 1 if delta >= 0 else -delta << 1 | 1)
    if column is not None and last_column is not None:
        yield from _varint(last - line)
        yield from _varint(column + 1)
        yield from _varint(last_column + 1)


def _varint(value: int) -> Iterator[int]:
    """A number in bytes of six bits, the lowest first; all but the last byte have bit 6 set."""
    while value > 0x3F:
        yield 0x40 | value & 0x3F
        value >>= 6
    yield value
