"""nprewrite: NumPy programs rewritten into a form that torch.compile turns into fused, parallel code.

``jit`` rewrites a function, ``report`` tells what became of all of them, ``verify`` compares two functions;
``install`` rewrites packages as they are imported, and the command ``nprewrite`` rewrites files. Rewritten
code imports ``nprewrite.runtime``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nprewrite.base import forks  # noqa: F401 (it has to be there before the first fork)
from nprewrite.base.errors import (
    DeviceError,
    FallbackError,
    MismatchError,
    MismatchWarning,
    NprewriteError,
    NprewriteWarning,
)
from nprewrite.base.version import VERSION as __version__

if TYPE_CHECKING:
    from nprewrite.comparison import verify
    from nprewrite.decorated.decorator import jit
    from nprewrite.decorated.described import report
    from nprewrite.loading.hook import install, status, uninstall
    from nprewrite.notebook import load_ipython_extension, unload_ipython_extension

__all__ = [
    "DeviceError",
    "FallbackError",
    "MismatchError",
    "MismatchWarning",
    "NprewriteError",
    "NprewriteWarning",
    "__version__",
    "install",
    "jit",
    "load_ipython_extension",
    "report",
    "status",
    "uninstall",
    "unload_ipython_extension",
    "verify",
]

_HOMES = {
    "install": "nprewrite.loading.hook",
    "jit": "nprewrite.decorated.decorator",
    "load_ipython_extension": "nprewrite.notebook",
    "report": "nprewrite.decorated.described",
    "status": "nprewrite.loading.hook",
    "uninstall": "nprewrite.loading.hook",
    "unload_ipython_extension": "nprewrite.notebook",
    "verify": "nprewrite.comparison",
}


def __getattr__(name: str) -> Any:
    """Load the rewriter when it is first asked for, so that importing the runtime stays light."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'nprewrite' has no attribute {name!r}")
