"""Search further than the tests do: programs that rewriting changes, mistakes that the verifier misses.

    hunt.py --seeds 0:2000              programs changed by rewriting, their steps run in NumPy
    hunt.py --seeds 0:200 --compiled    the same through torch.compile
    hunt.py --seeds 0:2000 --verify     right rewrites that the verifier calls wrong
    hunt.py --mutants                   wrong rewrites of the catalogue's programs that the verifier misses
    hunt.py --seeds 0:200 --mutants     the same of random programs

Exits with 1 where something is found, for mutants where fewer than 99 % are caught.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections import Counter
from collections.abc import Iterable
from importlib import import_module

from differential import Comparison, compared
from generator import program
from verified import Fate, Verified, called_wrong, catalogue, equivalents, key, verified, verified_random

BAR = 0.99


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", metavar="FIRST:END", help="default: 0:1000, for mutants none")
    kinds = parser.add_mutually_exclusive_group()
    for kind in ("compiled", "verify", "mutants"):
        kinds.add_argument(f"--{kind}", action="store_true")
    options = parser.parse_args()
    if not options.compiled:
        os.environ["NPREWRITE_DISABLE"] = "1"
    # The package's name ``step`` is the decorator, not the module.
    import_module("nprewrite.runtime.step").MINIMUM_WORK = 0
    import_module("nprewrite.runtime.budget").SECONDS = 600.0
    warnings.simplefilter("ignore")
    first, end = map(int, (options.seeds or "0:1000").split(":"))
    if options.mutants and options.seeds:
        found = _missed(each for seed in range(first, end) for each in verified_random(program(seed)))
    elif options.mutants:
        found = _missed(each for subject in catalogue() for each in verified(subject))
    elif options.verify:
        found = _called_wrong(range(first, end))
    else:
        found = _changed(range(first, end), options.compiled)
    raise SystemExit(found)


def _changed(seeds: range, compiled: bool) -> bool:
    counts: Counter[str] = Counter()
    for seed in seeds:
        found = compared(program(seed), compiled=compiled, calls=2 if compiled else None)
        counts["programs"] += 1
        counts["rewritten"] += found.rewritten
        counts["stepped"] += bool(found.runs["compiled" if compiled else "numpy"])
        counts["different"] += found.difference is not None
        if found.difference is not None:
            _show(found)
    _report(counts)
    return bool(counts["different"])


def _show(found: Comparison) -> None:
    print(f"==== seed {found.program.seed}: {found.difference}")
    print(found.program.text)
    if found.rewriting is not None:
        print(f"---- rewritten\n{found.rewriting.text}", flush=True)


def _called_wrong(seeds: range) -> bool:
    counts: Counter[str] = Counter()
    for seed in seeds:
        made = program(seed)
        found = compared(made)
        if found.difference is not None or not found.rewritten:
            continue
        counts["right rewrites"] += 1
        reports = called_wrong(made)
        counts["called wrong"] += bool(reports)
        for report in reports[:1]:
            print(f"==== seed {seed}: {report}\n{made.text}", flush=True)
    _report(counts)
    return bool(counts["called wrong"])


def _missed(asked: Iterable[Verified]) -> bool:
    """Whether too many of the mutants are missed."""
    counts: Counter[Fate] = Counter()
    known = equivalents()
    for each in asked:
        fate = Fate.EQUIVALENT if key(each) in known else each.fate
        counts[fate] += 1
        if fate is Fate.MISSED:
            mutant = each.mutant
            print(f"==== {each.subject.name}: {mutant.label}, {mutant.function}\n{mutant.change}", flush=True)
    _report(counts)
    return counts[Fate.CAUGHT] < BAR * (counts[Fate.CAUGHT] + counts[Fate.MISSED])


def _report(counts: Counter[str] | Counter[Fate]) -> None:
    print(", ".join(f"{number} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    main()
