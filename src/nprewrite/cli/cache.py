"""``nprewrite cache``: what is kept on this machine, and removing it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nprewrite.base.cachedir import directory
from nprewrite.cli.console import Console
from nprewrite.files.problems import FAILURE, SUCCESS, system_reason

_DESCRIPTION = """\
Show what nprewrite keeps on this machine: rewritten modules (modules,
rewritten), loops that Numba compiled (native), and what it learnt of the
speed of compiled code (*.json). All of it can be made again.
NPREWRITE_CACHE_DIR chooses another directory. torch has caches of its own,
which stay as they are."""

_OURS = (
    *("*.json", "*.tmp", "modules/*.json", "modules/*.py", "modules/*.tmp"),
    *("native/*.py", "native/*.tmp", "native/__pycache__/*", "rewritten/*.py", "rewritten/*.tmp"),
)


@dataclass(frozen=True)
class Held:
    """What a directory holds: files and bytes."""

    files: int = 0
    size: int = 0

    def __str__(self) -> str:
        files = "1 file" if self.files == 1 else f"{self.files} files"
        return f"{files}, {self.size / 1e6:.1f} MB"


def run(arguments: Sequence[str]) -> int:
    """Show the cache, or clear it; the exit status."""
    parser = argparse.ArgumentParser(
        prog="nprewrite cache",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--clear", action="store_true", help="remove it")
    options = parser.parse_args(arguments)
    console = Console()
    try:
        folder = directory()
        found = _cleared(folder) if options.clear else held(folder)
    except OSError as error:
        console.error(f"nprewrite cache: error: {error.filename}: {system_reason(error)}")
        return FAILURE
    console.line(f"{folder}: {found}{' removed' if options.clear else ''}")
    return SUCCESS


def held(folder: Path) -> Held:
    """The files below a directory."""
    return _sum(Path(parent, name) for parent, _, names in os.walk(folder) for name in names)


def _sum(paths: Iterable[Path]) -> Held:
    """The number and size of files; one that disappears meanwhile is skipped."""
    sizes = []
    for path in paths:
        try:
            sizes.append(path.lstat().st_size)
        except FileNotFoundError:
            continue
    return Held(len(sizes), sum(sizes))


def _cleared(folder: Path) -> Held:
    """Remove what nprewrite and Numba put there, and nothing else. Raises OSError."""
    found = [path for pattern in _OURS for path in folder.glob(pattern)]
    size = _sum(found)
    for path in found:
        # Another process may be clearing it too.
        path.unlink(missing_ok=True)
    return size
