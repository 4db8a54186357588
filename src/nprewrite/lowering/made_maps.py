"""Dictionaries and sets that a loop makes for itself: made anew in each trip, and handed to nobody.

``seen = {start}`` becomes ``seen.clear()`` and ``seen.add(start)``: it has one name, and its items lie in
memory that the caller lends.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from nprewrite.base.syntax import name_nodes, names_in, placed, twin, walk
from nprewrite.lowering.made_lists import is_set_first
from nprewrite.lowering.written_lists import Resolve

_MAKERS = {"builtins.dict": "dict", "builtins.set": "set", "collections.Counter": "counter"}
_DEFAULTS = ("int", "float", "list")


def made_by(value: ast.expr, resolve: Resolve) -> str:
    """What an expression makes: a "dict", a "set", a "counter", or a dictionary of "int", "float" or "list"
    for keys that are not there; "" for all else."""
    match value:
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Call(func=called, args=given):
            dotted = resolve(called) or ""
            if dotted == "collections.defaultdict" and given and isinstance(given[0], ast.Name):
                return given[0].id if given[0].id in _DEFAULTS else "dict"
            return _MAKERS.get(dotted, "")
    return ""


def with_made_maps(function: ast.FunctionDef, resolve: Resolve) -> tuple[ast.FunctionDef, Mapping[str, str]]:
    """The function with calls that fill the dictionaries and sets that it makes for itself, and what these
    are by their names."""
    given = {each.arg for each in function.args.args}
    bound: dict[str, set[str]] = {}
    for each in walk(function):
        found = _made(each, resolve)
        if found is not None:
            bound.setdefault(found[0], set()).add(found[1])
    own = {
        name: kinds.pop()
        for name, kinds in bound.items()
        if len(kinds) == 1 and name not in given and _is_own(name, function, resolve)
    }
    if not own:
        return function, {}
    made = twin(function)
    made.body = _filled(made.body, own, resolve)
    return ast.fix_missing_locations(made), own


def _made(node: ast.AST, resolve: Resolve) -> tuple[str, str] | None:
    """The name to which a statement binds a new dictionary or set whose items it lists, and what that is."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            made = made_by(value, resolve)
        case _:
            return None
    match value:
        case ast.Dict(keys=keys):
            listed = None not in keys
        case ast.Set():
            listed = True
        case ast.Call(args=given, keywords=[]):
            listed = len(given) == (made in _DEFAULTS)
        case _:
            listed = False
    return (name, made) if made and listed and name not in names_in(value) else None


def _is_own(name: str, function: ast.FunctionDef, resolve: Resolve) -> bool:
    """Whether it has this one name, is handed to nobody, and is made before it is looked at."""
    allowed = {id(each) for node in walk(function) for each in _looked_at(node)}
    uses = [each for each in name_nodes(function) if each.id == name]
    stored = [each for each in uses if not isinstance(each.ctx, ast.Load)]
    made = [each for each in walk(function) if _name_made(each, resolve) == name]
    if len(made) != len(stored) or any(id(each) not in allowed for each in uses if each not in stored):
        return False
    return is_set_first(name, function.body, lambda each: _name_made(each, resolve))


def _name_made(node: ast.AST, resolve: Resolve) -> str | None:
    found = _made(node, resolve)
    return found[0] if found is not None else None


def _looked_at(node: ast.AST) -> Iterator[ast.expr]:
    """What may be a dictionary or a set of the loop's own: none of these keeps it."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="get" | "add" | "setdefault")):
            yield owner
        case ast.Call(args=[ast.Call(ast.Attribute(owner, "keys" | "values"), [], [])]):
            yield owner
        case (
            ast.For(iter=ast.Call(ast.Attribute(owner, "keys" | "values" | "items"), [], []))
            | ast.For(iter=ast.Name() as owner)
        ):
            yield owner
        case ast.Call(func=ast.Name(id="len"), args=[owner]):
            yield owner
        case ast.Subscript(value=owner):
            yield owner
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[owner]):
            yield owner


def _filled(block: Sequence[ast.stmt], own: Mapping[str, str], resolve: Resolve) -> list[ast.stmt]:
    statements: list[ast.stmt] = []
    for each in block:
        for field in ("body", "orelse"):
            if getattr(each, field, None):
                setattr(each, field, _filled(getattr(each, field), own, resolve))
        found = _made(each, resolve)
        if found is None or found[0] not in own:
            statements.append(each)
            continue
        assert isinstance(each, ast.Assign | ast.AnnAssign)
        statements += [placed(made, each) for made in _made_anew(found[0], each.value)]
    return statements


def _made_anew(name: str, value: ast.expr | None) -> Iterator[ast.stmt]:
    def call(method: str, *given: ast.expr) -> ast.stmt:
        called = ast.Attribute(ast.Name(name, ast.Load()), method, ast.Load())
        return ast.Expr(ast.Call(called, [*given], []))

    yield call("clear")
    match value:
        case ast.Set(elts=items):
            yield from (call("add", each) for each in items)
        case ast.Dict(keys=keys, values=under):
            for key, each in zip(keys, under, strict=True):
                assert key is not None
                target = ast.Subscript(ast.Name(name, ast.Load()), key, ast.Store())
                yield ast.Assign([target], each)
