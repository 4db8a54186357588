"""Where nprewrite keeps what it learnt about this machine."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


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


def read(name: str) -> dict[str, Any]:
    """What the JSON file ``name`` of the cache holds; nothing where it is missing, damaged or unreadable."""
    try:
        found = json.loads((directory() / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def update(name: str, values: Mapping[str, Any]) -> None:
    """Add to the JSON file ``name``; without a writable cache directory it is kept for this process only.

    The new file is written next to the old one and moved, so that a reader never sees half a file.
    """
    try:
        folder = directory()
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as file:
            json.dump(read(name) | dict(values), file, indent=1)
        os.replace(file.name, folder / name)
    except OSError:
        return
