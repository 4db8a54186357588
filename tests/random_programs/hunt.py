"""Search further than the tests do: programs that rewriting changes, mistakes that the verifier misses.

    hunt.py --seeds 0:2000              programs changed by rewriting, their steps run in NumPy
    hunt.py --seeds 0:200 --compiled    the same through torch.compile
    hunt.py --seeds 0:200 --native      the same with scalar loops through Numba
    hunt.py --seeds 0:2000 --verify     right rewrites that the verifier calls wrong
    hunt.py --mutants                   wrong rewrites of the catalogue's programs that the verifier misses
    hunt.py --seeds 0:200 --mutants     the same of random programs

Of each seed there is a program of every form; --forms takes some of them. Exits with 1 where something is
found, for mutants where fewer than 99 % are caught.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from differential import Comparison, compared
from generator import FORMS, Program, program
from verified import (
    Fate,
    Verified,
    called_wrong,
    catalogue,
    equivalents,
    key,
    subject_of,
    verified,
    verified_random,
)

from nprewrite.engine.outcomes import Outcome

BAR = 0.99
CALLS = {"numpy": None, "compiled": 2, "native": 4}
"""How many calls a stage makes of a program; None are all."""
BLOCK = 20
"""Seeds that a worker takes at once."""

Counts = dict[str, Counter[str]]
"""What became of the programs of each form."""
Found = tuple[Counts, list[str]]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", metavar="FIRST:END", help="default: 0:1000, for mutants none")
    parser.add_argument("--forms", metavar="NAME,...", help=f"default: all of {', '.join(FORMS)}")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the seeds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="add what is counted to this file")
    parser.add_argument(
        "--smallest", action="store_true", help="make each program that differs as small as it still differs"
    )
    kinds = parser.add_mutually_exclusive_group()
    for kind in ("compiled", "native", "verify", "mutants"):
        kinds.add_argument(f"--{kind}", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hunt-") as cache:
        os.environ["NPREWRITE_CACHE_DIR"] = cache
        raise SystemExit(_found(options))


def _found(options: argparse.Namespace) -> bool:
    """Whether what the command line asks for finds something."""
    stage = "compiled" if options.compiled else "native" if options.native else "numpy"
    _prepare(stage)
    gc.set_threshold(20_000, 50, 50)
    seeds = range(*map(int, (options.seeds or "0:1000").split(":")))
    forms = options.forms.split(",") if options.forms else [*FORMS]
    if options.mutants and options.seeds:
        return _missed(each for seed in seeds for each in verified_random(program(seed)))
    if options.mutants:
        return _missed(each for folder in catalogue() for each in verified(subject_of(folder)))
    if options.verify:
        return _called_wrong(seeds)
    blocks = [seeds[at : at + BLOCK] for at in range(0, len(seeds), BLOCK)]
    answers = _answers(partial(_compared, stage, forms, options.smallest), blocks, options.workers)
    return _changed(answers, stage, options.json)


def _prepare(stage: str) -> None:
    """Have steps or native loops run however small the arrays are, and nothing else compile."""
    if stage == "numpy":
        os.environ["NPREWRITE_DISABLE"] = "1"
    if stage != "native":
        # The package's name ``step`` is the decorator, not the module.
        import_module("nprewrite.runtime.api.step_runs").MINIMUM_WORK = 0
    else:
        import_module("nprewrite.runtime.numba.gathered").MINIMUM_WORK = 0
    os.environ["NPREWRITE_WAIT"] = "1"
    import_module("nprewrite.runtime.choosing.budget").SECONDS = 600.0
    warnings.simplefilter("ignore")


def _answers(task: partial[Found], blocks: Sequence[range], workers: int) -> Iterator[Found]:
    if workers == 1:
        yield from map(task, blocks)
        return
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap_unordered(task, blocks)


def _compared(stage: str, forms: Sequence[str], smaller: bool, seeds: range) -> Found:
    """What became of the programs of these seeds, and what is to be said of those that differ."""
    # What is imported and kept for all programs is not searched for garbage again: a third of the time.
    gc.collect()
    gc.freeze()
    counts: Counts = {form: Counter() for form in forms}
    texts: list[str] = []
    for form, counted in counts.items():
        started = time.process_time()
        for seed in seeds:
            found = compared(program(seed, form), compiled=stage == "compiled", calls=CALLS[stage])
            counted.update(_counted(found, stage))
            if found.difference is not None:
                texts += [_text(found), *(_smallest(found.program, stage) if smaller else ())]
        counted["milliseconds"] += round(1000 * (time.process_time() - started))
    return counts, texts


def _counted(found: Comparison, stage: str) -> Iterator[str]:
    yield "programs"
    if found.difference is not None:
        yield "different"
    if found.rewriting is not None and found.rewritten:
        yield "rewritten"
        done = (each for each in found.rewriting.sites if each.outcome is Outcome.REWRITTEN)
        yield from {each.code for each in done}
    if found.runs["numpy" if stage == "numpy" else "compiled"]:
        yield "stepped"


def _text(found: Comparison) -> str:
    made = found.program
    lines = [f"==== seed {made.seed} of {made.form}: {found.difference}", made.text]
    lines += [f"---- rewritten\n{found.rewriting.text}"] if found.rewriting is not None else []
    return "\n".join(lines)


def _smallest(made: Program, stage: str) -> Iterator[str]:
    from smallest import smallest

    yield "---- smallest"
    yield smallest(made, compiled=stage == "compiled", calls=CALLS[stage]).text


def _changed(answers: Iterable[Found], stage: str, file: Path | None) -> bool:
    """Whether a program was changed; counts are written after each block, a night may be cut short."""
    counts: Counts = {}
    before = json.loads(file.read_text("utf-8")) if file is not None and file.exists() else {}
    for counted, texts in answers:
        for form, each in counted.items():
            counts.setdefault(form, Counter()).update(each)
        for text in texts:
            print(text, flush=True)
        if file is not None:
            file.write_text(
                json.dumps(before | {stage: _added(before.get(stage, {}), counts)}, indent=1), "utf-8"
            )
    for form, each in counts.items():
        named = "programs", "rewritten", "stepped", "different"
        seconds = each["milliseconds"] / 1000
        print(f"{stage} {form}: {', '.join(f'{each[name]} {name}' for name in named)}, {seconds:.0f} s")
    return any(each["different"] for each in counts.values())


def _added(before: dict[str, dict[str, int]], counts: Counts) -> dict[str, Counter[str]]:
    return {
        form: Counter(before.get(form, {})) + counts.get(form, Counter()) for form in {**before, **counts}
    }


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
