"""The Mandelbrot benchmark: every bar of the project's first program, measured in one run.

    python benchmarks/mandelbrot.py [--json FILE]

Sides: NumPy as written, the same file rewritten by nprewrite, the tutorial's own last version, C++ by hand.
They take turns within one run; a second figure gives each side alone, warm. Exit status 1: a result is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

import measure
from judge import form, in_double, wrong
from measure import Spread
from report import Report
from sides import NO_INTERIOR, SEED, Program, View, programs, rewrite_example

# Multiples of the four orders in which four sides follow each other equally often.
ROUNDS = 16
ROUNDS_NO_INTERIOR = 4
REPEATS_ALONE = 10
CHILD = Path(__file__).with_name("child.py")


def say(text: str) -> None:
    """Progress, apart from the report."""
    print(text, file=sys.stderr, flush=True)


def show_round(number: int, rounds: int) -> None:
    """Progress within one measurement, on a terminal."""
    if sys.stderr.isatty():
        end = "\n" if number == rounds else ""
        print(f"\r  round {number} of {rounds}", end=end, file=sys.stderr, flush=True)


def turns(loaded: dict[str, Program], view: View, rounds: int) -> dict[str, list[float]]:
    """Seconds of each side on ``view``, after two calls each that compile and warm up."""
    runs: dict[str, Callable[[], object]] = {name: partial(run, *view) for name, run in loaded.items()}
    for run in runs.values():
        run()
        run()
    return measure.alternate(runs, rounds, show_round, measure.seconds)


def ratio(times: dict[str, list[float]], slow: str, fast: str) -> tuple[float, str]:
    """Ratio of the medians of two sides, and the quartiles of the ratio within a round as text."""
    spread = Spread.of([a / b for a, b in zip(times[slow], times[fast], strict=True)])
    medians = Spread.of(times[slow]).median / Spread.of(times[fast]).median
    return medians, f"({spread.lower:.3g} to {spread.upper:.3g})"


def speed(report: Report, loaded: dict[str, Program]) -> None:
    """Time the sides in turns and alone."""
    say("timing the sides in turns")
    times = turns(loaded, SEED, ROUNDS)
    report.sizes = f"{SEED.xn} x {SEED.yn} points, {SEED.maxiter} iterations, {ROUNDS} rounds"
    report.alternating = {name: Spread.of(values) for name, values in times.items()}
    report.at_least("speed-up over NumPy", 9, *ratio(times, "numpy", "rewritten"))
    report.at_least("speed-up over the tutorial's last version", 5, *ratio(times, "tutorial", "rewritten"))
    report.at_most("time relative to C++", 1.5, *ratio(times, "rewritten", "cpp"))

    for name, run in loaded.items():
        say(f"timing {name} alone")
        report.alone[name] = measure.back_to_back(partial(run, *SEED), REPEATS_ALONE)

    say(f"timing a view with no interior point, maxiter {NO_INTERIOR.maxiter}")
    pair = {name: loaded[name] for name in ("numpy", "rewritten")}
    times = turns(pair, NO_INTERIOR, ROUNDS_NO_INTERIOR)
    report.details["no_interior"] = {name: asdict(Spread.of(values)) for name, values in times.items()}
    report.at_most("no interior point: time relative to NumPy", 1, *ratio(times, "rewritten", "numpy"))


def correctness(report: Report, loaded: dict[str, Program]) -> None:
    """Judge the results of NumPy, the rewritten program and C++ against complex128."""
    say("judging the results against complex128")
    reference = in_double(SEED)
    results = {name: loaded[name](*SEED) for name in ("numpy", "rewritten", "cpp")}
    asked, got = form(results["numpy"]), form(results["rewritten"])
    report.right("type, dtype, shape", "NumPy's", got, asked == got)

    wrongs = {name: wrong(result, reference) for name, result in results.items()}
    report.details["wrong"] = {name: asdict(value) for name, value in wrongs.items()}
    for what, field in (("wrong escape times", "count"), ("wrong escape times or iterates", "iterate")):
        ours, theirs = (getattr(wrongs[name], field) for name in ("rewritten", "numpy"))
        figure = f"{ours / theirs:.3f}  ({ours} pixels, NumPy {theirs})"
        report.right(f"{what}, relative to NumPy", "<= 1.1", figure, ours <= 1.1 * theirs)


def graphs(report: Report, rewritten: Path) -> None:
    """Count the graphs compiled in a process."""
    say("counting graphs")
    count = measure.child(CHILD, "graphs", str(rewritten))
    report.details["graphs"] = count
    report.at_most("graphs compiled, one grid size", 3, count["same_size"])
    added = count["another_size"] - count["same_size"]
    report.at_most("graphs added by another grid size", count["same_size"], added)
    report.at_most("graphs added by a third grid size", 0, count["third_size"] - count["another_size"])


def first_calls(report: Report, rewritten: Path) -> None:
    """Time the first call in two processes that share a cache, empty at the start."""
    with tempfile.TemporaryDirectory(prefix="nprewrite-cache-") as cache:
        environment = {"TORCHINDUCTOR_CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
        for where, limit in (("empty Inductor cache", 15), ("second process", 3)):
            say(f"first call, {where}")
            first = measure.child(CHILD, "first-call", str(rewritten), environment=environment)
            report.details[f"first call, {where}"] = first
            note = f"(and {first['import_torch']:.1f} for the import of torch)"
            report.at_most(f"seconds of the first call, {where}", limit, first["first_call"], note)


def memory(report: Report, rewritten: Path, sides: list[str]) -> None:
    """Measure how far a warm call of each side raises the peak of resident memory."""
    say("measuring memory")
    growth = {side: measure.child(CHILD, "memory", str(rewritten), side) for side in sides}
    report.details["memory_growth"] = growth
    for kind, what in (("growth", "a warm call"), ("new_size", "the first call of a size")):
        note = ", ".join(f"{side} {growth[side][kind] / 2**20:.0f} MiB" for side in sides)
        relative = growth["rewritten"][kind] / growth["numpy"][kind]
        report.at_most(f"growth of peak memory over NumPy's, {what}", 1.5, relative, f"({note})")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the Mandelbrot program against its bars.")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure here as well")
    arguments = parser.parse_args()

    report = Report(measure.machine())
    with tempfile.TemporaryDirectory(prefix="nprewrite-bench-") as folder:
        rewritten = rewrite_example(Path(folder))
        loaded = {name: load() for name, load in programs(rewritten).items()}
        correctness(report, loaded)
        speed(report, loaded)
        graphs(report, rewritten)
        first_calls(report, rewritten)
        memory(report, rewritten, list(loaded))
    report.show()
    if arguments.json:
        arguments.json.write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    return int(report.wrong)


if __name__ == "__main__":
    sys.exit(main())
