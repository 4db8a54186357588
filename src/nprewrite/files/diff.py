"""Unified diffs of bytes, in the form that ``git apply`` and ``patch -p1`` read."""

from __future__ import annotations

import difflib
import os
import re

_ESCAPES = {ord('"'): b'\\"', ord("\\"): b"\\\\", ord("\n"): b"\\n", ord("\t"): b"\\t"}
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
"""A carriage return does not end a line."""
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def unified_diff(before: bytes, after: bytes, path: str) -> bytes:
    """The difference between two contents of ``path``, empty when there is none.

    Lines end at ``\\n`` alone, as for the tools that apply diffs; the bytes are the file's own, so that the
    diff of a Latin-1 file is Latin-1.
    """
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _LINE.findall(before),
        _LINE.findall(after),
        _label(b"a/", path),
        _label(b"b/", path),
    )
    return b"".join(line if line.endswith(b"\n") else line + _NO_NEWLINE for line in lines)


def text_diff(before: str, after: str, path: str) -> str:
    """`unified_diff` of texts, with the undecodable bytes of the path escaped."""
    return unified_diff(before.encode(), after.encode(), path).decode(errors="backslashreplace")


def _label(prefix: bytes, path: str) -> bytes:
    """The name in a header: relative to the working directory if it lies below it, quoted where needed."""
    absolute = os.path.normpath(os.path.abspath(path))
    here = os.path.join(os.getcwd(), "")
    inside = absolute[len(here) :] if absolute.startswith(here) else absolute.lstrip("/")
    name = prefix + os.fsencode(inside.replace(os.sep, "/"))
    if any(byte < 0x20 or byte in b'"\\\x7f' for byte in name):
        return b'"' + b"".join(_escaped(byte) for byte in name) + b'"'
    # A tab ends a name that holds a space.
    return name + b"\t" if b" " in name else name


def _escaped(byte: int) -> bytes:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return bytes([byte]) if 0x20 <= byte != 0x7F else b"\\%03o" % byte
