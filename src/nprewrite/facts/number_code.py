"""Statements that compute with numbers, record them and print them, and see no arrays of a loop."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import partial

from nprewrite.facts.function import Definition, Function
from nprewrite.facts.numpy_table import elementwise
from nprewrite.facts.values import Array, Generator, Scalar

_OF_NUMBERS = frozenset(
    f"builtins.{name}"
    for name in (
        "abs",
        "bool",
        "divmod",
        "float",
        "int",
        "len",
        "max",
        "min",
        "print",
        "range",
        "round",
        "str",
    )
)
_CONSTRUCTORS = frozenset(f"numpy.{name}" for name in ("empty", "full", "ones", "zeros"))
_JUMPS = (ast.Pass, ast.Break, ast.Continue)


class NumberCode:
    """Which code in a loop, or around it, has to do with numbers and with ``records`` only.

    ``records`` are lists and arrays that are made once, before the loop, and that the function appends to and
    stores elements into, but hands to nobody until the loop has ended.
    """

    def __init__(self, loop: ast.For | ast.While, function: Function) -> None:
        self._function = function
        self._lists, self._arrays = _records(loop, function)

    def is_blind(self, node: ast.stmt, parts: Collection[ast.expr] = ()) -> bool:
        """Whether a statement neither reads nor changes an array but the records, beside these ``parts``."""
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

    def is_number(self, node: ast.expr, parts: Collection[ast.expr] = ()) -> bool:
        """Whether an expression is made of numbers, texts, the lists, and ``parts``."""
        if any(node is each for each in parts):
            return True
        inner = partial(self.is_number, parts=parts)
        match node:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name in self._lists or isinstance(self._function.facts.value(node), Scalar)
            case ast.Attribute(value=value, attr="shape" | "size" | "ndim"):
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
        """Whether an expression names an array or a view, and looks at no element: not ``u[u > 0]``."""
        match node:
            case ast.Name():
                return True
            case ast.Attribute(value=value):
                return self._is_place(value)
            case ast.Subscript(value=value, slice=index):
                names = [each for each in ast.walk(index) if isinstance(each, ast.Name)]
                return self._is_place(value) and all(map(self.is_number, names))
        return False

    def _is_known(self, function: ast.expr) -> bool:
        """``print``, ``math.sin``, ``np.sin`` and ``records.append``."""
        if isinstance(function, ast.Attribute) and function.attr == "append":
            return isinstance(function.value, ast.Name) and function.value.id in self._lists
        dotted = self._function.dotted(function) or ""
        return dotted in _OF_NUMBERS or dotted.startswith("math.") or elementwise(dotted) is not None

    def _draws(self, function: ast.expr) -> bool:
        """``rng.normal`` of a generator of random numbers: new arrays, of numbers only."""
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
                return name in self._arrays and self.is_number(index)
        return False

    def _is_plain(self, target: ast.expr) -> bool:
        """Whether ``target`` holds a number: ``u += 1`` changes an array."""
        if isinstance(target, ast.Name):
            return isinstance(self._function.facts.value(target), Scalar)
        return True


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    return (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))


def _records(loop: ast.For | ast.While, function: Function) -> tuple[frozenset[str], frozenset[str]]:
    """The names of lists and of arrays that only this function's own statements up to the loop's end see."""
    if not isinstance(function.node, Definition):
        return frozenset(), frozenset()
    body = [each for statement in function.node.body for each in ast.walk(statement)]
    nodes = [each for each in body if isinstance(each, ast.stmt | ast.expr)]
    early = [each for each in nodes if each.lineno <= (loop.end_lineno or loop.lineno)]
    stored = [each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    lists: set[str] = set()
    arrays: set[str] = set()
    for each in early:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if stored.count(name) == 1:
                if isinstance(value, ast.List) and not value.elts:
                    lists.add(name)
                elif isinstance(value, ast.Call) and function.dotted(value.func) in _CONSTRUCTORS:
                    arrays.add(name)
    escaped = _escaped(loop, function, early)
    return frozenset(lists - escaped), frozenset(arrays - escaped)


def _escaped(loop: ast.For | ast.While, function: Function, nodes: list[ast.stmt | ast.expr]) -> set[str]:
    """Names that are used for more than appending to a list and storing into an array's elements."""
    plain: set[int] = set()
    for each in nodes:
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="append")):
                plain.add(id(name))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as name]):
                plain.add(id(name))
            case ast.Subscript(value=ast.Name() as name, ctx=ast.Store(), slice=index) if not _is_slice(
                index
            ):
                plain.add(id(name))
    returns = [each for each in ast.walk(loop) if isinstance(each, ast.Return)]
    returned = {id(each) for node in returns for each in ast.walk(node)}
    found: set[str] = set()
    for each in nodes:
        if not isinstance(each, ast.Name) or id(each) in plain:
            continue
        # What a `return` in the loop gives is seen after it.
        handed = isinstance(each.ctx, ast.Load) and id(each) not in returned
        if handed or function.is_shared(each.id):
            found.add(each.id)
    inner = (each for each in nodes if isinstance(each, Definition | ast.Lambda | ast.ClassDef))
    closures = {name.id for each in inner for name in ast.walk(each) if isinstance(name, ast.Name)}
    return found | closures


def _is_slice(index: ast.expr) -> bool:
    return any(isinstance(each, ast.Slice) for each in ast.walk(index))
