"""The machine and the versions that measurements depend on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from nprewrite.base.processes import cores
from nprewrite.base.version import VERSION, version_of
from nprewrite.runtime.choosing.choice import is_shared


def machine() -> dict[str, str]:
    return {
        "cpu": _processor(),
        "cores": str(cores()),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: version_of(package) or "none" for package in ("numpy", "torch")},
        "nprewrite": VERSION,
    }


def disturbed() -> str | None:
    """What to know of times that are taken now, where more is running than the machine has cores."""
    if not is_shared():
        return None
    load = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return f"the machine is busy (load {load}), which slows code of several threads most: measure again"


def _processor() -> str:
    try:
        description = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", description, re.MULTILINE))
    name = fields.get("model name", platform.machine())
    return f"{name} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})"
