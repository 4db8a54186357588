"""``nprewrite profile``: where a program spends its time, and what nprewrite would do there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nprewrite.cli.options import FILE
from nprewrite.cli.program import LAYOUT, Named, naming_a_program
from nprewrite.files.problems import FAILURE, SUCCESS, system_reason

if TYPE_CHECKING:
    from nprewrite.profiling.profile import Profile

_HELP = """\
Run a program as python does, as it is written, and show where its time goes: its functions and loops by
time, how much of that is array code, what nprewrite would do there, what stands in the way, and what that
would gain. The last line says what to do. No file is changed, and without --try nothing is compiled.

Time that NumPy takes belongs to the line that called it. A function is shown with those that it calls once;
what it calls in a loop stands for itself. The gain is estimated from the operations that would be computed
together. --try measures it: the program is run several times more, as it is written, with the decorator on
each of the functions, and as nprewrite run does it; what it prints then is not shown.

The output and the exit status are those of the program; the report comes behind it. Options of nprewrite
stand before the program; all that follows its name is the program's.
"""

_EPILOG = """\
The document of --json is described by "python -m pydoc nprewrite.profiling.document".

\b
examples:
  nprewrite profile simulation.py --steps 100
  nprewrite profile --try simulation.py
  nprewrite profile --html profile.html -m waves.main
"""


@click.command("profile", help=_HELP, epilog=_EPILOG, **LAYOUT)
@naming_a_program
@click.option(
    "--try",
    "tries",
    is_flag=True,
    help="run the program again, with the decorator on each function, and measure what it gains",
)
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="write a page: the table, who called whom, the source with times",
)
@click.option("--json", "document", type=FILE, metavar="FILE", help="write every figure to FILE")
def command(named: Named, tries: bool, html: str | None, document: str | None) -> Callable[[], int]:
    """Make what runs the program and reports; what the program raises passes through it."""
    return lambda: _run(named, tries, html, document)


def _run(named: Named, tries: bool, html: str | None, document: str | None) -> int:
    from nprewrite.loading.program import CannotRun, run
    from nprewrite.profiling.profile import owner, profiled
    from nprewrite.profiling.sampling import Sampler

    program = named.program(as_written=True)
    owns = owner(program.root)
    sampler = Sampler(owns)
    try:
        run(program, sampler)
    except CannotRun as problem:
        print(f"nprewrite profile: error: {problem}", file=sys.stderr)
        return FAILURE
    except KeyboardInterrupt:
        tries = False
        raise
    finally:
        if sampler.samples.elapsed:
            command = named.command("nprewrite", "run")
            made = profiled(named.name, command, sampler.samples, owns, named.configurations)
            status = _report(_tried(made, named) if tries else made, html, document)
    return status


def _tried(profile: Profile, named: Named) -> Profile:
    """The profile with measured gains; as it is, and a line on standard error, where nothing can be tried."""
    from nprewrite.cli.progress import Passing
    from nprewrite.profiling.profile import with_trials
    from nprewrite.verification.problems import CannotVerify

    try:
        with Passing() as passing:
            return with_trials(profile, named.command("python"), named.configurations, passing.show)
    except CannotVerify as problem:
        print(f"nprewrite profile: {problem}", file=sys.stderr)
        return profile


def _report(profile: Profile, html: str | None, document: str | None) -> int:
    """Print the profile and write the files that were asked for; the exit status."""
    from nprewrite.cli.console import Console
    from nprewrite.profiling.document import document as made
    from nprewrite.profiling.page import page_of
    from nprewrite.profiling.text import text_of

    console = Console()
    console.line(f"\n{text_of(profile)}")
    try:
        if document is not None:
            Path(document).write_text(json.dumps(made(profile), indent=2) + "\n", encoding="utf-8")
        if html is not None:
            Path(html).write_text(page_of(profile), encoding="utf-8")
    except OSError as error:
        console.error(f"{error.filename}: error: cannot be written: {system_reason(error)}")
        return FAILURE
    return SUCCESS
