"""Functions of the same file whose calls change nothing that others see."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nprewrite.analysis.memory import outputs
from nprewrite.base.syntax import base_name, walk
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.effects import has_effect
from nprewrite.numpy_api.methods import only_reads
from nprewrite.numpy_api.python import python_function
from nprewrite.numpy_api.scipy import only_computes
from nprewrite.program.function import Function
from nprewrite.source.names import parameter_names

_WALKS = ("builtins.enumerate", "builtins.reversed", "builtins.zip")


def is_pure(callee: ast.FunctionDef, function: Function) -> bool:
    """Whether calling a function changes nothing that others see; it may fill arrays that it has made.

    Making the exception that it raises is no such change: nothing that was to come after the call does.
    """
    return _is_pure(callee, function, {})


def _is_pure(callee: ast.FunctionDef, function: Function, known: dict[str, bool]) -> bool:
    if callee.name in known:
        return known[callee.name]
    # A function that may call itself is not.
    known[callee.name] = False
    nodes = [each for statement in callee.body for each in walk(statement)]
    made = _made_in(callee, nodes, function)
    raised = {each.exc for each in nodes if isinstance(each, ast.Raise)}
    calls = (each for each in nodes if isinstance(each, ast.Call) and each not in raised)
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
    pairs = [pair for each in nodes if isinstance(each, ast.Assign) for pair in _bindings(each)]
    makes = [name for name, value in pairs if _makes(value, function)]
    accounted = {id(each) for each in makes}
    accounted |= {id(each.target) for each in nodes if isinstance(each, ast.AugAssign)}
    bound = (each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    others = {each.id for each in bound if id(each) not in accounted}
    made: set[str | None] = {each.id for each in makes}
    return made - others - {*parameter_names(callee.args)}


def _bindings(node: ast.Assign) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names that a statement binds, each with its value: ``a = x``, ``a, b = x, y``."""
    for target in node.targets:
        match target, node.value:
            case ast.Name(), _:
                yield target, node.value
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                pairs = zip(targets, values, strict=True)
                yield from ((name, value) for name, value in pairs if isinstance(name, ast.Name))


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
    if dotted.startswith(("numpy.", "math.", "cmath.")) or dotted in _WALKS or only_computes(dotted):
        return True
    if python is not None and python.pure:
        return True
    if isinstance(call.func, ast.Attribute):
        return not dotted and only_reads(call.func.attr)
    found = function.names.definitions.get(dotted.removeprefix(".")) if dotted.startswith(".") else None
    return (
        isinstance(found, ast.FunctionDef) and not found.decorator_list and _is_pure(found, function, known)
    )
