"""Functions of the same file whose calls change nothing that others see."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nprewrite.analysis.memory import outputs
from nprewrite.base.syntax import base_name
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.effects import has_effect
from nprewrite.numpy_api.methods import only_reads
from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Function
from nprewrite.source.names import parameter_names


def is_pure(callee: ast.FunctionDef, function: Function) -> bool:
    """Whether calling a function changes nothing that others see; it may fill arrays that it has made."""
    return _is_pure(callee, function, {})


def _is_pure(callee: ast.FunctionDef, function: Function, known: dict[str, bool]) -> bool:
    if callee.name in known:
        return known[callee.name]
    # A function that may call itself is not.
    known[callee.name] = False
    nodes = [each for statement in callee.body for each in ast.walk(statement)]
    made = _made_in(callee, nodes, function)
    calls = (each for each in nodes if isinstance(each, ast.Call))
    changes = all(_base(each) in made for each in nodes if _is_store(each))
    known[callee.name] = changes and all(_is_pure_call(each, function, known) for each in calls)
    return known[callee.name]


def _is_store(node: ast.AST) -> bool:
    """Whether a node may change an object in place."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return not isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)


def _base(node: ast.AST) -> str | None:
    """The name of the object that is stored into."""
    target = node.target if isinstance(node, ast.AugAssign) else node
    return base_name(target) if isinstance(target, ast.expr) else None


def _made_in(callee: ast.FunctionDef, nodes: Sequence[ast.AST], function: Function) -> set[str | None]:
    """The names that a function with these nodes binds to new arrays and numbers only."""
    made: set[str | None] = set()
    bound = [each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    for node in (each for each in nodes if isinstance(each, ast.Assign)):
        if _makes(node.value, function):
            made |= {each.id for each in node.targets if isinstance(each, ast.Name)}
            bound = [each for each in bound if all(each is not target for target in node.targets)]
    augmented = {id(each.target) for each in nodes if isinstance(each, ast.AugAssign)}
    return made - {each.id for each in bound if id(each) not in augmented} - {*parameter_names(callee.args)}


def _makes(node: ast.expr, function: Function) -> bool:
    """Whether an expression makes a new array or number."""
    if isinstance(node, ast.BinOp | ast.Compare | ast.Constant):
        return True
    if not isinstance(node, ast.Call):
        return False
    dotted = function.names.dotted(node.func, function.document.tree)
    made = creation(dotted)
    copies = isinstance(node.func, ast.Attribute) and dotted is None and node.func.attr == "copy"
    return copies or dotted == "numpy.copy" or (made is not None and not made.view)


def _is_pure_call(call: ast.Call, function: Function, known: dict[str, bool]) -> bool:
    named = function.names.dotted(call.func, function.document.tree)
    dotted, python = named or "", python_function(named)
    if outputs(call, named) or dotted.startswith("numpy.random") or has_effect(dotted):
        return False
    if dotted.startswith(("numpy.", "math.", "cmath.")) or (python is not None and python.pure):
        return True
    if isinstance(call.func, ast.Attribute):
        return not dotted and only_reads(call.func.attr)
    found = function.names.definitions.get(dotted.removeprefix(".")) if dotted.startswith(".") else None
    return (
        isinstance(found, ast.FunctionDef) and not found.decorator_list and _is_pure(found, function, known)
    )
