"""Comprehensions of a few known trips over array code, and what their trips compute.

    sum(np.roll(np.roll(u, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))

They are displays, or sums, of expressions in which the variables are replaced. Here a variable may also stand
for what another name does, as no name is bound anew in between, and ``a, b = map(np.array, (x, y))`` is one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from nprewrite.analysis.fixed_tables import Tables, truth, with_numbers
from nprewrite.base.syntax import children, name_nodes, stored_names, walk
from nprewrite.program.function import Function
from nprewrite.regions.unrolling import MOST_TRIPS, Trip, trips_of, trips_over
from nprewrite.source.names import EXPRESSION_SCOPES
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Instance, Unknown, objects_in


@dataclass(frozen=True)
class WrittenOut:
    """An expression with a comprehension in it, and the expressions of its trips.

    ``begin`` is what they are added to, None where they become a list.
    """

    node: ast.expr
    elements: tuple[ast.expr, ...]
    begin: ast.expr | None

    @property
    def made(self) -> ast.expr:
        """What the expression becomes."""
        if self.begin is None:
            return ast.List([*self.elements], ast.Load())
        made = self.begin
        for each in self.elements:
            made = ast.BinOp(made, ast.Add(), each)
        return made


def written_out(statement: ast.stmt, function: Function) -> Iterator[WrittenOut | Problem]:
    """The comprehensions of a simple statement whose trips are known and compute with arrays."""
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr):
        return
    tables = Tables(statement, function)
    for node, comprehension, begin in _found(statement, function):
        known = _arrays(comprehension, statement, function)
        trips = [*_trips(comprehension.generators, {}, tables, function)] if known else [None]
        if None in trips or not trips:
            continue
        if len(trips) > MOST_TRIPS:
            text = f"written out, the comprehension would be {len(trips)} expressions"
            yield Problem("too-many-statements", text, node)
        elif any(isinstance(each, (*EXPRESSION_SCOPES, ast.NamedExpr)) for each in _inside(comprehension)):
            yield Problem("closure", "the comprehension defines a function or comprehension", node)
        else:
            element = comprehension.elt
            elements = (with_numbers(element, each, tables, function) for each in trips if each is not None)
            yield WrittenOut(node, tuple(elements), begin)


def _found(
    root: ast.AST, function: Function
) -> Iterator[tuple[ast.expr, ast.ListComp | ast.GeneratorExp, ast.expr | None]]:
    """The expressions that may be written out, which are in no scope of their own."""
    for node in children(root):
        match node:
            case ast.Call(
                func=ast.Name(id="map"),
                args=[called, (ast.Tuple() | ast.List()) as over],
                keywords=[],
            ) if _unpacks(root):
                if function.dotted(node.func) == "builtins.map" and function.dotted(called) is not None:
                    yield node, _mapped(called, over), None
                    continue
            case ast.Call(
                func=called, args=[(ast.ListComp() | ast.GeneratorExp()) as inner, *begin], keywords=[]
            ):
                if len(begin) < 2 and function.dotted(called) == "builtins.sum":
                    yield node, inner, begin[0] if begin else ast.Constant(0)
                    continue
            case ast.ListComp():
                yield node, node, None
            case ast.GeneratorExp() if _unpacks(root):
                yield node, node, None
        if not isinstance(node, EXPRESSION_SCOPES):
            yield from _found(node, function)


def _unpacks(statement: ast.AST) -> bool:
    """Whether a statement takes all that an iterator gives, before it binds any name."""
    return isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple)


def _mapped(called: ast.expr, over: ast.expr) -> ast.ListComp:
    """``map(f, over)`` as a comprehension."""
    element = ast.Call(called, [ast.Name("each", ast.Load())], [])
    generator = ast.comprehension(ast.Name("each", ast.Store()), over, [], 0)
    return ast.fix_missing_locations(ast.ListComp(element, [generator]))


def _inside(comprehension: ast.ListComp | ast.GeneratorExp) -> Iterator[ast.AST]:
    yield from walk(comprehension.elt)
    yield from (each for part in comprehension.generators for test in part.ifs for each in walk(test))


def _arrays(comprehension: ast.ListComp | ast.GeneratorExp, statement: ast.stmt, function: Function) -> bool:
    """Whether a trip may compute with an array that stands for the same one in all of them.

    Of what is carried around a loop by the comprehension itself, nothing is known before it is written out.
    """
    bound = stored_names(*(each.target for each in comprehension.generators))
    known = function.facts.at(statement)
    parts = (comprehension.elt, *(each.iter for each in comprehension.generators))
    values = {each.id: known.get(each.id) for each in name_nodes(*parts) if each.id not in bound}
    lists = (each for each in values.values() if isinstance(each, Instance) and each.kind is list)
    of_arrays = any(objects_in(each) is None for each in lists)
    if any(isinstance(each, Array) for each in values.values()) or of_arrays:
        return True
    unknown = {name for name, each in values.items() if isinstance(each, Unknown)}
    return bool(unknown) and any(_is_of_arrays(each, unknown, function) for each in walk(comprehension.elt))


def _is_of_arrays(node: ast.AST, unknown: Collection[str], function: Function) -> bool:
    """Whether a node looks like array code: a call of NumPy's, or a part of something unknown."""
    match node:
        case ast.Call(func=called):
            return (function.dotted(called) or "").startswith("numpy.")
        case ast.Subscript(value=ast.Name(id=name)):
            return name in unknown
    return False


def _trips(
    generators: Sequence[ast.comprehension], around: Trip, tables: Tables, function: Function
) -> Iterator[Trip | None]:
    """What replaces the variables in each trip; None where that is unknown."""
    if not generators:
        yield around
        return
    first, *others = generators
    over = with_numbers(first.iter, around, tables, function)
    trips = None if first.is_async else trips_of(first.target, over, tables, function)
    if trips is None and isinstance(over, ast.Tuple | ast.List) and _is_known(over, function):
        trips = trips_over(first.target, over.elts)
    for each in trips if trips is not None else (None,):
        trip = None if each is None else {**around, **each}
        tests = (
            []
            if trip is None
            else [truth(with_numbers(test, trip, tables, function), function) for test in first.ifs]
        )
        if trip is None or None in tests:
            yield None
        elif all(tests):
            yield from _trips(others, trip, tables, function)


def _is_known(node: ast.expr, function: Function) -> bool:
    """Whether an expression is made of local names and numbers: no call binds them anew."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(_is_known(each, function) for each in elements)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()) | ast.Constant():
            return True
        case ast.Name(id=name):
            return function.is_local(name) and not function.is_shared(name)
    return False
