"""Which names set in a loop may still be read after it, and which are surely set before it."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Literal

from nprewrite.facts.exposed_names import exposed
from nprewrite.facts.function import Block, Definition, Function, blocks
from nprewrite.facts.region_syntax import takes_results
from nprewrite.source.names import parameter_names

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
Exposure = Literal["read", "set", "untouched"]


def live_after(name: str, loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> bool:
    """Whether the value that ``name`` has when ``loop`` ends may be read; True when unsure."""
    if isinstance(function.node, ast.Module) or function.is_shared(name) or escapes(name, function.node):
        return True
    inner: ast.stmt = loop
    for parent in (*reversed(outer), function.node):
        block = block_of(inner, parent)
        following = exposure(name, block[block.index(inner) + 1 :])
        if following != "untouched":
            return following == "read"
        if isinstance(parent, ast.For | ast.While) and _read_again(name, parent, block):
            return True
        if isinstance(parent, ast.Try) and _reads(name, parent):
            return True
        if isinstance(parent, ast.stmt):
            inner = parent
    return False


def surely_set(name: str, loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> bool:
    """Whether ``name`` has a value when ``loop`` starts, whatever path led there."""
    if isinstance(function.node, Definition) and name in parameter_names(function.node.args):
        return not _deleted(name, function.node)
    if not function.is_local(name) or function.is_shared(name):
        return True
    inner: ast.stmt = loop
    for parent in (*reversed(outer), function.node):
        block = block_of(inner, parent)
        before = block[: block.index(inner)]
        if any(_surely_sets(name, each) for each in before) or _set_by_region(name, before):
            return not _deleted(name, function.node)
        if isinstance(parent, ast.For) and block is parent.body and _sets(name, parent.target):
            return True
        if isinstance(parent, ast.stmt):
            inner = parent
    return False


def _surely_sets(name: str, node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(
                _sets(name, each) for each in targets if isinstance(each, ast.Name | ast.Tuple | ast.List)
            )
        case ast.AnnAssign(target=target, value=value):
            return value is not None and _sets(name, target)
        case ast.AugAssign(target=target):
            return _sets(name, target)
        case ast.If(body=body, orelse=orelse):
            return all(any(_surely_sets(name, each) for each in block) for block in (body, orelse))
        case ast.With(body=body):
            return any(_surely_sets(name, each) for each in body)
        case ast.For(orelse=[_, *_]) | ast.While(orelse=[_, *_]) | ast.While(test=ast.Constant(value=True)):
            return name in (exposed([node]).surely_set or ())
    return False


def _set_by_region(name: str, block: Block) -> bool:
    """Whether statements that stand in a region set the name: as written, or by what its step gives."""
    regions = (each for each in pairwise(block) if takes_results(each[1], each[0]))
    return any(
        all(
            any(_surely_sets(name, each) for each in side.body)
            for side in region
            if isinstance(side, ast.For | ast.If)
        )
        for region in regions
    )


def _deleted(name: str, scope: ast.AST) -> bool:
    names = (each for each in ast.walk(scope) if isinstance(each, ast.Name))
    return any(each.id == name and isinstance(each.ctx, ast.Del) for each in names)


def exposure(name: str, block: Block) -> Exposure:
    """Whether running ``block`` reads ``name`` before it certainly sets it."""
    for statement in block:
        found = _exposure(name, statement)
        if found != "untouched":
            return found
    return "untouched"


def _exposure(name: str, node: ast.stmt) -> Exposure:
    if isinstance(node, Definition | ast.ClassDef) or not blocks(node):
        if _reads(name, node):
            return "read"
        return "set" if isinstance(node, ast.Assign | ast.AnnAssign) and _sets(name, node) else "untouched"
    if any(_reads(name, part) for part in _heads(node)):
        return "read"
    # The body of a loop over a name reads what the loop sets.
    own = node.body if isinstance(node, ast.For) and _sets(name, node.target) else None
    inside = [exposure(name, block) for block in blocks(node) if block is not own]
    if "read" in inside:
        return "read"
    whole = isinstance(node, ast.If) and len(inside) == 2 and all(each == "set" for each in inside)
    ended = isinstance(node, ast.For | ast.While) and _surely_sets(name, node)
    return "set" if whole or ended else "untouched"


def _heads(node: ast.stmt) -> list[ast.AST]:
    """The parts of a compound statement that are not blocks: tests, iterables, context managers."""
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _reads(name: str, node: ast.AST) -> bool:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Store):
            return True
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name) and each.target.id == name:
            return True
    return False


def _sets(name: str, node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _read_again(name: str, loop: ast.For | ast.While, block: Block) -> bool:
    """Whether the next trip of the loop, or what follows its last, reads the name that ``block`` left."""
    test: Block = [ast.Expr(loop.test)] if isinstance(loop, ast.While) else []
    return "read" in {exposure(name, [*test, *block]), exposure(name, loop.orelse)}


def block_of(statement: ast.stmt, parent: ast.stmt | Definition | ast.Module) -> Block:
    """The block of ``parent`` in which a statement stands."""
    if isinstance(parent, ast.Module):
        return parent.body
    return next(block for block in blocks(parent) if any(each is statement for each in block))


def escapes(name: str, function: Definition) -> bool:
    """Whether something outside the function's own statements can see the name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return True
        inner = isinstance(node, Definition | ast.Lambda | ast.ClassDef) and node is not function
        if inner and _reads(name, node) and not _is_own(name, node):
            return True
    return False


def _is_own(name: str, scope: ast.AST) -> bool:
    """Whether a function made in another one reads a name of its own: a parameter, or what it binds."""
    if not isinstance(scope, Definition | ast.Lambda):
        return False
    outside = [*scope.args.defaults, *(each for each in scope.args.kw_defaults if each is not None)]
    outside += scope.decorator_list if isinstance(scope, Definition) else []
    if any(_reads(name, each) for each in outside):
        return False
    if name in parameter_names(scope.args):
        return True
    shared = (each.names for each in ast.walk(scope) if isinstance(each, ast.Global | ast.Nonlocal))
    body = scope.body if isinstance(scope, Definition) else []
    return any(_binds(name, each) for each in body) and not any(name in each for each in shared)


def _binds(name: str, node: ast.AST) -> bool:
    """Whether a statement binds the name where it stands, and not in a scope of its own."""
    if isinstance(node, _SCOPES):
        return False
    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
        return True
    return any(_binds(name, each) for each in ast.iter_child_nodes(node))
