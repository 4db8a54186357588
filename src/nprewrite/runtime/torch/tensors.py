"""Torch's dtypes, in NumPy's terms."""

from __future__ import annotations

from typing import Any

import numpy as np

SUPPORTED = frozenset(map(np.dtype, ["?", "i1", "i2", "i4", "i8", "u1", "f4", "f8", "c8", "c16"]))
"""The dtypes with which torch.compile computes as NumPy does."""


def dtype_name(dtype: Any) -> str:
    """The name of one of torch's dtypes, which is NumPy's name where NumPy has that dtype."""
    return str(dtype).removeprefix("torch.")
