"""Loops over computed arrays, ranges side by side and their products, as loops over ranges and names.

``for x in np.linspace(0, 1, n)`` runs over an array that gets a name first; ``for k, x in zip(range(n), a)``
counts, and picks ``a[k]``; ``for i, j in itertools.product(range(n), range(m))`` is a loop in a loop.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence

from nprewrite.base.syntax import children, fresh_name, name_nodes, names_in, placed, twin, walk
from nprewrite.lowering.iterables import enumerated, range_of
from nprewrite.lowering.written_lists import literal_index
from nprewrite.numpy_api.methods import METHODS

Resolve = Callable[[ast.expr], str | None]
_HOLDERS = ("builtins.list", "builtins.tuple")


def with_plain_loops(function: ast.FunctionDef, resolve: Resolve) -> ast.FunctionDef:
    """The function with such loops written out."""
    loops = [each for each in walk(function) if isinstance(each, ast.For)]
    if all(isinstance(each.iter, ast.Name | ast.Subscript | ast.Tuple | ast.List) for each in loops):
        return function
    taken = twin(function)
    made: ast.FunctionDef = _PlainLoops(resolve, taken).visit(taken)
    return ast.fix_missing_locations(made)


class _PlainLoops(ast.NodeTransformer):
    def __init__(self, resolve: Resolve, function: ast.FunctionDef) -> None:
        self._resolve = resolve
        self._taken = names_in(function)
        self._told = Counter(each.id for each in name_nodes(function))

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """A loop, with what comes before it."""
        self.generic_visit(node)
        for written_out in (self._nested, self._side_by_side):
            before: list[ast.stmt] = []
            made = written_out(node, before)
            if made is not None:
                return [placed(each, node) for each in (*before, made)]
        return node

    def _nested(self, node: ast.For, before: list[ast.stmt]) -> ast.For | None:
        """``itertools.product`` of ranges, ``np.ndindex`` and ``np.ndenumerate``."""
        if not isinstance(node.iter, ast.Call) or node.iter.keywords or node.orelse or _breaks(node):
            return None
        given, called = node.iter.args, self._resolve(node.iter.func)
        first: list[ast.stmt] = []
        targets = [*node.target.elts] if isinstance(node.target, ast.Tuple) else []
        if called == "itertools.product":
            ranges = [range_of(each, self._resolve) for each in given]
        elif called == "numpy.ndindex" and len(given) > 1:
            ranges = [[each] for each in given]
        elif called == "numpy.ndindex" and given:
            shape = given[0].value if isinstance(given[0], ast.Starred) else given[0]
            if not isinstance(shape, ast.Attribute):
                return None
            ranges = [[_name(each)] for each in self._lengths(shape, len(targets), before)]
        elif called == "numpy.ndenumerate" and len(targets) == 2 and isinstance(targets[0], ast.Tuple):
            (array,), (places, value) = given, targets
            assert isinstance(places, ast.Tuple)
            targets = places.elts
            if not isinstance(array, ast.Name) or not all(isinstance(each, ast.Name) for each in targets):
                return None
            of_array = ast.Attribute(array, "shape", ast.Load())
            ranges = [[_name(each)] for each in self._lengths(of_array, len(targets), before)]
            index = ast.Tuple([_name(each.id) for each in targets if isinstance(each, ast.Name)], ast.Load())
            first = [ast.Assign([value], ast.Subscript(array, index, ast.Load()))]
        else:
            return None
        if len(ranges) != len(targets) or len(ranges) < 2 or any(each is None for each in ranges):
            return None
        inside = Counter(each.id for each in name_nodes(node))
        if any(self._told[name] > inside[name] for each in targets for name in names_in(each)):
            # Where an inner range is empty, the outer loop would set what nothing sets here.
            return None
        body: list[ast.stmt] = [*first, *node.body]
        for target, bounds in reversed([*zip(targets, ranges, strict=True)]):
            # All are evaluated before the first trip.
            over = ast.Call(_name("range"), [self._named(each, before) for each in bounds or ()], [])
            body = [ast.For(target, over, body, [])]
        (made,) = body
        assert isinstance(made, ast.For)
        return made

    def _lengths(self, shape: ast.Attribute, count: int, before: list[ast.stmt]) -> list[str]:
        """Names for the lengths of an array's axes, of which there are so many."""
        names = [fresh_name("length", self._taken) for _ in range(count)]
        before.append(ast.Assign([ast.Tuple([_stored(each) for each in names], ast.Store())], shape))
        return names

    def _side_by_side(self, node: ast.For, before: list[ast.stmt]) -> ast.For | None:
        """``zip`` and ``enumerate`` of ranges and computed arrays, and a computed array alone."""
        over, target, counter, first = node.iter, node.target, None, None
        if (numbered := enumerated(node.iter, self._resolve)) is not None:
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                return None
            (over, first), (counter, target) = numbered, target.elts
        written, over = over, self._in_a_row(over, node)
        parts, targets = [over], [target]
        if isinstance(over, ast.Call) and self._resolve(over.func) == "builtins.zip" and not over.keywords:
            if not isinstance(target, ast.Tuple) or len(target.elts) != len(over.args):
                return None
            parts, targets = over.args, target.elts
        ranges = [range_of(each, self._resolve) for each in parts]
        computed = [k for k, each in enumerate(parts) if ranges[k] is None and self._is_computed(each)]
        others = [each for k, each in enumerate(parts) if ranges[k] is None and k not in computed]
        alone = len(parts) == 1 and counter is None
        if not all(isinstance(each, ast.Name | ast.Subscript) for each in others) or not parts:
            return None
        if not computed and (alone or not any(ranges)) and over is written:
            return None
        for k in computed:
            parts[k] = self._named(parts[k], before)
        if alone:
            node.iter = parts[0]
        elif len(parts) == 1:
            node.iter = ast.Call(_name("enumerate"), [parts[0], *([first] if first else [])], [])
        if alone or not any(ranges):
            return node
        return self._counted(node, [*zip(parts, targets, ranges, strict=True)], counter, first, before)

    def _in_a_row(self, over: ast.expr, loop: ast.For) -> ast.expr:
        """``x.flatten()`` for ``x.flat`` and ``x.ravel()``, where nothing can tell a copy from a view."""
        match over:
            case ast.Attribute(value=ast.Name() as held, attr="flat"):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name() as held, attr="ravel"), args=[], keywords=[]):
                pass
            case ast.Call(func=called, args=[ast.Call() as inner], keywords=[]) if (
                self._resolve(called) in _HOLDERS and range_of(inner, self._resolve) is not None
            ):
                return inner
            case _:
                return over
        nodes = [each for part in loop.body for each in walk(part)]
        stored = any(isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) for each in nodes)
        return over if stored else ast.Call(ast.Attribute(held, "flatten", ast.Load()), [], [])

    def _is_computed(self, node: ast.expr) -> bool:
        """Whether it computes an array, as far as the text tells."""
        match node:
            case ast.BinOp() | ast.UnaryOp() | ast.Attribute(attr="T"):
                return True
            case ast.Call(func=ast.Attribute(attr=attr) as called):
                of_numpy = (self._resolve(called) or "").startswith("numpy.")
                return of_numpy or attr in METHODS or attr == "flatten"
        return False

    def _counted(
        self,
        node: ast.For,
        parts: Sequence[tuple[ast.expr, ast.expr, list[ast.expr] | None]],
        counter: ast.expr | None,
        start_of_counter: ast.expr | None,
        before: list[ast.stmt],
    ) -> ast.For | None:
        """The loop over a number from which each target is computed, or with which it is picked."""
        number, lengths, first = fresh_name("number", self._taken), list[ast.expr](), list[ast.stmt]()
        for over, target, bounds in parts:
            if bounds is None:
                held = self._named(over, before)
                if isinstance(held, ast.Name) and held.id in _called_on(node):
                    return None
                lengths.append(ast.Call(_name("len"), [held], []))
                first.append(ast.Assign([target], ast.Subscript(held, _name(number), ast.Load())))
                continue
            low, high, step = _bounds(bounds)
            if step is None or step == 0:
                return None
            start, stop = self._named(low, before), self._named(high, before)
            span = ast.BinOp(stop, ast.Sub(), start) if step > 0 else ast.BinOp(start, ast.Sub(), stop)
            lengths.append(_trips(span, abs(step)))
            offset = (
                _name(number)
                if abs(step) == 1
                else ast.BinOp(_name(number), ast.Mult(), ast.Constant(abs(step)))
            )
            first.append(ast.Assign([target], ast.BinOp(start, ast.Add() if step > 0 else ast.Sub(), offset)))
        if counter is not None:
            value: ast.expr = _name(number)
            if start_of_counter is not None:
                value = ast.BinOp(self._named(start_of_counter, before), ast.Add(), value)
            first.insert(0, ast.Assign([counter], value))
        count = lengths[0] if len(lengths) == 1 else ast.Call(_name("min"), lengths, [])
        over_count = ast.Call(_name("range"), [self._named(count, before)], [])
        return ast.For(_stored(number), over_count, [*first, *node.body], node.orelse)

    def _named(self, value: ast.expr, before: list[ast.stmt]) -> ast.expr:
        """A name for a value, which ``before`` binds; what is a literal stays."""
        if isinstance(value, ast.Constant) or literal_index(value) is not None:
            return value
        name = fresh_name("taken", self._taken)
        before.append(ast.Assign([_stored(name)], value))
        return _name(name)


def _bounds(given: Sequence[ast.expr]) -> tuple[ast.expr, ast.expr, int | None]:
    low, high = (ast.Constant(0), given[0]) if len(given) == 1 else given[:2]
    return low, high, literal_index(given[2]) if len(given) == 3 else 1


def _trips(span: ast.expr, step: int) -> ast.expr:
    if step > 1:
        span = ast.BinOp(
            ast.BinOp(span, ast.Add(), ast.Constant(step - 1)), ast.FloorDiv(), ast.Constant(step)
        )
    return ast.Call(_name("max"), [span, ast.Constant(0)], [])


def _called_on(loop: ast.For) -> set[str]:
    """The names of which a loop calls methods: a list may grow."""
    called = (each.func for each in walk(loop) if isinstance(each, ast.Call))
    return names_in(*(each.value for each in called if isinstance(each, ast.Attribute)))


def _breaks(loop: ast.For) -> bool:
    """Whether a ``break`` leaves the loop itself."""
    waiting: list[ast.AST] = [*loop.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        if not isinstance(node, ast.For | ast.While):
            waiting += children(node)
        else:
            waiting += node.orelse
    return False


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())
