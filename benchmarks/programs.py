"""Every program of tests/programs in NumPy, under a bare torch.compile and under ``@nprewrite.jit``.

    python benchmarks/programs.py [--no-peer] [--limit SECONDS] [--stated] [--json FILE [--resume]]
                                   [--markdown FILE] [--png FILE] [NAME]
    python benchmarks/programs.py --small [NAME]

For each program, or those named: the first call of a fresh process with empty caches (the worst call until
one version is kept, less NumPy's time), without the import of torch; all sides in turns within one process;
and whether the answers are right, as ``nprewrite.verify`` judges, with everything compiled that can be. A
bare torch.compile is ended after ``--limit`` seconds. ``--resume`` measures what FILE does not hold yet.
``--small`` only judges, at the small size, the near twins too. Exit status 1: an answer is wrong or a
figure is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import measure
from measure import Told
from program_table import Row, Table

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "programs"))
from program_files import EVERY, PATHS

CHILD = Path(__file__).with_name("program_child.py")
JUDGE_LIMIT = 180
CALL_LIMIT = 240
# Beside compiling, the child imports torch and makes the arguments.
START = 20


class Bench:
    """The measurements of one program after the other, in processes of their own."""

    def __init__(self, scale: str, *, peer: bool, limit: float) -> None:
        self._scale = scale
        self._peer = peer
        self._limit = limit

    def row(self, name: str) -> Row:
        """All figures of one program."""
        with tempfile.TemporaryDirectory(prefix="nprewrite-programs-") as folder:
            caches = Path(folder)
            if self._scale == "small":
                told = self._run(caches / "ours", "judge", name, JUDGE_LIMIT)
                return Row(name, judged={"small": _part(told, "judged")})
            row = Row(name)
            limit, options = float(CALL_LIMIT + JUDGE_LIMIT), list[str]()
            if self._peer:
                row.peer = self._run(caches / "peer", "peer", name, self._limit + START)
            if row.peer and row.peer.figures.get("first_call", self._limit) < self._limit:
                limit, options = limit + 2 * self._limit, ["--peer", str(caches / "peer")]
            told = self._run(caches / "ours", "all", name, limit, *options)
            if options and "turns" not in told.figures:
                # What torch.compile does in the turns may fail or not end, where its first call was well.
                told = self._run(caches / "again", "all", name, CALL_LIMIT + JUDGE_LIMIT)
            row.first, row.turns = _part(told, "first"), _part(told, "turns")
            row.judged[self._scale] = _part(told, "judged")
            return row

    def _run(self, cache: Path, what: str, name: str, limit: float, *options: str) -> Told:
        cache.mkdir(exist_ok=True)
        homes = ("TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME", "NPREWRITE_CACHE_DIR", "NUMBA_CACHE_DIR")
        environment = dict.fromkeys(homes, str(cache))
        return measure.limited_child(
            CHILD, what, name, self._scale, *options, limit=limit, environment=environment
        )


def _part(told: Told, what: str) -> Told:
    """One of the things that a process measured, and why it is not there where the process ended before."""
    found = told.figures.get(what)
    return Told(found, "") if found is not None else Told({}, told.why)


def names_of(asked: list[str], *, small: bool) -> list[str]:
    """The programs asked for, in the order of the page; all of them where none is."""
    known = EVERY if small else PATHS
    unknown = [name for name in asked if name not in known]
    if unknown:
        sys.exit(f"no program {', '.join(unknown)}; there are: {', '.join(known)}")
    return [name for name in known if name in asked or not asked]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure every program of tests/programs.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--small", action="store_true", help="only judge, at the small size, twins too")
    parser.add_argument("--stated", action="store_true", help="the stated size, where a program has one")
    parser.add_argument("--no-peer", action="store_true", help="leave a bare torch.compile out")
    parser.add_argument("--limit", type=float, default=75, help="seconds for it to compile in")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure here as well")
    parser.add_argument("--resume", action="store_true", help="keep the rows that this file holds")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the table here as well")
    parser.add_argument("--png", metavar="FILE", type=Path, help="draw the speed-ups")
    arguments = parser.parse_args()
    if arguments.resume and not arguments.json:
        parser.error("--resume needs --json FILE")

    scale = "small" if arguments.small else "stated" if arguments.stated else "bench"
    bench = Bench(scale, peer=not arguments.no_peer, limit=arguments.limit)
    table = Table(measure.machine(), scale, arguments.limit)
    if arguments.resume and arguments.json.exists():
        table.take_rows(json.loads(arguments.json.read_text(encoding="utf-8")))
    names = names_of(arguments.names, small=arguments.small)
    done = {row.name for row in table.rows}
    print(", ".join(f"{name} {value}" for name, value in table.machine.items()))
    print(table.heading(), flush=True)
    for row in table.rows:
        print(table.line(row))
    for number, name in enumerate(names, start=1):
        if name in done:
            continue
        print(f"{number} of {len(names)}: {name}", file=sys.stderr, flush=True)
        table.rows.append(bench.row(name))
        print(table.line(table.rows[-1]), flush=True)
        if arguments.json:
            arguments.json.write_text(json.dumps(table.to_json(), indent=1) + "\n", encoding="utf-8")
    print(table.summary())
    if arguments.markdown:
        arguments.markdown.write_text(table.to_markdown(), encoding="utf-8")
    if arguments.png:
        from program_plot import draw

        draw(table, arguments.png)
    return int(not table.sound)


if __name__ == "__main__":
    sys.exit(main())
