"""What the environment asks for."""

import os

COMPLETION = "_NPREWRITE_COMPLETE"
"""Where a shell asks for completions."""
WAIT = "NPREWRITE_WAIT"
"""Whether all that runs in a process waits for its compilers."""
_NAME = "NPREWRITE_DISABLE"
# Asked at every call: ``os.environ`` itself raises, catches and encodes for a name that is not set.
_variables: object = getattr(os.environ, "_data", None)
_key: object = getattr(os.environ, "encodekey", str)(_NAME)


def disabled() -> bool:
    """Whether the user asked for NumPy with ``NPREWRITE_DISABLE=1``."""
    if isinstance(_variables, dict) and _key not in _variables:
        return False
    return os.environ.get(_NAME, "0") not in ("", "0")


def waits() -> bool:
    """Whether the user asked to wait for compilers everywhere."""
    return os.environ.get(WAIT, "0") not in ("", "0")
