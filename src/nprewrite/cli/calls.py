"""The options that name a program and its calls, as ``verify``, ``bench`` and ``explain`` take them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nprewrite.cli.arguments import add_choices, chosen, positive
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.files.problems import FileProblem

if TYPE_CHECKING:
    from nprewrite.verification.child import Limits
    from nprewrite.verification.messages import Source
    from nprewrite.verification.road import Task

_GIB = 1 << 30


@dataclass(frozen=True)
class Asked:
    """A program or one of its functions, how to rewrite it, and its calls; limits are for each process."""

    path: Path
    function: str | None
    configurations: Configurations
    calls: tuple[str, ...]
    cases: str | None
    script: str | None
    seconds: float
    gib: float | None

    @classmethod
    def of(cls, parser: argparse.ArgumentParser, options: argparse.Namespace) -> Asked:
        """What the options of `add_calls` ask for. Raises SystemExit for wrong usage."""
        path, separator, function = options.file.rpartition("::")
        return cls(
            Path(path if separator else options.file),
            function if separator else None,
            Configurations(chosen(parser, options), options.config, options.isolated),
            tuple(options.call),
            options.cases,
            options.script,
            options.timeout,
            options.memory,
        )


def add_calls(
    parser: argparse.ArgumentParser, what: str, *, required: bool = False, script: bool = True
) -> None:
    """Add FILE[::FUNCTION], the sources of calls, the limits, and the options of rewriting.

    ``--script`` is one of the sources if ``script`` is set.
    """
    parser.add_argument(
        "file", metavar="FILE[::FUNCTION]", help=f"the file as written, and what of it to {what}"
    )
    source = parser.add_mutually_exclusive_group(required=required)
    source.add_argument(
        "--call",
        action="append",
        default=[],
        metavar="CALL",
        help="a call, as in 'f(np.ones(3), 2)' (repeatable)",
    )
    source.add_argument("--cases", metavar="FILE", help="a Python file whose cases() yields arguments")
    parser.set_defaults(script=None)
    if script:
        source.add_argument(
            "--script",
            metavar="COMMAND",
            help=f"run 'python run.py args' once and {what} the calls that it makes (20 of each function)",
        )
    add = parser.add_argument
    add(
        "--timeout",
        type=positive,
        default=300.0,
        metavar="SECONDS",
        help="time for each case (default: 300)",
    )
    add("--memory", type=positive, metavar="GIB", help="memory (default: half of the machine's)")
    add_choices(parser)


def task_of(asked: Asked, stage: str, *, reference: bool = False, plot: Path | None = None) -> Task:
    """The file rewritten, and which functions of it to run. Raises FileProblem and CannotVerify."""
    from nprewrite.files.source import decode
    from nprewrite.files.work import Settings, rewrite_file
    from nprewrite.verification.problems import CannotVerify
    from nprewrite.verification.program import plan
    from nprewrite.verification.road import Task

    if asked.path.suffix == ".ipynb":
        raise CannotVerify("a notebook cannot be compared: put the function into a Python file")
    try:
        options = asked.configurations.of(str(asked.path)).choices(str(asked.path)).options()
    except ConfigurationProblem as problem:
        raise CannotVerify(str(problem)) from problem
    # Both sides are compared here, so that no function needs a decorator that does it.
    result = rewrite_file(str(asked.path), Settings(replace(options, verify=None, on_fallback="warn")))
    if result.problem:
        raise FileProblem(result.problem)
    before, after = decode(result.before).text, decode(result.after).text
    found = plan(str(asked.path), before, result.sites, asked.function)
    return Task(
        asked.path,
        before,
        after,
        found,
        source_of(asked),
        stage,
        limits_of(asked),
        script=asked.script,
        reference=reference,
        plot=plot,
    )


def source_of(asked: Asked) -> Source:
    """Where the arguments come from."""
    from nprewrite.verification.messages import Calls, CasesFile, Generated

    if asked.calls:
        return Calls(asked.calls)
    return CasesFile(asked.cases) if asked.cases else Generated()


def limits_of(asked: Asked) -> Limits:
    """The limits of each process."""
    from nprewrite.verification.child import Limits, half_of_the_memory

    return Limits(asked.seconds, int(asked.gib * _GIB) if asked.gib else half_of_the_memory())
