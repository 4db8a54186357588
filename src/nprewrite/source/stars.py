"""What ``from module import *`` binds, read from the module's file, which is not run."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from nprewrite.base.syntax import text_tree, walk
from nprewrite.source.excerpt import tree_of
from nprewrite.source.names import ModuleNames, Stars, is_star, statements_of, written_module

_STAR = re.compile(r"\bimport\s*\*")
_OF_NUMBERS = re.compile(r"^[ \t]*(?:from|import)[ \t][^\n#]*\b(?:cmath|math|random)\b", re.MULTILINE)
_LOOP = re.compile(r"^[ \t]*(?:for|while)\b", re.MULTILINE)
_COUNTING = re.compile(r"^[ \t]*for\b[^\n]*\brange\(", re.MULTILINE)
_SAFE = frozenset(["cmath", "functools", "itertools", "math", "random", "time", "typing"])
"""Modules of Python that programs import so, and that may be imported to see what is in them."""
_AT_RUN_TIME = ("exec", "globals", "locals", "setattr", "vars")

Bound = Mapping[str, str] | None
"""What binds each name of a module; None where only running it would tell."""


class _Answer(NamedTuple):
    """What a file binds, for those who take its names, and the version of the file that was read."""

    version: tuple[int, int]
    bound: Bound


_read: dict[Path, _Answer] = {}
"""By file: each is read once in a process, as long as none changes."""
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.expr_context)


def may_use_numpy(text: str) -> bool:
    """Whether NumPy may have a name in a module: its own, or that of a module whose names it takes."""
    return "numpy" in text or _STAR.search(text) is not None


def may_be_rewritten(text: str) -> bool:
    """Whether a module may use NumPy, or has loops over ranges, or others beside functions of numbers."""
    if may_use_numpy(text) or _COUNTING.search(text) is not None:
        return True
    return (_OF_NUMBERS.search(text) and _LOOP.search(text)) is not None


def stars_of(text: str, filename: str) -> Stars:
    """What the stars of a file bind: of Python's modules, and of the user's that stand around the file."""
    if _STAR.search(text) is None:
        return {}
    _forget_what_changed()
    try:
        return _stars_in(tree_of(text), Path(filename))
    except (SyntaxError, ValueError):
        return {}


def only_gathers(text: str) -> bool:
    """Whether a file with stars, as the ``__init__.py`` of a package, asks for none of their names."""
    try:
        return _STAR.search(text) is not None and all(map(_only_names, tree_of(text).body))
    except (SyntaxError, ValueError):
        return False


def _only_names(statement: ast.stmt) -> bool:
    """Whether a statement imports, or says something with literals only."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    if not isinstance(statement, ast.Assign | ast.Expr):
        return False
    return all(isinstance(each, _LITERALS) for each in walk(statement.value))


def _stars_in(tree: ast.Module, file: Path) -> Stars:
    stars = filter(is_star, statements_of(tree))
    bound = ((written_module(each), _bound_by(each.module or "", each.level, file)) for each in stars)
    return {module: names for module, names in bound if names is not None}


def _bound_by(module: str, level: int, file: Path) -> Bound:
    """What binds each name of the star of a module; None where only running it would tell."""
    found = _file_of(module, level, file)
    if found is not None:
        return _bound_in(found)
    if module not in _SAFE or level:
        return None
    return {name: f"import {module}.{name}" for name in _public(dir(importlib.import_module(module)))}


def _file_of(module: str, level: int, file: Path) -> Path | None:
    """The file of a module that a file imports: beside it, or in a package around it."""
    folder = file.parents[min(max(level, 1), len(file.parents)) - 1]
    while True:
        path = folder.joinpath(*filter(None, module.split(".")))
        for each in (path / "__init__.py", path.parent / f"{path.name}.py"):
            if each.is_file():
                return each
        if level or not (folder / "__init__.py").is_file():
            return None
        folder = folder.parent


def _bound_in(file: Path) -> Bound:
    if file not in _read:
        # What takes its own names, by whatever way, is not known. This holds of all files on that way,
        # wherever it is entered.
        _read[file] = _Answer(_version(file), None)
        _read[file] = _Answer(_read[file].version, _names_of(file))
    return _read[file].bound


def _names_of(file: Path) -> Bound:
    try:
        text = file.read_bytes()
        tree = text_tree(text)
    except (OSError, SyntaxError, ValueError):
        return None
    names = ModuleNames(tree, _stars_in(tree, file))
    bound = _exported(tree, text) if "__all__" in names.bindings(tree) else _public(names.bindings(tree))
    if names.unknown_star or bound is None or _binds_at_run_time(tree, text):
        return None
    return {name: names.binding_outside(name) for name in bound}


def _version(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _forget_what_changed() -> None:
    """Files that take names from one that has changed are read again, too."""
    if any(_version(file) != each.version for file, each in _read.items()):
        _read.clear()


def _binds_at_run_time(tree: ast.Module, text: bytes) -> bool:
    """Whether a module uses what may bind names of which no text tells."""
    if not any(each.encode() in text for each in _AT_RUN_TIME):
        return False
    return any(isinstance(each, ast.Name) and each.id in _AT_RUN_TIME for each in walk(tree))


def _exported(tree: ast.Module, text: bytes) -> list[str] | None:
    """What ``__all__`` lists, where one display of strings does."""
    lines = text.splitlines()
    spans = ((each, lines[each.lineno - 1 : each.end_lineno]) for each in tree.body)
    match [each for each, span in spans if any(b"__all__" in line for line in span)]:
        case [ast.Assign(targets=[ast.Name("__all__")], value=ast.List(names) | ast.Tuple(names))]:
            return [str(each.value) for each in names if isinstance(each, ast.Constant)]
    return None


def _public(names: Iterable[str]) -> list[str]:
    return [each for each in names if not each.startswith("_")]
