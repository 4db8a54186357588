"""Whether an index of unknown type may be a mask: what the text of a function shows of the names in ``x[k]``.

``out[m] = 0`` stores through a mask, or into a dictionary. Keys and positions are used in other ways than
masks (``k in d``, ``x[k:]``, ``k + 1``, as the variable of a loop), dictionaries and lists in other ways than
arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from nprewrite.base.syntax import is_none, names_in, walk
from nprewrite.numpy_api.creation import CREATION
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.random import RANDOM
from nprewrite.program.array_syntax import shows_arrays
from nprewrite.program.function import Definition, Function
from nprewrite.source.names import EXPRESSION_SCOPES, ModuleNames
from nprewrite.types.parameters import defaults, parameters
from nprewrite.types.values import Array, Unknown

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.JoinedStr, *EXPRESSION_SCOPES)
_OF_ARRAYS = frozenset(dir(np.ndarray))
_ONLY_OF_ARRAYS = _OF_ARRAYS.difference(*map(dir, (list, dict, set, tuple, str, bytes, int, float, slice)))
_ANNOTATIONS = ("ndarray", "NDArray", "ArrayLike", "Any", "object")
_TAKING_KEYS = frozenset(("add", "float", "get", "int", "isinstance", "range", "setdefault", "str"))
"""Functions and methods whose arguments are not masks."""
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
_OF_INTEGERS = (ast.Add, ast.Sub, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, *_LOGICAL)


def maybe_mask(node: ast.Subscript, function: Function) -> bool:
    """Whether the index of ``x[k]``, of whose type nothing is known, may be a mask."""
    values = function.facts.expressions.values
    base, index = values.get(node.value), values.get(node.slice)
    if not isinstance(index, Unknown) or not isinstance(base, Array | Unknown):
        return False
    if index.comparison:
        return True
    uses = _uses(function.node, function.names)
    array = node.value.id if isinstance(node.value, ast.Name) else ""
    if node in uses.elements or array in {*uses.containers, function.owner}:
        return False
    parts = [node.slice, *_operands(node.slice)]
    if not uses.keys.isdisjoint(_plain(parts)):
        return False
    # Types and modules: ``Sequence[np.bool | np.number]``.
    if any(function.dotted(each) is not None for each in (node.value, *parts)):
        return False
    shown = isinstance(base, Array) or array in uses.arrays or _is_kept_array(node.value, function)
    if not isinstance(node.slice, ast.Name):
        return _is_logical(node.slice) or (shown and _is_kept_array(node.slice, function))
    name = node.slice.id
    if index.parameter == name:
        # A call has shown which of its arguments are arrays.
        may_be_array = shown or (function.is_local(array) and array not in uses.picked)
        return may_be_array and function.name not in function.module.given
    return name in uses.masks or (shown and name not in uses.picked)


def _is_logical(node: ast.expr) -> bool:
    """``~m`` and ``m & n``."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert)
    return isinstance(node, ast.BinOp) and isinstance(node.op, _LOGICAL)


def _is_kept_array(node: ast.expr, function: Function) -> bool:
    """``self.u``, where the class says that it is an array."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.value.id == function.owner and node.attr in function.kept_arrays


@dataclass
class _Uses:
    """The names of a function by their use, and the reads ``x[k]`` that are single elements.

    ``keys`` are not masks, ``containers`` not arrays. ``picked`` are names of what was taken out of
    something: more often a position than a mask, and more often a row or a dictionary than an array.
    """

    keys: set[str] = field(default_factory=set)
    containers: set[str] = field(default_factory=set)
    masks: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    picked: set[str] = field(default_factory=set)
    elements: set[ast.expr] = field(default_factory=set)

    def neither(self, nodes: Iterable[ast.expr | None]) -> None:
        """Note names that are neither masks nor arrays."""
        for name in _plain(nodes):
            self.keys.add(name)
            self.containers.add(name)


@lru_cache(maxsize=16)
def _uses(scope: Definition | ast.Module, names: ModuleNames) -> _Uses:
    found = _Uses()
    if not isinstance(scope, ast.Module):
        _declared(scope.args, found)
    for node in walk(scope):
        _bound(node, found, lambda called: names.dotted(called, scope) or "")
        _computed(node, found)
        _looked_up(node, found)
    return found


def _declared(arguments: ast.arguments, found: _Uses) -> None:
    """What annotations and defaults show of parameters."""
    found.containers.update(each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None)
    given = defaults(arguments)
    for each in parameters(arguments):
        default = given.get(each.arg)
        named = default is None or isinstance(default, ast.Name | ast.Attribute) or is_none(default)
        text = ast.unparse(each.annotation) if each.annotation is not None else "Any"
        if not named or not any(word in text for word in _ANNOTATIONS):
            found.neither([ast.Name(each.arg)])


def _bound(node: ast.AST, found: _Uses, dotted: Callable[[ast.expr], str]) -> None:
    """What names are bound to."""
    match node:
        case ast.For(target=target, iter=taken) | ast.comprehension(target=target, iter=taken):
            found.keys.update(names_in(target))
            found.picked.update(names_in(target))
            found.elements.add(taken)
        case ast.AugAssign(target=ast.Name(id=name), value=ast.Constant()):
            found.keys.add(name)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            # x[i], x[j] = x[j], x[i] swaps elements.
            swapped = {*map(ast.unparse, targets)} & {*map(ast.unparse, values)}
            changed = (each for each in targets if isinstance(each, ast.Subscript))
            found.keys.update(_plain(each.slice for each in changed if ast.unparse(each) in swapped))
            for target, value in zip(targets, values, strict=False):
                _assigned([target], value, found, dotted)
        case ast.Assign(targets=targets, value=value):
            _assigned(targets, value, found, dotted)
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
        ):
            _assigned([target], value, found, dotted)


def _assigned(
    targets: list[ast.expr], value: ast.expr, found: _Uses, dotted: Callable[[ast.expr], str]
) -> None:
    names = {*_plain(targets)}
    called = dotted(value.func) if isinstance(value, ast.Call) else ""
    made = any(isinstance(each, _DISPLAYS) for each in [value, *_operands(value)])
    if made or _is_literal(value) or called.startswith("builtins."):
        found.neither(targets)
    elif isinstance(value, ast.Subscript):
        found.picked |= names
    elif called.startswith("numpy."):
        found.arrays |= names
    if any(_gives_positions(_last_name(each.func)) for each in walk(value) if isinstance(each, ast.Call)):
        found.keys |= names


def _computed(node: ast.AST, found: _Uses) -> None:
    """What operators, comparisons and tests show."""
    match node:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            found.masks.update(_plain([operand]))
        case ast.BinOp(left=left, op=operator, right=right):
            literal = _is_literal(left) or _is_literal(right)
            if literal and isinstance(operator, _OF_INTEGERS):
                found.keys.update(_plain([left, right]))
            elif isinstance(operator, _LOGICAL):
                found.masks.update(_plain([left, right]))
            if shows_arrays(node, ()):
                found.arrays.update(names_in(node))
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            found.keys.update(_plain([left]))
            found.containers.update(_plain([right]))
        case ast.Compare(left=left, ops=operators, comparators=others):
            if not any(isinstance(each, ast.Is | ast.IsNot) for each in operators):
                found.keys.update(_plain([left, *others]))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            found.elements.update(_tested(test))
        case ast.comprehension(ifs=tests):
            found.elements.update(each for test in tests for each in _tested(test))


def _looked_up(node: ast.AST, found: _Uses) -> None:
    """What subscripts, attributes and calls show."""
    match node:
        case ast.Slice(lower=lower, upper=upper, step=step):
            found.keys.update(_plain([lower, upper, step]))
            found.elements.update(each for each in (lower, upper, step) if each is not None)
        case ast.Subscript(value=value, slice=index, ctx=context):
            found.elements.update((value, index))
            if isinstance(context, ast.Del) or (_is_literal(index) and not _is_number(index)):
                found.containers.update(_plain([value]))
        case ast.Attribute(value=value, attr=attribute) if attribute not in _OF_ARRAYS:
            found.neither([value])
            found.elements.add(value)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if attribute in _ONLY_OF_ARRAYS:
            found.arrays.add(name)
            found.masks.add(name)
        case ast.Call(func=called, args=arguments):
            found.neither([called])
            found.elements.add(called)
            if _last_name(called) in _TAKING_KEYS:
                found.keys.update(_plain(arguments))
        case ast.FormattedValue(value=value):
            found.keys.update(_plain([value]))
        case ast.Dict(keys=keys):
            found.keys.update(_plain(keys))
        case ast.keyword(arg=None, value=value):
            found.containers.update(_plain([value]))


def _tested(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a test that have a truth value, where an array of several elements would raise."""
    match node:
        case ast.BoolOp(values=values):
            yield from (part for each in values for part in _tested(each))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _tested(operand)
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)
        case _:
            yield node


def _operands(node: ast.expr) -> list[ast.expr]:
    """The operands of an operator."""
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    return [node.left, node.right] if isinstance(node, ast.BinOp) else []


def _plain(nodes: Iterable[ast.expr | None]) -> Iterator[str]:
    """The names among some expressions."""
    return (each.id for each in nodes if isinstance(each, ast.Name))


def _last_name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _gives_positions(name: str) -> bool:
    """Whether a function or method of this name gives positions, or integers that serve as such."""
    found, made, drawn = array_function(name), CREATION.get(name), RANDOM.get(name)
    counted = made is not None and made.rule in ("arange", "indices")
    whole = drawn is not None and drawn.whole
    return counted or whole or name == "slice" or (found is not None and found.finds)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is a literal number or string."""
    return _is_number(node) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
