"""``nprewrite run``: a program with the passes applied to it, in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import click

from nprewrite.base.environment import WAIT
from nprewrite.cli.launching import run_program
from nprewrite.cli.options import only_one
from nprewrite.cli.program import LAYOUT, Named, naming_a_program
from nprewrite.config import Configurations
from nprewrite.config.settings import ON_FALLBACK, VERIFY

_HELP = """\
Run a program as python does, with the passes applied to it and to the modules of its project (the folders
around it up to pyproject.toml, setup.py or .git, without environments), or to the packages that are named.
No file is changed: rewritten text is kept in the cache directory, and tracebacks and debuggers show the
lines of your files.

The exit status, the output and the arguments are those of the program. Options of nprewrite stand before
the program; all that follows its name is the program's.

Where something was done, or could not be, one line on standard error says so at the end.
"""

_EPILOG = """\
\b
examples:
  nprewrite run simulation.py --steps 100
  nprewrite run --package waves -m waves.main
  nprewrite run --device cuda simulation.py
"""


@click.command("run", help=_HELP, epilog=_EPILOG, **LAYOUT)
@naming_a_program
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="rewrite this package, not the project (repeatable)",
)
@click.option(
    "--verify",
    type=click.Choice(VERIFY),
    help="compare each rewritten function with the original on a first call",
)
@click.option(
    "--on-fallback",
    type=click.Choice(ON_FALLBACK),
    help="what a loop that has to run as written does (default: warn)",
)
@click.option(
    "--wait", is_flag=True, help="wait where steps are compiled; else they run as written meanwhile"
)
@click.option("--report", is_flag=True, help="print at the end what became of each function, and why")
@click.option("--quiet", is_flag=True, help="print nothing at the end")
@click.option("--device", metavar="DEVICE", help="compute there, as torch names it: cuda, cuda:1")
def command(
    named: Named,
    packages: tuple[str, ...],
    verify: str | None,
    on_fallback: str | None,
    wait: bool,
    report: bool,
    quiet: bool,
    device: str | None,
) -> Callable[[], int]:
    """Make what runs the program; what that raises passes through it."""
    only_one(report=report, quiet=quiet)
    # Read by the runtime, which is not imported yet, and by processes that the program starts.
    if device is not None:
        os.environ["NPREWRITE_DEVICE"] = device
    if wait:
        os.environ[WAIT] = "1"
    given = named.configurations
    chosen = replace(given.chosen, verify=verify, on_fallback=on_fallback)
    program = named.program(Configurations(chosen, given.file, given.isolated), packages or None)
    return lambda: run_program(program, report=report, quiet=quiet)
