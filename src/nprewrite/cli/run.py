"""``nprewrite run``: a program with the passes applied to it, in memory."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from nprewrite.cli.arguments import add_choices, chosen
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.config.settings import ON_FALLBACK, VERIFY
from nprewrite.files.problems import FAILURE, SUCCESS

_USAGE = """nprewrite run [options] SCRIPT [ARGUMENT ...]
       nprewrite run [options] -m MODULE [ARGUMENT ...]"""

_DESCRIPTION = """\
Run a program as python does, with the passes applied to it and to the modules
of its project (the folders around it up to pyproject.toml, setup.py or .git,
without environments), or to the packages that are named. No file is changed:
rewritten text is kept in the cache directory, and tracebacks and debuggers
show the lines of your files.

The exit status, the output and the arguments are those of the program.
Options of nprewrite stand before SCRIPT or -m; all that follows is the
program's."""

_EPILOG = """\
examples:
  nprewrite run simulation.py --steps 100
  nprewrite run --package waves -m waves.main
  nprewrite run --device cuda simulation.py
"""


# Options of ours that take the next word as their value.
_VALUED = frozenset(
    [
        *("--level", "--precision", "--accumulate", "--keep-float64", "--select", "--ignore", "--config"),
        *("--package", "--verify", "--on-fallback", "--device"),
    ]
)


def run(arguments: Sequence[str]) -> int:
    """Run the program; what it raises passes through. Raises SystemExit after help and wrong usage."""
    own, program = _split(list(arguments))
    parser = make_parser()
    options = parser.parse_args(own)
    module = program[:1] == ["-m"]
    words = program[1:] if module else program
    if not words:
        parser.error("name a module behind -m" if module else "name a script, or a module with -m")
    from nprewrite.loading.program import CannotRun, Program
    from nprewrite.loading.program import run as run_program

    # Read by the runtime, which is not imported yet, and by processes that the program starts.
    if options.device is not None:
        os.environ["NPREWRITE_DEVICE"] = options.device
    if options.wait:
        os.environ["NPREWRITE_WAIT"] = "1"
    wish = replace(chosen(parser, options), verify=options.verify, on_fallback=options.on_fallback)
    packages = tuple(options.package) if options.package else None
    configurations = Configurations(wish, options.config, options.isolated)
    try:
        run_program(Program(words[0], module, tuple(words[1:]), packages, configurations))
    except (CannotRun, ConfigurationProblem) as problem:
        print(f"nprewrite run: error: {problem}", file=sys.stderr)
        return FAILURE
    return SUCCESS


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Our options, and the program with its own, which begins at the first non-option or at -m."""
    position = 0
    while position < len(words) and words[position].startswith("-") and words[position] != "-m":
        if words[position] == "--":
            return words[:position], words[position + 1 :]
        position += 2 if words[position] in _VALUED else 1
    return words[:position], words[position:]


def make_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog="nprewrite run",
        usage=_USAGE,
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "--package",
        action="append",
        metavar="NAME",
        help="rewrite this package, not the project (repeatable)",
    )
    add_choices(parser)
    add("--verify", choices=VERIFY, help="compare each rewritten function with the original on a first call")
    add(
        "--on-fallback",
        choices=ON_FALLBACK,
        help="what a loop that has to run as written does (default: warn)",
    )
    add(
        "--wait",
        action="store_true",
        help="wait where steps are compiled; else they run as written meanwhile",
    )
    add("--device", metavar="DEVICE", help="compute there, as torch names it: cuda, cuda:1")
    return parser
