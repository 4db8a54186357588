"""If-conversion: a function of numbers as straight-line array code that computes all lanes at once.

Each ``if`` becomes a select between what its arms compute (J. R. Allen et al., "Conversion of control
dependence to data dependence", POPL 1983). Where a lane would raise, the array code reports it and leaves
raising to the function itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nprewrite.base.syntax import name_nodes, names_in, walk
from nprewrite.emit.branches.expressions import Environment, LaneExpressions
from nprewrite.emit.branches.values import (
    FLOAT,
    NUMBER,
    NUMPY,
    Kinds,
    Lane,
    NeedsSmaller,
    Path,
    Record,
    Unconverted,
    conjunction,
    exchanged,
    free_name,
    inverted,
    joined,
    parsed,
    select,
)
from nprewrite.source.names import ModuleNames, Scope, bindings, parameter_names
from nprewrite.types.problems import Problem

ScalarFunction = ast.FunctionDef | ast.Lambda

_BITS = (31, 24, 16, 8)
"""Sizes of integers, tried in turn: intermediate results must stay below 2**53."""
_INLINED_DEPTH = 3
_MOST_ASSIGNMENTS = 200
_LONGEST_ARM = 60
"""The longest arm, in characters, that is written into its select."""


@dataclass(frozen=True)
class ArrayForm:
    """A function of numbers as array code: assignments in order, then the values of its results.

    Elements and ``free`` names (numbers from around the function) are float64, or int64 below ``2**bits``
    in magnitude where ``bits`` is not 0; with ``bools`` truth values may count as 0 and 1. One of ``raises``
    is True where the function would raise for an element, or end without a value. ``kinds`` are the Python
    types that the elements of each result may have. ``exact`` is False where results may be rounded otherwise
    than by Python.
    """

    parameters: tuple[str, ...]
    free: tuple[str, ...]
    assignments: tuple[tuple[str, ast.expr], ...]
    results: tuple[ast.expr, ...]
    raises: tuple[ast.expr, ...]
    kinds: tuple[Kinds, ...]
    bits: int
    bools: bool
    exact: bool


def array_form(
    function: ScalarFunction, names: ModuleNames, around: Sequence[Scope], numpy: str
) -> ArrayForm | Problem:
    """The array code of a function of numbers, or why there is none.

    ``around`` are the functions in which it is defined; ``numpy`` is the name of NumPy in the new code.
    """
    for bits in (*_BITS, 0):
        try:
            return _Converter(function, names, around, bits).form(numpy)
        except NeedsSmaller:
            continue
        except Unconverted as error:
            return error.problem
    return Problem("no-array-form", "its integers may outgrow those of an array", function)


@dataclass(frozen=True)
class _Returned:
    """What the rest of a function returns; it has no values where every lane raises."""

    values: tuple[Lane, ...] = ()
    several: bool = False


class _Converter(LaneExpressions):
    """Converts the statements of one function."""

    def __init__(
        self,
        function: ScalarFunction,
        names: ModuleNames,
        around: Sequence[Scope],
        bits: int,
        record: Record | None = None,
        depth: int = 0,
    ) -> None:
        kinds = NUMBER if bits else FLOAT
        record = record or Record(taken={*bindings(function)})
        super().__init__(names, (function, *around), record, kinds, bits)
        self._function, self._bits, self._kinds, self._depth = function, bits, kinds, depth

    def form(self, numpy: str) -> ArrayForm:
        """The whole function."""
        parameters = _parameters(self._function)
        if numpy in self.record.taken:
            raise Unconverted("name-unclear", f"`{numpy}` is a name of the function's own", self._function)
        lanes = {name: Lane(ast.Name(name, ast.Load()), self._kinds, self._bits) for name in parameters}
        returned = self.returned(lanes, ())
        if not returned.values:
            raise Unconverted("no-array-form", "the function returns no numbers", self._function)
        read = names_in(*(value.node for value in returned.values))
        if not read & {*parameters, *dict(self.record.assignments)}:
            raise Unconverted(
                "no-array-form", "the function returns the same for all elements", self._function
            )
        return _tidied(parameters, returned.values, self.record, self._bits, numpy)

    def returned(self, env: Environment, path: Path) -> _Returned:
        """What the function returns for these arguments."""
        if isinstance(self._function, ast.Lambda):
            return self._result(self._function.body, env, path)
        return self._block(self._function.body, env, path) or self._fallen(path)

    def inline(self, name: str, arguments: list[Lane], path: Path, call: ast.Call) -> Lane:
        """A function of the module, in place of its call."""
        function = self.names.definitions[name]
        plain = isinstance(function, ast.FunctionDef) and not function.decorator_list
        if not plain or self._depth == _INLINED_DEPTH:
            raise Unconverted("unknown-call", f"`{ast.unparse(call)}` is not supported", call)
        assert isinstance(function, ast.FunctionDef)
        parameters = _parameters(function)
        if len(parameters) != len(arguments):
            raise Unconverted("unknown-call", f"`{ast.unparse(call)}` is not supported", call)
        inner = _Converter(function, self.names, (), self._bits, self.record, self._depth + 1)
        returned = inner.returned(dict(zip(parameters, arguments, strict=True)), path)
        if len(returned.values) != 1 or returned.several:
            raise Unconverted("unknown-call", f"`{ast.unparse(call)}` gives no single number", call)
        return returned.values[0]

    def _fallen(self, path: Path) -> _Returned:
        """Note that a lane ends without ``return``: its None has no place in an array of numbers."""
        if not path:
            raise Unconverted("no-array-form", "the function returns nothing", self._function)
        self.record.raises.append(conjunction(path))
        return _Returned()

    def _block(self, body: Sequence[ast.stmt], env: Environment, path: Path) -> _Returned | None:
        """What a block returns; None where its end is reached, with ``env`` as it is then."""
        for position, statement in enumerate(body):
            match statement:
                case ast.Return(value=ast.expr() as value):
                    return self._result(value, env, path)
                case ast.Return() | ast.Raise():
                    return self._fallen(path)
                case ast.If() if _leaves(statement):
                    return self._forked(statement, body[position + 1 :], env, path)
                case ast.If():
                    self._merged(statement, env, path)
                case _:
                    self._statement(statement, env, path)
        return None

    def _statement(self, statement: ast.stmt, env: Environment, path: Path) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                env[name] = self._bound(name, self.value(value, env, path))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                env[name] = self._bound(name, self.value(value, env, path))
            case ast.AugAssign(target=ast.Name(id=name), op=symbol, value=value):
                whole = ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), symbol, value), statement)
                env[name] = self._bound(name, self.value(whole, env, path))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                self._unpacked(targets, values, statement, env, path)
            case ast.Assert(test=test):
                self.record.raise_where(path, inverted(self.test(test, env, path)))
            case _:
                text = f"`{ast.unparse(statement).splitlines()[0]}` has no array form"
                raise Unconverted("no-array-form", text, statement)
        if len(self.record.assignments) > _MOST_ASSIGNMENTS:
            raise Unconverted("no-array-form", "the function has too many paths", statement)

    def _unpacked(
        self,
        targets: list[ast.expr],
        values: list[ast.expr],
        statement: ast.stmt,
        env: Environment,
        path: Path,
    ) -> None:
        """Bind the targets of ``a, b = b, a``."""
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        if not len(names) == len(targets) == len(values):
            raise Unconverted("no-array-form", f"`{ast.unparse(statement)}` has no array form", statement)
        lanes = [self.value(each, env, path) for each in values]
        env.update({name: self._bound(name, lane) for name, lane in zip(names, lanes, strict=True)})

    def _bound(self, name: str, lane: Lane) -> Lane:
        """The value under a name; numbers and names need no new one."""
        if isinstance(lane.node, ast.Name | ast.Constant):
            return lane
        return replace(lane, node=self.record.bound(name, lane.node))

    def _tested(self, statement: ast.If, env: Environment, path: Path) -> ast.expr:
        test = self.test(statement.test, env, path)
        return test if isinstance(test, ast.Name) else self.record.bound("case", test)

    def _merged(self, statement: ast.If, env: Environment, path: Path) -> None:
        """Convert an ``if`` whose arms both reach their ends: each name that they set becomes a select."""
        test = self._tested(statement, env, path)
        ends = []
        for body, guard in ((statement.body, test), (statement.orelse, inverted(test))):
            end = dict(env)
            self._block(body, end, (*path, guard))
            ends.append(end)
        left, right = ends
        for name in {**left, **right}:
            if name not in left or name not in right:
                # Python raises where the name is read without a value; such reads are not followed.
                env.pop(name, None)
            elif left[name] != right[name]:
                chosen = joined(left[name], right[name], select(test, left[name].node, right[name].node))
                env[name] = replace(chosen, node=self.record.bound(name, chosen.node))
            else:
                env[name] = left[name]

    def _forked(self, statement: ast.If, rest: Sequence[ast.stmt], env: Environment, path: Path) -> _Returned:
        """Convert an ``if`` with a ``return`` in it: what follows belongs to both arms."""
        test = self._tested(statement, env, path)
        arms = []
        for body, guard in ((statement.body, test), (statement.orelse, inverted(test))):
            inner = (*path, guard)
            arms.append(self._block([*body, *rest], dict(env), inner) or self._fallen(inner))
        left, right = arms
        if not left.values or not right.values:
            return left if left.values else right
        if len(left.values) != len(right.values) or left.several != right.several:
            raise Unconverted("no-array-form", "the function returns different numbers of values", statement)
        pairs = zip(left.values, right.values, strict=True)
        values = tuple([joined(a, b, select(test, a.node, b.node)) for a, b in pairs])
        return _Returned(values, left.several)

    def _result(self, node: ast.expr, env: Environment, path: Path) -> _Returned:
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            return _Returned(tuple(self.value(each, env, path) for each in node.elts), several=True)
        return _Returned((self.value(node, env, path),))


def _parameters(function: ScalarFunction) -> tuple[str, ...]:
    """The parameters, all of which are positional."""
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise Unconverted(
            "no-array-form", "the function takes other arguments than positional ones", function
        )
    return tuple(parameter_names(arguments))


def _leaves(statement: ast.If) -> bool:
    """Whether there is a ``return`` or ``raise`` inside."""
    return any(isinstance(each, ast.Return | ast.Raise) for each in walk(statement))


def _tidied(
    parameters: tuple[str, ...], values: Sequence[Lane], record: Record, bits: int, numpy: str
) -> ArrayForm:
    """The array code without names that are never read, or only in one select."""
    names: dict[str, ast.expr] = {NUMPY: ast.Name(numpy, ast.Load())}
    assignments = [(name, exchanged(node, names)) for name, node in record.assignments]
    results = [exchanged(each.node, names) for each in values]
    raises = [exchanged(parsed("np.any(x)", x=each), names) for each in record.raises]
    for name, node in reversed(assignments):
        others = [each for other, each in assignments if other != name]
        uses = _uses(name, [*others, *results, *raises])
        arms = _uses_in_selects(name, [*others, *results])
        if uses and not (uses == arms == 1 and len(ast.unparse(node)) <= _LONGEST_ARM):
            continue
        parts = {name: node}
        assignments = [(other, exchanged(each, parts)) for other, each in assignments if other != name]
        results = [exchanged(each, parts) for each in results]
    read = [*(node for _, node in assignments), *results, *raises]
    free = tuple(name for name in record.free if _uses(name, read))
    short = _short_names(assignments, {*parameters, *free, numpy}, record)
    assignments = [(short[name].id, exchanged(node, short)) for name, node in assignments]
    results = [exchanged(each, short) for each in results]
    raises = [exchanged(each, short) for each in raises]
    kinds = tuple(each.kinds for each in values)
    return ArrayForm(
        parameters,
        free,
        tuple(assignments),
        tuple(results),
        tuple(raises),
        kinds,
        bits,
        record.bools and bits > 0,
        record.exact,
    )


def _short_names(
    assignments: Sequence[tuple[str, ast.expr]], taken: set[str], record: Record
) -> dict[str, ast.Name]:
    """The user's own name for each value, unless another remaining value has it."""
    found: dict[str, ast.Name] = {}
    for name, _ in assignments:
        found[name] = ast.Name(free_name(record.stems[name], taken), ast.Load())
        taken.add(found[name].id)
    return found


def _uses(name: str, nodes: Sequence[ast.expr]) -> int:
    return sum(each.id == name for each in name_nodes(*nodes))


def _uses_in_selects(name: str, nodes: Sequence[ast.expr]) -> int:
    """How often a name is an arm of a ``np.where``."""
    calls = [each for node in nodes for each in walk(node) if isinstance(each, ast.Call)]
    selects = [each for each in calls if isinstance(each.func, ast.Attribute) and each.func.attr == "where"]
    arms = [arm for call in selects for arm in call.args[1:]]
    return sum(isinstance(arm, ast.Name) and arm.id == name for arm in arms)
