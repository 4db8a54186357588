"""Every Python file of installed packages through the rewriter, as ``nprewrite --diff`` does it.

    python benchmarks/corpus.py FOLDER [PACKAGE ...] [--json FILE [--resume]] [--seconds S]
    python benchmarks/corpus.py FOLDER [PACKAGE ...] --memory

FOLDER is a folder of packages, ``lib/python3.11/site-packages`` of an environment that they were installed
into for this; the packages are those of `PACKAGES` where none is named. For each file: no internal error,
LibCST holds every byte, what comes out compiles, a second run changes nothing, a file with nothing to
rewrite keeps every byte, and
the file on disk stays. Printed are the sites and the refusals by code, the lines a second a core over the
files that use NumPy, and the slowest files. ``--seconds`` ends early, and ``--resume`` goes on with what
FILE does not hold yet. ``--memory`` runs the command over 1,000 files instead, and prints its peak. Exit
status 1: a file is at fault, or a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType

from nprewrite.engine.outcomes import Options, Outcome, Site
from nprewrite.files.source import decode
from nprewrite.files.work import FileResult, Settings, rewrite_data, rewrite_file
from nprewrite.source.problems import SourceProblem
from nprewrite.source.tree import parsed

PACKAGES = ("numpy", "scipy", "skimage", "statsmodels", "networkx", "astropy")
LINES_A_SECOND = 2_000
MEMORY_MB = 300
MEMORY_FILES = 1_000
FILE_LIMIT = 120
SETTINGS = Settings(Options(), diff=True)
SHOWN = 8


class TooLong(BaseException):
    """A file took longer than `FILE_LIMIT`; no handler for the rewriter's own errors may take it for one."""


@dataclass
class Row:
    """What became of one file; ``seconds`` is processor time of the first run."""

    path: str
    lines: int = 0
    uses_numpy: bool = False
    seconds: float = 0.0
    changed: bool = False
    sites: dict[str, int] = field(default_factory=dict)
    fault: str = ""
    left: str = ""
    """Why the file was left alone, no fault: it is no Python, or too large."""


def examine(folder: str, path: str) -> Row:
    """Rewrite one file twice and judge it."""
    row = Row(path)
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(FILE_LIMIT)
    try:
        _examine(os.path.join(folder, path), row)
    except TooLong:
        row.fault = f"no end within {FILE_LIMIT} s"
    finally:
        signal.alarm(0)
    return row


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def _examine(path: str, row: Row) -> None:
    data = Path(path).read_bytes()
    row.lines, row.uses_numpy = data.count(b"\n"), b"numpy" in data
    start = time.process_time()
    result = rewrite_file(path, SETTINGS)
    row.seconds = time.process_time() - start
    row.changed = result.changed
    row.sites = dict(Counter(_verdict(site) for site in result.sites))
    if result.problem and not result.problem.internal:
        row.left = result.problem.message
        return
    row.fault = _lost(data) or _fault(path, data, result)


def _lost(data: bytes) -> str:
    """What LibCST would not write as it stands; empty where it holds every byte."""
    try:
        parsed(decode(data).text)
    except SourceProblem as problem:
        return f"line {problem.line}: {problem}"
    return ""


def _verdict(site: Site) -> str:
    return f"{site.code} {site.verdict}"


def _fault(path: str, data: bytes, result: FileResult) -> str:
    """What is wrong with the outcome for one file, empty for nothing."""
    if result.problem:
        return f"internal error: {result.problem.message}\n{result.problem.details}"
    if Path(path).read_bytes() != data:
        return "the file on disk changed"
    if not result.changed:
        wanted = [_verdict(site) for site in result.sites if site.outcome is Outcome.REWRITTEN]
        if wanted or result.diff:
            return f"nothing changed, and the report says otherwise: {', '.join(wanted)}"
        return ""
    if not result.diff:
        return "something changed, and the diff is empty"
    try:
        compile(result.after, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return f"the output does not compile: {error}"
    again = rewrite_data(path, result.after, SETTINGS)
    if again.problem:
        return f"the second run fails: {again.problem.message}\n{again.problem.details}"
    if again.changed:
        return "the second run changes more:\n" + again.diff.decode("utf-8", "replace")
    return ""


def files_of(folder: Path, packages: list[str]) -> list[str]:
    """The Python files of the packages, relative to the folder."""
    missing = [name for name in packages if not (folder / name).is_dir()]
    if missing:
        sys.exit(f"not in {folder}: {', '.join(missing)}")
    found = (path for name in packages for path in sorted((folder / name).rglob("*.py")))
    return [str(path.relative_to(folder)) for path in found]


def rows_of(folder: Path, paths: list[str], end: float) -> Iterator[Row]:
    """The rows of the files, from one process a core, until the time ``end``."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        waiting = [pool.submit(examine, str(folder), path) for path in paths]
        for future in waiting:
            if time.monotonic() > end:
                pool.shutdown(wait=False, cancel_futures=True)
                return
            yield future.result()


def print_table(rows: list[Row]) -> bool:
    """Print what was found; whether every file is well and the bar of speed is met."""
    print("package         files     lines  changed  left  faults  lines/s a core")
    names = dict.fromkeys(row.path.split(os.sep)[0] for row in rows)
    for name in names:
        print(_line(name, [row for row in rows if row.path.split(os.sep)[0] == name]))
    print(_line("all", rows))
    counted: Counter[str] = Counter()
    for row in rows:
        counted.update(row.sites)
    print("\nsites by code and verdict")
    for verdict, count in sorted(counted.items()):
        print(f"{count:>8}  {verdict}")
    print("\nslowest files that use NumPy")
    slow = sorted((row for row in rows if row.uses_numpy), key=lambda row: row.seconds, reverse=True)
    for row in slow[:SHOWN]:
        print(f"{row.seconds:>8.2f} s {row.lines:>7} lines  {row.path}")
    for row in rows:
        if row.left:
            print(f"left alone: {row.path}: {row.left}")
    for row in rows:
        if row.fault:
            print(f"FAULT {row.path}: {row.fault}")
    return _speed(rows) >= LINES_A_SECOND and not any(row.fault for row in rows)


def _line(name: str, rows: list[Row]) -> str:
    changed, left, faults = (
        sum(map(bool, each))
        for each in zip(*((row.changed, row.left, row.fault) for row in rows), strict=True)
    )
    lines = sum(row.lines for row in rows)
    return f"{name:<14}{len(rows):>7}{lines:>10}{changed:>9}{left:>6}{faults:>8}{_speed(rows):>16,.0f}"


def _speed(rows: list[Row]) -> float:
    """Lines a second of processor time, over the files that use NumPy."""
    used = [row for row in rows if row.uses_numpy]
    return sum(row.lines for row in used) / max(sum(row.seconds for row in used), 1e-9)


def peak_memory(folder: Path, paths: list[str]) -> float:
    """The largest resident set in MB of a process of ``nprewrite --diff`` over the files on one core."""
    command = [sys.executable, "-m", "nprewrite", "--isolated", "--diff", "--", *paths]
    core = {min(os.sched_getaffinity(0))}
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, core),
    ) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 2):
        sys.exit(f"nprewrite --diff ended with {child.returncode}")
    return usage.ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description="Rewrite every file of installed packages.")
    parser.add_argument("folder", type=Path, help="the folder that the packages lie in")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"default: {' '.join(PACKAGES)}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="keep what was found of each file here")
    parser.add_argument("--resume", action="store_true", help="go on with the files that this file lacks")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after this time")
    parser.add_argument("--memory", action="store_true", help="only measure the memory of the command")
    arguments = parser.parse_args()
    if arguments.resume and not arguments.json:
        parser.error("--resume needs --json FILE")
    end = time.monotonic() + arguments.seconds
    folder = arguments.folder.resolve()
    paths = files_of(folder, arguments.packages or list(PACKAGES))
    if arguments.memory:
        # Evenly from all packages, so that the sample has large files and small ones.
        sample = paths[:: max(1, len(paths) // MEMORY_FILES)][:MEMORY_FILES]
        peak = peak_memory(folder, sample)
        print(f"{len(sample)} files, one process: {peak:.0f} MB (bar {MEMORY_MB} MB)")
        return int(peak > MEMORY_MB)
    rows: list[Row] = []
    if arguments.resume and arguments.json.exists():
        rows = [Row(**each) for each in json.loads(arguments.json.read_text(encoding="utf-8"))]
    done = {row.path for row in rows}
    rows += rows_of(folder, [path for path in paths if path not in done], end)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")
    sound = print_table(rows)
    if len(rows) < len(paths):
        print(f"\n{len(paths) - len(rows)} files of {len(paths)} are left")
    return int(not sound)


if __name__ == "__main__":
    sys.exit(main())
