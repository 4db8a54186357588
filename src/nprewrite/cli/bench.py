"""``nprewrite bench``: how fast a program is before and after rewriting, and when compiling pays.

``--json FILE`` writes the document that ``python -m pydoc nprewrite.benching.document`` describes.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nprewrite.cli.calls import Asked, add_calls, task_of
from nprewrite.files.problems import FAILURE, INTERNAL, FileProblem, Problem, system_reason

if TYPE_CHECKING:
    from nprewrite.benching.road import Outcome
    from nprewrite.cli.console import Console

_SIZE_NAMES = {"n", "N"}

_DESCRIPTION = """\
Measure a program before and after rewriting: first calls, each in a process of
its own, with empty caches and with full ones; then both in turns in one
process. FILE stays as it is, and so do the caches of this machine. Whether the
answers are the same, nprewrite verify says.

FILE::function measures that function, FILE::Class.method that method. A
function that is decorated with nprewrite.jit is compared with the function as
written. What FILE does when it is imported happens several times."""

_EPILOG = """\
figures:
  The first call is the first one of a process, without the import of torch.
  Steady is what a call takes in the end: median and quartiles of rounds in
  which every side runs once. Break-even is the number of calls after which
  what compiling took is earned back. Memory is by how much one steady call
  raises what the process holds (Linux). Arguments are copied for every call.

sizes:
  --sizes 100,200,400 measures every --call at each size. In its text n, or N,
  stands for the size:
    nprewrite bench waves.py --call "step(np.ones((n, n)), 50)" --sizes 100,200

peers:
  torch.compile, Numba and JAX are given the function as written (JAX with
  jax.numpy for NumPy). What one cannot take is shown with its reason.

exit status:
  0  measured, whatever the figures are
  2  wrong usage, or something could not be run
  4  an internal error: a fault of nprewrite

examples:
  nprewrite bench waves.py::simulate --call "simulate(np.ones(1000), 50)"
  nprewrite bench waves.py --script "python main.py --quick" --peers
  nprewrite bench waves.py --call "step(np.ones(n))" --sizes 100,1000,10000 --png sizes.png
"""


@dataclass(frozen=True)
class Wish:
    """A checked command line."""

    asked: Asked
    sizes: tuple[int | None, ...]
    threads: tuple[int | None, ...]
    peers: bool
    png: Path | None
    json: Path | None


def run(arguments: Sequence[str]) -> int:
    """Do what the command line asks and return the exit status. Raises SystemExit on help and wrong usage."""
    wish = _parse(arguments)
    from nprewrite.cli.console import Console
    from nprewrite.cli.report import problem_lines
    from nprewrite.verification.problems import CannotVerify, WorkerFault

    console = Console()
    path = str(wish.asked.path)
    try:
        outcome = _outcome(wish)
    except CannotVerify as problem:
        console.error(f"{path}: error: {problem}")
        return FAILURE
    except FileProblem as unreadable:
        console.error(problem_lines(path, unreadable.problem))
        return unreadable.problem.exit_code
    except WorkerFault as fault:
        console.error(problem_lines(path, Problem(str(fault), internal=True, details=fault.details)))
        return INTERNAL
    return _show(outcome, wish, console)


def _outcome(wish: Wish) -> Outcome:
    """Rewrite the file and measure. Raises FileProblem, CannotVerify and WorkerFault."""
    from nprewrite.benching.peers import PEERS
    from nprewrite.benching.road import Order, bench_file

    order = Order(task_of(wish.asked, "inductor"), wish.sizes, wish.threads, PEERS if wish.peers else ())
    return bench_file(order, _say)


def _say(text: str) -> None:
    """Report progress; the rounds of a measurement only on a terminal."""
    if not text.startswith("round "):
        print(text, file=sys.stderr, flush=True)
    elif sys.stderr.isatty():
        print(f"\r  {text} ", end="\r", file=sys.stderr, flush=True)


def _show(outcome: Outcome, wish: Wish, console: Console) -> int:
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
        console.error(f"{wish.asked.path}: error: {outcome.problem}")
    return _save(outcome, wish, console)


def _save(outcome: Outcome, wish: Wish, console: Console) -> int:
    """Write the document and the picture; the exit status."""
    from nprewrite.benching.document import document

    status = outcome.exit_status
    try:
        if wish.json is not None:
            told = json.dumps(document(outcome, str(wish.asked.path)), indent=2)
            wish.json.write_text(told + "\n", encoding="utf-8")
        if wish.png is not None:
            _draw(outcome, wish.png, str(wish.asked.path))
    except OSError as error:
        console.error(f"{error.filename}: error: cannot be written: {system_reason(error)}")
        return FAILURE
    return status


def _draw(outcome: Outcome, path: Path, file: str) -> None:
    """Draw what was measured, if anything was. Raises OSError."""
    from nprewrite.benching.machine import machine
    from nprewrite.benching.plot import draw

    if any(not each.problem for each in outcome.measurements):
        found = machine()
        draw(outcome.measurements, path, f"{file} ({found['cpu']}, {found['cores']} cores)")


def make_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog="nprewrite bench",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_calls(parser, "measure", required=True)
    add = parser.add_argument
    ranges = parser.add_mutually_exclusive_group()
    ranges.add_argument(
        "--sizes", type=_rising, default=(None,), metavar="N,N,...", help="measure at each of these n"
    )
    ranges.add_argument(
        "--threads",
        type=_rising,
        default=(None,),
        metavar="K,K,...",
        help="measure with each of these",
    )
    add("--peers", action="store_true", help="measure torch.compile, Numba and JAX as well, where installed")
    add(
        "--png",
        type=Path,
        metavar="FILE",
        help="draw time over size, over threads, or over the number of calls (needs matplotlib)",
    )
    add("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    return parser


def _rising(text: str) -> tuple[int, ...]:
    """Positive integers from the smallest to the largest. Raises ArgumentTypeError."""
    words = text.split(",")
    numbers = sorted({int(word) for word in words if word.strip().isdecimal()})
    if not all(word.strip().isdecimal() for word in words) or numbers[0] < 1:
        raise argparse.ArgumentTypeError(
            f"expected positive integers with commas between, as in 100,200, not {text!r}"
        )
    return tuple(numbers)


def _parse(arguments: Sequence[str]) -> Wish:
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.sizes != (None,) and not options.call:
        parser.error("--sizes goes with --call, in whose text n stands for the size")
    for call in options.call if options.sizes != (None,) else ():
        if not _SIZE_NAMES & _names_in(call):
            parser.error(f'--sizes: n stands for the size, and --call "{call}" has neither n nor N')
    if options.png is not None and options.png.suffix.lower() != ".png":
        parser.error(f"--png writes a PNG file: {options.png} does not end in .png")
    if options.png is not None and importlib.util.find_spec("matplotlib") is None:
        parser.error("--png needs matplotlib, which is not installed: pip install nprewrite[plot]")
    return Wish(
        Asked.of(parser, options), options.sizes, options.threads, options.peers, options.png, options.json
    )


def _names_in(call: str) -> set[str]:
    """The names that a call reads; a call that is not Python is reported where it is evaluated."""
    try:
        tree = ast.parse(call.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return _SIZE_NAMES
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
