"""``nprewrite rewrite``: find the files, rewrite them, deliver the results, report."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from nprewrite.cli.console import Console
from nprewrite.cli.discovery import Discovery, discover
from nprewrite.cli.pool import rewrite_files
from nprewrite.cli.progress import Passing, Progress
from nprewrite.cli.report import ErrorReport, GitHubReport, Report, StatisticsReport, Status, TextReport
from nprewrite.cli.request import Request
from nprewrite.cli.settings import shown
from nprewrite.config import Configuration, ConfigurationProblem, Configurations
from nprewrite.files.atomic import write_file
from nprewrite.files.folders import same_file
from nprewrite.files.problems import FAILURE, SUCCESS, WOULD_CHANGE, FileProblem, printable
from nprewrite.files.work import STANDARD_INPUT, FileResult, Settings, rewrite_standard_input
from nprewrite.verification.problems import CannotVerify

if TYPE_CHECKING:
    from nprewrite.watching.seen import Seen


def run(request: Request) -> int:
    """Do what ``request`` asks and return the exit status."""
    console = Console(payload_only=request.diff or request.writes_text_to_standard_output)
    configurations = request.configurations
    try:
        if request.show_settings:
            console.line("\n".join(shown(path, configurations.of(path)) for path in request.paths))
            return SUCCESS
        single = request.reads_standard_input or request.output is not None
        found = Discovery(request.paths, ()) if single else discover(request.paths)
        jobs = list(_jobs(request, found.files, configurations, console))
        seen = _observed(request, jobs)
    except (ConfigurationProblem, CannotVerify) as problem:
        console.error(f"nprewrite: error: {problem}")
        return FAILURE
    console.progress = Progress(len(jobs))
    report = _report(request, console)
    report.observed(seen)
    jobs = _with_types(jobs, seen)
    exit_code = SUCCESS
    for failure in found.failures:
        exit_code = max(exit_code, _account(failure, Status.FAILED, report, request))
    with console.progress, closing(_results(request, jobs)) as results:
        for done, result in enumerate(results, start=1):
            delivered, status = _deliver(result, request, console)
            exit_code = max(exit_code, _account(delivered, status, report, request))
            console.show_progress(done)
    if not found.files and not found.failures and not request.quiet:
        console.error("nprewrite: warning: the given directories hold no Python files to rewrite")
    report.finish(exit_code)
    return exit_code


def _jobs(
    request: Request, files: Sequence[str], configurations: Configurations, console: Console
) -> Iterator[tuple[str, Settings]]:
    """Each file with its settings; a file that was named but is excluded is reported.

    Raises ConfigurationProblem.
    """
    from nprewrite.engine.outcomes import Decorated

    for path in files:
        standard_input = path == "-" and request.reads_standard_input
        name = request.stdin_filename if standard_input else path
        configuration = configurations.of(os.curdir if name is None else name)
        options = configuration.choices(name).options(request.stop_after)
        options = replace(options, decorated=Decorated.LOOPS)
        if name is not None and (excluder := _excluder(name, request, configuration)):
            if path in request.paths and not request.quiet:
                console.error(f"{printable(name)}: left out, as {excluder} excludes it")
            if not standard_input:
                continue
            # Whoever writes to standard input waits for its text.
            options = replace(options, select=frozenset())
        yield path, Settings(options, diff=request.diff, stages=request.print_between_passes)


def _excluder(path: str, request: Request, configuration: Configuration) -> str | None:
    """What leaves the file out: an option, or the configuration file."""
    relative = os.path.relpath(path).replace(os.sep, "/")
    if request.exclude.match(relative):
        return "--exclude"
    return configuration.file if configuration.excludes(path) else None


def _observed(request: Request, jobs: Sequence[tuple[str, Settings]]) -> tuple[Seen, ...]:
    """The calls that the command of ``--observe`` makes, if there is one, and for which the decorator pays.

    Raises CannotVerify.
    """
    if request.observe is None or not jobs:
        return ()
    from nprewrite.watching.command import observe
    from nprewrite.watching.measuring import WORTH_S, measured

    with Passing() as passing:
        passing.show(f"running {request.observe}")
        seen, took = observe(request.observe, [path for path, _ in jobs], request.timeout)
        if took < WORTH_S:
            return seen
        return measured(request.observe, seen, dict(jobs), request.timeout, passing.show)


def _with_types(jobs: Sequence[tuple[str, Settings]], seen: Sequence[Seen]) -> list[tuple[str, Settings]]:
    """The jobs with what the calls have shown of their files' functions."""
    if not seen:
        return list(jobs)
    from nprewrite.watching.measuring import chosen
    from nprewrite.watching.seen import given_of

    given = given_of(seen)
    found = []
    for path, settings in jobs:
        options = chosen(settings.options, [each for each in seen if each.path == path])
        found.append((path, replace(settings, given=given.get(path, {}), options=options)))
    return found


def _results(request: Request, jobs: Sequence[tuple[str, Settings]]) -> Generator[FileResult, None, None]:
    if request.reads_standard_input:
        for _, settings in jobs:
            yield rewrite_standard_input(settings, request.stdin_filename or STANDARD_INPUT)
    else:
        yield from rewrite_files(jobs)


def _report(request: Request, console: Console) -> Report:
    if request.format == "json":
        from nprewrite.cli.json_report import JsonReport

        return JsonReport(console, statistics=request.statistics)
    if request.format == "sarif":
        from nprewrite.cli.sarif_report import SarifReport

        return SarifReport(console)
    if request.format == "github":
        return GitHubReport(console, check=request.check)
    if request.quiet:
        return ErrorReport(console)
    return StatisticsReport(console) if request.statistics else TextReport(console)


def _deliver(result: FileResult, request: Request, console: Console) -> tuple[FileResult, Status]:
    """Print or write what the rewriter made of one file."""
    if result.problem:
        return result, Status.FAILED
    if request.diff:
        console.payload(result.diff)
    if request.diff or request.check:
        return result, Status.WOULD_CHANGE if result.changed else Status.UNCHANGED
    if request.writes_text_to_standard_output:
        console.payload(result.after)
    else:
        try:
            _write(result, request)
        except FileProblem as error:
            return FileResult(request.output or result.path, problem=error.problem), Status.FAILED
    return result, Status.CHANGED if result.changed else Status.UNCHANGED


def _write(result: FileResult, request: Request) -> None:
    """Write the result. Raises FileProblem."""
    if request.output is not None and not same_file(result.path, request.output):
        write_file(request.output, result.after, mode=_mode(result.path))
    elif result.changed:
        write_file(result.path, result.after, expected=result.before)


def _mode(path: str) -> int:
    """The mode for a new file made from ``path``: a script stays executable."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return 0o666


def _account(result: FileResult, status: Status, report: Report, request: Request) -> int:
    """Report one file; returns its contribution to the exit status."""
    report.add(result, status)
    if result.problem:
        return result.problem.exit_code
    return WOULD_CHANGE if request.check and result.changed and not request.exit_zero else SUCCESS
