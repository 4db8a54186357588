"""How much memory a call needs."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import Path


def peak_growth(run: Callable[[], object]) -> int:
    """Bytes by which one call raises the process's peak resident memory above what is resident before it.

    Linux with glibc only: the peak (VmHWM) is reset through /proc/self/clear_refs, which getrusage's
    ru_maxrss does not allow. The C library is asked to return free memory first; otherwise a call that reuses
    what an earlier call freed would look smaller than it is.
    """
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = _status_bytes("VmRSS")
    run()
    return _status_bytes("VmHWM") - before


def _status_bytes(field: str) -> int:
    match = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    if match is None:
        raise RuntimeError(f"/proc/self/status has no field {field}")
    return int(match[1]) * 1024
