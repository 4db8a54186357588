"""The installed version."""

from __future__ import annotations


def version() -> str:
    """The version of the installed distribution, or ``unknown`` when run from a bare source tree."""
    from importlib import metadata

    try:
        return metadata.version("nprewrite")
    except metadata.PackageNotFoundError:
        return "unknown"
