"""What the environment asks for."""

import os


def disabled() -> bool:
    """Whether the user asked for NumPy with ``NPREWRITE_DISABLE=1``."""
    return os.environ.get("NPREWRITE_DISABLE", "0") not in ("", "0")
