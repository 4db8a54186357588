"""Statements over the lanes of arrays as loops over scalars, which can be lowered.

A statement ``y[:, j] = b * y[:, j - 1] + x[:, j]`` computes each lane (a place along the sliced axes) from
the elements of that lane alone. Consecutive statements become one loop over the lanes:

    for lane in range(y.shape[0]):
        y[lane, j] = b * y[lane, j - 1] + x[lane, j]

NumPy evaluates a whole statement before it stores. One loop gives the same as long as a row into which it
stores is accessed at the same lane only. Statements that access it elsewhere get a loop of their own; a
single statement that does so is a problem. Slices with bounds become arguments of their own, ``views``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import children, name_nodes, names_in
from nprewrite.lowering.arrays import ArrayArgument, Entry
from nprewrite.lowering.lane_access import OPERATORS, Reader
from nprewrite.lowering.lane_pass import LaneView, Pass
from nprewrite.lowering.problems import NotNative

_SAME_DTYPE = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators that keep the dtype of integers."""


@dataclass(frozen=True)
class LaneNest:
    """A function of scalar loops, the views that it takes after its arguments, and its passes over lanes.

    ``lanes`` are the names of the variables that count lanes.
    """

    function: ast.FunctionDef
    views: tuple[LaneView, ...]
    passes: tuple[Pass, ...]
    lanes: frozenset[str]

    def over_lanes(self, loop: ast.For) -> bool:
        """Whether a loop of the function runs over lanes."""
        return isinstance(loop.target, ast.Name) and loop.target.id in self.lanes

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its arguments, without those of the views."""
        names = tuple(each.arg for each in self.function.args.args)
        return names[: len(names) - len(self.views)]

    @property
    def carried(self) -> bool:
        """Whether an iteration reads, at another index, from an array into which the loop stores."""
        accesses = [each for one in self.passes for each in one.accesses]
        stores = {(each.array, each.index) for each in accesses if each.store}
        read = [each for each in accesses if not each.store]
        return any(
            each.array == array and each.index != index and each.axes
            for array, index in stores
            for each in read
        )

    def entry(self, entry: Entry) -> Entry:
        """The arguments with those of the views."""
        views = {}
        for each in self.views:
            array = entry[each.array]
            assert isinstance(array, ArrayArgument)
            views[each.name] = ArrayArgument(array.element, array.rank)
        return {**entry, **views}


def lane_nest(function: ast.FunctionDef, entry: Entry, resolve: Callable[[ast.expr], str | None]) -> LaneNest:
    """The function with its statements over lanes as loops; raises ``NotNative``."""
    arrays = {name: each for name, each in entry.items() if isinstance(each, ArrayArgument)}
    for name, each in arrays.items():
        if each.element.is_complex:
            raise NotNative("dtype-unsupported", f"`{name}` is of {each.element.dtype}", function)
    walk = _Walk(function, arrays, resolve)
    body = walk.block(function.body)
    walk.check_rows(function)
    views = tuple(walk.reader.views.values())
    parameters = [*function.args.args, *(ast.arg(each.name) for each in views)]
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    made = ast.FunctionDef(function.name, arguments, body, [], None)
    ast.fix_missing_locations(ast.copy_location(made, function))
    return LaneNest(made, views, tuple(walk.passes), frozenset(walk.reader.lanes))


class _Walk:
    """One walk over the statements of a function."""

    def __init__(
        self,
        function: ast.FunctionDef,
        arrays: Mapping[str, ArrayArgument],
        resolve: Callable[[ast.expr], str | None],
    ) -> None:
        self.arrays = arrays
        self.reader = Reader(function, arrays, resolve)
        self.passes: list[Pass] = []
        self._given = {each.arg for each in function.args.args}
        self._bound = [each.id for each in name_nodes(function) if isinstance(each.ctx, ast.Store)]

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block, those over lanes in loops."""
        made: list[ast.stmt] = []
        current: Pass | None = None
        self.reader.rows = {}
        for statement in statements:
            one = self._over_lanes(statement)
            joined = current.joined(one) if current is not None and one is not None else None
            if joined is None:
                made += self._loops(current)
                self.reader.rows = {}
            if one is None:
                made.append(self._scalar(statement))
            elif joined is None and current is not None and names_in(statement) & current.rows:
                text = f"`{ast.unparse(statement)}` needs a row after other lanes were stored"
                raise NotNative("not-lanewise", text, statement)
            current = joined or one
            self.reader.rows |= dict.fromkeys(one.rows, one.axes) if one is not None else {}
        made += self._loops(current)
        self.reader.rows = {}
        return made

    def _scalar(self, node: ast.stmt) -> ast.stmt:
        """A statement of scalars, with its blocks."""
        made: ast.stmt = node
        match node:
            case ast.For():
                self.reader.check_scalar(node.iter)
                made = ast.For(node.target, node.iter, self.block(node.body), node.orelse)
            case ast.If():
                self.reader.check_scalar(node.test)
                made = ast.If(node.test, self.block(node.body), self.block(node.orelse))
            case ast.While():
                self.reader.check_scalar(node.test)
                made = ast.While(node.test, self.block(node.body), node.orelse)
            case _:
                for each in children(node):
                    if isinstance(each, ast.expr):
                        self.reader.check_scalar(each)
        return ast.copy_location(made, node)

    def _over_lanes(self, node: ast.stmt) -> Pass | None:
        """The pass of one statement over lanes; None for a statement of scalars."""
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AugAssign(target=target, value=value):
                axes = max(self.reader.axes(target), self.reader.axes(value))
            case _:
                return None
        if not axes:
            return None
        one = Pass(axes)
        if isinstance(target, ast.Name) and (isinstance(node, ast.Assign) or target.id not in self.arrays):
            self._check_row(node, target, value)
            one.rows.add(target.id)
            place: ast.expr = target
        else:
            place = self.reader.element(target, axes, one, store=True)
        element = self.reader.element(value, axes, one)
        if isinstance(place, ast.Subscript) and isinstance(node, ast.Assign) and self.reader.axes(value):
            element = _cast(element, place.value)
        made: ast.stmt = ast.Assign([place], element)
        if isinstance(node, ast.AugAssign):
            self._check_augmented(node, target)
            assert isinstance(place, ast.Name | ast.Subscript)
            made = ast.AugAssign(place, node.op, element)
        one.statements.append(ast.copy_location(made, node))
        problem = one.conflict()
        if problem is not None:
            text = f"`{ast.unparse(node)}` stores into other lanes of `{problem.array}` than it reads"
            raise NotNative("aliased-arrays", text, node)
        return one

    def _check_row(self, node: ast.stmt, target: ast.Name, value: ast.expr) -> None:
        """Refuse a row that is more than a value of one iteration."""
        if isinstance(node, ast.AugAssign) or self._bound.count(target.id) > 1 or target.id in self._given:
            text = f"`{target.id}` is carried from one iteration to the next, or is changed"
            raise NotNative("scalar-carried", text, node)
        base = value.value if isinstance(value, ast.Subscript) else value
        if isinstance(base, ast.Name) and base.id in self.reader.stored:
            # The name is a view, which would see later stores.
            raise NotNative("aliased-arrays", f"`{target.id}` shares memory with `{base.id}`", node)

    def _check_augmented(self, node: ast.AugAssign, target: ast.expr) -> None:
        """Refuse what NumPy may not store back into integers: ``counts[:, j] += 0.5`` raises."""
        dtype = self.reader.array_of(target).element.dtype
        if dtype.kind == "f" and isinstance(node.op, OPERATORS):
            return
        if isinstance(node.op, _SAME_DTYPE) and all(
            each in (dtype, int) for each in self._leaves(node.value)
        ):
            return
        raise NotNative("cast-raises", f"`{ast.unparse(node)}` may not fit into {dtype}", node)

    def _leaves(self, node: ast.expr) -> Iterator[object]:
        """The dtypes of arrays and types of literals in sums, products and such; None for anything else."""
        match node:
            case ast.BinOp(op=op) if isinstance(op, _SAME_DTYPE):
                yield from self._leaves(node.left)
                yield from self._leaves(node.right)
            case ast.Constant():
                yield type(node.value)
            case _:
                known = self.reader.array_named(node)
                yield None if known is None else known.element.dtype

    def check_rows(self, function: ast.FunctionDef) -> None:
        """Refuse a row that is read where it is not a lane's value: in another iteration, or as a whole."""
        rows = {row for one in self.passes for row in one.rows}
        for each in name_nodes(function):
            read_elsewhere = isinstance(each.ctx, ast.Load) and id(each) not in self.reader.read
            if read_elsewhere and each.id in rows:
                raise NotNative(
                    "scalar-carried", f"`{each.id}` is carried from one iteration to the next", each
                )

    def _loops(self, one: Pass | None) -> list[ast.stmt]:
        """The loops over the lanes of a pass."""
        if one is None:
            return []
        self.passes.append(one)
        first, *_ = one.alike
        body = one.statements
        for number, axis in reversed([*enumerate(first.axes)]):
            shape = ast.Attribute(ast.Name(first.view, ast.Load()), "shape", ast.Load())
            length = ast.Subscript(shape, ast.Constant(axis), ast.Load())
            target = ast.Name(self.reader.lanes[number], ast.Store())
            loop = ast.For(target, ast.Call(self.reader.range, [length], []), body, [])
            body = [ast.copy_location(loop, one.statements[0])]
        return [*one.before, *body]


def _cast(element: ast.expr, array: ast.expr) -> ast.expr:
    """``y.dtype.type(element)``: NumPy casts arrays, but would refuse a number that does not fit."""
    kind = ast.Attribute(ast.Attribute(array, "dtype", ast.Load()), "type", ast.Load())
    return ast.copy_location(ast.Call(kind, [element], []), element)
