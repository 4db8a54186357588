"""``nprewrite cache``: what is kept on this machine, and removing it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import click

from nprewrite.base.cachedir import directory
from nprewrite.cli.console import Console
from nprewrite.cli.options import FILE
from nprewrite.files.problems import FAILURE, SUCCESS, system_reason

_KINDS = {
    "rewritten modules": ("modules/**/*",),
    "rewritten functions": ("functions/**/*", "rewritten/**/*"),
    "compiled steps": ("graphs/**/*",),
    "native loops": ("loops/*", "native/**/*"),
    "what the compiler of steps keeps": ("inductor/**/*",),
    "what was measured": ("*.json", "*.tmp"),
}
"""What nprewrite, Numba and torch put there, as patterns. The folders hold nothing else."""


@dataclass(frozen=True)
class Held:
    """What a directory holds: files and bytes."""

    files: int = 0
    size: int = 0

    def __str__(self) -> str:
        files = "1 file" if self.files == 1 else f"{self.files} files"
        size = f"{self.size / 1e6:.1f} MB" if self.size >= 1e5 else f"{self.size / 1e3:.1f} kB"
        return f"{files}, {size}"


@click.group("cache", invoke_without_command=True)
@click.option("--clear", is_flag=True, help="remove it")
@click.pass_context
def command(context: click.Context, clear: bool) -> int | None:
    """Show what nprewrite keeps on this machine.

    That is rewritten modules and functions, compiled steps and native loops, and what it learnt of their
    speed. All of it can be made again; beyond 1 GB, what was used longest ago is removed.
    NPREWRITE_CACHE_DIR chooses another directory.
    """
    if context.invoked_subcommand is not None:
        if clear:
            raise click.UsageError(f"--clear cannot be combined with {context.invoked_subcommand}")
        return None
    console = Console()
    try:
        folder = directory()
        found = {kind: _files(folder, patterns) for kind, patterns in _KINDS.items()}
        sizes = {kind: _sum(paths) for kind, paths in found.items()}
        if clear:
            for path in chain.from_iterable(found.values()):
                # Another process may be clearing it too.
                path.unlink(missing_ok=True)
            every = (pattern for pattern in chain.from_iterable(_KINDS.values()) if "/" in pattern)
            _remove_empty(folder / pattern.partition("/")[0] for pattern in every)
    except OSError as error:
        console.error(f"nprewrite cache: error: {error.filename}: {system_reason(error)}")
        return FAILURE
    whole = Held(sum(each.files for each in sizes.values()), sum(each.size for each in sizes.values()))
    console.line(f"{folder}: {whole}{' removed' if clear else ''}")
    for kind, size in sizes.items():
        if size.files:
            console.line(f"  {kind}: {size}")
    return SUCCESS


@command.command("export")
@click.argument("file", type=FILE)
def export(file: str) -> int:
    """Write what is kept to FILE, for other machines of the same kind.

    Rewritten text and compiled steps are carried. Native loops and what was measured are not.
    """
    return _carried("written to", file)


@command.command("import")
@click.argument("file", type=FILE)
def import_(file: str) -> int:
    """Take in what nprewrite cache export wrote to FILE.

    What does not fit here (another processor, another build of torch, another nprewrite) is named, and
    compiled anew when it is needed. Compiled steps are run: FILE has to belong to you or to root, and nobody
    else may be able to write it.
    """
    return _carried("taken from", file)


def _carried(how: str, file: str) -> int:
    """Export or import an archive, and say what was carried; the exit status."""
    from nprewrite.shipping import archive

    console = Console()
    try:
        carried = archive.export(Path(file)) if how == "written to" else archive.take(Path(file))
    except archive.NotTaken as problem:
        console.error(f"{file}: error: {problem}")
        return FAILURE
    except OSError as error:
        console.error(f"{error.filename or file}: error: {system_reason(error)}")
        return FAILURE
    console.line(f"{Held(carried.files, carried.size)} {how} {file}")
    for each in carried.left:
        console.line(f"  left out: {each}")
    return SUCCESS


def held(folder: Path) -> Held:
    """The files below a directory."""
    return _sum(Path(parent, name) for parent, _, names in os.walk(folder) for name in names)


def _files(folder: Path, patterns: Sequence[str]) -> list[Path]:
    return [path for pattern in patterns for path in folder.glob(pattern) if not path.is_dir()]


def _sum(paths: Iterable[Path]) -> Held:
    """The number and size of files; one that disappears meanwhile is skipped."""
    sizes = []
    for path in paths:
        try:
            sizes.append(path.lstat().st_size)
        except FileNotFoundError:
            continue
    return Held(len(sizes), sum(sizes))


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove the empty directories below the folders, which are themselves in use."""
    below = [path for folder in folders for path in folder.rglob("*") if path.is_dir()]
    for path in sorted(below, key=lambda path: len(path.parts), reverse=True):
        # Another process may be filling it.
        with contextlib.suppress(OSError):
            path.rmdir()
