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


class _Process:
    has_written = False


def written() -> bool:
    """Whether this process has written any."""
    return _Process.has_written


def name_of(decides: object) -> str:
    """The name of what these values decide, which have to be made of text, numbers and lists."""
    return digest(json.dumps([VERSION, sys.version, rules(), decides], sort_keys=True).encode())


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
    _Process.has_written = True
    whole = {**notes, "name": name}
    cachedir.place(_file(folder, stem, name), json.dumps({**whole, "check": _check(whole)}).encode())


def _file(folder: str, stem: str, name: str) -> Path:
    return cachedir.private(folder) / f"{stem}-{name[:32]}.json"


def _check(notes: Mapping[str, Any]) -> str:
    return digest(json.dumps(notes, sort_keys=True).encode())


@cache
def rules() -> str:
    """The state of nprewrite's own files, of NumPy, and whether Numba is installed.

    It is the same wherever the same files are installed.
    """
    own, found = str(Path(__file__).parents[1]), hashlib.sha256()
    for folder, folders, names in os.walk(own):
        # What Python compiles comes into being meanwhile, and the processes would not agree.
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        found.update(folder[len(own) :].encode())
        for name in sorted(each for each in names if each.endswith(".py")):
            found.update(name.encode() + _bytes(os.path.join(folder, name)))
    numpy = importlib.util.find_spec("numpy")
    if numpy is not None and numpy.origin is not None:
        found.update(_bytes(os.path.join(os.path.dirname(numpy.origin), "version.py")))
    # Some passes write for Numba where it is installed.
    found.update(str(importlib.util.find_spec("numba") is not None).encode())
    return found.hexdigest()


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
