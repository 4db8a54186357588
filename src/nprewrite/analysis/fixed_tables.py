"""Tables of literals that a function does not change: ``e = [(0, 0), (1, 0)]``, ``w = np.array([1])``."""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeVar

from nprewrite.analysis.liveness import escapes, surely_set
from nprewrite.analysis.memory import Memory
from nprewrite.base.syntax import items_of, name_nodes, walk
from nprewrite.numpy_api.python import python_function
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import parameter_names
from nprewrite.types.array_functions import literal
from nprewrite.types.values import Array, Scalar

Display = ast.Tuple | ast.List

N = TypeVar("N", bound=ast.AST)

_FOLDED = ("builtins.abs", "builtins.max")
_FOLDING = (
    *(ast.Constant, ast.Tuple, ast.List, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Call),
    *(ast.cmpop, ast.boolop, ast.unaryop, ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.Load),
)
"""What a test is made of whose truth is known; a power of literals could take for ever."""
_OF_INTEGERS: dict[type[ast.operator | ast.unaryop], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
}
_MOST = 256
"""Longer tables are of no use for loops that are written out."""


class Tables:
    """The tables that are filled before a loop, with the value at each place."""

    def __init__(self, loop: ast.stmt, function: Function) -> None:
        self._loop, self._function = loop, function
        self._known = function.facts.at(loop)
        self._found: dict[str, Display | None] = {}

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self._function)

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The names whose memory the function changes."""
        changed = self._memory.changed_in(self._function.node.body)
        return frozenset(changed.by_stores | changed.by_calls)

    def elements(self, node: ast.expr) -> list[ast.expr] | None:
        """The values that a loop over a display or a table takes."""
        if isinstance(node, Display):
            return [*node.elts] if _is_written_out(node) else None
        if not isinstance(node, ast.Name):
            return None
        written, array = self._written(node.id), self._known.get(node.id)
        if written is not None and not isinstance(array, Array):
            return [*written.elts]
        if not isinstance(array, Array) or not isinstance(array.shape, tuple) or not array.shape:
            return None
        if type(array.shape[0]) is not int or not self._is_kept(node.id):
            return None
        places = (ast.Constant(number) for number in range(array.shape[0]))
        return [ast.Subscript(ast.Name(node.id, ast.Load()), place, ast.Load()) for place in places]

    def constant(self, node: ast.expr) -> object:
        """The number that an expression is known to be before the loop; a name may stand in another scope."""
        value = self._known.get(node.id) if isinstance(node, ast.Name) else self._function.facts.value(node)
        return value.constant if isinstance(value, Scalar) and value.proven else None

    def number(self, node: ast.expr, *, of_arrays: bool) -> ast.expr | None:
        """The value of a subscript with numbers; of an array only where a Python number serves as well."""
        places: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            items = items_of(node)
            places = [*items, *places]
            node = node.value
        found: ast.expr | None = node
        if isinstance(node, ast.Name):
            array = isinstance(self._known.get(node.id), Array)
            found = self._written(node.id) if of_arrays or not array else None
        for each in places:
            place = literal(each)
            if not isinstance(found, Display) or type(place) is not int:
                return None
            found = found.elts[place] if -len(found.elts) <= place < len(found.elts) else None
        return copy.deepcopy(found) if places else None

    def _written(self, name: str) -> Display | None:
        """The display from which a table was made."""
        if name not in self._found:
            self._found[name] = self._display(name)
        return self._found[name]

    def _display(self, name: str) -> Display | None:
        node = self._function.node
        if not isinstance(node, Definition) or not self._is_bound_once(name):
            return None
        bound = [
            each.value
            for each in walk(node)
            if isinstance(each, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == name for target in each.targets)
        ]
        match bound:
            case [ast.Tuple() as display]:
                kept = True
            case [ast.List() as display]:
                # Nothing else refers to it, whatever becomes of the numbers in it.
                kept = _only_read(name, node, self._function)
            case [ast.Call(func=called, args=[ast.Tuple() | ast.List() as display], keywords=[])]:
                kept = self._function.dotted(called) == "numpy.array" and self._is_kept(name)
            case [ast.Call(func=called, args=[_, *_] as bounds, keywords=[])]:
                counted = self._function.dotted(called) == "numpy.arange" and self._is_kept(name)
                return self._counted(bounds) if counted else None
            case _:
                return None
        return display if kept and _is_written_out(display) else None

    def _counted(self, bounds: list[ast.expr]) -> Display | None:
        """The numbers of ``np.arange(n)``, where the text tells them and they are few."""
        values = [self._function.facts.value(each) for each in bounds]
        known = [each.constant for each in values if isinstance(each, Scalar) and each.proven]
        numbers = [each for each in known if type(each) is int]
        if len(numbers) < len(bounds) or len(numbers) > 3 or numbers[2:] == [0]:
            return None
        counted = range(*numbers)
        return ast.List([*map(number_of, counted)], ast.Load()) if len(counted) <= _MOST else None

    def _is_kept(self, name: str) -> bool:
        """Whether a name stands for one table, whose memory nothing changes."""
        if not self._is_bound_once(name):
            return False
        memory = self._memory
        return not memory.is_foreign([name]) and not memory.of([name]) & self._changed

    def _is_bound_once(self, name: str) -> bool:
        """Whether a name stands for one table, bound before the loop."""
        function = self._function
        node = function.node
        if not isinstance(node, Definition) or name in parameter_names(node.args):
            return False
        stores = [each for each in name_nodes(node) if each.id == name]
        if sum(not isinstance(each.ctx, ast.Load) for each in stores) != 1:
            return False
        if not function.is_local(name) or function.is_shared(name) or escapes(name, node):
            return False
        return surely_set(name, self._loop, function)


def _is_written_out(node: ast.expr) -> bool:
    """Whether an expression is made of numbers: ``-1``, ``4 / 9``, ``(0, 1)``."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(map(_is_written_out, elements))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _is_written_out(operand)
        case ast.BinOp(left=left, right=right):
            return _is_written_out(left) and _is_written_out(right)
        case ast.Constant(value=value):
            return isinstance(value, int | float)
    return False


def _only_read(name: str, scope: Definition, function: Function) -> bool:
    """Whether a list is only subscripted, looped over or counted: a method could change it."""
    reading: set[int] = set()
    for each in walk(scope):
        match each:
            case (
                ast.Subscript(value=value, ctx=ast.Load())
                | ast.For(iter=value)
                | ast.comprehension(iter=value)
            ):
                reading.add(id(value))
            case ast.Call(func=called, args=arguments):
                dotted = function.dotted(called)
                python = python_function(dotted)
                if (python is not None and python.reads) or dotted == "numpy.array":
                    reading.update(map(id, arguments))
    names = (each for each in name_nodes(scope) if each.id == name)
    return all(id(each) in reading for each in names if isinstance(each.ctx, ast.Load))


def with_numbers(node: N, numbers: Mapping[str, ast.expr], tables: Tables, function: Function) -> N:
    """A copy of a tree with expressions substituted for names, and values for elements of tables."""
    made: N = _Exchange(numbers, tables, function).visit(copy.deepcopy(node))
    return ast.fix_missing_locations(made)


def truth(node: ast.expr, function: Function) -> bool | None:
    """The truth of a test of written numbers: ``(0, 1) != (0, 0)``, ``abs(-1) + abs(0) == 1``."""
    called = {each.func for each in walk(node) if isinstance(each, ast.Call)}
    if not all(function.dotted(each) in _FOLDED for each in called):
        return None
    if not all(isinstance(each, _FOLDING) or each in called for each in walk(node)):
        return None
    whole = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
    try:
        return bool(eval(compile(whole, "<test>", "eval"), {}))
    except (ArithmeticError, TypeError, ValueError):
        return None


class _Exchange(ast.NodeTransformer):
    """The substitution; as indices and shifts, elements of integer arrays are replaced too."""

    def __init__(
        self, numbers: Mapping[str, ast.expr], tables: Tables, function: Function, places: bool = False
    ) -> None:
        self._numbers, self._tables, self._function, self._places = numbers, tables, function, places

    def visit_Name(self, node: ast.Name) -> ast.expr:
        known = self._numbers.get(node.id)
        if known is None or not isinstance(node.ctx, ast.Load):
            return node
        return self._folded(copy.deepcopy(known))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)
        node.slice = self._of_places(node.slice)
        return self._folded(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if self._function.dotted(node.func) != "numpy.roll" or not node.args:
            self.generic_visit(node)
            return node
        first, *others = node.args
        node.args = [self.visit(first), *map(self._of_places, others)]
        for each in node.keywords:
            each.value = self._of_places(each.value)
        return node

    def visit_BinOp(self, node: ast.BinOp | ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _computed(node) if self._places else node

    visit_UnaryOp = visit_BinOp

    def _of_places(self, node: ast.expr) -> ast.expr:
        made = _Exchange(self._numbers, self._tables, self._function, places=True).visit(node)
        assert isinstance(made, ast.expr)
        return made

    def _folded(self, node: ast.expr) -> ast.expr:
        return self._tables.number(node, of_arrays=self._places) or node


def _computed(node: ast.BinOp | ast.UnaryOp) -> ast.expr:
    """A sum, difference, product or remainder of integers as a number."""
    parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
    numbers = [each for each in map(literal, parts) if type(each) is int]
    function = _OF_INTEGERS.get(type(node.op))
    if function is None or len(numbers) < len(parts) or (function is operator.mod and not numbers[1]):
        return node
    return number_of(function(*numbers))


def number_of(value: int) -> ast.expr:
    """An integer as an expression."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
