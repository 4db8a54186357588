"""From the paths of the command line to the files to rewrite."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nprewrite.files.folders import foreign
from nprewrite.files.problems import Problem, system_reason
from nprewrite.files.work import FileResult

if TYPE_CHECKING:
    from nprewrite.cli.ignore import IgnoreRules

_HERE = os.path.join(os.curdir, "")


@dataclass(frozen=True)
class _Directory:
    shown: str
    absolute: str
    rules: IgnoreRules


@dataclass(frozen=True)
class Discovery:
    """The files to rewrite, each once, and the directories that could not be read."""

    files: tuple[str, ...]
    failures: tuple[FileResult, ...]


def discover(paths: Sequence[str]) -> Discovery:
    """Walk the directories among ``paths``; everything else is taken for a file, whatever its name."""
    files: dict[str, str] = {}
    failures: list[FileResult] = []
    for path in paths:
        if not os.path.isdir(path):
            files.setdefault(os.path.realpath(path), path)
            continue
        for item in walk(path):
            if isinstance(item, FileResult):
                failures.append(item)
            else:
                files.setdefault(os.path.realpath(item), item)
    return Discovery(tuple(files.values()), tuple(failures))


def walk(root: str) -> Iterator[str | FileResult]:
    """The Python files and notebooks below ``root`` by name, and a failure for each unreadable directory.

    Symbolic links are not followed: there are no loops, and nothing outside ``root`` is touched.
    """
    from nprewrite.cli.ignore import rules_above

    absolute = os.path.realpath(root)
    try:
        waiting = [_Directory(root, absolute, rules_above(absolute))]
    except OSError as error:
        yield _failure(root, error)
        return
    while waiting:
        directory = waiting.pop()
        try:
            files, below = _look_into(directory)
        except OSError as error:
            yield _failure(directory.shown, error)
            continue
        yield from files
        waiting.extend(reversed(below))


def _look_into(directory: _Directory) -> tuple[list[str], list[_Directory]]:
    """The files and the directories of one directory. Raises OSError."""
    with os.scandir(directory.absolute) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    rules = directory.rules.within(directory.absolute)
    files: list[str] = []
    below: list[_Directory] = []
    for entry in entries:
        shown = os.path.join(directory.shown, entry.name).removeprefix(_HERE)
        if entry.is_dir(follow_symlinks=False):
            if not (foreign(entry.path) or rules.ignores(entry.path, directory=True)):
                below.append(_Directory(shown, entry.path, rules))
        elif _is_module(entry) and not rules.ignores(entry.path, directory=False):
            files.append(shown)
    return files, below


def _is_module(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith((".py", ".ipynb")) and entry.is_file(follow_symlinks=False)


def _failure(path: str, error: OSError) -> FileResult:
    where = os.path.basename(error.filename) if isinstance(error.filename, str) else ""
    inside = f" ({where})" if where == ".gitignore" else ""
    return FileResult(path, problem=Problem(f"the directory cannot be read{inside}: {system_reason(error)}"))
