"""``sum``, ``min``, ``max``, ``any`` and ``all`` of a generator, a display or a vector, as loops."""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Mapping, Sequence

from nprewrite.base import syntax
from nprewrite.base.syntax import names_bound, placed, renamed, text_tree, with_names
from nprewrite.lowering import array_ranks, maps
from nprewrite.lowering.access import Access
from nprewrite.lowering.numbers import BOOL, FLOAT
from nprewrite.lowering.problems import NotNative, Unreachable
from nprewrite.lowering.values import Value

_CHOOSE = "this = item\nif found is None or this {} found:\n    found = this"
_MISSING = "if found is None:\n    raise ValueError"
_LOOPS = {
    "total": ("found = start", "found = found + item", ""),
    "least": ("found = None", _CHOOSE.format("<"), _MISSING),
    "greatest": ("found = None", _CHOOSE.format(">"), _MISSING),
    "some": ("found = False", "if item:\n    found = True\n    break", ""),
    "every": ("found = True", "if not item:\n    found = False\n    break", ""),
}
"""The statements before a loop, in it, and after it."""


def folded(walk: Access, kind: str, node: ast.Call) -> Value | None:
    """The value of a call of Python's function that computes ``kind``; None where nothing is followed."""
    given, *start = node.args
    if kind not in _LOOPS or len(start) > (kind == "total"):
        return None
    first = start[0] if start else ast.copy_location(ast.Constant(0), node)
    match given:
        case ast.Tuple(elts=items) | ast.List(elts=items) if items:
            return _of_items(walk, kind, [*([first] if kind == "total" else []), *items], node)
        case ast.GeneratorExp() | ast.ListComp():
            generator: ast.GeneratorExp | ast.ListComp = given
        case _ if (
            isinstance(given, ast.Name | ast.Subscript)
            or maps.run_over(walk, given) is not None
            or array_ranks.rank(walk, given) == 1
        ):
            item = ast.Name("item", ast.Load())
            over = ast.comprehension(ast.Name("item", ast.Store()), given, [], 0)
            generator = ast.copy_location(ast.GeneratorExp(item, [over]), node)
        case _:
            return None
    return _of_generator(walk, kind, generator, first, node)


def _of_items(walk: Access, kind: str, items: Sequence[ast.expr], node: ast.Call) -> Value:
    """``sum((a, b))`` as ``0 + a + b``, ``any((a, b))`` as a test; the least of numbers by comparisons."""
    if kind in ("some", "every"):
        test = ast.copy_location(ast.BoolOp(ast.Or() if kind == "some" else ast.And(), [*items]), node)
        text = walk.test(test)[0] if len(items) > 1 else walk.test(items[0])[0]
        return Value({BOOL: walk.code.temporary(text)}, form=walk.code.symbols.between(0, 1))
    if kind in ("least", "greatest"):
        if len(items) == 1:
            return walk.value(items[0])
        return walk.value(ast.copy_location(ast.Call(node.func, [*items], []), node))
    found, *others = items
    for each in others:
        found = ast.copy_location(ast.BinOp(found, ast.Add(), each), node)
    return _plainly_added(kind, walk.value(found), node)


def _of_generator(
    walk: Access, kind: str, generator: ast.GeneratorExp | ast.ListComp, start: ast.expr, node: ast.Call
) -> Value:
    statements = walk.memory.made.get(id(node))
    if statements is None:
        statements = walk.memory.made[id(node)] = _statements(walk, kind, generator, start, node)
    before, calls = walk.environment, walk.calls
    walk.body(statements)
    # Python takes the elements of a vector one by one, of which there are never too many.
    walk.calls = calls
    if not walk.alive:
        raise Unreachable
    target = statements[0].targets[0]  # type: ignore[attr-defined]
    found = walk.kept_number(walk.value(ast.copy_location(ast.Name(target.id, ast.Load()), node)))
    walk.environment = before
    return _plainly_added(kind, found, node)


def _plainly_added(kind: str, found: Value, node: ast.Call) -> Value:
    # From Python 3.12 on, its own floats are added with what each addition loses.
    if kind == "total" and sys.version_info >= (3, 12) and FLOAT in found.codes:
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` adds Python's own floats", node)
    return found


def _statements(
    walk: Access, kind: str, generator: ast.GeneratorExp | ast.ListComp, start: ast.expr, node: ast.Call
) -> list[ast.stmt]:
    """The loop that computes what the call gives, with names of its own."""
    generators = generator.generators
    binds = any(isinstance(each, ast.NamedExpr) for each in syntax.walk(generator))
    stops = kind in ("some", "every") and len(generators) > 1
    if binds or stops or any(each.is_async for each in generators):
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
    own = {each: walk.memory.fresh(each) for each in names_bound(*(each.target for each in generators))}
    found, this = (ast.Name(walk.memory.fresh(each), ast.Load()) for each in ("found", "this"))
    before, in_loop, after = _LOOPS[kind]
    made = _filled(in_loop, {"found": found, "this": this, "item": renamed(generator.elt, own)})
    # The first iterable is evaluated outside of the generator's scope.
    outermost, computed = generators[0].iter, []
    if not isinstance(outermost, ast.Name | ast.Subscript) and array_ranks.rank(walk, outermost) == 1:
        vector = walk.memory.fresh("vector")
        computed = [ast.Assign([ast.Name(vector, ast.Store())], outermost)]
        outermost = ast.Name(vector, ast.Load())
    for each in reversed(generators):
        for test in reversed(each.ifs):
            made = [ast.If(renamed(test, own), made, [])]
        over = outermost if each is generators[0] else renamed(each.iter, own)
        made = [ast.For(renamed(each.target, own), over, made, [])]
    made = [*computed, *made]
    known = {"found": found, "start": start}
    return [placed(each, node) for each in (*_filled(before, known), *made, *_filled(after, known))]


def _filled(template: str, parts: Mapping[str, ast.expr]) -> list[ast.stmt]:
    """The statements of a text, with expressions in place of names."""

    def put(name: ast.Name) -> ast.expr | None:
        part = parts.get(name.id)
        return ast.Name(part.id, name.ctx) if isinstance(part, ast.Name) else copy.deepcopy(part)

    body = text_tree(template).body
    for each in (each for statement in body for each in syntax.walk(statement)):
        for attribute in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            vars(each).pop(attribute, None)
    return [with_names(each, put) for each in body]
