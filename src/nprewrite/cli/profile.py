"""``nprewrite profile``: where a program spends its time, and what nprewrite would do there."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nprewrite.cli.options import FILE, choosing
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.files.problems import FAILURE, SUCCESS, system_reason

if TYPE_CHECKING:
    from nprewrite.loading.program import Program
    from nprewrite.profiling.profile import Profile

_HELP = """\
Run a program as python does, as it is written, and show where its time goes: its functions and loops by
time, how much of that is array code, what nprewrite would do there, what stands in the way, and what that
would gain. The last line says what to do. No file is changed, and nothing is compiled.

Time that NumPy takes belongs to the line that called it. A function is shown with those that it calls once;
what it calls in a loop stands for itself. The gain is estimated from the operations that would be computed
together; nprewrite bench measures it.

The output and the exit status are those of the program; the report comes behind it. Options of nprewrite
stand before the program; all that follows its name is the program's.
"""

_EPILOG = """\
The document of --json is described by "python -m pydoc nprewrite.profiling.document".

\b
examples:
  nprewrite profile simulation.py --steps 100
  nprewrite profile --html profile.html -m waves.main
"""


@click.command(
    "profile",
    help=_HELP,
    epilog=_EPILOG,
    options_metavar="[OPTIONS] [-m]",
    context_settings={"allow_interspersed_args": False},
)
@click.argument("program", metavar="PROGRAM [ARGUMENTS]...", required=False)
@click.argument("words", nargs=-1, metavar="", type=click.UNPROCESSED)
@click.option("-m", "module", is_flag=True, help="PROGRAM is the name of a module, not a file")
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="write a page: the table, who called whom, the source with times",
)
@click.option("--json", "document", type=FILE, metavar="FILE", help="write every figure to FILE")
@choosing
def command(
    program: str | None,
    words: tuple[str, ...],
    module: bool,
    html: str | None,
    document: str | None,
    configurations: Configurations,
) -> Callable[[], int]:
    """Make what runs the program and reports; what the program raises passes through it."""
    if program is None:
        raise click.UsageError("name a module behind -m" if module else "name a script, or a module with -m")
    from nprewrite.loading.program import Program

    wish = Program(program, module, words, None, configurations, as_written=True)
    return lambda: _run(wish, html, document)


def _run(program: Program, html: str | None, document: str | None) -> int:
    from nprewrite.loading.program import CannotRun, run
    from nprewrite.profiling.profile import owner, profiled
    from nprewrite.profiling.sampling import Sampler

    words = [*(["-m"] if program.module else []), program.name, *program.arguments]
    owns = owner(program.root)
    sampler = Sampler(owns)
    try:
        run(program, sampler)
    except (CannotRun, ConfigurationProblem) as problem:
        print(f"nprewrite profile: error: {problem}", file=sys.stderr)
        return FAILURE
    finally:
        if sampler.samples.elapsed:
            command = shlex.join(["nprewrite", "run", *words])
            made = profiled(program.name, command, sampler.samples, owns, program.configurations)
            status = _report(made, html, document)
    return status


def _report(profile: Profile, html: str | None, document: str | None) -> int:
    """Print the profile and write the files that were asked for; the exit status."""
    from nprewrite.cli.console import Console
    from nprewrite.cli.version import version
    from nprewrite.profiling.document import document as made
    from nprewrite.profiling.page import page_of
    from nprewrite.profiling.text import text_of

    console = Console()
    console.line(f"\n{text_of(profile)}")
    try:
        if document is not None:
            Path(document).write_text(json.dumps(made(profile), indent=2) + "\n", encoding="utf-8")
        if html is not None:
            Path(html).write_text(page_of(profile, version()), encoding="utf-8")
    except OSError as error:
        console.error(f"{error.filename}: error: cannot be written: {system_reason(error)}")
        return FAILURE
    return SUCCESS
