"""Running a program, without what only reading options takes: importing click takes a fifth of the start."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.files.problems import FAILURE, SUCCESS
from nprewrite.loading.program import CannotRun, Program, run


def plain_program(arguments: Sequence[str]) -> Program | None:
    """The program of ``run PROGRAM`` or ``run -m MODULE``; None for other commands, or with options."""
    match arguments:
        case ["run", "-m", str(name), *words] if not name.startswith("-"):
            return Program(name, True, tuple(words), None, Configurations())
        case ["run", str(name), *words] if not name.startswith("-"):
            return Program(name, False, tuple(words), None, Configurations())
    return None


def run_program(program: Program, *, report: bool = False, quiet: bool = False) -> int:
    """Run a program and say on standard error what was done; raises what the program raises."""
    try:
        run(program)
    except (CannotRun, ConfigurationProblem) as problem:
        print(f"nprewrite run: error: {problem}", file=sys.stderr)
        return FAILURE
    except SystemExit:
        if not quiet:
            _tell(program, report)
        raise
    if not quiet:
        _tell(program, report)
    return SUCCESS


def _tell(program: Program, report: bool) -> None:
    """Say on standard error what was done; a program that has closed it wants to hear nothing."""
    from nprewrite.loading.summary import details, summary

    line = summary(f"{'-m ' if program.module else ''}{program.name}")
    lines = [*(details() if report else ()), *([line] if line is not None else [])]
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("".join(f"{each}\n" for each in lines))
