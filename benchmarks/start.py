"""How long a program waits for compiled code, under nprewrite, Numba and JAX.

    python benchmarks/start.py [PROGRAM ...] [--runs N] [--markdown FILE]
    python benchmarks/start.py --storm [--rounds N]

Each measurement is a fresh process; a side's second process finds the caches that its first one has filled.
``--storm`` starts many processes that compile and load the same functions at once, of which one is killed.
Exit status 1: a result is wrong, or the storm has left something behind.
"""

from __future__ import annotations

import argparse
import inspect
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import child, machine
from start_programs import PROGRAMS

CHILD = Path(__file__).with_name("start_child.py")
SIDES = ("nprewrite", "Numba", "JAX")
HEAD = (
    "| program | side | first call / NumPy | compiled after, s | longest call until then / NumPy "
    "| second process: first compiled result, s | script, s | script / python's |"
)
SCRIPT_S = 2.0
STORM = ("k-means assignment", "Kuramoto", "heat 2-D")
PROCESSES = 16
KILLED_WITHIN_S = 20.0
PATIENCE_S = 300.0


def caches(folder: Path) -> dict[str, str]:
    """The environment of a process that keeps all that it compiles in ``folder``, and waits for nothing."""
    kept = ("NPREWRITE_CACHE_DIR", "NUMBA_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR")
    return {**{name: str(folder / name) for name in kept}, "NPREWRITE_WAIT": "0"}


def working_in(folder: Path) -> list[int]:
    """The processes that keep what they compile in ``folder``."""
    return [int(each.parent.name) for each in Path("/proc").glob("[0-9]*/environ") if _names(each, folder)]


def _names(environ: Path, folder: Path) -> bool:
    try:
        return str(folder).encode() in environ.read_bytes()
    except OSError:
        return False


def settle(folder: Path) -> list[int]:
    """Wait until nothing is compiled there any more; the processes that do not end."""
    deadline = time.monotonic() + PATIENCE_S
    while (left := working_in(folder)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


@dataclass
class Row:
    """What was measured of one side and program; the reasons stand for what could not be."""

    program: str
    side: str
    figures: dict[str, list[float]] = field(default_factory=dict)
    whys: list[str] = field(default_factory=list)
    wrong: bool = False

    def note(self, figure: str, value: float | None) -> None:
        if value is not None:
            self.figures.setdefault(figure, []).append(value)

    def take(self, told: dict[str, Any]) -> bool:
        """Whether a process has told figures; notes what else it said."""
        self.wrong |= not told.get("right", True)
        if told["why"]:
            self.whys.append(told["why"])
        return "first" in told

    def line(self) -> str:
        """The row of the table."""
        columns = ("first", "compiled", "longest", "second", "script", "slower")
        notes = [*dict.fromkeys(self.whys), *(["WRONG"] if self.wrong else [])]
        cells = [_cell(self.figures.get(each, [])) for each in columns]
        return f"| {self.program} | {'; '.join([self.side, *notes])} | {' | '.join(cells)} |"


def _cell(values: Sequence[float]) -> str:
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:.3g}"
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


def rows(program: str, runs: int) -> Iterator[Row]:
    """The sides of a program, measured in turns."""
    plain = [child(CHILD, "numpy", program) for _ in range(runs)]
    first, median = (statistics.median(each[key] for each in plain) for key in ("first", "median"))
    every = [Row(program, side) for side in SIDES]
    numpy = Row(program, "NumPy")
    for _ in range(runs):
        for row in every:
            with tempfile.TemporaryDirectory(prefix="nprewrite-start-") as folder:
                processes(row, Path(folder), first, median)
        with tempfile.TemporaryDirectory(prefix="nprewrite-start-") as folder:
            scripts(numpy, every[0], Path(folder), median)
    yield numpy
    yield from every


def processes(row: Row, folder: Path, first: float, median: float) -> None:
    """A first process of a side with empty caches, and a second one."""
    told = child(CHILD, "calls", row.side, row.program, environment=caches(folder))
    if not row.take(told):
        return
    row.note("first", told["first"] / first)
    row.note("longest", told["longest"] / median)
    row.note("compiled", told.get("compiled"))
    settle(folder)
    again = child(CHILD, "calls", row.side, row.program, environment=caches(folder))
    row.take(again)
    row.note("second", again.get("with_import"))


def scripts(plain: Row, row: Row, folder: Path, median: float) -> None:
    """A script by python, and in its second run by nprewrite."""
    script = folder / "script.py"
    script.write_text(script_of(row.program, max(1, math.ceil(SCRIPT_S / median))), encoding="utf-8")
    command = [sys.executable, str(script)]
    rewritten = [sys.executable, "-m", "nprewrite", "run", str(script)]
    wall_time(rewritten, folder)
    settle(folder)
    seconds = wall_time(command, folder)
    plain.note("script", seconds)
    row.note("script", wall_time(rewritten, folder))
    row.note("slower", row.figures["script"][-1] / seconds)
    settle(folder)


def script_of(program: str, calls: int) -> str:
    """A script that calls the program so often."""
    function, arguments = PROGRAMS[program]
    horizon = inspect.getsource(sys.modules["start_programs"]).partition("HORIZON = ")[2].splitlines()[0]
    return "\n\n".join(
        [
            f"import numpy as np\n\nHORIZON = {horizon}",
            inspect.getsource(function),
            inspect.getsource(arguments),
            f"given = {arguments.__name__}()\nfor _ in range({calls}):\n    {function.__name__}(*given)\n",
        ]
    )


def wall_time(command: Sequence[str], folder: Path) -> float:
    started = time.perf_counter()
    subprocess.run(command, env={**os.environ, **caches(folder)}, check=True, capture_output=True)
    return time.perf_counter() - started


def storm(folder: Path) -> list[str]:
    """One round; what is not as it should be."""
    environment = {**os.environ, **caches(folder)}
    command = [sys.executable, str(CHILD), "storm", *STORM]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(PROCESSES)
    ]
    time.sleep(random.uniform(0, KILLED_WITHIN_S))
    killed = random.choice(started)
    killed.send_signal(signal.SIGKILL)
    problems = []
    for each in started:
        output, errors = each.communicate()
        if each is not killed and (each.returncode or '{"wrong": [], "not compiled": []}' not in output):
            problems.append((output or errors).strip().splitlines()[-1])
    problems += [f"the process {pid} is left" for pid in settle(folder)]
    return problems + incomplete(folder)


def incomplete(folder: Path) -> list[str]:
    """What is wrong with the packages that a storm has left, which one more process uses."""
    graphs = Path(caches(folder)["NPREWRITE_CACHE_DIR"], "graphs")
    plans, libraries = ({each.stem for each in graphs.glob(f"*.{kind}")} for kind in ("json", "so"))
    problems = [f"a file is missing of {each}" for each in plans ^ libraries]
    problems += [f"{each.name} is left" for each in graphs.glob("*.tmp")]
    told = child(CHILD, "storm", *STORM, environment=caches(folder))
    problems += [f"{what} afterwards: {name}" for what, names in told.items() for name in names]
    added = {each.stem for each in graphs.glob("*.json")} - plans
    return problems + [f"{each} was missing" for each in added] + (["no packages"] if not plans else [])


def all_storms(rounds: int) -> Iterator[str]:
    """A line for each round."""
    for number in range(rounds):
        with tempfile.TemporaryDirectory(prefix="nprewrite-storm-") as folder:
            started = time.perf_counter()
            problems = storm(Path(folder))
            elapsed = time.perf_counter() - started
        yield f"round {number + 1}: {'; '.join(problems) or 'all right'} ({elapsed:.0f} s)"


def main() -> int:
    """Print the table, or the rounds of the storm; the exit status."""
    parser = argparse.ArgumentParser(description="Measure how long programs wait for compiled code.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of: {', '.join(PROGRAMS)}")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="runs of each side (default: 7)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table to FILE")
    parser.add_argument("--storm", action="store_true", help="processes that compile the same at once")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds of the storm (default: 1)")
    given = parser.parse_args()
    if unknown := set(given.programs) - PROGRAMS.keys():
        parser.error(f"unknown program: {', '.join(unknown)}")
    lines = [", ".join(f"{name} {value}" for name, value in machine().items()), ""]
    if given.storm:
        print("\n".join(lines), flush=True)
        failed = False
        for line in all_storms(given.rounds):
            failed |= ": all right" not in line
            print(line, flush=True)
        return int(failed)
    lines += [HEAD, "|---" * (HEAD.count("|") - 1) + "|"]
    print("\n".join(lines), flush=True)
    wrong = False
    for program in given.programs or PROGRAMS:
        for row in rows(program, given.runs):
            wrong |= row.wrong
            lines.append(row.line())
            print(lines[-1], flush=True)
    if given.markdown is not None:
        given.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
