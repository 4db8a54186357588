"""``nprewrite explain``: what nprewrite sees in a file, what its passes do with it, and why not more."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nprewrite.cli.calls import Asked, calling, limits_of, options_of, source_of, status_of
from nprewrite.cli.options import FILE, reported
from nprewrite.files.problems import SUCCESS, Problem, system_reason

if TYPE_CHECKING:
    from nprewrite.explaining.explanation import Explanation

_HELP = """\
Show what nprewrite sees in a file and does with it: the types that it knows and those that it does not,
what each pass changes, and what is refused, with what would help. Nothing of the file is run, and it stays
as it is.

FILE::function explains that function, FILE::Class.method that method, and FILE alone all functions with a
place that a pass looked at.
"""

_EPILOG = """\
The document of --format json is described by "python -m pydoc nprewrite.cli.explain_document".

\b
exit status:
  0  explained
  2  wrong usage, or the file could not be read, parsed or run, or has no such
     function
  4  an internal error: a fault of nprewrite

\b
examples:
  nprewrite explain waves.py
  nprewrite explain waves.py::Waves.advance
  nprewrite explain waves.py --call "simulate(np.ones(1000), 50)" --html waves.html
"""


@click.command("explain", help=_HELP, epilog=_EPILOG)
@calling("explain", script=False)
@reported("text", "json")
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="write a page: source, rewritten text and kernels side by side",
)
def command(asked: Asked, format: str, html: str | None) -> int:
    """Explain, and return the exit status."""
    if asked.cases is not None and asked.function is None:
        raise click.UsageError("--cases has the arguments of a function: name it, as in FILE::function")
    if html is not None and importlib.util.find_spec("jinja2") is None:
        raise click.UsageError("--html needs Jinja2, which is not installed: pip install nprewrite[explain]")
    from nprewrite.cli.console import Console
    from nprewrite.cli.explain_document import problem_document

    console = Console()

    def explain() -> int:
        explanation = _explanation(asked)
        if html is not None:
            _write(Path(html), explanation)
        console.line(_shown(explanation, format))
        return SUCCESS

    def tell(problem: Problem) -> None:
        if format == "json":
            console.line(json.dumps(problem_document(problem.message, problem.exit_code), indent=2))

    return status_of(explain, asked, console, tell)


def _explanation(asked: Asked) -> Explanation:
    """Rewrite the text, run the calls, and explain it. Raises CannotVerify and FileProblem."""
    from nprewrite.explaining.calls import called, run_calls
    from nprewrite.explaining.explanation import explained, explained_by_calls
    from nprewrite.explaining.running import Task
    from nprewrite.files.work import rewriting_of

    path, options = str(asked.path), options_of(asked, "explained")
    rewriting = rewriting_of(path, options)
    if not asked.calls and asked.cases is None:
        found = explained(path, rewriting, asked.function)
        if asked.function is None or found.changes or found.deferred:
            return found
        # The decorator makes more of a function than is made in a file.
        return explained(path, rewriting_of(path, options, asked.function), asked.function)
    name = asked.function or called(asked.calls)
    # An unknown function is an error before anything runs.
    explained(path, rewriting, name)
    task = Task(asked.path, rewriting.source, name, source_of(asked), options, limits_of(asked))
    return explained_by_calls(path, run_calls(task), name)


def _write(path: Path, explanation: Explanation) -> None:
    """Write the page. Raises CannotVerify."""
    from nprewrite.explaining.page import page_of
    from nprewrite.verification.problems import CannotVerify

    try:
        path.write_text(page_of(explanation), encoding="utf-8")
    except OSError as error:
        raise CannotVerify(f"{path} cannot be written: {system_reason(error)}") from error


def _shown(explanation: Explanation, format: str) -> str:
    if format == "json":
        from nprewrite.cli.explain_document import document

        return json.dumps(document(explanation), indent=2)
    from nprewrite.explaining.text import text_of

    return text_of(explanation)
