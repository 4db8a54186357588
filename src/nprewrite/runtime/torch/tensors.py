"""Names of torch's dtypes."""

from __future__ import annotations

from typing import Any


def dtype_name(dtype: Any) -> str:
    """The name of one of torch's dtypes, which is NumPy's name where NumPy has that dtype."""
    return str(dtype).removeprefix("torch.")
