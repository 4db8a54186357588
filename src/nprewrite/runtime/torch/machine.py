"""What compiled code depends on here, told without importing torch."""

from __future__ import annotations

import functools
import os
import platform
from pathlib import Path

import numpy as np

from nprewrite.base.version import version_of
from nprewrite.runtime.api.importing import imported


def threads() -> int:
    """The threads on which compiled code runs: torch's, or as many as torch would take."""
    torch = imported("torch")
    if torch is not None:
        return int(torch.get_num_threads())
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdigit() and int(asked) else _cores()


@functools.cache
def _cores() -> int:
    """The processor's cores that the process may use; two threads of one core count as one."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    return len({_siblings(cpu) for cpu in os.sched_getaffinity(0)})


def _siblings(cpu: int) -> str:
    path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
    return path.read_text(encoding="ascii") if path.exists() else str(cpu)


def description() -> str:
    """What decides the speed of a kernel here."""
    return ", ".join(f"{name} {value}" for name, value in traits().items())


def traits() -> dict[str, str]:
    """The threads, the build of torch, and the processor's instructions as NumPy has found them."""
    return {"threads": str(threads()), **_kind()}


@functools.cache
def _kind() -> dict[str, str]:
    known = np.show_config(mode="dicts")
    found = known.get("SIMD Extensions") if known else ""
    return {"torch": build_of("torch"), "processor": f"{platform.machine()} {found}"}


def build_of(package: str) -> str:
    """The version of a package."""
    return version_of(package) or "not installed"
