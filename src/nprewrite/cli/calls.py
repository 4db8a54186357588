"""The options that name a program and its calls, as ``verify``, ``bench`` and ``explain`` take them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nprewrite.cli.options import FILE, Command, Positive, choosing, only_one, with_options
from nprewrite.config import ConfigurationProblem, Configurations
from nprewrite.files.problems import FileProblem, Problem

if TYPE_CHECKING:
    from nprewrite.cli.console import Console
    from nprewrite.engine.outcomes import Options
    from nprewrite.verification.child import Limits
    from nprewrite.verification.messages import Source
    from nprewrite.verification.road import Task

_GIB = 1 << 30

FILE_AND_FUNCTION = click.argument("file", metavar="FILE[::FUNCTION]", type=FILE)
CALL = click.option(
    "--call", "calls", multiple=True, metavar="CALL", help="a call, as in 'f(np.ones(3), 2)' (repeatable)"
)
CASES = click.option(
    "--cases", type=FILE, metavar="FILE", help="a Python file whose cases() yields arguments"
)


def parted(file: str) -> tuple[Path, str | None]:
    """The file and the function of ``FILE[::FUNCTION]``."""
    path, separator, function = file.rpartition("::")
    return (Path(path), function) if separator else (Path(file), None)


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


def calling(what: str, *, required: bool = False, script: bool = True) -> Callable[[Command], Command]:
    """Give a command FILE[::FUNCTION], the sources of calls, the limits, and the options of rewriting.

    The command gets what they ask for as ``asked``. ``--script`` is one of the sources if ``script`` is set.
    """
    of_script = click.option(
        "--script",
        metavar="COMMAND",
        help=f"run 'python run.py args' once and {what} the calls that it makes (20 of each function)",
    )
    options = [
        FILE_AND_FUNCTION,
        CALL,
        CASES,
        *([of_script] if script else []),
        click.option(
            "--timeout",
            type=Positive(),
            default=300.0,
            metavar="SECONDS",
            help="time for each case (default: 300)",
        ),
        click.option(
            "--memory", type=Positive(), metavar="GIB", help="memory (default: half of the machine's)"
        ),
    ]

    def decorated(command: Command) -> Command:
        @wraps(command)
        def with_asked(
            *,
            file: str,
            configurations: Configurations,
            calls: tuple[str, ...],
            cases: str | None,
            timeout: float,
            memory: float | None,
            script: str | None = None,
            **others: Any,
        ) -> Any:
            only_one(call=calls, cases=cases, script=script)
            if required and not (calls or cases or script):
                raise click.UsageError("one of --call, --cases and --script is needed")
            path, function = parted(file)
            asked = Asked(path, function, configurations, calls, cases, script, timeout, memory)
            return command(asked=asked, **others)

        return with_options(choosing(with_asked), options)

    return decorated


def status_of(
    work: Callable[[], int],
    asked: Asked,
    console: Console,
    tell: Callable[[Problem], None] = lambda _: None,
) -> int:
    """The exit status of ``work``; ``tell`` gets what keeps it from its end, before standard error does."""
    from nprewrite.cli.report import problem_lines
    from nprewrite.verification.problems import CannotVerify, WorkerFault

    try:
        return work()
    except CannotVerify as error:
        problem = Problem(str(error))
    except FileProblem as error:
        problem = error.problem
    except WorkerFault as fault:
        problem = Problem(str(fault), internal=True, details=fault.details)
    tell(problem)
    console.error(problem_lines(str(asked.path), problem))
    return problem.exit_code


def options_of(asked: Asked, done: str) -> Options:
    """What holds for the file, of which something is ``done``. Raises CannotVerify."""
    from nprewrite.verification.problems import CannotVerify

    path = str(asked.path)
    if asked.path.suffix == ".ipynb":
        raise CannotVerify(f"a notebook cannot be {done}: put the function into a Python file")
    try:
        return asked.configurations.of(path).choices(path).options()
    except ConfigurationProblem as problem:
        raise CannotVerify(str(problem)) from problem


def task_of(asked: Asked, stage: str, *, reference: bool = False, plot: Path | None = None) -> Task:
    """The file rewritten, and which functions of it to run. Raises FileProblem and CannotVerify."""
    from nprewrite.files.source import decode
    from nprewrite.files.work import Settings, rewrite_file
    from nprewrite.verification.inputs import callee
    from nprewrite.verification.program import left_to_the_decorator, plan
    from nprewrite.verification.road import Task

    # Both sides are compared here, so that no function needs a decorator that does it.
    options = replace(options_of(asked, "compared"), verify=None, on_fallback="warn")
    result = rewrite_file(str(asked.path), Settings(options))
    if result.problem:
        raise FileProblem(result.problem)
    before, after = decode(result.before).text, decode(result.after).text
    named = [asked.function] if asked.function else [callee(each) for each in asked.calls]
    after, sites = left_to_the_decorator(str(asked.path), before, after, result.sites, named, options)
    found = plan(str(asked.path), before, sites, asked.function)
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
