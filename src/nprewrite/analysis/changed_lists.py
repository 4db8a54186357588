"""Which lists may get objects of another class from a function, or from those to which its names lead.

What the objects in a list are, was seen when the function was called; ``agents.append(Predator())`` puts
another one there. Fewer of them, in another order, are of the same class still.

birth(self.agents)           def birth(agents): agents.append(...)     the list has another name there
add = self.agents.append     and nothing tells where ``add`` is called
others = self.agents         the same list, whose name is another one where a new object is put into it
heappush(self.agents, x)     so does a function of another module: of Python's, or of another file
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from nprewrite.base.syntax import name_nodes, names_in, root_name, words_in
from nprewrite.program.function import Definition
from nprewrite.source.kept import kept
from nprewrite.source.names import imported_from_files, parameter_names

MAKING = ("__init__", "__post_init__")
"""The methods that give a new object its attributes."""
_PUTTING = frozenset(("append", "extend", "insert"))
_OF_HEAPS = frozenset(("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "insort"))
_CONTAINERS = (ast.List, ast.ListComp, ast.Dict, ast.Set, ast.Call, ast.BinOp)
_ANY = "*"
"""In place of a name where it may be any list."""
Put = tuple[str, str]
"""The last name of a list, and what makes the object that is put into it; empty where nothing tells."""


def may_get_another(owner: ast.expr, kind: type, tree: ast.Module, scope: ast.AST) -> bool:
    """Whether a list of objects of a class, ``self.agents``, may get another one while a function runs."""
    classes, names = _classes_of(tree), (_ANY, _last_step(owner))
    scopes = (scope, *_reached(tree, scope))
    if any(_given_to_others(each, tree) & words_in(owner) for each in scopes):
        return True
    puts = (put for each in scopes for put in _put_by(each))
    # A list may have several names: an object of another class may come under any of them.
    return any(made != kind.__name__ if made in classes else name in names for name, made in puts)


@kept
def _classes_of(tree: ast.Module) -> frozenset[str]:
    return frozenset(each.name for each in ast.walk(tree) if isinstance(each, ast.ClassDef))


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
    attributes = (each.attr for each in ast.walk(scope) if isinstance(each, ast.Attribute))
    return frozenset([*attributes, *names_in(scope)])


@kept
def _functions_of(tree: ast.Module) -> Mapping[str, Sequence[ast.AST]]:
    """The functions of a module by their names; for a class, all that make objects: of its bases, too."""
    found: dict[str, list[ast.AST]] = {}
    making = [each for each in ast.walk(tree) if isinstance(each, Definition) and each.name in MAKING]
    for each in ast.walk(tree):
        match each:
            case ast.ClassDef(name=name):
                found.setdefault(name, []).extend(making)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name not in MAKING:
                found.setdefault(name, []).append(each)
    return found


def _given_to_others(scope: ast.AST, tree: ast.Module) -> frozenset[str]:
    """What a function gives to functions of other files."""
    others = imported_from_files(tree)
    calls = (each for each in ast.walk(scope) if isinstance(each, ast.Call))
    given = (each.args for each in calls if others and root_name(each.func) in others)
    return frozenset(_last_step(each) for each in chain.from_iterable(given)) - {""}


@kept
def _put_by(scope: ast.AST) -> frozenset[Put]:
    """What a function puts into lists, as its own text shows it."""
    return frozenset(put for each in ast.walk(scope) for put in _puts(each, scope))


def _puts(node: ast.AST, scope: ast.AST) -> Iterator[Put]:
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[*_, given]) if method in _PUTTING:
            yield from _into(owner, given, scope)
        case ast.Assign(value=ast.Attribute(attr=method)) if method in _PUTTING:
            yield _ANY, ""
        case ast.Assign(targets=[ast.Subscript(value=owner)], value=ast.Call(func=ast.Name()) as value):
            yield from _into(owner, value, scope)
        case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store()):
            yield name, ""
        case ast.AugAssign(target=owner, value=ast.List() | ast.ListComp() as value):
            yield from _into(owner, value, scope)
        case ast.Call(func=ast.Name(id=name)) if name in _bound(scope):
            yield _ANY, ""
        case ast.Call(func=called, args=[_, *_]) if _changes_an_argument(called):
            yield _ANY, ""


def _into(owner: ast.expr, value: ast.expr, scope: ast.AST) -> Iterator[Put]:
    made = {*_made_by(value, scope)} or {""}
    if any(hasattr(builtins, each) for each in made):
        made = {""}
    yield from ((name, each) for name in _names_of(owner, scope) for each in made)


def _made_by(node: ast.expr, scope: ast.AST) -> Iterator[str]:
    """The names of what may make the objects of an expression."""
    yield from _called(node)
    if isinstance(node, ast.Name):
        made = (each for each in ast.walk(scope) if isinstance(each, ast.Assign))
        values = (each.value for each in made if node.id in map(_last_step, each.targets))
        yield from (name for value in values for name in _called(value))


def _called(node: ast.expr) -> Iterator[str]:
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    yield from (each.id for each in calls if isinstance(each, ast.Name))


def _names_of(owner: ast.expr, scope: ast.AST) -> Iterator[str]:
    """What a changed list may be called elsewhere."""
    if not isinstance(owner, ast.Name):
        yield _last_step(owner)
    elif owner.id not in _own_lists(scope):
        yield _ANY if owner.id in _bound(scope) else owner.id
    else:
        # Of its own list another class may be seen by another name.
        yield ""


@kept
def _own_lists(scope: ast.AST) -> frozenset[str]:
    """The names that a function binds to new containers and nothing else."""
    made: dict[str, bool] = {}
    for each in (one for one in ast.walk(scope) if isinstance(one, ast.Assign)):
        for target in (one for one in each.targets if isinstance(one, ast.Name)):
            made[target.id] = made.get(target.id, True) and isinstance(each.value, _CONTAINERS)
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
