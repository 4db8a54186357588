"""``nprewrite bench``: how fast a program is before and after rewriting, and when compiling pays.

``--json FILE`` writes the document that ``python -m pydoc nprewrite.benching.document`` describes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nprewrite.base.syntax import expression_tree, names_in
from nprewrite.cli.calls import Asked, calling, status_of, task_of
from nprewrite.cli.options import FILE, only_one, picture
from nprewrite.cli.progress import Passing
from nprewrite.files.problems import FAILURE, system_reason

if TYPE_CHECKING:
    from nprewrite.benching.road import Outcome
    from nprewrite.cli.console import Console

_SIZE_NAMES = {"n", "N"}

_HELP = """\
Measure a program before and after rewriting: first calls, each in a process of its own, with empty caches
and with full ones; then both in turns in one process. FILE stays as it is, and so do the caches of this
machine. Whether the answers are the same, nprewrite verify says.

FILE::function measures that function, FILE::Class.method that method. A function that is decorated with
nprewrite.jit is compared with the function as written. What FILE does when it is imported happens several
times.
"""

_EPILOG = """\
\b
figures:
  The first call is the first one of a process, without the import of torch.
  Steady is what a call takes in the end: median and quartiles of rounds in
  which every side runs once. Break-even is the number of calls after which
  what compiling took is earned back. Memory is by how much one steady call
  raises what the process holds (Linux). Arguments are copied for every call.

\b
sizes:
  --sizes 100,200,400 measures every --call at each size. In its text n, or N,
  stands for the size:
    nprewrite bench waves.py --call "step(np.ones((n, n)), 50)" --sizes 100,200

\b
peers:
  torch.compile, Numba and JAX are given the function as written (JAX with
  jax.numpy for NumPy). What one cannot take is shown with its reason.

\b
exit status:
  0  measured, whatever the figures are
  2  wrong usage, or something could not be run
  4  an internal error: a fault of nprewrite

\b
examples:
  nprewrite bench waves.py::simulate --call "simulate(np.ones(1000), 50)"
  nprewrite bench waves.py --script "python main.py --quick" --peers
  nprewrite bench waves.py --call "step(np.ones(n))" --sizes 100,1000,10000 --png sizes.png
"""


class _Rising(click.ParamType[tuple[int, ...]]):
    """Positive integers, which are put in order."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The numbers from the smallest to the largest; fails for anything else."""
        words = value.split(",")
        numbers = sorted({int(word) for word in words if word.strip().isdecimal()})
        if not all(word.strip().isdecimal() for word in words) or numbers[0] < 1:
            self.fail(
                f"expected positive integers with commas between, as in 100,200, not {value!r}", param, ctx
            )
        return tuple(numbers)


@click.command("bench", help=_HELP, epilog=_EPILOG)
@calling("measure", required=True)
@click.option("--sizes", type=_Rising(), metavar="N,N,...", help="measure at each of these n")
@click.option("--threads", type=_Rising(), metavar="K,K,...", help="measure with each of these")
@click.option("--peers", is_flag=True, help="measure torch.compile, Numba and JAX as well, where installed")
@click.option(
    "--png",
    type=FILE,
    metavar="FILE",
    help="draw time over size, over threads, or over the number of calls (needs matplotlib)",
)
@click.option("--json", type=FILE, metavar="FILE", help="write every figure to FILE")
def command(
    asked: Asked,
    sizes: tuple[int, ...] | None,
    threads: tuple[int, ...] | None,
    peers: bool,
    png: str | None,
    json: str | None,
) -> int:
    """Measure, and return the exit status."""
    only_one(sizes=sizes, threads=threads)
    if sizes is not None:
        _check_sized(asked.calls)
    drawn = picture("--png", png)
    from nprewrite.cli.console import Console

    console = Console()

    def measure() -> int:
        outcome = _outcome(asked, sizes or (None,), threads or (None,), peers)
        _show(outcome, asked.path, console)
        return _save(outcome, str(asked.path), json, drawn, console)

    return status_of(measure, asked, console)


def _check_sized(calls: tuple[str, ...]) -> None:
    """Raise UsageError where the size is missing in a call."""
    if not calls:
        raise click.UsageError("--sizes goes with --call, in whose text n stands for the size")
    for call in calls:
        if not _SIZE_NAMES & _names_in(call):
            raise click.UsageError(f'--sizes: n stands for the size, and --call "{call}" has neither n nor N')


def _outcome(
    asked: Asked, sizes: tuple[int | None, ...], threads: tuple[int | None, ...], peers: bool
) -> Outcome:
    """Rewrite the file and measure. Raises FileProblem, CannotVerify and WorkerFault."""
    from nprewrite.benching.peers import PEERS
    from nprewrite.benching.road import Order, bench_file

    order = Order(task_of(asked, "inductor"), sizes, threads, PEERS if peers else ())
    with Passing() as passing:

        def say(text: str) -> None:
            """The rounds of a measurement pass by; what is measured stays."""
            if text.startswith("round "):
                passing.show(text)
            else:
                passing.clear()
                print(text, file=sys.stderr, flush=True)

        return bench_file(order, say)


def _show(outcome: Outcome, path: Path, console: Console) -> None:
    from nprewrite.benching.machine import machine
    from nprewrite.benching.table import summary, table

    if outcome.measurements:
        console.line(", ".join(f"{name} {value}" for name, value in machine().items()))
    for measured in outcome.measurements:
        console.line(f"\n{table(measured)}")
    if len(outcome.measurements) > 1:
        console.line(f"\n{summary(outcome.measurements)}")
    for note in outcome.notes:
        console.line(f"note: {note}")
    if outcome.problem is not None:
        console.error(f"{path}: error: {outcome.problem}")


def _save(outcome: Outcome, file: str, told: str | None, png: Path | None, console: Console) -> int:
    """Write the document and the picture; the exit status."""
    from nprewrite.benching.document import document

    try:
        if told is not None:
            Path(told).write_text(json.dumps(document(outcome, file), indent=2) + "\n", encoding="utf-8")
        if png is not None:
            _draw(outcome, png, file)
    except OSError as error:
        console.error(f"{error.filename}: error: cannot be written: {system_reason(error)}")
        return FAILURE
    return outcome.exit_status


def _draw(outcome: Outcome, path: Path, file: str) -> None:
    """Draw what was measured, if anything was. Raises OSError."""
    from nprewrite.benching.machine import machine
    from nprewrite.benching.plot import draw

    if any(not each.problem for each in outcome.measurements):
        found = machine()
        draw(outcome.measurements, path, f"{file} ({found['cpu']}, {found['cores']} cores)")


def _names_in(call: str) -> set[str]:
    """The names that a call reads; a call that is not Python is reported where it is evaluated."""
    try:
        return names_in(expression_tree(call.strip()))
    except (SyntaxError, ValueError):
        return _SIZE_NAMES
