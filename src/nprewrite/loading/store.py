"""Rewritten modules kept on this machine, in ``modules`` of the cache directory.

An entry is a real Python file with the rewritten text, and a JSON file that maps its lines to the source's.
Its name contains the sha256 of all that decides the text: source, options, and the versions of nprewrite and
its rules, of NumPy and of Python. Both files are checked before use, and written aside and moved into place.
The directory must belong to the user alone, since what is in it is executed.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from nprewrite.base import cachedir, notes
from nprewrite.config import Choices
from nprewrite.source.names import Stars

_FOLDER = "modules"
PATIENCE_S = 120.0
"""How long a process may work on the entries that it was asked for."""


class Asked(enum.Enum):
    """Whether a process has been asked to make an entry."""

    NO = enum.auto()
    YES = enum.auto()
    FAILED = enum.auto()
    """Something stood in its way, which the user is to be told."""


@dataclass(frozen=True)
class Entry:
    """What rewriting made of a source: ``data`` is None where nothing changes.

    ``origins`` gives for each line of ``data`` the line of the source; ``sites`` counts verdicts; ``file``
    holds the text, None where it could not be kept; ``faults`` says what stays as written because of faults
    of nprewrite. ``decorated`` are the functions that get the decorator where nothing else changes.
    ``is_awaited`` where another process is finding out.
    """

    data: bytes | None = None
    origins: tuple[int, ...] = ()
    sites: Mapping[str, int] = field(default_factory=dict)
    file: str | None = None
    faults: tuple[str, ...] = ()
    decorated: tuple[str, ...] = ()
    is_awaited: bool = False


def key(source: bytes, choices: Choices, stars: Stars) -> str:
    """The name of an entry: everything that decides what the rewritten text is."""
    chosen = vars(choices).items()
    plain = {name: sorted(each) if isinstance(each, frozenset | tuple) else each for name, each in chosen}
    return notes.name_of([notes.digest(source), plain, stars])


def directory() -> Path:
    """The directory of the entries, made with mode 0700 where it does not exist.

    Raises ``OSError`` where it cannot be made, or where others may write into it.
    """
    return cachedir.private(_FOLDER)


def asked(stem: str, name: str) -> Asked:
    """What is known of a process that makes the entry, which is not there yet."""
    found = notes.read(_FOLDER, stem, _asked(name))
    if found is None:
        return Asked.NO
    if found["failed"]:
        return Asked.FAILED
    # It was killed, if it has not done it since.
    return Asked.YES if abs(time.time() - found["at"]) < PATIENCE_S else Asked.NO


def ask(stem: str, name: str, *, failed: bool = False) -> None:
    """Keep that another process makes the entry, or has ``failed`` to. Raises ``OSError``."""
    notes.write(_FOLDER, stem, _asked(name), {"at": time.time(), "failed": failed})


def _asked(name: str) -> str:
    return notes.name_of([name, "asked"])


def read(stem: str, name: str) -> Entry | None:
    """The entry called ``name``; None where there is none, or it is damaged."""
    found = notes.read(_FOLDER, stem, name)
    if found is None:
        return None
    try:
        text = directory() / f"{stem}-{name[:32]}.py"
        data = text.read_bytes() if found["text"] is not None else None
    except OSError:
        return None
    if data is not None and notes.digest(data) != found["text"]:
        return None
    file = str(text) if data is not None else None
    return Entry(data, tuple(found["origins"]), found["sites"], file, decorated=tuple(found["decorated"]))


def write(stem: str, name: str, entry: Entry) -> Entry:
    """Keep an entry, where the directory can be written; returns the entry with its file."""
    text = None if entry.data is None else notes.digest(entry.data)
    kept = {"text": text, "origins": entry.origins, "sites": dict(entry.sites), "decorated": entry.decorated}
    try:
        file = directory() / f"{stem}-{name[:32]}.py"
        if entry.data is not None:
            cachedir.place(file, entry.data)
        notes.write(_FOLDER, stem, name, kept)
    except OSError:
        # A full disk or a read-only home: the module is rewritten again the next time.
        return entry
    return replace(entry, file=str(file) if entry.data is not None else None)
