"""Which function of the same file a call names."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from nprewrite.analysis.changed_lists import MAKING, may_be_changed_elsewhere, may_get_another
from nprewrite.analysis.handed_functions import definition_of, handed_functions, object_of
from nprewrite.base.syntax import children, name_nodes, root_name, walk
from nprewrite.lowering.object_lists import items_taken
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept, names_declared, names_stored
from nprewrite.source.names import first_line, lambdas_of, statements_of
from nprewrite.types.array_functions import literal
from nprewrite.types.values import Callee, Instance, objects_in

CALL = "__call__"
"""The method of objects that are called themselves."""


def called_function(call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The function that a call names: one of the file, or one defined in the function."""
    called = called_object(call, function)
    if called is not None:
        return _method_of(called, CALL, function)
    if isinstance(call.func, ast.Attribute):
        return _method(call.func, function)
    if not isinstance(call.func, ast.Name):
        return None
    name = call.func.id
    if name in names_declared(function.document.tree):
        # `global step`, and then `step = other` while the caller's loop runs.
        return None
    handed = handed_functions(function).get(name)
    if handed is not None:
        return definition_of(name, handed, function)
    if function.names.dotted(call.func, function.node) != f".{name}":
        return _lambda(name, call, function)
    own = _inner_functions(function.node).get(name)
    if own:
        before = own[0].lineno < call.lineno and own[0] not in _made_in_loops(function.node)
        return own[0] if len(own) == 1 and before and isinstance(own[0], ast.FunctionDef) else None
    return function.module.function_named(name)


@kept
def _inner_functions(scope: ast.AST) -> Mapping[str, Sequence[Definition]]:
    found: dict[str, list[Definition]] = {}
    for each in statements_of(scope):
        if isinstance(each, Definition):
            found.setdefault(each.name, []).append(each)
    return found


@kept
def _made_in_loops(scope: ast.AST) -> frozenset[ast.AST]:
    """The functions that a scope makes anew in each iteration: a call above one is of the last."""
    loops = (each for each in statements_of(scope) if isinstance(each, ast.For | ast.While))
    return frozenset(each for loop in loops for each in walk(loop) if isinstance(each, Definition))


def _lambda(name: str, call: ast.Call, function: Function) -> ast.FunctionDef | None:
    """The function of a named ``lambda``: one made before the call in the function, or one of the file."""
    if not function.names.is_local(name, function.node):
        captured = function.names.is_captured(name, function.node)
        return function.module.function_named(name) if not captured else None
    if not function.names.is_bound_once(name, function.node) or isinstance(function.node, ast.Module):
        return None
    made = lambdas_of(function.node).get(name)
    return made if made is not None and made.lineno < call.lineno else None


def owner_of(node: ast.expr, function: Function) -> Instance | None:
    """The object that ``self``, or ``self.solver``, is as long as the function runs; its class was seen."""
    match node:
        case ast.Name(id=name) if name not in names_stored(function.node):
            # `global solver`, and then `solver = other` while the caller's loop runs.
            declared = name in names_declared(function.document.tree)
            if declared and not function.names.is_local(name, function.node):
                return None
            owner = function.module.given.get(function.name, {}).get(name)
        case ast.Name(id=name) if name in _object_names(function.node):
            holder = _object_names(function.node)[name]
            once = function.names.is_bound_once(name, function.node)
            owner = owner_of(holder, function) if once else None
        case ast.Name(id=name):
            owner = _in_lists(_lists_of(function.node).get(name, ()), function)
        case ast.Subscript(value=ast.Name() | ast.Attribute() as over, slice=index):
            owner = _in_lists((over,), function) if not isinstance(index, ast.Slice) else None
        case ast.Attribute(value=holder, attr=name):
            around, rebound = owner_of(holder, function), _rebound_attributes(function.document.tree)
            known = around is not None and rebound is not None and name not in rebound
            known = known and not may_be_changed_elsewhere(node, function.document.tree, function.node)
            owner = dict(around.attributes).get(name) if around is not None and known else None
            owner = owner or object_of(node, function)
        case _:
            return None
    return owner if isinstance(owner, Instance) else None


@kept
def _object_names(scope: ast.AST) -> Mapping[str, ast.Attribute]:
    """The names bound to attributes, ``solver = self.solver``, of others that stand above them."""
    found: dict[str, ast.Attribute] = {}
    stored = names_stored(scope)
    assigned = (each for each in statements_of(scope) if isinstance(each, ast.Assign))
    for each in sorted(assigned, key=lambda each: each.lineno):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as value):
                root = root_name(value)
                if root in found or root not in stored:
                    found[name] = value
    return found


def _in_lists(lists: Sequence[ast.expr], function: Function) -> Instance | None:
    """What the objects in some lists are, if all are of one class, and nothing exchanges them."""
    found = [objects_in(owner_of(each, function)) for each in lists]
    kinds = {each.kind if each is not None else None for each in found}
    (kind, *others) = kinds or {None}
    tree, node = function.document.tree, function.node
    if kind is None or others or any(may_get_another(each, kind, tree, node) for each in lists):
        return None
    return found[0]


@kept
def _lists_of(scope: ast.AST) -> Mapping[str, Sequence[ast.expr]]:
    """The names that stand for items of lists and nothing else, each with the lists."""
    found: dict[str, list[ast.expr]] = {}
    taken: set[ast.AST] = set()
    for target, over in (pair for each in walk(scope) for pair in items_taken(each)):
        if isinstance(target, ast.Name) and root_name(over) not in names_stored(scope):
            found.setdefault(target.id, []).append(over)
            taken.add(target)
    others = {
        each.id for each in name_nodes(scope) if not isinstance(each.ctx, ast.Load) and each not in taken
    }
    return {name: lists for name, lists in found.items() if name not in others}


def _method(called: ast.Attribute, function: Function) -> ast.FunctionDef | None:
    """The method of the same file that ``self.f`` is, for an object whose class was seen at the call, or the
    function that the object held."""
    owner = owner_of(called.value, function)
    return _method_of(owner, called.attr, function) if owner is not None else None


def called_object(call: ast.Call, function: Function) -> Instance | None:
    """The object that a call calls itself, ``controller(error)``, which has a method for that."""
    owner = owner_of(call.func, function)
    return owner if owner is not None and CALL in dict(owner.methods) else None


def _method_of(owner: Instance, name: str, function: Function) -> ast.FunctionDef | None:
    """The method of the same file of an object, or the function that it held."""
    tree, line = function.document.tree, dict(owner.methods).get(name)
    rebound = _rebound_attributes(tree)
    if rebound is None or name in rebound:
        # What is called may become another while the function runs.
        return None
    held = _held(owner, name)
    if held is not None:
        return definition_of(name, held, function)
    nodes = (each for each in walk(tree) if isinstance(each, ast.FunctionDef))
    origins = function.document.origins
    for node in nodes:
        same = node.name == name and line == origins[first_line(node) - 1].line
        if same and node is not function.node:
            return node
    return None


def held_function(called: ast.Attribute, function: Function) -> Callee | None:
    """What an object held at the call under this name, if that is a function: it gets no object."""
    owner = owner_of(called.value, function)
    return _held(owner, called.attr) if owner is not None else None


def _held(owner: Instance, name: str) -> Callee | None:
    held = dict(owner.attributes).get(name)
    return held if isinstance(held, Callee) else None


def is_method(node: ast.expr, function: Function) -> bool:
    """Whether an expression is a method of the same file, ``self.f``, which is the same at each time."""
    return isinstance(node, ast.Attribute) and _method(node, function) is not None


@kept
def _rebound_attributes(tree: ast.Module) -> frozenset[str] | None:
    """The attributes that functions of a module may set; None where these may be any.

    An object that is made gets its own, by which the class of an argument was known.
    """
    found: set[str] = set()
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, own = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            own = node.args.args[0].arg if node.name in MAKING and node.args.args else ""
        if _is_of_new_object(node, own):
            continue
        waiting += [(each, own) for each in children(node) if not _is_chosen_anew(node, each)]
        match node:
            case ast.Attribute(attr="__dict__") | ast.Name(id="vars"):
                return None
            case ast.Attribute(attr="__class__", ctx=ast.Store()):
                return None
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="__setattr__" | "__delattr__"),
                args=[_, ast.Constant(value=str(name)), *_],
            ):
                found.add(name)
            case ast.Call(func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="__delattr__")):
                return None
    return frozenset(found)


def _is_of_new_object(node: ast.AST, own: str) -> bool:
    """Whether it is an attribute, or all attributes, of the object that a function makes, ``own``."""
    match node:
        case (
            ast.Attribute(value=ast.Name(id=name))
            | ast.Call(func=ast.Name(id="vars" | "setattr" | "delattr"), args=[ast.Name(id=name), *_])
        ):
            return name == own
    return False


def _is_chosen_anew(statement: ast.AST, target: ast.AST) -> bool:
    """Whether it binds a list to some of its own items: ``self.agents = [a for a in self.agents if c]``."""
    match statement:
        case ast.Assign(
            targets=[ast.Attribute(attr=name) as bound],
            value=ast.ListComp(
                elt=ast.Name(id=item),
                generators=[ast.comprehension(target=ast.Name(id=taken), iter=ast.Attribute(attr=other))],
            ),
        ):
            return name == other and item == taken and target is bound
    return False


def is_private_elsewhere(callee: ast.FunctionDef, function: Function) -> bool:
    """Whether a function has private names (``__x``) of a class to which the other one does not belong."""
    owners = owner_classes(function.document.tree)
    return owners.get(callee) is not owners.get(function.node) and any(map(_is_private, walk(callee)))


def _is_private(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return name.startswith("__") and not name.endswith("__")
    return False


@kept
def owner_classes(tree: ast.Module) -> Mapping[ast.AST, ast.ClassDef]:
    """The innermost class around each function that is in one."""
    found: dict[ast.AST, ast.ClassDef] = {}
    for owner in (each for each in walk(tree) if isinstance(each, ast.ClassDef)):
        # Outer classes come first.
        found |= {each: owner for each in walk(owner) if isinstance(each, Definition)}
    return found


def loops(node: ast.AST) -> bool:
    """Whether a statement is a loop or holds one, other than over what is written out: those go away."""
    match node:
        case ast.For(iter=ast.Tuple() | ast.List(), body=body):
            inner = (each for each in body if not (isinstance(each, ast.For) and _is_written(each.iter)))
            return any(map(loops, inner))
        case ast.For() | ast.While():
            return True
    return any(map(loops, children(node)))


def _is_written(over: ast.expr) -> bool:
    """Whether a loop inside runs over a range of written numbers: ``range(-1, 2)``."""
    match over:
        case ast.Call(func=ast.Name(id="range"), args=arguments):
            return all(type(literal(each)) is int for each in arguments)
    return False
