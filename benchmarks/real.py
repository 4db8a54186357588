"""Published programs as their authors wrote them, by plain Python and through nprewrite.

    python benchmarks/real.py FOLDER [NAME ...] [--runs N] [--markdown FILE]

FOLDER holds ``prepare.py``, which copies the programs to a folder of their own, shortened and without plots,
and ``headless``, which stands in for matplotlib and keeps the arrays of ``main`` when it saves the figure.
Without ``prepare.py``, as in ``tests/scripts/science``, scripts save their results where the argument says.
Three doors: ``nprewrite run`` with empty caches and then with those of the first run, and the text that
``nprewrite FILE`` makes. Wall time of the whole process, in turns with python's; the arrays must agree.
What is compared are the arrays of ``main`` that both runs have bound last in the same iteration: a compiled
region does not bind names that nothing reads after it, and iterations that ran as written leave theirs.
Exit status 1: a program fails, or its arrays differ.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from measure import machine

PYTHON = (sys.executable,)
RUN = (sys.executable, "-m", "nprewrite", "run")
DOORS = ("python", "run, first", "run, later", "FILE")
RTOL = 1e-6
"""Simulations amplify rounding: what is compared is their state after hundreds of steps."""
_LOOK_S = 0.2


@dataclass
class Row:
    """The seconds of each door for a program, and what was wrong."""

    name: str
    seconds: dict[str, list[float]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def median(self, door: str) -> float:
        """Wall time of a run through a door; NaN where none ended well."""
        return statistics.median(self.seconds.get(door, [float("nan")]))

    def line(self) -> str:
        """The row of the table."""
        plain = self.median("python")
        cells = [f"{plain:.1f} s"]
        cells += [f"{self.median(door):.1f} s ({plain / self.median(door):.2f})" for door in DOORS[1:]]
        return f"| {self.name} | {' | '.join(cells)} | {'; '.join(self.problems) or 'same'} |"


class Programs:
    """The prepared programs, and where their arrays and caches go."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source, self.folder = source, folder
        self._prepared = (source / "prepare.py").exists()
        if self._prepared:
            subprocess.run([*PYTHON, str(source / "prepare.py"), str(folder)], check=True)
            return
        for script in source.glob("*.py"):
            shutil.copy(script, folder)

    def measured(self, name: str, runs: int) -> Row:
        """Run a program through all doors, in turns."""
        row = Row(name)
        script = self.folder / f"{name}.py"
        rewritten = self.folder / f"{name}_rewritten.py"
        shutil.copy(script, rewritten)
        subprocess.run([*PYTHON, "-m", "nprewrite", str(rewritten)], capture_output=True, check=True)
        cache = self.folder / f"{name}.cache"
        self._run(row, "run, first", [*RUN, str(script)], cache)
        _wait_for_compilers(cache)
        self._run(row, "FILE", [*PYTHON, str(rewritten)], cache)
        row.seconds.pop("FILE", None)
        for _ in range(runs):
            self._run(row, "python", [*PYTHON, str(script)], cache)
            self._run(row, "run, later", [*RUN, str(script)], cache)
            self._run(row, "FILE", [*PYTHON, str(rewritten)], cache)
        # What a script saves is bound in any case.
        unbound = {*_unbound(cache)} if self._prepared else set()
        for door in DOORS[1:]:
            row.problems += self._differences(row, door, unbound)
        return row

    def _kept(self, row: Row, door: str) -> Path:
        return self.folder / f"{row.name}-{DOORS.index(door)}.npz"

    def _run(self, row: Row, door: str, command: Sequence[str], cache: Path) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.source / "headless"),
            "REAL_OUT": str(self._kept(row, door)),
            "NPREWRITE_CACHE_DIR": str(cache),
        }
        # Other benchmarks wait for the compiler; a user's run does not.
        environment.pop("NPREWRITE_WAIT", None)
        command = command if self._prepared else [*command, str(self._kept(row, door))]
        started = time.perf_counter()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        elapsed = time.perf_counter() - started
        if done.returncode:
            row.problems.append(f"{door}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        else:
            row.seconds.setdefault(door, []).append(elapsed)

    def _differences(self, row: Row, door: str, unbound: set[str]) -> list[str]:
        ours, theirs = self._kept(row, "python"), self._kept(row, door)
        if not theirs.exists():
            return [f"{door}: no arrays"]
        with np.load(ours) as before, np.load(theirs) as after:
            common = sorted(set(before.files) & set(after.files) - unbound)
            if not common:
                return [f"{door}: no arrays"]
            return [f"{door}: {name} differs" for name in common if not same(before[name], after[name])]


def _wait_for_compilers(cache: Path) -> None:
    """Return when no process works for a cache: what rewrites and compiles outlives the program (Linux)."""
    while any(_works_for(cache, process) for process in Path("/proc").glob("[0-9]*")):
        time.sleep(_LOOK_S)


def _works_for(cache: Path, process: Path) -> bool:
    try:
        variables = (process / "environ").read_bytes().split(b"\0")
    except OSError:  # It has ended, or is another user's.
        return False
    return f"NPREWRITE_CACHE_DIR={cache}".encode() in variables


def _unbound(cache: Path) -> Iterator[str]:
    """The names that the last region with them binds as written, and not when it runs compiled."""
    for kept in cache.glob("functions/*.json"):
        text = json.loads(kept.read_text(encoding="utf-8")).get("text")
        regions = sorted(_regions(ast.parse(text or "")), key=lambda pair: pair[0].lineno)
        given: dict[str, bool] = {}
        for region, after in regions:
            given |= dict.fromkeys(_bound(region), False) | dict.fromkeys(_bound(after), True)
        yield from (name for name, each in given.items() if not each)


def _regions(tree: ast.AST) -> Iterator[tuple[ast.For, ast.stmt]]:
    """``for once in (region := ...)`` and, if it has results, the statement after it, which takes them."""
    blocks = (block for node in ast.walk(tree) for _, block in ast.iter_fields(node))
    for block in (each for each in blocks if isinstance(each, list)):
        for each, after in zip(block, [*block, None][1:], strict=True):
            match each:
                case ast.For(iter=ast.NamedExpr(target=ast.Name(id=name))):
                    takes = after is not None and f"{name}.finished" in ast.unparse(after)
                    yield each, after if takes else ast.Pass()


def _bound(node: ast.AST) -> list[str]:
    """The names that a statement binds; ``x += 1`` changes an array in place."""
    changed = {id(each.target) for each in ast.walk(node) if isinstance(each, ast.AugAssign)}
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name) and id(each) not in changed)
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def same(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether arrays are of one kind and agree within the tolerance."""
    if before.dtype != after.dtype or before.shape != after.shape:
        return False
    if before.dtype.kind not in "fc":
        return bool(np.array_equal(before, after))
    scale = float(np.nanmax(np.abs(before), initial=0.0))
    return bool(np.allclose(before, after, rtol=RTOL, atol=RTOL * scale, equal_nan=True))


def _mean(rows: Sequence[Row], door: str) -> float:
    ratios = [row.median("python") / row.median(door) for row in rows]
    return statistics.geometric_mean(ratios)


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side (default: 3)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table to FILE")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="real-", ignore_cleanup_errors=True) as folder:
        programs = Programs(given.folder.resolve(), Path(folder))
        names = given.names or sorted(each.stem for each in Path(folder).glob("*.py"))
        lines = [
            ", ".join(f"{name} {value}" for name, value in machine().items()),
            "",
            f"| program | {' | '.join(DOORS)} | arrays |",
            "|---" * (len(DOORS) + 2) + "|",
        ]
        print("\n".join(lines), flush=True)
        rows = []
        for name in names:
            rows.append(programs.measured(name, given.runs))
            lines.append(rows[-1].line())
            print(lines[-1], flush=True)
    means = " | ".join(f"{_mean(rows, door):.2f}" for door in DOORS[1:])
    lines.append(f"| geometric mean of python / door | | {means} | |")
    print(lines[-1])
    if given.markdown is not None:
        given.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any(row.problems for row in rows))


if __name__ == "__main__":
    sys.exit(main())
