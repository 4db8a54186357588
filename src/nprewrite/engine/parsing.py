"""Text that is parsed, and text that compiles."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from nprewrite.base.syntax import text_tree
from nprewrite.source.document import Document
from nprewrite.source.excerpt import tree_of
from nprewrite.source.names import Stars
from nprewrite.source.problems import SourceProblem

T = TypeVar("T")


def parse(text: str, stars: Stars | None = None) -> Document:
    """The document of a text, and what its stars bind. Raises ``SourceProblem``."""
    return _made(lambda each: Document(each, stars=stars), text)


def syntax(text: str) -> ast.Module:
    """The tree of a text, for those who only read it. Raises ``SourceProblem``."""
    return _made(tree_of, text)


def _made(make: Callable[[str], T], text: str) -> T:
    try:
        return make(text)
    except SyntaxError as error:
        raise SourceProblem(error.msg, error.lineno or 1, error.offset or 1) from error
    except ValueError as error:
        raise SourceProblem(str(error)) from error


def check_compiles(text: str, filename: str) -> None:
    """Raise ``SourceProblem`` for text that parses but does not compile, as ``return`` outside a function."""
    error = compile_error(text, filename)
    if error is not None:
        line, column = getattr(error, "lineno", 1), getattr(error, "offset", 1)
        raise SourceProblem(str(getattr(error, "msg", error)), line or 1, column or 1) from error


def is_python(text: str) -> bool:
    """Whether the text is Python; where it is not, the rewriter reports it."""
    try:
        text_tree(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def compile_error(text: str, filename: str) -> SyntaxError | ValueError | None:
    """Why a text does not compile, if it does not."""
    try:
        compile(text, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return error
    return None
