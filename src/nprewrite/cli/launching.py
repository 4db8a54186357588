"""Running a program, without what only reading options takes: importing click takes a fifth of the start."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from nprewrite.base.allocator import keep_freed_memory
from nprewrite.base.errors import tell, unheard_by_the_program
from nprewrite.files.problems import FAILURE, SUCCESS
from nprewrite.loading.program import CannotRun, Program, run
from nprewrite.loading.whole_runs import Ledger, ledger_of


def plain_program(arguments: Sequence[str]) -> Program | None:
    """The program of ``run PROGRAM`` or ``run -m MODULE``; None for other commands, or with options."""
    match arguments:
        case ["run", "-m", str(name), *words] if not name.startswith("-"):
            return Program(name, True, tuple(words))
        case ["run", str(name), *words] if not name.startswith("-"):
            return Program(name, False, tuple(words))
    return None


def run_program(program: Program, *, report: bool = False, quiet: bool = False) -> int:
    """Run a program and say on standard error what was done; raises what the program raises."""
    # Who asks what became of each function wants it rewritten.
    started, ledger = perf_counter(), None if report else ledger_of(program)
    if ledger is not None and ledger.side == "written":
        # Large temporary arrays gain by it in NumPy, too.
        keep_freed_memory()
        program = replace(program, as_written=True)
    try:
        with unheard_by_the_program():
            run(program)
    except CannotRun as problem:
        print(f"nprewrite run: error: {problem}", file=sys.stderr)
        return FAILURE
    except SystemExit as ended:
        _end(program, None if ended.code else ledger, started, report=report, quiet=quiet)
        raise
    except BaseException:
        # Whatever ended the program, and goes on to end it: what was asked for is told before its traceback.
        if report:
            _end(program, None, started, report=report, quiet=quiet)
        raise
    _end(program, ledger, started, report=report, quiet=quiet)
    return SUCCESS


def _end(program: Program, ledger: Ledger | None, started: float, *, report: bool, quiet: bool) -> None:
    """Note the run, and say what was done; a program that has closed standard error wants to hear nothing."""
    if ledger is not None:
        ledger.ended()
    if quiet:
        return
    name = f"{'-m ' if program.module else ''}{program.name}"
    if program.as_written:
        lines = [f"nprewrite: {name} {ledger}"] if ledger is not None else []
    else:
        from nprewrite.loading.summary import details, summary

        line = summary(name, None if ledger is None else ledger.most_saved, perf_counter() - started)
        lines = [*(details() if report else ()), *([line] if line is not None else [])]
    with unheard_by_the_program():
        tell("".join(f"{each}\n" for each in lines))
