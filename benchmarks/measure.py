"""What every benchmark needs: fair timing of several sides, child processes, and the machine's name."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import nprewrite

Side = TypeVar("Side")


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of ``count`` measurements, in the unit they were taken in."""

    median: float
    lower: float
    upper: float
    count: int

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """The spread of ``values``; at least two are needed."""
        lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, lower, upper, len(values))

    def milliseconds(self) -> str:
        """The spread as text, for values in seconds."""
        return f"{self.median * 1e3:8.1f} ms  ({self.lower * 1e3:.1f} to {self.upper * 1e3:.1f})"


def alternate(
    sides: Mapping[str, Side],
    rounds: int,
    progress: Callable[[int, int], None],
    timed: Callable[[Side], float],
) -> dict[str, list[float]]:
    """Seconds of each side, as ``timed`` measures it, over ``rounds`` rounds in which every side runs once.

    The order changes from round to round after a Williams square: for an even number of sides, each side
    follows each other side equally often, so that none is always the one to run after a single-threaded side
    has let the other cores go to sleep.
    """
    names = list(sides)
    count = len(names)
    zigzag = [index // 2 if index % 2 == 0 else count - (index + 1) // 2 for index in range(count)]
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        for offset in zigzag:
            name = names[(offset + number) % count]
            times[name].append(timed(sides[name]))
        progress(number + 1, rounds)
    return times


def back_to_back(run: Callable[[], object], repeats: int) -> Spread:
    """Seconds of a side that runs alone, after as many runs that are thrown away."""
    for _ in range(repeats):
        run()
    return Spread.of([seconds(run) for _ in range(repeats)])


def seconds(run: Callable[[], object]) -> float:
    """Wall time of one call; the result is freed outside the measured time."""
    start = time.perf_counter()
    result = run()
    elapsed = time.perf_counter() - start
    del result
    return elapsed


def peak_growth(run: Callable[[], object]) -> int:
    """Bytes by which one call raises the process's peak resident memory above what is resident before it.

    Linux with glibc only: the peak (VmHWM) is set back through /proc/self/clear_refs, which getrusage's
    ru_maxrss does not allow. The C library is asked to return free memory first; else a call that reuses what
    an earlier call freed would look smaller than it is.
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


def child(script: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The JSON object that ``script`` prints as its last line when run in a Python process of its own."""
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


@dataclass(frozen=True)
class Told:
    """What a child process told before it ended, and why it told no more; "" where it ended well."""

    figures: dict[str, Any]
    why: str


def limited_child(
    script: Path, *arguments: str, limit: float, environment: Mapping[str, str] | None = None
) -> Told:
    """The last JSON object that ``script`` prints; it and all that it starts end after ``limit`` seconds."""
    process = subprocess.Popen(
        [sys.executable, str(script), *arguments],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    why = ""
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        why = f"over the limit of {limit:g} s"
    finally:
        # Compilers run in processes of their own, which end with the session.
        _end_session(process.pid)
    if why:
        output, errors = process.communicate()
    elif process.returncode < 0:
        why = f"ended by {signal.Signals(-process.returncode).name}"
    elif process.returncode:
        why = f"error: {(errors.strip().splitlines() or ['no message'])[-1]}"
    lines = [line for line in output.splitlines() if line.startswith("{")]
    return Told(json.loads(lines[-1]) if lines else {}, why)


def _end_session(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def machine() -> dict[str, str]:
    """The processor, the system and the versions that a figure depends on."""
    return {
        "cpu": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: metadata.version(package) for package in ("numpy", "torch")},
        "nprewrite": nprewrite.__version__,
    }


def _processor() -> str:
    try:
        description = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*:\s*(.+)$", description, re.MULTILINE))
    name = fields.get("model name", platform.machine())
    return f"{name} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})"
