"""The tree of a function that stands in rewritten text, wherever that text is."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.runtime.api.refusal import Unusable

_texts: dict[str, str] = {}


def remember(filename: str, text: str) -> None:
    """Note the text of code that carries the positions of another text: its functions are found here."""
    _texts[filename] = text


def tree_of(function: Callable[..., Any], code: CodeType | None = None) -> ast.FunctionDef:
    """The definition of a function; raises ``Unusable`` where its source cannot be had.

    ``code`` is the function's where that has got other positions since.
    """
    code = code or getattr(function, "__code__", None)
    text = _texts.get(code.co_filename) if code is not None else None
    try:
        with unheard(*OF_SYNTAX):
            body = ast.parse(
                text if text is not None else textwrap.dedent(inspect.getsource(code or function))
            ).body
    except (OSError, TypeError, SyntaxError, ValueError) as error:
        raise Unusable("its source is not available", f"its source is not available ({error})") from error
    found = [each for each in body if isinstance(each, ast.FunctionDef) and each.name == function.__name__]
    if not found:
        raise Unusable("its source is not available", "its source is not available where it says it stands")
    return found[0]
