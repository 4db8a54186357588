"""Running a program with functions of some files wrapped.

They are wrapped where their definitions are executed, so that calls in the file itself, in modules that
import it, and in the program's main file all meet the wrapper.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from nprewrite.base.syntax import text_tree
from nprewrite.files.folders import same_file
from nprewrite.verification.script import Script, run

# A name in builtins, so that it is known in every module without changing any.
_DECORATOR = "__nprewrite_wrap__"

Functions = Mapping[str, Sequence[str]]
"""Qualified names of functions, by the path of their file."""


def run_wrapped(
    script: Script, functions: Functions, wrap: Callable[[str, str, Callable[..., Any]], Any]
) -> None:
    """Run the program, once ``enter`` was called; what it raises passes through.

    ``wrap`` is given the path, the name and the function, or what its decorators have made of it.
    """

    def decorator(path: str, name: str) -> Callable[[Any], Any]:
        return lambda function: wrap(path, name, function) if _is_plain(function) else function

    setattr(builtins, _DECORATOR, decorator)
    sys.meta_path.insert(0, _Finder(functions))
    path = None if script.is_module else _known(functions, script.name)
    if path is None:
        run(script)
        return
    module = types.ModuleType("__main__")
    module.__file__ = script.name
    sys.modules["__main__"] = module
    exec(_code(Path(script.name).read_bytes(), script.name, path, functions[path]), vars(module))


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a file with its functions wrapped; its bytecode is neither read nor written."""

    known = ""
    functions: Sequence[str] = ()

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        return _code(self.get_data(path), path, self.known, self.functions)


class _Finder(MetaPathFinder):
    def __init__(self, functions: Functions) -> None:
        self._functions = functions

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        known = _known(self._functions, spec.origin)
        if known is None:
            return None
        loader = _Loader(fullname, spec.origin)
        loader.known, loader.functions = known, self._functions[known]
        spec.loader = loader
        return spec


def _known(functions: Functions, path: str) -> str | None:
    return next((each for each in functions if same_file(each, path)), None)


def _code(source: bytes, path: str, known: str, functions: Sequence[str]) -> types.CodeType:
    """The code of a file with a decorator above all others on each of the functions."""
    tree = text_tree(source, path)
    for name in functions:
        for node in _definitions(tree, name):
            words: list[ast.expr] = [ast.Constant(known), ast.Constant(name)]
            decorator = ast.Call(ast.Name(_DECORATOR, ast.Load()), words, [])
            node.decorator_list.insert(0, ast.copy_location(decorator, node))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def _definitions(tree: ast.Module, name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    bodies: list[list[ast.stmt]] = [tree.body]
    *owners, last = name.split(".")
    for owner in owners:
        bodies = [
            node.body
            for body in bodies
            for node in body
            if isinstance(node, ast.ClassDef) and node.name == owner
        ]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for body in bodies for node in body if isinstance(node, kinds) and node.name == last]


def _is_plain(function: object) -> bool:
    """Whether it is called as a function is, unlike static methods, class methods and properties."""
    return callable(function) and not isinstance(function, staticmethod | classmethod | type)
