"""nprewrite: NumPy programs rewritten into a form that torch.compile turns into fused, parallel code.

``jit`` rewrites a function; the command ``nprewrite`` rewrites files. Rewritten code imports
``nprewrite.runtime``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nprewrite.errors import NprewriteWarning

if TYPE_CHECKING:
    from nprewrite.decorator import jit

__version__ = "0.1.0"
__all__ = ["NprewriteWarning", "__version__", "jit"]


def __getattr__(name: str) -> Any:
    """Load the rewriter when it is first asked for, so that importing the runtime stays light."""
    if name == "jit":
        return import_module("nprewrite.decorator").jit
    raise AttributeError(f"module 'nprewrite' has no attribute {name!r}")
