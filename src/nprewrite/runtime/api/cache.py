"""Where nprewrite keeps what it learnt about this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nprewrite.base.cachedir import directory, place

__all__ = ["directory", "read", "update"]


def read(name: str) -> dict[str, Any]:
    """What the JSON file ``name`` of the cache holds; nothing where it is missing, damaged or unreadable."""
    try:
        found = json.loads((directory() / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def update(name: str, values: Mapping[str, Any]) -> None:
    """Add to the JSON file ``name``, and remove what is None, if the cache directory can be written.

    The new file is written next to the old one and moved, so that a reader never sees half a file.
    """
    try:
        known = {key: each for key, each in (read(name) | dict(values)).items() if each is not None}
        place(directory() / name, json.dumps(known, indent=1).encode())
    except OSError:
        return
