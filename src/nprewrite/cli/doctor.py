"""``nprewrite doctor``: which of the things that compiled code needs this machine has, and what would help.

What can crash or hang (torch, the compiler) is tried in a process of its own.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from nprewrite.base.environment import disabled
from nprewrite.base.processes import cores, cxx_compilers
from nprewrite.base.version import VERSION, version_of
from nprewrite.cli.cache import held
from nprewrite.cli.console import Console
from nprewrite.files.problems import FAILURE, SUCCESS

_COLOURS = {"ok": "green", "note": "yellow", "missing": "red"}
_SECONDS = 300
_OLDEST_TORCH = (2, 11)
_ERROR = re.compile(r"^[\w.]*(?:Error|Exception|Exit|Interrupt): .+", re.MULTILINE)
_COMPILERS_WORDS = re.compile(r"^Output:\n(.+)", re.MULTILINE)
_OPENMP = """\
#include <omp.h>
#include <cstdio>
int main() {
  int count = 0;
  #pragma omp parallel reduction(+ : count)
  count += 1;
  std::printf("%d", count);
}
"""
_TORCH = """\
import json, torch
found = {
    "version": torch.__version__,
    "threads": torch.get_num_threads(),
    "cuda": torch.version.cuda,
    "devices": [torch.cuda.get_device_name(each) for each in range(torch.cuda.device_count())],
    "vectors": torch.backends.cpu.get_cpu_capability(),
}
print(json.dumps(found))
"""
_COMPILE = """\
import numpy as np, torch
step = torch.compile(lambda x: np.sqrt(x * x + 1.0), fullgraph=True)
x = np.linspace(0.0, 1.0, 100_000)
assert np.allclose(step(x), np.sqrt(x * x + 1.0), rtol=1e-14)
"""


@dataclass(frozen=True)
class Finding:
    """One thing: what was found, and the remedy where something is wrong.

    ``needed`` marks what rewritten programs need to run compiled.
    """

    name: str
    text: str
    remedy: str = ""
    needed: bool = False

    @property
    def mark(self) -> str:
        """``ok``; where something is wrong ``missing`` if it is needed, else ``note``."""
        if not self.remedy:
            return "ok"
        return "missing" if self.needed else "note"


@click.command("doctor", epilog="exit status: 0 rewritten programs run compiled, 2 they do not")
def command() -> int:
    """Look at what compiled code needs on this machine.

    For each thing that is missing it says what would help. A program is compiled by torch.compile and run.
    """
    console = Console()
    sound = True
    for finding in findings():
        mark = console.coloured(f"{finding.mark:<8}", _COLOURS[finding.mark])
        console.line(f"{mark}{finding.name:<12}{finding.text}")
        if finding.remedy:
            console.line(f"{'':<20}{finding.remedy}")
        sound = sound and finding.mark != "missing"
    console.line(
        "rewritten programs run compiled" if sound else "rewritten programs do not run compiled here"
    )
    return SUCCESS if sound else FAILURE


def findings() -> Iterator[Finding]:
    """All findings, as they become known."""
    yield Finding("nprewrite", f"{VERSION}, Python {platform.python_version()}, {platform.platform()}")
    yield _distribution("numpy", "pip install numpy", needed=True)
    if disabled():
        yield Finding("disabled", "NPREWRITE_DISABLE is set: steps run in NumPy", "unset it", needed=True)
    compiler = _compiler()
    yield _of_compiler(compiler)
    if compiler is not None:
        yield _openmp(compiler)
    yield from _torch(compiled=compiler is not None)
    yield _distribution(
        "numba",
        "pip install nprewrite[native]: loops over elements, and of small steps, run as written without",
    )
    yield from _caches()


def _distribution(name: str, remedy: str, *, needed: bool = False) -> Finding:
    version = version_of(name)
    return Finding(name, "not installed", remedy, needed) if version is None else Finding(name, version)


def _compiler() -> str | None:
    """The path of the C++ compiler that torch's Inductor would call."""
    return next((path for path in cxx_compilers() if _run([path, "--version"]).returncode == 0), None)


def _of_compiler(path: str | None) -> Finding:
    if path is None:
        remedy = "install g++ or clang++ (Debian: apt install g++; macOS: xcode-select --install)"
        return Finding("compiler", "no C++ compiler on the PATH", remedy, needed=True)
    told = _run([path, "--version"]).stdout.splitlines() or [""]
    return Finding("compiler", f"{path} ({told[0]})")


def _openmp(compiler: str) -> Finding:
    """Whether the compiler builds a parallel program that runs."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "openmp.cpp", Path(folder) / "openmp"
        source.write_text(_OPENMP)
        made = _run([compiler, "-fopenmp", str(source), "-o", str(program)])
        if made.returncode == 0:
            ran = _run([str(program)])
            if ran.returncode == 0:
                return Finding("OpenMP", f"works, {ran.stdout} threads")
    return Finding(
        "OpenMP",
        "the compiler cannot make a program with it",
        "install the compiler's OpenMP library (Debian: libgomp1 or libomp-dev; macOS: brew install libomp); "
        "without it compiled code runs on one core",
    )


def _torch(*, compiled: bool) -> Iterator[Finding]:
    """torch, its threads, Triton and CUDA, and a program compiled by it."""
    installed = _distribution(
        "torch", "pip install nprewrite[torch]; without it programs run in NumPy", needed=True
    )
    if installed.remedy:
        yield installed
        return
    ran = _run([sys.executable, "-c", _TORCH])
    if ran.returncode:
        why = _why(ran.stderr)
        yield Finding("torch", f"{installed.text}, but its import fails: {why}", "reinstall it", needed=True)
        return
    found = json.loads(ran.stdout)
    yield _of_torch(found["version"], found["vectors"])
    few = found["threads"] < cores()
    remedy = "set OMP_NUM_THREADS, or unset it, to use all cores" if few else ""
    yield Finding("threads", f"{found['threads']} of {cores()} cores", remedy)
    devices = ", ".join(found["devices"])
    if found["cuda"] is None:
        yield Finding("CUDA", "this torch is built without it; the CPU is used")
    elif not devices:
        yield Finding("CUDA", f"{found['cuda']}, but no device is found", "the CPU is used; see nvidia-smi")
    else:
        yield Finding("CUDA", f"{found['cuda']}: {devices}")
        yield _distribution("triton", "pip install triton: compiled code for the GPU needs it")
    if compiled:
        yield _compilation()


def _of_torch(version: str, vectors: str) -> Finding:
    text = f"{version}, vectors {vectors}"
    numbers = tuple(int(each) for each in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST_TORCH:
        oldest = ".".join(map(str, _OLDEST_TORCH))
        return Finding("torch", f"{text}; {oldest} is needed", "pip install nprewrite[torch]", needed=True)
    return Finding("torch", text)


def _compilation() -> Finding:
    """Whether a function can be compiled and run as the steps of rewritten programs are."""
    ran = _run([sys.executable, "-c", _COMPILE])
    if ran.returncode == 0:
        return Finding("compile", "torch.compile compiled a NumPy function, and it gave the right answer")
    remedy = (
        "mend what the message names; most often it is a compiler that compiles nothing: try it by itself"
    )
    return Finding("compile", f"torch.compile fails: {_why(ran.stderr)}", remedy, needed=True)


def _why(told: str) -> str:
    """The error at the end of a traceback, and the first error of the compiler, if one was called."""
    errors = _ERROR.findall(told)
    if not errors:
        return (told.strip().splitlines() or ["no message"])[-1]
    output = _COMPILERS_WORDS.search(told)
    return f"{errors[-1]}: {output[1]}" if output else str(errors[-1])


def _caches() -> Iterator[Finding]:
    from nprewrite.base import cachedir

    try:
        folder = cachedir.directory()
    except OSError as error:
        remedy = "set NPREWRITE_CACHE_DIR to a directory that you can write; without one work is done again"
        yield Finding("cache", f"{error.filename} cannot be made", remedy)
    else:
        writable = os.access(folder, os.W_OK)
        remedy = "" if writable else "make it writable, or set NPREWRITE_CACHE_DIR: work is done again"
        yield Finding("cache", f"{folder}: {held(folder)}", remedy)
    inductor = os.environ.get("TORCHINDUCTOR_CACHE_DIR") or _inductor()
    if os.path.isdir(inductor):
        yield Finding("Inductor", f"{inductor}: {held(Path(inductor))}")


def _inductor() -> str:
    """Where torch keeps compiled code by default."""
    import getpass

    return os.path.join(
        tempfile.gettempdir(), "torchinductor_" + re.sub(r'[\\/:*?"<>|]', "_", getpass.getuser())
    )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command; one that cannot be started, or does not end in time, has failed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, "", str(error))
