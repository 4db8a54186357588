"""Statements that compute, record and print numbers, and see no arrays of a loop."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from nprewrite.analysis.repeated_cost import never_raises
from nprewrite.base.syntax import children, name_nodes, walk
from nprewrite.numpy_api.attributes import is_of_layout
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import kept, names_mentioned
from nprewrite.types.values import Array, Generator, Scalar

_JUMPS = (ast.Pass, ast.Break, ast.Continue)


class NumberCode:
    """Which code in a loop, or around it, uses only numbers and ``records``.

    ``records`` are lists and arrays that are made once, before the loop, and that the function appends to or
    stores elements into, but passes to nobody until the loop has ended.
    """

    def __init__(self, loop: ast.For | ast.While, function: Function) -> None:
        self._function = function
        self._loop = loop
        self._returned = {
            id(part) for each in walk(loop) if isinstance(each, ast.Return) for part in walk(each)
        }

    def is_blind(self, node: ast.stmt, parts: Collection[ast.expr] = ()) -> bool:
        """Whether a statement, ``parts`` aside, neither reads nor changes arrays other than records."""
        match node:
            case ast.Expr(value=value):
                return self.is_number(value, parts)
            case ast.Assign(targets=targets, value=value):
                return all(map(self._is_target, targets)) and self.is_number(value, parts)
            case ast.AugAssign(target=target, value=value):
                number = self._is_target(target) and self._is_plain(target)
                return number and self.is_number(value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self.is_number(test) and all(map(self.is_blind, [*body, *orelse]))
            case ast.Return(value=value):
                return value is None or self.is_number(value)
        return isinstance(node, _JUMPS)

    def raises_nothing(self, statement: ast.stmt) -> bool:
        """Whether a blind statement binds names and raises nothing: ``t += dt``, ``k = 2 * n - 1``."""
        match statement:
            case ast.Assign(targets=targets, value=value):
                names = all(isinstance(each, ast.Name) for each in targets)
                return names and never_raises(value, self._function)
            case ast.AugAssign(target=ast.Name(), op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
                return never_raises(value, self._function)
        return False

    def is_number(self, node: ast.expr, parts: Collection[ast.expr] = ()) -> bool:
        """Whether an expression consists of numbers, strings, the lists, and ``parts``."""
        if any(node is each for each in parts):
            return True
        inner = partial(self.is_number, parts=parts)
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return self._is_list(name) or isinstance(self._function.facts.value(node), Scalar)
            case ast.Attribute(value=value, attr=attr) if is_of_layout(attr):
                return isinstance(self._function.facts.value(value), Array) and self._is_place(value)
            case ast.Attribute():
                return self._function.dotted(node) is not None
            case ast.Call(func=func, args=arguments, keywords=keywords):
                given = [*arguments, *(each.value for each in keywords)]
                return (self._is_known(func) or self._draws(func)) and all(map(inner, given))
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.IfExp() | ast.Tuple():
                return all(map(inner, _parts(node)))
            case ast.JoinedStr() | ast.FormattedValue():
                return all(map(inner, _parts(node)))
        return False

    def _is_place(self, node: ast.expr) -> bool:
        """Whether an expression gives an array or a view without reading elements: not ``u[u > 0]``."""
        match node:
            case ast.Name():
                return True
            case ast.Attribute(value=value):
                return self._is_place(value)
            case ast.Subscript(value=value, slice=index):
                names = [*name_nodes(index)]
                return self._is_place(value) and all(map(self.is_number, names))
        return False

    def _is_known(self, function: ast.expr) -> bool:
        """``print``, ``math.sin``, ``np.sin`` and ``records.append``."""
        if isinstance(function, ast.Attribute) and function.attr == "append":
            return isinstance(function.value, ast.Name) and self._is_list(function.value.id)
        dotted = self._function.dotted(function) or ""
        python = python_function(dotted)
        quiet = python is not None and python.quiet
        return quiet or dotted.startswith("math.") or elementwise(dotted) is not None

    def _is_list(self, name: str) -> bool:
        """Whether a name is a list of the records."""
        made = self._made(name)
        is_empty = made is not None and isinstance(made.value, ast.List) and not made.value.elts
        return made is not None and is_empty and self._is_own(name, made)

    def _is_array(self, name: str) -> bool:
        """Whether a name is an array of the records."""
        made = self._made(name)
        if made is None or not isinstance(made.value, ast.Call):
            return False
        maker = creation(self._function.dotted(made.value.func))
        return maker is not None and maker.rule == "filled" and self._is_own(name, made)

    def _made(self, name: str) -> ast.Assign | None:
        """The statement that binds the name, if only one does."""
        node = self._function.node
        return _uses(node).made.get(name) if isinstance(node, Definition) else None

    def _is_own(self, name: str, made: ast.Assign) -> bool:
        """Whether only the function's own statements see the name's value as long as the loop may run."""
        assert isinstance(self._function.node, Definition)
        uses, loop = _uses(self._function.node), self._loop
        # What follows the loop inside another one comes before its next run.
        around = uses.around.get(id(loop), ())
        again = (end for start, end in around if not start <= made.lineno <= end)
        last = max(again, default=loop.end_lineno or loop.lineno)
        if self._function.is_shared(name) or uses.closures.get(name, last + 1) <= last:
            return False
        early = (each for each in uses.places[name] if each.lineno <= last)
        others = (each for each in early if id(each) not in uses.plain)
        # What a `return` in the loop returns is seen only after it.
        return all(not isinstance(each.ctx, ast.Load) or id(each) in self._returned for each in others)

    def _draws(self, function: ast.expr) -> bool:
        """Whether it is ``rng.normal`` of a random number generator: new arrays, of numbers only."""
        match function:
            case ast.Attribute(value=ast.Name() as generator):
                return isinstance(self._function.facts.value(generator), Generator)
        return False

    def _is_target(self, target: ast.expr) -> bool:
        match target:
            case ast.Name():
                return True
            case ast.Tuple(elts=elements):
                return all(map(self._is_target, elements))
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self._is_array(name) and self.is_number(index)
        return False

    def _is_plain(self, target: ast.expr) -> bool:
        """Whether ``target`` holds a number: ``u += 1`` changes an array."""
        if isinstance(target, ast.Name):
            return isinstance(self._function.facts.value(target), Scalar)
        return True


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    return (each for each in children(node) if isinstance(each, ast.expr))


@dataclass(frozen=True)
class _Uses:
    """What the statements of a function do with names."""

    made: Mapping[str, ast.Assign]
    """``name = []`` and ``name = f(...)`` of names that are bound once."""
    places: Mapping[str, Sequence[ast.Name]]
    plain: frozenset[int]
    """The places where a list is appended to or its length is read, and where an element is stored."""
    closures: Mapping[str, int]
    """The first line of the functions and classes in it that mention a name."""
    around: Mapping[int, Sequence[tuple[int, int]]]
    """The first and last lines of each loop and of the loops around it, by the ``id`` of its node."""


@kept
def _uses(function: Definition) -> _Uses:
    nodes = [each for statement in function.body for each in walk(statement)]
    places: dict[str, list[ast.Name]] = {}
    stored: Counter[str] = Counter()
    plain: set[int] = set()
    closures: dict[str, int] = {}
    for each in nodes:
        match each:
            case ast.Name(id=name):
                places.setdefault(name, []).append(each)
                stored[name] += not isinstance(each.ctx, ast.Load)
            case (
                ast.Call(func=ast.Attribute(value=ast.Name() as used, attr="append"))
                | ast.Call(func=ast.Name(id="len"), args=[ast.Name() as used])
            ):
                plain.add(id(used))
            case ast.Subscript(value=ast.Name() as used, ctx=ast.Store(), slice=index) if not _is_slice(
                index
            ):
                plain.add(id(used))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                for name in names_mentioned(each):
                    closures[name] = min(each.lineno, closures.get(name, each.lineno))
    made = {
        each.targets[0].id: each
        for each in nodes
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)
    }
    once = {name: each for name, each in made.items() if stored[name] == 1}
    return _Uses(once, places, frozenset(plain), closures, dict(_around(function, ())))


def _around(
    node: ast.AST, outer: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    for each in children(node):
        if isinstance(each, ast.For | ast.While):
            lines = (*outer, (each.lineno, each.end_lineno or each.lineno))
            yield id(each), lines
            yield from _around(each, lines)
        elif isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _around(each, outer)


def _is_slice(index: ast.expr) -> bool:
    return any(isinstance(each, ast.Slice) for each in walk(index))
