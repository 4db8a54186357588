"""What a loop prints: its numbers are kept in a list, in the order of the loop, and told when it ends.

What it appends to lists in a list is kept beside that.

``print(f"step {n}: {x[n]:.3f}")`` keeps ``n`` and ``x[n]``. Nothing else can print meanwhile. Where the trips
hold loops, which are compiled by themselves, what is printed every so often is printed there and then.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from nprewrite.base.syntax import fresh_name, names_in, walk
from nprewrite.lowering.filled_lists import Filling, filling

Resolve = Callable[[ast.expr], str | None]
_OF_TEXT = ("builtins.str", "builtins.repr", "builtins.format")
_ROUNDED = ("builtins.format", "builtins.round", "numpy.around", "numpy.round")
"""With a number of digits, they do not raise."""
_OPTIONS = ("sep", "end", "flush")


@dataclass(frozen=True)
class Prints:
    """The calls of ``print`` in a function, as functions of the numbers that they tell.

    Those that append have the name of a list beside them, of which they are functions that give such ones.
    ``kept`` gives for each statement, by its identity, what is appended to the list ``name``: the number of
    the call and its numbers, as many for each call.
    """

    name: str
    calls: tuple[tuple[str, str], ...]
    kept: Mapping[int, ast.expr]
    told_at_once: frozenset[int]
    """The statements whose trips hold loops."""


def prints_of(function: ast.FunctionDef, resolve: Resolve, filled: Collection[str] = ()) -> Prints | None:
    """What a function prints, or appends to the lists in those that are ``filled``.

    None where that is nothing, or something else than numbers and literals.
    """
    found = [*_found(function, resolve, filled)]
    if not found:
        return None
    name = fresh_name("told", names_in(function))
    most = max(len(each.numbers) for _, each in found)
    kept = {}
    for k, (statement, each) in enumerate(found):
        zeros = [ast.Constant(0)] * (most - len(each.numbers))
        item = ast.Tuple([ast.Constant(k), *each.numbers, *zeros], ast.Load())
        called = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        made = ast.copy_location(ast.Call(called, [item], []), statement)
        kept[id(statement)] = ast.fix_missing_locations(made)
    long = (part for loop in _loops(function) if any(_loops(*loop.body)) for part in loop.body)
    inside = frozenset(id(each) for part in long for each in walk(part))
    at_once = frozenset(id(statement) for statement, each in found if not each.filled) & inside
    return Prints(name, tuple((each.text(most), each.filled) for _, each in found), kept, at_once)


def _loops(*nodes: ast.AST) -> Iterator[ast.For | ast.While]:
    inside = (each for node in nodes for each in walk(node))
    return (each for each in inside if isinstance(each, ast.For | ast.While))


def _found(
    function: ast.FunctionDef, resolve: Resolve, filled: Collection[str]
) -> Iterator[tuple[ast.Expr, _Told]]:
    for each in walk(function):
        match each:
            case ast.Expr() if (appended := filling(each)) is not None and appended.name in filled:
                yield each, _Told(appended.call, resolve, appended)
            case ast.Expr(value=ast.Call(func=called) as call) if resolve(called) == "builtins.print":
                told = _Told(call, resolve)
                if told.is_known:
                    yield each, told


class _Told:
    """A call of ``print``, or one that appends, with parameters for the numbers in it."""

    def __init__(self, call: ast.Call, resolve: Resolve, appended: Filling | None = None) -> None:
        self._resolve = resolve
        self._call = copy.deepcopy(call)
        self.numbers: list[ast.expr] = []
        self.filled = appended.name if appended is not None else ""
        if appended is not None:
            place = ast.Subscript(
                ast.Name(appended.name, ast.Load()), self._number(appended.place), ast.Load()
            )
            self._call.func = ast.Attribute(place, "append", ast.Load())
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        plain = all(each.arg in _OPTIONS and isinstance(each.value, ast.Constant) for each in call.keywords)
        self.is_known = plain and not starred
        self._call.args = [self._told(each) for each in self._call.args]

    def text(self, count: int) -> str:
        """The text of a function of so many numbers that prints."""
        text = f"lambda {', '.join(f'_{k}' for k in range(count))}: {ast.unparse(self._call)}"
        return f"lambda {self.filled}: {text}" if self.filled else text

    def _told(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Constant():
                return node
            case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                parts[:] = map(self._told, parts)
                return node
            case ast.FormattedValue():
                node.value = self._told(node.value)
                return node
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                node.right = self._told(node.right)
                return node
            case ast.BinOp(op=ast.Add()) if self._is_text(node.left) or self._is_text(node.right):
                node.left, node.right = self._told(node.left), self._told(node.right)
                return node
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format"), keywords=[]):
                node.args = [*map(self._told, node.args)]
                return node
            case ast.Call(keywords=[], args=[_, *others]) if self._resolve(node.func) in (
                _ROUNDED if others else _OF_TEXT
            ):
                node.args = [*map(self._told, node.args)]
                return node
        return self._number(node)

    def _number(self, node: ast.expr) -> ast.expr:
        self.numbers.append(copy.deepcopy(node))
        return ast.Name(f"_{len(self.numbers) - 1}", ast.Load())

    def _is_text(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=str()) | ast.JoinedStr():
                return True
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._is_text(left) or self._is_text(right)
            case ast.Call():
                return self._resolve(node.func) in _OF_TEXT
        return False
