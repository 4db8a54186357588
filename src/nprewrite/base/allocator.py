"""What the C library does with memory that arrays have given back: it keeps some, for the next ones.

By default glibc returns freed memory to the system at once where it lies at the end of the heap or is large.
The next temporary array then costs a page fault for every 4 KiB, which takes longer than computing its
elements: of a step on arrays of 1.3 MB, two thirds of the time.
"""

from __future__ import annotations

import ctypes
import functools
import os

from nprewrite.base.environment import disabled

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""glibc's numbers for them (malloc.h, ``mallopt(3)``)."""
_KEPT = 256 << 20
_LARGEST = 32 << 20
"""Arrays that are larger are returned as before; glibc takes no higher limit everywhere."""
_OF_THE_USER = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


@functools.cache
def keep_freed_memory() -> None:
    """Let the process keep up to 256 MB of freed memory, unless the user has set how much (``MALLOC_...``).

    Only glibc has these settings; elsewhere this does nothing.
    """
    if disabled() or os.name != "posix" or any(name in os.environ for name in _OF_THE_USER):
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_TRIM_THRESHOLD, _KEPT)
        library.mallopt(_MMAP_THRESHOLD, _LARGEST)
