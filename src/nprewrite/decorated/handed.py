"""What is known of functions that a call hands to another, ``rk4(slope, y, dt)``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from nprewrite.base.code_objects import beginning
from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import walk
from nprewrite.decorated.building import filename, module_text
from nprewrite.decorated.instances import instance_of
from nprewrite.decorated.original import as_written
from nprewrite.source.excerpt import tree_of
from nprewrite.source.kept import kept
from nprewrite.types.attributes import Chains
from nprewrite.types.values import Absent, Callee, Unknown, Value, value_of

_WORD = re.compile(r"\w+")
_MOST_VARIABLES = 32
_DEPTH = 3
"""Functions that see functions: a function may see itself."""

_sources: WeakKeyDictionary[CodeType, tuple[str, int] | None] = WeakKeyDictionary()


def handed(
    argument: object, name: str, function: Callable[..., Any], chains: Chains, depth: int = _DEPTH
) -> Callee | None:
    """The argument ``name`` of a call of ``function`` as a function of the same file; None for all else."""
    if type(argument) is MethodType:
        return _method(argument, name, function, chains)
    written = as_written(argument)
    home = getattr(function, "__globals__", {})
    if written is None:
        return None
    if as_written(home.get(written.__name__)) is written:
        return Callee(written.__name__)
    code, cells = written.__code__, written.__closure__ or ()
    if not depth or written.__globals__ is not home or code.co_filename != filename(function):
        return None
    found = _source(written) if len(cells) <= _MOST_VARIABLES else None
    if found is None:
        return None
    try:
        values = [each.cell_contents for each in cells]
    except ValueError:
        # One is not bound yet.
        return None
    pairs = zip(code.co_freevars, values, strict=True)

    def variable(value: object, name: str) -> Value:
        if value is None:
            return Absent()
        known = handed(value, name, function, chains, depth - 1) or value_of(value, f"{name}@parameter")
        if known is None or issubclass(type(value), dict):
            known = instance_of(value, name, written, chains) or known
        return known or Unknown(f"nothing is known of `{name}`")

    seen = tuple((each, variable(value, f"{name}.{each}")) for each, value in pairs)
    return Callee(code.co_name, *found, seen)


def names_of(callee: Callee) -> frozenset[str]:
    """The names by which a function, and those that it sees, may call others of the module."""
    if not callee.source:
        return frozenset([callee.name])
    seen = (names_of(each) for _, each in callee.variables if isinstance(each, Callee))
    return frozenset(_WORD.findall(callee.source)).union(*seen)


def _method(method: MethodType, name: str, function: Callable[..., Any], chains: Chains) -> Callee | None:
    """A method of an object, if both are plain."""
    written = as_written(method.__func__)
    if written is None or written.__closure__ or written.__code__.co_filename != filename(function):
        return None
    found, parameters = _source(written), written.__code__.co_varnames[: written.__code__.co_argcount]
    owner = instance_of(method.__self__, name, written, chains) if found is not None and parameters else None
    if found is None or owner is None:
        return None
    return Callee(written.__name__, *found, ((parameters[0], owner),), bound=True)


def _source(function: FunctionType) -> tuple[str, int] | None:
    """The text of a function, and the line at which it begins; None where the file does not tell."""
    code = function.__code__
    if code not in _sources:
        _sources[code] = _written(function)
    return _sources[code]


@unheard(*OF_SYNTAX)
def _written(function: FunctionType) -> tuple[str, int] | None:
    code, text = function.__code__, module_text(function)
    try:
        tree = tree_of(text or "")
    except (SyntaxError, ValueError):
        return None
    if _set_elsewhere(tree) & {*code.co_freevars}:
        return None
    node = _lambda(code, tree) if code.co_name == "<lambda>" else _definition(code, tree)
    if node is None:
        # A decorator stands above, or the file is another one by now.
        return None
    source = ast.get_source_segment(text or "", node, padded=isinstance(node, ast.FunctionDef))
    return None if source is None else (source, node.lineno)


@kept
def _set_elsewhere(tree: ast.Module) -> frozenset[str]:
    """The variables of functions that functions inside them set: they may change while another runs."""
    declared = (each for each in walk(tree) if isinstance(each, ast.Nonlocal))
    return frozenset(name for each in declared for name in each.names)


def _definition(code: CodeType, tree: ast.Module) -> ast.FunctionDef | None:
    """The definition of a code object; what is made around it may have given it another qualified name."""
    named = (each for each in walk(tree) if isinstance(each, ast.FunctionDef) and each.name == code.co_name)
    return next((each for each in named if each.lineno == code.co_firstlineno), None)


def _lambda(code: CodeType, tree: ast.Module) -> ast.Lambda | None:
    """The lambda of a code object: the only one whose expression begins there."""
    begin = beginning(code)
    lambdas = (each for each in walk(tree) if isinstance(each, ast.Lambda))
    found = [each for each in lambdas if (each.body.lineno, each.body.col_offset) == begin]
    return found[0] if len(found) == 1 else None
