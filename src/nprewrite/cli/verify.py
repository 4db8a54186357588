"""``nprewrite verify``: run a program before and after rewriting, and say whether the answers are the same.

With ``--format json`` standard output carries one document: the report as ``nprewrite.comparison.report``
describes it, with ``exit`` being this command's exit status, and beside that

    nprewrite   the version that wrote the document
    stage       "numpy", "eager" or "inductor": how far the rewritten program went
    notes       sentences about the whole: what was left out, what could not be compared
    problem     why it could not go on, or compared nothing; null otherwise
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nprewrite.base.version import VERSION
from nprewrite.cli.calls import Asked, calling, status_of, task_of
from nprewrite.cli.options import FILE, picture, reported
from nprewrite.cli.progress import Passing
from nprewrite.files.problems import SUCCESS

if TYPE_CHECKING:
    from nprewrite.cli.console import Console
    from nprewrite.verification.road import Outcome

# As in nprewrite.verification.stages, which is not imported for --help.
STAGES = ("numpy", "eager", "inductor")

_HELP = """\
Run a program before and after rewriting, in a process of its own, and compare the answers: types, dtypes,
shapes, values, arguments after the call, shared memory, exceptions, the state of the random generators.
FILE stays as it is.

FILE::function compares that function, FILE::Class.method that method, and FILE alone every function in
which something is rewritten, or that calls one. A function that is decorated with nprewrite.jit is compared
with the function as written. What FILE does when it is imported happens twice.
"""

_EPILOG = """\
\b
calls to compare, one of:
  --call, --cases, --script; without them arguments are made from annotations
  (float, int, bool, complex, npt.NDArray[...]) with hypothesis.

\b
  A cases file defines cases(), which yields tuples of arguments, or
  (function name, tuple of arguments) where FILE has several functions. For
  --reference it defines `references`, a dictionary from function names to
  functions that take the same arguments and return the same.

\b
exit status:
  0  the same
  2  wrong usage, something could not be run, or nothing was compared
  3  different
  4  an internal error: a fault of nprewrite

\b
examples:
  nprewrite verify waves.py --call "simulate(np.ones(1000), 50)"
  nprewrite verify waves.py::simulate --cases waves_cases.py --plot where.png
  nprewrite verify waves.py --script "python main.py --quick"
"""


@click.command("verify", help=_HELP, epilog=_EPILOG)
@calling("compare")
@click.option(
    "--reference", is_flag=True, help="set the functions in `references` of the cases file beside both"
)
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    help="how far the rewritten program goes: NumPy alone, traced by torch, or compiled "
    "(the default, where torch is installed)",
)
@reported("text", "json")
@click.option(
    "--plot", type=FILE, metavar="PNG", help="save a picture of where two arrays differ (needs matplotlib)"
)
def command(asked: Asked, reference: bool, stage: str | None, format: str, plot: str | None) -> int:
    """Compare, and return the exit status."""
    if reference and asked.cases is None:
        raise click.UsageError("--reference takes its functions from the cases file: give --cases FILE too")
    if stage in STAGES[1:] and importlib.util.find_spec("torch") is None:
        raise click.UsageError(
            f"--stage {stage} needs torch, which is not installed: pip install nprewrite[torch]"
        )
    compiles = importlib.util.find_spec("torch") is not None
    stage, png = stage or STAGES[-1 if compiles else 0], picture("--plot", plot)
    from nprewrite.cli.console import Console

    console = Console()

    def verify() -> int:
        outcome = _outcome(asked, stage, reference, png)
        _show(outcome, asked, stage, format, console)
        return outcome.exit_status

    return status_of(verify, asked, console)


def _outcome(asked: Asked, stage: str, reference: bool, plot: Path | None) -> Outcome:
    """Rewrite the file and compare. Raises FileProblem and WorkerFault."""
    from nprewrite.verification.problems import CannotVerify
    from nprewrite.verification.road import Outcome, verify_file

    try:
        task = task_of(asked, stage, reference=reference, plot=plot)
        with Passing() as passing:
            return verify_file(task, passing.show)
    except CannotVerify as problem:
        # Told in the form that was asked for.
        return Outcome(problem=str(problem))


def _show(outcome: Outcome, asked: Asked, stage: str, format: str, console: Console) -> None:
    if format == "json":
        document = {
            **outcome.report.to_json(),
            "exit": outcome.exit_status,
            "same": outcome.exit_status == SUCCESS,
            "nprewrite": VERSION,
            "stage": stage,
            "notes": outcome.notes,
            "problem": outcome.problem,
        }
        console.line(json.dumps(document, indent=2))
    elif outcome.cases:
        # A script makes many calls, most of them alike.
        shown = outcome.report.worst_of_each() if asked.script else outcome.report
        console.line(str(shown))
        for note in outcome.notes:
            console.line(f"note: {note}")
    if outcome.problem is not None:
        console.error(f"{asked.path}: error: {outcome.problem}")
