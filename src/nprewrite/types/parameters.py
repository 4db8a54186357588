"""What the text says about the parameters of a function: annotations, defaults, and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import get_args

from nprewrite.base.syntax import expression_tree, walk
from nprewrite.source.names import ModuleNames
from nprewrite.types import constructors
from nprewrite.types.expressions import Expressions
from nprewrite.types.values import Array, Callee, Kind, Scalar, Unknown, Value, join, python_kind, suggested

_BUILTIN_KINDS: dict[str, Kind] = {f"builtins.{kind}": kind for kind in get_args(Kind)}
_LITERAL = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters that stand for one argument each."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def defaults(arguments: ast.arguments) -> dict[str, ast.expr | None]:
    """The default values by the names of their parameters."""
    positional = [*arguments.posonlyargs, *arguments.args]
    found: dict[str, ast.expr | None] = {}
    for argument, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        found[argument.arg] = default
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found[argument.arg] = keyword_default
    return found


def annotated(argument: ast.arg, names: ModuleNames, scope: ast.Module) -> Value | None:
    """What the annotation of a parameter says: a number, a string, or ``NDArray`` of a dtype."""
    node = argument.annotation
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parsed(node.value)
    if isinstance(node, ast.Subscript) and names.dotted(node.value, scope) == "numpy.typing.NDArray":
        dtype = constructors.dtype_named(names.dotted(node.slice, scope))
        return Array(dtype, f"shape({argument.arg})", assumed=True) if dtype is not None else None
    dotted = names.dotted(node, scope) if isinstance(node, ast.Name) else None
    if dotted == "builtins.str":
        return Unknown("it is a string", string=True)
    kind = _BUILTIN_KINDS.get(dotted or "")
    return Scalar(kind, symbol=f"{argument.arg}@parameter") if kind is not None else None


def suggested_by(node: ast.expr | None) -> Value | None:
    """The type that a default value suggests for its parameter."""
    if node is None:
        return None
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return _float_expression(node)
    kind = python_kind(value)
    return Scalar(kind, proven=False) if kind else None


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal, or arithmetic on literal numbers: ``-1``, ``8 / 3``."""
    return all(isinstance(each, _LITERAL) for each in walk(node))


def _float_expression(node: ast.expr) -> Value | None:
    """``2.0 ** 40`` and other arithmetic on literals."""
    if not is_literal(node):
        return None
    literals = [each.value for each in walk(node) if isinstance(each, ast.Constant)]
    return Scalar("float", proven=False) if any(type(each) is float for each in literals) else None


def passed_by(
    calls: Iterable[ast.Call],
    name: str,
    arguments: ast.arguments,
    expressions: Expressions,
    values: Mapping[str, Value],
) -> Value | None:
    """What every one of the calls of a function passes for its parameter ``name``, if that is known.

    ``values`` are those of the names where it is called.
    """
    given = [_passed(passed(each, arguments).get(name), name, expressions, values) for each in calls]
    if not given:
        return None
    merged = reduce(join, given)
    return suggested(merged) if not isinstance(merged, Unknown) or merged.is_of_python else None


def passed(call: ast.Call, arguments: ast.arguments, bound: int = 0) -> dict[str, ast.expr]:
    """What a call passes, by the names of the parameters, the first of which may be ``bound`` before."""
    positions = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][bound:]
    named = {each.arg: each.value for each in call.keywords if each.arg is not None}
    return {**dict(zip(positions, call.args, strict=False)), **named}


def _passed(node: ast.expr | None, name: str, expressions: Expressions, values: Mapping[str, Value]) -> Value:
    if node is None or isinstance(node, ast.Starred):
        return Unknown("not passed")
    dotted = expressions.names.dotted(node, expressions.scope) or ""
    if dotted.removeprefix(".") in expressions.names.definitions and dotted.startswith("."):
        return Callee(dotted.removeprefix("."))
    value = expressions.evaluate(node, values)
    if isinstance(value, Scalar):
        return Scalar(value.kind, value.dtype, symbol=f"{name}@parameter")
    return replace(value, shape=f"shape({name})") if isinstance(value, Array) else value


def _parsed(text: str) -> ast.expr | None:
    try:
        return expression_tree(text)
    except SyntaxError:
        return None
