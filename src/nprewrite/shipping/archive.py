"""The cache in one file, which another machine of the same kind takes in.

An archive is a zip file of a manifest and of files of the cache. It holds texts, JSON and libraries, nothing
pickled; native loops without a library stay behind, because Numba keeps them as pickles. Libraries are run,
so that an archive is only taken from the user who reads it (or root), and only if nobody else can write it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.base import cachedir, notes
from nprewrite.runtime.torch import machine

_MANIFEST = "manifest.json"
_FORMAT = 1
_NAME = re.compile(r"(functions|graphs|loops|lowered|modules)/\w[\w.-]*\.(json|py|so)", re.ASCII)
_TRAITS = {
    "functions": ("nprewrite", "Python", "NumPy"),
    "lowered": ("nprewrite", "Python", "NumPy"),
    "modules": ("nprewrite", "Python", "NumPy"),
    "graphs": ("nprewrite", "Python", "torch", "processor", "threads"),
    "loops": ("nprewrite", "Python", "NumPy", "Numba", "torch", "processor", "threads"),
}
"""What has to be the same on both machines, by the folders of the cache."""


class NotTaken(Exception):
    """An archive cannot be taken in; the message says why."""


@dataclass(frozen=True)
class Taken:
    """What was taken in: how many files, and what was left out with the reasons."""

    files: int
    size: int
    left: tuple[str, ...]


def here() -> dict[str, str]:
    """The traits of this machine on which kept files depend."""
    return {
        "nprewrite": notes.rules()[:16],
        "Python": sys.version,
        "NumPy": np.__version__,
        "Numba": machine.build_of("numba"),
        **machine.traits(),
    }


def export(path: Path) -> Taken:
    """Write all that may travel to ``path``, whole or not at all. Raises ``OSError``."""
    folder = cachedir.directory()
    found = [each for each in sorted(folder.glob("*/*")) if _NAME.fullmatch(_name(each, folder))]
    listed: dict[str, dict[str, Any]] = {}
    handle, temporary = tempfile.mkstemp(".tmp", f"{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in found:
                # Another process may bound the cache meanwhile.
                with contextlib.suppress(FileNotFoundError):
                    data = each.read_bytes()
                    listed[_name(each, folder)] = {"size": len(data), "sha256": notes.digest(data)}
                    archive.writestr(_name(each, folder), data)
            manifest = {"format": _FORMAT, "machine": here(), "files": listed}
            archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    by_numba = any(folder.glob("native/*.py"))
    left = ("native loops without a library: Numba compiles them anew",) if by_numba else ()
    return Taken(len(listed), sum(each["size"] for each in listed.values()), left)


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def take(path: Path) -> Taken:
    """Put the files of an archive that fit here into the cache. Raises ``OSError`` and ``NotTaken``.

    Everything is checked before anything is written. Files that are there already stay as they are.
    """
    with path.open("rb") as file:
        _check_owner(path, os.fstat(file.fileno()))
        try:
            with zipfile.ZipFile(file) as archive:
                found, made_on = _files(archive)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
            raise NotTaken(f"it is no archive of nprewrite's ({error})") from error
    there = {folder: _differences(folder, made_on) for folder in _TRAITS}
    fitting = {name: data for name, data in found.items() if not there[_folder(name)]}
    for name, data in fitting.items():
        target = cachedir.private(_folder(name)) / name.partition("/")[2]
        if not target.exists():
            cachedir.place(target, data)
    return Taken(len(fitting), sum(map(len, fitting.values())), tuple(_left(found, there)))


def _check_owner(path: Path, state: os.stat_result) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise NotTaken("it is no file")
    if not hasattr(os, "geteuid"):
        return
    if state.st_uid not in (os.geteuid(), 0) or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotTaken(
            "what is in it is run, so it has to belong to you (or root), and nobody else may be able to "
            f"write it: chown and chmod go-w {path}"
        )


def _files(archive: zipfile.ZipFile) -> tuple[dict[str, bytes], Mapping[str, str]]:
    """The files of an archive with their bytes, and the traits of the machine that made them."""
    manifest = _manifest(archive)
    listed = manifest["files"]
    members = [each.filename for each in archive.infolist()]
    if sorted(members) != sorted([*listed, _MANIFEST]):
        raise NotTaken("its files are not those that its manifest lists")
    for name in listed:
        if not _NAME.fullmatch(name):
            raise NotTaken(f"{name!r} is no file of the cache")
    if sum(each["size"] for each in listed.values()) > cachedir.LIMIT:
        raise NotTaken(f"it holds more than the {cachedir.LIMIT >> 20} MB that the cache may")
    return {name: _checked(archive, name, known) for name, known in listed.items()}, manifest["machine"]


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        found = json.loads(_read(archive, _MANIFEST, cachedir.LIMIT))
        sound = all(
            isinstance(known["size"], int) and isinstance(known["sha256"], str) and known["size"] >= 0
            for known in found["files"].values()
        ) and all(isinstance(each, str) for each in found["machine"].values())
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise NotTaken("it has no manifest of nprewrite's") from error
    if not sound or found.get("format") != _FORMAT:
        raise NotTaken("its manifest is of another version of nprewrite")
    return dict(found)


def _checked(archive: zipfile.ZipFile, name: str, known: Mapping[str, Any]) -> bytes:
    data = _read(archive, name, known["size"])
    if len(data) != known["size"] or notes.digest(data) != known["sha256"]:
        raise NotTaken(f"{name} is not what its manifest says")
    return data


def _read(archive: zipfile.ZipFile, name: str, size: int) -> bytes:
    # Not more than was announced, however much a few bytes unpack to.
    with archive.open(name) as member:
        return member.read(size + 1)


def _folder(name: str) -> str:
    return name.partition("/")[0]


def _differences(folder: str, made_on: Mapping[str, str]) -> list[str]:
    """How this machine differs in what the files of a folder depend on."""
    mine = here()
    return [
        f"{trait} {made_on.get(trait)!r}, here {mine[trait]!r}"
        for trait in _TRAITS[folder]
        if made_on.get(trait) != mine[trait]
    ]


def _left(found: Mapping[str, bytes], there: Mapping[str, list[str]]) -> Iterator[str]:
    for folder, differences in there.items():
        count = sum(_folder(name) == folder for name in found)
        if count and differences:
            yield f"{count} files of {folder}, made with {'; '.join(differences)}"
