"""Loops of independent iterations that reduce the same large arrays to numbers, each with other scalars."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from nprewrite.analysis.liveness import surely_set
from nprewrite.analysis.reduction_effects import LoopReductions, Reads, ReductionEffects, is_store
from nprewrite.base.syntax import children, name_nodes, names_in, walk
from nprewrite.lowering.arrays import ArrayArgument, NumberArgument
from nprewrite.lowering.lower import lower
from nprewrite.lowering.numbers import FLOAT, Number, of_real_dtype
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.reductions import BLOCK, EXTREMES, block_loop, of_rows, reduced, reduction_of
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.program.function import Definition, Function
from nprewrite.regions.native.lists import number_of
from nprewrite.types.problems import Problem, unset_problem
from nprewrite.types.values import Array, Scalar, Unknown

_LOOPS = (ast.For, ast.While)
_NOT_FOLLOWED = (
    *(ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Try, ast.With, ast.Raise),
    *(ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom, ast.Match),
    *(ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef, ast.AnnAssign, ast.Starred),
)
_KEPT = Number(np.dtype(np.float64))
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def loop_reductions(loop: ast.For, function: Function) -> LoopReductions | Problem | None:
    """The reductions of a loop, or why they cannot be computed ahead; None where it has none."""
    call = loop.iter
    ranged = isinstance(call, ast.Call) and function.dotted(call.func) == "builtins.range"
    inside = [each for statement in loop.body for each in walk(statement)]
    if not ranged or not isinstance(loop.target, ast.Name) or loop.orelse or not _is_plain_function(function):
        return None
    if any(isinstance(each, _NOT_FOLLOWED) for each in inside):
        return None
    finder = _Finder(loop, loop.target.id, function)
    for node, always in finder.candidates():
        finder.add(node, always)
    found = finder.found
    if finder.problem is not None:
        return finder.problem
    if not found.nodes or not finder.varies:
        return None
    return finder.effects().problem() or finder.unset() or finder.without_bindings()


def _is_plain_function(function: Function) -> bool:
    if not isinstance(function.node, Definition) or function.step is not None:
        return False
    return function.dynamic_call is None and function.names.unclear_numpy(function.node) is None


class _NotFollowedError(Exception):
    """An expression consists of more than elements of arrays and numbers."""


class _Finder:
    """Collects the reductions of one loop."""

    def __init__(self, loop: ast.For, target: str, function: Function) -> None:
        self.function = function
        self.found = LoopReductions(loop, target)
        self.problem: Problem | None = None
        self.varies = False
        self._inside = [each for statement in loop.body for each in walk(statement)]
        stores = [each for each in self._inside if isinstance(each, ast.Name) and is_store(each)]
        self._bound = {each.id for each in stores}
        names = [each.id for each in stores]
        self._once = {
            each.targets[0].id: each
            for each in loop.body
            if isinstance(each, ast.Assign)
            and len(each.targets) == 1
            and isinstance(each.targets[0], ast.Name)
            and names.count(each.targets[0].id) == 1
        }
        self._used: set[int] = set()
        self._numbers: dict[str, Number] = {}
        self._arrays: dict[str, Array] = {}
        self._reads: list[Reads] = []

    def candidates(self) -> list[tuple[ast.expr, bool]]:
        """The outermost reductions, in the order of the text, and whether every iteration computes them."""
        found = [each for one in self.found.loop.body for each in _outermost(one, self.function, True)]
        for each, _ in found:
            value = self.function.facts.value(_operand(each, self.function))
            if isinstance(value, Unknown) and value.parameter is not None:
                self.problem = Problem("dtype-unknown", value.because, self.found.loop, value.parameter)
        return found

    def add(self, node: ast.expr, always: bool) -> None:
        """Note a reduction, if it is followed."""
        scalars, arrays = dict(self.found.scalars), list(self.found.arrays)
        self._here: set[str] = set()
        used = set(self._used)
        try:
            form = self._expression(node)
            # What is taken for an element, ``x[i]`` of unknown rank, may be a row.
            if names_in(form).isdisjoint(self._arrays):
                raise _NotFollowedError
            self._lower(form)
        except (_NotFollowedError, NotNative):
            self.found.scalars, self.found.arrays, self._used = scalars, arrays, used
            return
        self._reads.append(Reads(node, always, frozenset(self._here), form))
        self._used |= {id(each) for each in walk(node)}
        self.found.nodes.append((node, ast.unparse(form)))

    def _lower(self, form: ast.expr) -> None:
        """Raise ``NotNative`` where neither Numba nor, for extremes, torch computes the reduction."""
        if of_rows(form, self.function.dotted) in EXTREMES:
            if any(self._arrays[name].dtype != np.float64 for name in names_in(form) & self._arrays.keys()):
                raise NotNative("dtype-unsupported", f"`{ast.unparse(form)}` is not of float64")
            return
        scalars, arrays = [*self.found.scalars.values()], self.found.arrays
        loop = block_loop([reduced(form, arrays, self.function.dotted)], scalars, arrays)
        entry: dict[str, ArrayArgument | NumberArgument] = {
            each.arg: ArrayArgument(_KEPT, 1, (BLOCK,)) for each in loop.args.args
        }
        entry |= {name: NumberArgument(self._numbers[name]) for name in scalars}
        for name in arrays:
            element = of_real_dtype(self._arrays[name].dtype)
            if element is None:
                raise NotNative("dtype-unsupported", f"`{name}` is of {self._arrays[name].dtype}")
            entry[name] = ArrayArgument(element, 1, (BLOCK,))
        if lower(loop, entry, self.function.dotted).stops:
            raise NotNative("may-raise", "an operation may stop in the middle of the arrays")

    def _expression(self, node: ast.expr) -> ast.expr:
        """The expression over parameters; raises ``_NotFollowedError``."""
        value = self.function.facts.value(node)
        if (isinstance(value, Scalar) or self._is_element(node)) and not reduction_of(
            node, self.function.dotted
        ):
            return self._scalar(node)
        match node:
            case ast.Name(id=name) if name in self._once:
                self._used |= {id(each) for each in walk(self._once[name].value)}
                if self._once[name].lineno > self.found.loop.body[-1].lineno or self._is_later(node, name):
                    raise _NotFollowedError
                return self._expression(self._once[name].value)
            case ast.Name():
                return self._array(node, value)
            case ast.BinOp(op=operator) if not isinstance(operator, ast.MatMult):
                left, right = self._expression(node.left), self._expression(node.right)
                return ast.BinOp(left, operator, right)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                return ast.UnaryOp(node.op, self._expression(node.operand))
            case ast.Compare(ops=[operator], comparators=[right]) if isinstance(operator, _COMPARISONS):
                return ast.Compare(self._expression(node.left), [operator], [self._expression(right)])
            case ast.Subscript(value=ast.Name()) if isinstance(value, Array) and not isinstance(
                node.slice, ast.Slice | ast.Tuple
            ):
                mask = self.function.facts.value(node.slice)
                if not isinstance(mask, Array) or mask.dtype != bool:
                    raise _NotFollowedError
                return ast.Subscript(self._expression(node.value), self._expression(node.slice), ast.Load())
            case ast.Attribute(attr="size"):
                return ast.Attribute(self._expression(node.value), "size", ast.Load())
            case ast.Call(keywords=[]):
                return self._call(node)
        raise _NotFollowedError

    def _is_element(self, node: ast.expr) -> bool:
        """Whether it is ``x[i]`` of an array of unknown rank; a guard checks that it is a number."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return False
        base, index = self.function.facts.value(node.value), self.function.facts.value(node.slice)
        return isinstance(base, Array) and base.rank is None and isinstance(index, Scalar)

    def _call(self, node: ast.Call) -> ast.expr:
        found = reduction_of(node, self.function.dotted)
        if found is not None and isinstance(node.func, ast.Attribute) and not node.args:
            return ast.Call(ast.Attribute(self._expression(found[1]), node.func.attr, ast.Load()), [], [])
        if found is None and elementwise(self.function.dotted(node.func)) is None:
            raise _NotFollowedError
        return ast.Call(node.func, [self._expression(each) for each in node.args], [])

    def _is_later(self, node: ast.Name, name: str) -> bool:
        """Whether a name is bound after it is read, and therefore has a value from another iteration."""
        return self._once[name].lineno >= node.lineno

    def _array(self, node: ast.Name, value: object) -> ast.expr:
        if not isinstance(value, Array) or node.id in self._bound or not self.function.is_local(node.id):
            raise _NotFollowedError
        if node.id not in self.found.arrays:
            self.found.arrays.append(node.id)
        self._here.add(node.id)
        self._arrays[node.id] = value
        return ast.Name(node.id, ast.Load())

    def _scalar(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant):
            return node
        plain = self._number(node)
        text = ast.unparse(plain)
        names = names_in(plain)
        self.varies |= self.found.target in names
        if text not in self.found.scalars:
            name = self.found.scalars[text] = self._parameter(plain)
            known = number_of(self.function.facts.value(node))
            self._numbers[name] = known if known is not None and not known.is_complex else FLOAT
        self._here.add(text)
        return ast.Name(self.found.scalars[text], ast.Load())

    def _number(self, node: ast.expr) -> ast.expr:
        """A number, as computed from the loop's variable and from what the loop does not change."""
        match node:
            case ast.Constant():
                return node
            case ast.Name(id=name) if name in self._once and not self._is_later(node, name):
                return self._number(self._once[name].value)
            case ast.Name(id=name):
                if name in self._bound or not self.function.is_local(name):
                    raise _NotFollowedError
                if name != self.found.target and name not in self.found.read:
                    self.found.read.append(name)
                return ast.Name(name, ast.Load())
            case ast.BinOp():
                return ast.BinOp(self._number(node.left), node.op, self._number(node.right))
            case ast.UnaryOp():
                return ast.UnaryOp(node.op, self._number(node.operand))
            case ast.Subscript(value=ast.Name()) if isinstance(self.function.facts.value(node.value), Array):
                return ast.Subscript(self._number(node.value), self._number(node.slice), ast.Load())
            case ast.Tuple():
                return ast.Tuple([self._number(each) for each in node.elts], ast.Load())
        raise _NotFollowedError

    def _parameter(self, node: ast.expr) -> str:
        words = [each.id for each in name_nodes(node)]
        plain = isinstance(node, ast.Name) and node.id == self.found.target
        wanted = words[0] if plain else "_".join(dict.fromkeys(words)) or "number"
        taken = {*self.found.scalars.values(), *self.found.arrays}
        name, count = wanted, 1
        while name in taken or (not plain and name in self._inputs):
            name, count = f"{wanted}_{count}", count + 1
        return name

    @property
    def _inputs(self) -> set[str]:
        return {each.id for each in self._inside if isinstance(each, ast.Name)}

    def effects(self) -> ReductionEffects:
        """What the loop does besides the reductions."""
        return ReductionEffects(self.found, self._reads, self._arrays, self._used, self.function)

    def unset(self) -> Problem | None:
        """Why a name that is now read before the loop may have no value there."""
        found = self.found
        for name in (*found.arrays, *found.read, *found.stored):
            if not surely_set(name, found.loop, self.function):
                return unset_problem(name, found.loop)
        return None

    def without_bindings(self) -> LoopReductions | None:
        """The reductions without the statements that bind arrays only for them; None where one must stay."""
        for name, statement in self._once.items():
            if id(statement.value) not in self._used:
                continue
            if isinstance(self.function.facts.value(statement.value), Scalar):
                continue
            nodes = name_nodes(self.function.node)
            if any(each.id == name and not is_store(each) and id(each) not in self._used for each in nodes):
                return None
            self.found.removed.append(statement)
        return self.found


def _operand(node: ast.expr, function: Function) -> ast.expr:
    found = reduction_of(node, function.dotted)
    assert found is not None
    return found[1]


def _outermost(node: ast.AST, function: Function, always: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The outermost reductions in ``node``, and whether each is always computed."""
    if isinstance(node, _LOOPS):
        return
    if isinstance(node, ast.expr) and reduction_of(node, function.dotted) is not None:
        yield node, always
        return
    sometimes = _sometimes(node)
    for child in children(node):
        yield from _outermost(child, function, always and child not in sometimes)


def _sometimes(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that are not always computed."""
    match node:
        case ast.If():
            return [*node.body, *node.orelse]
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.BoolOp():
            return [*node.values[1:]]
        case ast.Compare():
            return [*node.comparators[1:]]
        case ast.Assert():
            return [node.msg] if node.msg is not None else []
    return []
