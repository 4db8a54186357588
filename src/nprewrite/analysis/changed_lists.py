"""Which lists may get objects of another class from a function, or from those to which its names lead.

What the objects in a list are, was seen when the function was called; ``agents.append(Predator())`` puts
another one there. Fewer of them, in another order, are of the same class still.

birth(self.agents)           def birth(agents): agents.append(...)     the list has another name there
add = self.agents.append     and nothing tells where ``add`` is called
agents[0] = self.leader      any object may come so, whatever its class
others = self.agents         the same list, whose name is another one where a new object is put into it
heappush(self.agents, x)     so does a function of another module: of Python's, or of another file
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from weakref import WeakKeyDictionary

from nprewrite.base.syntax import assigned, name_nodes, names_in, root_name, walk, words_in
from nprewrite.program.function import Definition
from nprewrite.source.kept import kept
from nprewrite.source.names import imported_from_files, parameter_names

MAKING = ("__init__", "__post_init__")
"""The methods that give a new object its attributes."""
_PUTTING = frozenset(("append", "extend", "insert"))
_OF_HEAPS = frozenset(("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "insort"))
_NUMBERS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.JoinedStr)
"""What gives no object of a class that is in lists."""
_CONTAINERS = (ast.List, ast.ListComp, ast.Dict, ast.Set, ast.Call)
_OF_CONTAINERS = frozenset(chain.from_iterable(map(dir, (list, dict, set, str))))
_ANY = "*"
"""In place of a name where it may be any list."""
Put = tuple[str, str]
"""The last name of a list, and what makes the object that is put into it; empty where nothing tells."""


def may_get_another(owner: ast.expr, kind: type, tree: ast.Module, scope: ast.AST) -> bool:
    """Whether a list of objects of a class, ``self.agents``, may get another one while a function runs."""
    if may_be_changed_elsewhere(owner, tree, scope):
        return True
    classes, names = _classes_of(tree), (_ANY, _last_step(owner))
    puts = (put for each in (scope, *_reached(tree, scope)) for put in _put_by(each))
    # A list may have several names: an object of another class may come under any of them.
    return any(made != kind.__name__ if made in classes else name in names for name, made in puts)


def may_be_changed_elsewhere(owner: ast.expr, tree: ast.Module, scope: ast.AST) -> bool:
    """Whether a function of another file gets a list, ``self.agents``, or what holds it."""
    if not imported_from_files(tree):
        return False
    words = words_in(owner)
    return not words.isdisjoint(_given_away(tree, scope))


def _given_away(tree: ast.Module, scope: ast.AST) -> frozenset[str]:
    """What a function, or one to which its names lead, gives to functions of other files."""
    known = _known_given(tree)
    if scope not in known:
        reached = (scope, *_reached(tree, scope))
        known[scope] = frozenset(name for each in reached for name in _given_to_others(each, tree))
    return known[scope]


@kept
def _known_given(tree: ast.Module) -> WeakKeyDictionary[ast.AST, frozenset[str]]:
    """Such answers, by the function: they are asked for at each of its attributes."""
    return WeakKeyDictionary()


@kept
def _classes_of(tree: ast.Module) -> frozenset[str]:
    return frozenset(each.name for each in walk(tree) if isinstance(each, ast.ClassDef))


def _last_step(node: ast.expr) -> str:
    """The last name of ``self.world.agents``, and that of a table for its entries; empty for others."""
    while isinstance(node, ast.Subscript):
        node = node.value
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _reached(tree: ast.Module, scope: ast.AST) -> list[ast.AST]:
    """The functions and methods to which names lead, and what makes objects where they name a class."""
    functions, reached = _functions_of(tree), list[ast.AST]()
    seen: set[str] = set()
    pending = [*_mentioned(scope)]
    while pending:
        name = pending.pop()
        for each in functions.get(name, ()) if name not in seen else ():
            reached.append(each)
            pending += _mentioned(each)
        seen.add(name)
    return reached


@kept
def _mentioned(scope: ast.AST) -> frozenset[str]:
    """The names in a function, and those after dots."""
    attributes = (each.attr for each in walk(scope) if isinstance(each, ast.Attribute))
    return frozenset([*attributes, *names_in(scope)])


@kept
def _functions_of(tree: ast.Module) -> Mapping[str, Sequence[ast.AST]]:
    """The functions of a module by their names; for a class, all that make objects: of its bases, too."""
    found: dict[str, list[ast.AST]] = {}
    making = [each for each in walk(tree) if isinstance(each, Definition) and each.name in MAKING]
    for each in walk(tree):
        match each:
            case ast.ClassDef(name=name):
                found.setdefault(name, []).extend(making)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name not in MAKING:
                found.setdefault(name, []).append(each)
    return found


def _given_to_others(scope: ast.AST, tree: ast.Module) -> frozenset[str]:
    """What a function gives to functions of other files, or to methods of objects made there."""
    others, own = imported_from_files(tree), _functions_of(tree)

    def is_elsewhere(called: ast.expr) -> bool:
        name = called.attr if isinstance(called, ast.Attribute) else ""
        unknown = name and name not in own and name not in _OF_CONTAINERS
        return bool(unknown) or root_name(called) in others

    calls = (each for each in walk(scope) if isinstance(each, ast.Call) and is_elsewhere(each.func))
    return frozenset(_last_step(one) for each in calls for one in each.args) - {""}


@kept
def _put_by(scope: ast.AST) -> frozenset[Put]:
    """What a function puts into lists, as its own text shows it."""
    called = {each.func for each in walk(scope) if isinstance(each, ast.Call)}
    puts = {put for each in walk(scope) for put in _puts(each, scope)}
    named = (each for each in walk(scope) if isinstance(each, ast.Attribute) and each not in called)
    return frozenset(puts).union((_ANY, "") for each in named if each.attr in _PUTTING)


def _puts(node: ast.AST, scope: ast.AST) -> Iterator[Put]:
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[*_, given]) if method in _PUTTING:
            yield from _into(owner, given, scope)
        case ast.Assign(targets=targets, value=value):
            stored = (pair for target in targets for pair in assigned(target, value))
            yield from (
                put
                for target, each in stored
                if isinstance(target, ast.Subscript)
                for put in _into(target.value, each, scope)
            )
        case ast.AugAssign(target=ast.Name() | ast.Attribute() as owner, value=value):
            yield from _into(owner, value, scope)
        case ast.Call(func=ast.Name(id=name)) if name in _bound(scope):
            yield _ANY, ""
        case ast.Call(func=called, args=[_, *_]) if _changes_an_argument(called):
            yield _ANY, ""


def _into(owner: ast.expr, value: ast.expr, scope: ast.AST) -> Iterator[Put]:
    yield from ((name, each) for name in _names_of(owner, scope) for each in {*_made_by(value, scope)})


def _made_by(node: ast.expr, scope: ast.AST) -> Iterator[str]:
    """The names of the classes whose objects an expression may be, or hold; empty for any other object."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            yield "" if hasattr(builtins, name) else name
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_made_by(body, scope), *_made_by(orelse, scope))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from (made for each in parts for made in _made_by(each, scope))
        case ast.ListComp(elt=item):
            yield from _made_by(item, scope)
        case ast.Name(id=name) if name in _made_only(scope):
            yield from (made for each in _made_only(scope)[name] for made in _made_by(each, scope))
        case _ if not isinstance(node, _NUMBERS):
            yield ""


@kept
def _made_only(scope: ast.AST) -> Mapping[str, Sequence[ast.expr]]:
    """What is bound to the names that get nothing but what calls of classes and functions make."""
    bound: dict[str, list[ast.expr]] = {}
    for each in (one for one in walk(scope) if isinstance(one, ast.Assign)):
        for target in (one for one in each.targets if isinstance(one, ast.Name)):
            bound.setdefault(target.id, []).append(each.value)
    stores = Counter(each.id for each in name_nodes(scope) if not isinstance(each.ctx, ast.Load))
    given = parameter_names(scope.args) if isinstance(scope, Definition) else ()
    return {
        name: values
        for name, values in bound.items()
        if len(values) == stores[name] and name not in given and all(map(_is_made, values))
    }


def _is_made(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_made(value.body) and _is_made(value.orelse)
    return isinstance(value, (ast.Call, *_NUMBERS))


def _names_of(owner: ast.expr, scope: ast.AST) -> Iterator[str]:
    """What a changed list may be called elsewhere."""
    if not isinstance(owner, ast.Name):
        yield _last_step(owner) or _ANY
    elif owner.id not in _own_lists(scope):
        yield _ANY if owner.id in _bound(scope) else owner.id
    else:
        # Of its own list another class may be seen by another name.
        yield ""


@kept
def _own_lists(scope: ast.AST) -> frozenset[str]:
    """The names that a function binds to new containers and numbers, and nothing else."""
    made: dict[str, bool] = {}
    for each in (one for one in walk(scope) if isinstance(one, ast.Assign)):
        for target in (one for one in each.targets if isinstance(one, ast.Name)):
            made[target.id] = made.get(target.id, True) and isinstance(each.value, (*_CONTAINERS, *_NUMBERS))
    given = parameter_names(scope.args) if isinstance(scope, Definition) else ()
    return frozenset(name for name, new in made.items() if new).difference(given)


@kept
def _bound(scope: ast.AST) -> frozenset[str]:
    """The names that a function is given, or binds."""
    stored = {each.id for each in name_nodes(scope) if not isinstance(each.ctx, ast.Load)}
    return frozenset([*stored, *(parameter_names(scope.args) if isinstance(scope, Definition) else ())])


def _changes_an_argument(called: ast.expr) -> bool:
    """Whether it is what changes a list that it is given: ``heapq.heappush``, ``list.append``."""
    match called:
        case ast.Attribute(value=ast.Name(id="list"), attr=method):
            return method in _PUTTING
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in _OF_HEAPS
    return False
