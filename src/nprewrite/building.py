"""A function's text in its module, and the function that its rewritten text makes."""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from nprewrite.facts.steps import step_decorator
from nprewrite.runtime import cache
from nprewrite.syntax.document import Document

P = ParamSpec("P")
R = TypeVar("R")


def filename(function: Callable[..., Any]) -> str:
    """The file that a function stands in."""
    return function.__code__.co_filename


def module_text(function: Callable[..., Any]) -> str | None:
    """The text of the function's module, where it can be had."""
    lines = linecache.getlines(filename(function), function.__globals__)
    return "".join(lines) or None


def not_buildable(function: Callable[..., Any]) -> str | None:
    """Why a rewritten text of the function cannot become a function that stands in for it."""
    if function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        return f"it uses variables of the function around it ({names})"
    if "<locals>" in function.__qualname__:
        return "it is defined inside another function"
    return None


def _find(tree: ast.Module, qualname: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    body: list[ast.stmt] = tree.body
    found: ast.stmt | None = None
    for part in qualname.split("."):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        found = next((node for node in reversed(body) if isinstance(node, kinds) and node.name == part), None)
        if found is None:
            return None
        body = found.body
    return found if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) else None


def lines_of(function: Callable[..., Any], text: str) -> range:
    """The lines of a function in its file; to its last line with code where the text cannot tell."""
    first = function.__code__.co_firstlineno
    last = max([first, *(line for _, _, line in function.__code__.co_lines() if line)])
    try:
        node = _find(ast.parse(text), function.__qualname__)
    except (SyntaxError, ValueError, RecursionError):
        # Rewriting meets the same problem in the same text, and warns of it.
        return range(first, last + 1)
    end = node.end_lineno if node is not None else None
    return range(first, max(last, end or last) + 1)


def own_source(text: str, qualname: str) -> str:
    """The text of one function of a module."""
    document = Document(text)
    node = _find(document.tree, qualname)
    return document.segment(node) if node is not None else ""


def built(original: Callable[P, R], text: str) -> tuple[Callable[P, R], str, list[Any]]:
    """The rewritten function, its text and its steps.

    The steps become local names around the function, so that nothing is added to the user's module.
    """
    document = Document(text)
    names = document.names
    node = _find(document.tree, original.__qualname__)
    assert node is not None
    steps = [
        each
        for each in document.tree.body
        if isinstance(each, ast.FunctionDef) and step_decorator(each, names, document.tree)
    ]
    runtime = [
        each
        for each in document.tree.body
        if isinstance(each, ast.Import) and any(alias.name == "nprewrite.runtime" for alias in each.names)
    ]
    source = "\n\n\n".join(_with_decorators(each, document) for each in (*steps, node))
    node.decorator_list = []
    written = _write(text, Path(filename(original)).stem)
    collected = ast.Tuple([ast.Name(each.name, ast.Load()) for each in (node, *steps)], ast.Load())
    factory = ast.parse("def factory(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.body = [*runtime, *steps, node, ast.Return(collected)]
    module = ast.fix_missing_locations(ast.Module([factory], []))
    code = compile(module, written, "exec", dont_inherit=True, flags=_future_flags(original))
    local: dict[str, Any] = {}
    exec(code, original.__globals__, local)
    function, *found = local["factory"]()
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__defaults__ = original.__defaults__
    function.__kwdefaults__ = original.__kwdefaults__
    return function, source, found


def _with_decorators(node: ast.FunctionDef | ast.AsyncFunctionDef, document: Document) -> str:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return document.text[document.line_start(first) : document.span(node)[1]]


def _future_flags(function: Callable[..., Any]) -> int:
    """``from __future__`` flags that the function was compiled with."""
    import __future__

    flags = (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    return sum(flag for flag in flags if function.__code__.co_flags & flag)


def _write(text: str, stem: str) -> str:
    """Put the rewritten text into a file of the cache, where tracebacks and debuggers find it."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = cache.directory() / "rewritten"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{stem.strip('<>')}-{digest}.py"
    if not path.exists():
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".py")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    return str(path)
