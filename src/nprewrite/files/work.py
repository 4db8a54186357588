"""One file through the rewriter: bytes in, a `FileResult` out; nothing is written here.

Results travel between processes, so they hold plain data.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from nprewrite.base.errors import FAULTS, OF_SYNTAX, unheard
from nprewrite.files.diff import text_diff, unified_diff
from nprewrite.files.problems import FileProblem, Problem
from nprewrite.files.source import Source, decode, read_file, read_standard_input

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Given, Options, Rewriting, Site

T = TypeVar("T")

STANDARD_INPUT = "<stdin>"

# A defect in a pass shows as one of Python's own errors, and costs one file, not the run. KeyboardInterrupt
# and SystemExit are not among them and end the run.
DEFECTS = (*FAULTS, ImportError, OSError)

_PYTHON_2_SIGNS = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
)


@dataclass(frozen=True)
class Settings:
    """What is asked for, for every file."""

    options: Options
    diff: bool = False
    stages: bool = False
    given: Given = field(default_factory=dict)
    """What a run of a program has shown of the parameters of the file's functions, by qualified name."""
    around_faults: bool = False
    """Whether only the functions in which a pass fails stay as they are, not the whole file."""


@dataclass(frozen=True)
class StageDiff:
    """What one pass changed."""

    code: str
    pass_name: str
    diff: str


@dataclass(frozen=True)
class FileResult:
    """What the rewriter makes of one file: its bytes ``before`` and ``after``, or the problem."""

    path: str
    before: bytes = b""
    after: bytes = b""
    diff: bytes = b""
    sites: tuple[Site, ...] = ()
    stages: tuple[StageDiff, ...] = ()
    origins: tuple[int, ...] = ()
    """For each line of ``after`` the line of ``before`` that it stands for; empty where nothing changed."""
    problem: Problem | None = None
    faults: tuple[str, ...] = ()
    """What stays as it was because of faults of nprewrite, where rewriting goes on around them."""

    @property
    def changed(self) -> bool:
        """Whether any byte differs."""
        return self.before != self.after


def rewrite_file(path: str, settings: Settings) -> FileResult:
    """Read and rewrite the file ``path``; whatever goes wrong is in the result."""
    return _result(path, lambda: read_file(path), settings)


def rewriting_of(path: str, options: Options, only: str | None = None) -> Rewriting:
    """Read and rewrite the file ``path``, with the texts between passes. Raises FileProblem.

    ``only`` rewrites one function, as the decorator does.
    """
    source = decode(read_file(path))
    if only is None:
        return _guarded(lambda: _run_passes(path, source, Settings(options)))
    from nprewrite.engine import pipeline

    return _guarded(lambda: pipeline.rewrite_source(source.text, path, options, only=only))


def rewrite_data(path: str, data: bytes, settings: Settings) -> FileResult:
    """Rewrite the bytes of the file ``path``; whatever goes wrong is in the result."""
    return _result(path, lambda: data, settings)


def rewrite_standard_input(settings: Settings, name: str = STANDARD_INPUT) -> FileResult:
    """Read and rewrite standard input as the file ``name``; whatever goes wrong is in the result."""
    return _result(name, read_standard_input, settings)


def _result(path: str, read: Callable[[], bytes], settings: Settings) -> FileResult:
    try:
        return _rewrite(path, read(), settings)
    except FileProblem as error:
        return FileResult(path, problem=error.problem)


def _rewrite(path: str, data: bytes, settings: Settings) -> FileResult:
    if path.endswith(".ipynb"):
        return _rewrite_notebook(path, data, settings)
    source = decode(data)
    rewriting = _guarded(lambda: _run_passes(path, source, settings))
    stages: tuple[StageDiff, ...] = ()
    if settings.stages:
        stages = tuple(
            StageDiff(stage.code, stage.pass_name, text_diff(stage.before, stage.after, path))
            for stage in rewriting.stages
        )
    after = source.encode(rewriting.text) if rewriting.changed else data
    diff = unified_diff(data, after, path) if settings.diff else b""
    origins = rewriting.origins if rewriting.changed else ()
    return FileResult(path, data, after, diff, rewriting.sites, stages, origins, faults=rewriting.faults)


def _rewrite_notebook(path: str, data: bytes, settings: Settings) -> FileResult:
    from nprewrite.files.notebooks import rewrite_notebook

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(Problem("this is not a notebook: it is not UTF-8")) from error
    done = _guarded(lambda: rewrite_notebook(text, path, settings.options))
    after = done.text.encode()
    diff = unified_diff(data, after, path) if settings.diff else b""
    return FileResult(path, data, after, diff, done.sites)


def _run_passes(path: str, source: Source, settings: Settings) -> Rewriting:
    if settings.given:
        from nprewrite.engine.calls import rewrite_with_calls

        return rewrite_with_calls(source.text, path, settings.options, settings.given)
    from nprewrite.engine import pipeline

    if settings.around_faults:
        return pipeline.rewrite_around_faults(source.text, path, settings.options)
    return pipeline.rewrite_source(source.text, path, settings.options)


def _guarded(passes: Callable[[], T]) -> T:
    """What ``passes`` returns. Raises FileProblem for whatever goes wrong in it."""
    from nprewrite.engine.outcomes import InternalError
    from nprewrite.source.problems import SourceProblem

    try:
        # Parsing warns of odd literals in the user's text; with PYTHONWARNINGS=error that would end it.
        with unheard(*OF_SYNTAX):
            return passes()
    except SourceProblem as error:
        raise FileProblem(Problem(_source_message(error), error.line, error.column)) from error
    except (RecursionError, MemoryError) as error:
        message = (
            "the code is nested too deeply, or too large, to be analysed; "
            "split its longest expressions into several statements"
        )
        raise FileProblem(Problem(message)) from error
    except (InternalError, *DEFECTS) as error:
        text = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
        details = "".join(traceback.format_exception(error))
        raise FileProblem(Problem(text, internal=True, details=details)) from error


def _source_message(error: Exception) -> str:
    message = str(error)
    if any(sign in message for sign in _PYTHON_2_SIGNS):
        return f"{message} (this looks like Python 2, which has to be converted to Python 3 first)"
    return message
