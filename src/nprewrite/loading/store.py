"""Rewritten modules kept on this machine, in ``modules`` of the cache directory.

An entry is a real Python file with the rewritten text, and a JSON file that maps its lines to the source's.
Its name contains the sha256 of all that decides the text: source, options, and the versions of nprewrite and
its rules, of NumPy and of Python. Both files are checked before use, and written aside and moved into place.
The directory must belong to the user alone, since what is in it is executed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nprewrite.base import cachedir
from nprewrite.base.version import VERSION
from nprewrite.config import Choices

_FORMAT = 1


@dataclass(frozen=True)
class Entry:
    """What rewriting made of a source: ``data`` is None where nothing changes.

    ``origins`` gives for each line of ``data`` the line of the source; ``sites`` counts outcomes; ``file``
    holds the text, None where it could not be kept; ``faults`` says what stays as written because of faults
    of nprewrite.
    """

    data: bytes | None = None
    origins: tuple[int, ...] = ()
    sites: Mapping[str, int] = field(default_factory=dict)
    file: str | None = None
    faults: tuple[str, ...] = ()


def key(source: bytes, choices: Choices) -> str:
    """The name of an entry: everything that decides what the rewritten text is."""
    decides = [
        _FORMAT,
        hashlib.sha256(source).hexdigest(),
        choices.level,
        None if choices.select is None else sorted(choices.select),
        sorted(choices.ignore),
        choices.verify,
        choices.on_fallback,
        choices.precision,
        choices.accumulate,
        choices.keep_output_dtype,
        sorted(choices.keep_float64),
        VERSION,
        sys.version,
        _rules(),
    ]
    return hashlib.sha256(json.dumps(decides).encode()).hexdigest()


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
    return hashlib.sha256(repr((seen, numba)).encode()).hexdigest()


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def directory() -> Path:
    """The directory of the entries, made with mode 0700 where it does not exist.

    Raises ``OSError`` where it cannot be made, or where others may write into it.
    """
    return cachedir.private("modules")


def read(stem: str, name: str) -> Entry | None:
    """The entry called ``name``; None where there is none, or it is damaged."""
    try:
        folder = directory()
        notes = json.loads((folder / f"{stem}-{name[:32]}.json").read_text(encoding="utf-8"))
        text = folder / f"{stem}-{name[:32]}.py"
        data = text.read_bytes() if notes["text"] is not None else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
    checked = notes.pop("check", None) == _check(notes)
    if not checked or notes["name"] != name or (data is not None and _digest(data) != notes["text"]):
        return None
    return Entry(data, tuple(notes["origins"]), notes["sites"], str(text) if data is not None else None)


def write(stem: str, name: str, entry: Entry) -> Entry:
    """Keep an entry, where the directory can be written; returns the entry with its file."""
    text = None if entry.data is None else _digest(entry.data)
    notes = {"name": name, "text": text, "origins": entry.origins, "sites": dict(entry.sites)}
    notes["check"] = _check(notes)
    try:
        folder = directory()
        file = folder / f"{stem}-{name[:32]}.py"
        if entry.data is not None:
            cachedir.place(file, entry.data)
        cachedir.place(file.with_suffix(".json"), json.dumps(notes).encode())
    except OSError:
        # A full disk or a read-only home: the module is rewritten again the next time.
        return entry
    return Entry(entry.data, entry.origins, entry.sites, str(file) if entry.data is not None else None)


def _check(notes: Mapping[str, Any]) -> str:
    return _digest(json.dumps(notes, sort_keys=True).encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def files() -> Iterator[Path]:
    """All files of the entries. Raises ``OSError`` as `directory` does."""
    yield from sorted(directory().iterdir())
