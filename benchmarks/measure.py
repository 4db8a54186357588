"""What every benchmark needs: fair timing of several sides, child processes, and the machine's name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nprewrite.benching.alternation import alternate
from nprewrite.benching.machine import machine
from nprewrite.benching.memory import peak_growth
from nprewrite.benching.spread import Spread

__all__ = [
    "Spread",
    "Told",
    "alternate",
    "back_to_back",
    "child",
    "limited_child",
    "machine",
    "peak_growth",
    "seconds",
]


# What is measured is compiled code, and how long it takes to come.
os.environ["NPREWRITE_WAIT"] = "1"
# Processes find their modules compiled, as in an installation.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


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
