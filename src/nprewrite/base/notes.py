"""Small JSON files in the cache directory, each with its own name and a sum in it, so that damage is seen.

A name is the sha256 of all that decides what the file holds; the state of nprewrite's own files, of NumPy and
of Python always does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nprewrite.base import cachedir
from nprewrite.base.version import VERSION


def name_of(decides: object) -> str:
    """The name of what these values decide, which have to be made of text, numbers and lists."""
    return digest(json.dumps([VERSION, sys.version, _rules(), decides], sort_keys=True).encode())


def digest(data: bytes) -> str:
    """The sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read(folder: str, stem: str, name: str) -> dict[str, Any] | None:
    """The notes called ``name``; None where there are none, or they are damaged."""
    try:
        notes = json.loads(_file(folder, stem, name).read_text(encoding="utf-8"))
        checked = notes.pop("check") == _check(notes) and notes.pop("name") == name
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return None
    return notes if checked else None


def write(folder: str, stem: str, name: str, notes: Mapping[str, Any]) -> None:
    """Keep notes. Raises ``OSError`` where the folder cannot be written, or belongs to others."""
    whole = {**notes, "name": name}
    cachedir.place(_file(folder, stem, name), json.dumps({**whole, "check": _check(whole)}).encode())


def _file(folder: str, stem: str, name: str) -> Path:
    return cachedir.private(folder) / f"{stem}-{name[:32]}.json"


def _check(notes: Mapping[str, Any]) -> str:
    return digest(json.dumps(notes, sort_keys=True).encode())


@cache
def _rules() -> str:
    """The state of nprewrite's own files, of NumPy, and whether Numba is installed."""
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    numpy = importlib.util.find_spec("numpy")
    if numpy is not None and numpy.origin is not None:
        files.append(Path(numpy.origin).with_name("version.py"))
    seen = [(str(path), state.st_size, state.st_mtime_ns) for path in files if (state := _state(path))]
    # Some passes write for Numba where it is installed.
    numba = importlib.util.find_spec("numba") is not None
    return digest(repr((seen, numba)).encode())


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
