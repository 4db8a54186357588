"""Where nprewrite keeps what outlives a process."""

from __future__ import annotations

import os
from pathlib import Path


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
