"""Where nprewrite keeps what outlives a process."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock

LIMIT = 1 << 30
"""How many bytes are kept."""
_FOLDERS = ("functions", "graphs", "inductor", "loops", "lowered", "modules", "native", "rewritten", "runs")


def directory() -> Path:
    """Return the cache directory, made with mode 0700 where it is new.

    It is ``$NPREWRITE_CACHE_DIR``, else ``$XDG_CACHE_HOME/nprewrite``, else ``~/.cache/nprewrite``.
    Raises ``OSError`` where it cannot be made.
    """
    chosen = os.environ.get("NPREWRITE_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    path = Path(chosen) if chosen else Path(base) / "nprewrite"
    path = path.expanduser()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def private(name: str) -> Path:
    """Return the folder ``name`` of the cache directory, made with mode 0700 where it is new.

    Raises ``OSError`` where it cannot be made, or where others may write into it: what is kept there is run.
    """
    folder = directory() / name
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.stat()
    if hasattr(os, "geteuid") and (state.st_uid != os.geteuid() or stat.S_IMODE(state.st_mode) & 0o077):
        raise PermissionError(f"{folder} has to belong to you, with mode 0700: what is kept there is run")
    return folder


def place(path: Path, data: bytes) -> None:
    """Write a file aside and move it into place, so that no process sees half of it. Raises ``OSError``."""
    # Most processes only read.
    import tempfile

    handle, temporary = tempfile.mkstemp(".tmp", f"{path.name}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def lock_for(path: Path) -> BaseFileLock:
    """What a process has while it makes the file ``path``, so that no other one makes it too.

    A few locks serve all files of a folder, so that nothing is to be cleared away.
    """
    # Most processes only read.
    from filelock import FileLock

    return FileLock(path.with_name(f"{path.name[0]}.lock"))


def bound(limit: int = LIMIT) -> None:
    """Remove the files that were used longest ago where the folders together hold more than ``limit`` bytes.

    Files of other processes that disappear meanwhile are skipped, and so are those that cannot be removed.
    """
    found = []
    base = directory()
    for path in (each for folder in _FOLDERS for each in (base / folder).rglob("*")):
        with contextlib.suppress(OSError):
            state = path.lstat()
            if stat.S_ISREG(state.st_mode):
                found.append((state.st_mtime_ns, state.st_size, path))
    excess = sum(size for _, size, _ in found) - limit
    for _, size, path in sorted(found):
        if excess <= 0:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        excess -= size


def used(path: Path) -> None:
    """Note that a file was used now, where that can be written."""
    with contextlib.suppress(OSError):
        os.utime(path)
