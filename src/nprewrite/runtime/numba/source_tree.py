"""The syntax tree of a function in rewritten text, wherever that text is kept."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import text_tree
from nprewrite.runtime.api.refusal import Unusable

_texts: dict[str, str] = {}


def remember(filename: str, text: str) -> None:
    """Keep the text of code whose positions are those of another text: its functions are looked up here."""
    _texts[filename] = text


def tree_of(function: Callable[..., Any], code: CodeType | None = None) -> ast.FunctionDef:
    """The definition of a function; raises ``Unusable`` where its source is not available.

    ``code`` is the function's original code, if it has been given other positions since.
    """
    code = code or getattr(function, "__code__", None)
    if code is None:
        raise Unusable("its source is not available", "its source is not available: it is no function")
    text = _texts.get(code.co_filename)
    try:
        with unheard(*OF_SYNTAX):
            body = text_tree(_text_of(function, code) if text is None else text).body
    except (SyntaxError, ValueError) as error:
        raise Unusable("its source is not available", f"its source is not available ({error})") from error
    found = [each for each in body if isinstance(each, ast.FunctionDef) and each.name == function.__name__]
    if not found:
        raise Unusable("its source is not available", "its source is not available where it says it stands")
    return found[0]


def with_imports_apart(tree: ast.FunctionDef) -> tuple[ast.FunctionDef, dict[str, Any]]:
    """A function without the imports at its start, and what the names stand for that they bind.

    The program has imported the modules by then.
    """
    imports = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    made = copy.copy(tree)
    made.body = [each for each in tree.body if each not in imports]
    found: dict[str, Any] = {}
    for each in imports:
        exec(compile(ast.Module([each], []), "<imports>", "exec"), found)
    found.pop("__builtins__", None)
    return made, found


def _text_of(function: Callable[..., Any], code: CodeType) -> str:
    """The text of a function; ``inspect.getsource`` would look at the files of all modules first."""
    lines = linecache.getlines(code.co_filename, getattr(function, "__globals__", None))
    return textwrap.dedent("".join(inspect.getblock(lines[code.co_firstlineno - 1 :])))
