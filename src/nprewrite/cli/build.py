"""``nprewrite build``: a program compiled ahead of time, into the cache."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from nprewrite.base.cachedir import directory
from nprewrite.cli.calls import CALL, CASES, FILE_AND_FUNCTION, parted
from nprewrite.cli.console import Console
from nprewrite.cli.options import choosing, only_one
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.files.problems import FAILURE, SUCCESS, system_reason

if TYPE_CHECKING:
    from nprewrite.shipping.ahead import Called

_HELP = """\
Compile a program ahead of time. The calls that are given, or one run of the program, are made here as
nprewrite run makes them, but each waits for its compiler; what is compiled goes into the cache, where later
processes find it. nprewrite cache export carries it to other machines. FILE stays as it is.

Sizes may differ from those of later calls; dtypes and numbers of axes may not.
"""

_EPILOG = """\
\b
examples:
  nprewrite build waves.py --call "simulate(np.ones(1000), 50)"
  nprewrite build waves.py::simulate --cases waves_cases.py
  nprewrite build waves.py --observe "python main.py --quick"
"""


@click.command("build", help=_HELP, epilog=_EPILOG)
@FILE_AND_FUNCTION
@CALL
@CASES
@click.option("--observe", metavar="COMMAND", help="run 'python run.py args' once, with all that it calls")
@choosing
def command(
    file: str,
    calls: tuple[str, ...],
    cases: str | None,
    observe: str | None,
    configurations: Configurations,
) -> int:
    """Make the calls, and say how their loops ran; the exit status."""
    only_one(call=calls, cases=cases, observe=observe)
    if not (calls or cases or observe):
        raise click.UsageError("one of --call, --cases and --observe is needed")
    path, function = parted(file)
    console = Console()
    if not path.is_file():
        console.error(f"{path}: error: no such file")
        return FAILURE
    from nprewrite.cli.cache import held
    from nprewrite.shipping.ahead import by_calls, by_command
    from nprewrite.verification.messages import Calls, CasesFile
    from nprewrite.verification.problems import CannotVerify

    try:
        before = held(directory())
        if observe:
            _show(console, [by_command(observe, configurations)])
        else:
            source = Calls(calls) if cases is None else CasesFile(cases)
            _show(console, by_calls(path, source, function, configurations))
        after = held(directory())
    except (CannotVerify, ConfigurationProblem) as problem:
        console.error(f"{path}: error: {problem}")
        return FAILURE
    except OSError as error:
        console.error(f"nprewrite build: error: {error.filename}: {system_reason(error)}")
        return FAILURE
    console.line(f"{directory()}: {after.files - before.files} files more")
    return SUCCESS


def _show(console: Console, made: Iterable[Called]) -> None:
    for called in made:
        ways = ", ".join(called.ways) or "no loop of it is compiled"
        console.line(f"{called.label}: {ways}")
