"""The versions of nprewrite, and of what is installed beside it."""

from __future__ import annotations

VERSION = "0.1.0"


def version_of(package: str) -> str | None:
    """The version of an installed package; None where it is not installed."""
    # Most programs never ask, and the import takes longer than theirs.
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
