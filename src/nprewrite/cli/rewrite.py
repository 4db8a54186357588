"""``nprewrite rewrite``: its options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from nprewrite.cli.options import FILE, Positive, choosing, reported
from nprewrite.cli.request import Request
from nprewrite.config.settings import Globs
from nprewrite.files.problems import UsageProblem

_TIMEOUT = 300.0
FORMATS = ("text", "json", "github", "sarif")

_HELP = """\
Rewrite files in place, each completely or not at all; of a notebook (*.ipynb) the code cells. Directories
are searched for *.py and *.ipynb; what .gitignore names, virtual environments, caches and build output are
left out, and symbolic links inside are not followed. A lone '-' reads standard input and writes standard
output.

[tool.nprewrite] in the nearest pyproject.toml above a file sets level, select, ignore, per-file-ignores,
exclude, packages, verify, on-fallback, precision, accumulate, keep-output-dtype and keep-float64; options
go before it. "# nprewrite: off" to "# nprewrite: on" leaves lines alone, and "# nprewrite: ignore[NPR101]"
behind code that line.
"""

_EPILOG = """\
\b
report:
  For every site one line, then a summary:
    FILE:LINE:COL CODE rewritten|refused[reason]|deferred: why (what would help)
  NPR001 tells of a comment that suppresses nothing, NPR003 of a function that
  another compiler takes (Numba's njit, jax.jit). The report goes to standard
  output, or to standard error when standard output carries the text or the
  diff ('-', '-o -', --diff). Errors in text form always go to standard error.
  The JSON document is described by
  "python -m pydoc nprewrite.cli.json_report".

\b
exit status, the highest that applies:
  0  done, or nothing to do
  1  --check: something would change
  2  wrong usage, or a file could not be read, parsed or written (the others are
     still done)
  4  an internal error: a fault of nprewrite; the file is untouched

\b
examples:
  nprewrite --diff simulation.py    see what would be done
  nprewrite waves.py --observe "python main.py --quick"
                                    run a program for the types it passes
  nprewrite simulation.py           do it
  nprewrite --check src tests       fail if something is left to do
"""


@click.command("rewrite", help=_HELP, epilog=_EPILOG)
@click.argument("paths", nargs=-1, metavar="PATH...", type=FILE)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="write the one rewritten file to FILE ('-': standard output)",
)
@click.option("--diff", is_flag=True, help="print a unified diff (for git apply, patch -p1), write nothing")
@click.option("--check", is_flag=True, help="write nothing, exit 1 if something would change")
@click.option("--exit-zero", is_flag=True, help="with --check: exit 0 though something would change")
@choosing
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="leave out these files too, as a line of a .gitignore here would (repeatable)",
)
@click.option(
    "--stdin-filename", type=FILE, metavar="FILE", help="with '-': the file whose text standard input has"
)
@click.option(
    "--observe",
    metavar="COMMAND",
    help="run 'python run.py args', and rewrite with the types that it passes to the functions; those that "
    "only the decorator makes faster, as further runs show, get it",
)
@click.option(
    "--timeout",
    type=Positive(),
    metavar="SECONDS",
    help=f"time for each run of --observe (default: {_TIMEOUT:g})",
)
@click.option("--show-settings", is_flag=True, help="print what holds for each PATH, and do nothing")
@reported(*FORMATS)
@click.option("--statistics", is_flag=True, help="count sites by code and verdict in place of listing them")
@click.option("-q", "--quiet", is_flag=True, help="report nothing but errors")
@click.option("--print-between-passes", is_flag=True, help="report what each pass changed, as a diff")
@click.option("--stop-after", metavar="PASS", help="run the passes up to this one (its name or code)")
def command(timeout: float | None, stop_after: str | None, exclude: tuple[str, ...], **given: Any) -> int:
    """Check what is asked for, and do it."""
    asked = Request(**given, exclude=Globs(), stop_after=None, timeout=timeout or _TIMEOUT)
    message = _contradiction(asked, timeout)
    if message:
        raise click.UsageError(message)
    from nprewrite.cli.rewriting import run

    return run(replace(asked, exclude=_globs(exclude), stop_after=_pass_code(stop_after)))


def _globs(words: tuple[str, ...]) -> Globs:
    from nprewrite.config.patterns import parse_patterns

    for word in words:
        if not parse_patterns([word]):
            raise click.UsageError(f"--exclude: {word!r} is not a pattern that could match a path")
    return Globs(words, parse_patterns(words))


def _contradiction(asked: Request, timeout: float | None) -> str | None:
    """Why the options contradict each other; None when they do not."""
    if not asked.paths:
        return "name a file or a directory to rewrite, or '-' for standard input"
    if asked.statistics and asked.format not in ("text", "json"):
        return "--statistics counts sites in text or JSON, an annotation or a SARIF result stands for one"
    if timeout is not None and asked.observe is None:
        return "--timeout is the time for the command of --observe: give --observe too"
    if asked.observe is not None and "-" in asked.paths:
        return "--observe watches the functions of files, and standard input is none"
    if "-" in asked.paths and len(asked.paths) > 1:
        return "'-' stands for standard input and cannot be combined with other paths"
    if asked.stdin_filename is not None and "-" not in asked.paths:
        return "--stdin-filename names what standard input has: give '-' too"
    if asked.quiet and asked.format != "text":
        return "--quiet leaves the errors of the text report, and a document is as it is described"
    if asked.exit_zero and not asked.check:
        return "--exit-zero is for --check: give that too"
    if asked.output is None:
        return None
    if asked.diff or asked.check:
        return "-o writes a file, --diff and --check write none: choose one"
    if len(asked.paths) > 1:
        return "-o takes the result of one file, and several are given"
    return None


def _pass_code(word: str | None) -> str | None:
    if word is None:
        return None
    from nprewrite.cli.catalogue import find_pass

    try:
        return find_pass(word).code
    except UsageProblem as error:
        raise click.UsageError(f"--stop-after: {error}") from error
