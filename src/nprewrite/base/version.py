"""The versions of nprewrite, and of what is installed beside it."""

from __future__ import annotations

import importlib.util
import os

VERSION = "0.1.0"
_ENDING = ".dist-info"


def version_of(package: str) -> str | None:
    """The version of an installed package whose module has its name; None where it is not installed."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return None
    # As its folder is called. Python's own way to ask imports its reader of e-mails: 40 ms.
    folder = os.path.dirname(os.path.dirname(found.origin))
    for name in os.listdir(folder):
        if name.startswith(f"{package}-") and name.endswith(_ENDING):
            return name[len(package) + 1 : -len(_ENDING)]
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
