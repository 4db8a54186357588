"""Which names of a function may stand for the same memory, and which memory statements may change.

Names that are bound to each other, or to views of each other, form a group; what comes from outside the
function (parameters, globals, attributes, what unknown functions return or keep) is a group of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from nprewrite.base.syntax import assigned, children, stored_names, walk
from nprewrite.numpy_api.attributes import ATTRIBUTES
from nprewrite.numpy_api.effects import calls_back, changes_its_array, has_effect
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import is_method
from nprewrite.numpy_api.python import python_function
from nprewrite.numpy_api.scipy import only_computes
from nprewrite.program.function import Definition, Function
from nprewrite.source.kept import names_declared
from nprewrite.source.names import SCOPES, parameter_names, statements_of
from nprewrite.types.expressions import RUNTIME_PRODUCT
from nprewrite.types.region_syntax import region_name
from nprewrite.types.values import Array, DtypeValue, Generator, Scalar, ShapeOf

FOREIGN = ""
"""Stands for all memory that others can see."""

_OPERATIONS = ast.BinOp | ast.UnaryOp | ast.Compare
_OF_LISTS = frozenset(["append", "extend", "insert", "pop", "clear", "reverse"])


@dataclass
class Changed:
    """The names whose memory statements may change, and the calls that may change anything."""

    by_stores: set[str] = field(default_factory=set)
    by_calls: set[str] = field(default_factory=set)
    calls: list[ast.expr] = field(default_factory=list)


class Memory:
    """The names of one function by the memory that they may stand for.

    With ``parameters_apart`` the parameters stand for separate memory, and for none that others can see.
    """

    def __init__(self, function: Function, parameters_apart: bool = False) -> None:
        self._function = function
        self._together: list[set[str]] = []
        node = function.node
        if isinstance(node, Definition) and not parameters_apart:
            known = function.parameter_values
            own = (name for name, value in known.items() if isinstance(value, Array) and value.fresh)
            self._join([FOREIGN, *({*parameter_names(node.args)} - {*own})])
        nodes = [*statements_of(node)]
        bound = [each for each in nodes if isinstance(each, ast.Assign)]
        lists = [each for each in bound if isinstance(each.value, ast.List | ast.ListComp)]
        self._rebound = names_declared(node)
        self._lists = {each.targets[0].id for each in lists if isinstance(each.targets[0], ast.Name)}
        self._regions = {region_name(each) for each in nodes if isinstance(each, ast.For)} - {None}
        for each in nodes:
            if isinstance(each, SCOPES):
                self._join([FOREIGN, *self._captured(each)])
            for names, value in self._bindings(each):
                self._join([*names, *self.sources(value)])
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                self._extended(each.target, each.value)
            if isinstance(each, ast.Call):
                self._join(self._kept_by(each))
            if isinstance(each, ast.Assign):
                self._kept_in(each)

    def of(self, names: Iterable[str]) -> set[str]:
        """These names, and all that may share memory with one of them."""
        own = {FOREIGN if name and not self._is_own(name) else name for name in names}
        return own.union(*(each for each in self._together if each & own))

    def is_foreign(self, names: Iterable[str]) -> bool:
        """Whether others may see the memory of one of these names."""
        return FOREIGN in self.of(names)

    def changed_in(self, nodes: Iterable[ast.AST]) -> Changed:
        """What statements, or parts of them, may change; names that may share the memory are not added."""
        found = Changed()
        for node in nodes:
            for each in _unscoped(node):
                self._change(each, found)
        return found

    def is_rebound_elsewhere(self, name: str) -> bool:
        """Whether a function defined in this one binds the name to something else."""
        return name in self._rebound

    def is_visible(self, node: ast.stmt) -> bool:
        """Whether others could see that a statement ran, if an exception ended the function after it."""
        changed = self.changed_in([node])
        if changed.calls or self.is_foreign(changed.by_stores):
            return True
        return any(self._is_seen(each) for each in _unscoped(node))

    def _is_seen(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                return not self._is_own(name)
            case ast.Attribute(ctx=ast.Store()):
                return True
            case ast.Call(func=ast.Attribute(value=receiver)) if self._function.dotted(node.func) is None:
                drawn = isinstance(self._function.facts.value(receiver), Generator)
                known = isinstance(self._function.facts.value(receiver), Array)
                return (drawn or not known) and self.is_foreign(self.sources(receiver, deep=True))
            case ast.Call():
                dotted = self._function.dotted(node.func) or ""
                return dotted == "builtins.print" or dotted.startswith(("numpy.random.", "numpy.save"))
        return False

    def _is_own(self, name: str) -> bool:
        return self._function.is_local(name) and not self._function.is_shared(name)

    def _join(self, names: Iterable[str]) -> None:
        joined = {*names}
        # `h = H` gives the memory of a global, or of an attribute that is read as a name, another name.
        joined |= {FOREIGN for name in joined if name and not self._is_own(name)}
        if len(joined) < 2:
            return
        met = [each for each in self._together if each & joined]
        self._together = [each for each in self._together if not each & joined]
        self._together.append(joined.union(*met))

    def sources(self, node: ast.expr, deep: bool = False) -> set[str]:
        """The names whose memory a value may be or hold; ``deep`` also of one known not to be an array."""
        known = self._function.facts.value(node)
        if not deep and isinstance(known, Scalar | DtypeValue | ShapeOf):
            return set()
        # Operators make arrays of their own, also those of subclasses.
        if isinstance(known, Array) and (known.fresh or isinstance(node, _OPERATIONS)):
            return set()
        match node:
            case ast.Constant():
                return set()
            case ast.Name(id=name):
                return set() if self._function.dotted(node) is not None else {name}
            case ast.Attribute(value=ast.Name(id=name), attr="results") if name in self._regions:
                return set()
            case ast.Attribute(value=value, attr=attr):
                if self._function.dotted(node) is not None:
                    return set()
                outside = set() if attr in ATTRIBUTES else {FOREIGN}
                return self.sources(value) | outside
            case ast.Subscript(value=value):
                return self.sources(value)
            case ast.Call():
                return self._given(node) if self._is_known(node) else {FOREIGN, *self._given(node)}
        return set[str]().union(*map(self.sources, _expressions_in(node)))

    def _captured(self, scope: ast.AST) -> Iterator[str]:
        """The names of the function that the functions and classes defined in it see."""
        for each in walk(scope):
            if isinstance(each, SCOPES):
                own = self._function.names.bindings(each)
                names = (name for name in statements_of(each) if isinstance(name, ast.Name))
                yield from (name.id for name in names if name.id not in own)

    def _bindings(self, node: ast.AST) -> Iterator[tuple[list[str], ast.expr]]:
        """The names that a node binds, each with the expression whose memory it may stand for."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _named(target, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
            ):
                yield from _named(target, value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                yield from self._iterated(target, value)

    def _iterated(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[list[str], ast.expr]]:
        """The same for the target of a loop over ``value``."""
        called = self._function.dotted(value.func) if isinstance(value, ast.Call) else None
        match target, value:
            case ast.Tuple(elts=[_, item]), ast.Call(args=[items]) if called == "builtins.enumerate":
                yield from self._iterated(item, items)
                return
            case ast.Tuple(elts=parts), ast.Call(args=many) if called == "builtins.zip" and len(parts) == len(
                many
            ):
                for part, each in zip(parts, many, strict=True):
                    yield from self._iterated(part, each)
                return
        array = self._function.facts.value(value)
        # Elements of a vector are numbers.
        if not isinstance(array, Array) or array.rank != 1 or array.dtype.kind not in "biufc":
            yield from _named(target, value)

    def _extended(self, target: ast.Name, value: ast.expr) -> None:
        """Note ``rows += [u]`` for a list, which keeps the elements."""
        if not isinstance(self._function.facts.value(target), Array | Scalar):
            self._join([target.id, *self.sources(value)])

    def _kept_by(self, call: ast.Call) -> set[str]:
        """The names that a call may let share memory: those of its arguments."""
        if self._is_known(call):
            return set()
        given = self._given(call)
        return given if self._is_of_list(call) else given | {FOREIGN}

    def _given(self, call: ast.Call) -> set[str]:
        """The names whose memory a call gets."""
        return set[str]().union(*map(self.sources, _operands(call)))

    def _kept_in(self, node: ast.Assign) -> None:
        """Note ``records["u"] = u`` and ``self.u = u``; only arrays copy what is stored into them."""
        for target, value in (pair for each in node.targets for pair in assigned(each, node.value)):
            if isinstance(target, ast.Attribute):
                self._join([FOREIGN, *self.sources(value)])
            elif isinstance(target, ast.Subscript):
                base = self._function.facts.value(target.value)
                if not isinstance(base, Array):
                    self._join([*self.sources(target.value, deep=True), *self.sources(value)])

    def _change(self, node: ast.AST, found: Changed) -> None:
        match node:
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                found.by_stores |= self.sources(node.value, deep=True)
            case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=attr) if attr in ATTRIBUTES:
                found.by_stores |= self.sources(node.value, deep=True)
            case ast.AugAssign(target=ast.Name() | ast.Attribute() as target):
                found.by_stores |= self.sources(target)
            case ast.Call():
                self._change_by_call(node, found)
            case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                found.by_calls.add(FOREIGN)
                found.calls.append(node if isinstance(node, ast.expr) else ast.Constant(None))

    def _change_by_call(self, call: ast.Call, found: Changed) -> None:
        if self._runs_step(call):
            found.by_stores |= self._given(call)
        for each in changed_by(call, self._function.dotted(call.func)):
            found.by_stores |= self.sources(each)
        if not self._is_known(call) and not self._is_of_list(call):
            found.by_calls |= {*self._given(call), FOREIGN}
            found.calls.append(call)

    def _is_known(self, call: ast.Call) -> bool:
        """Whether a call runs no code of the user's, and keeps none of its arguments."""
        dotted = self._function.dotted(call.func)
        if self._runs_step(call):
            return True
        if dotted is None:
            return self._is_method(call)
        python = python_function(dotted)
        quiet = python is not None and python.quiet
        if (
            dotted.startswith(("math.", "time."))
            or quiet
            or dotted == RUNTIME_PRODUCT
            or only_computes(dotted)
        ):
            return True
        called = calls_back(dotted.removeprefix("numpy."))
        given = any(self._is_function(each) for each in _operands(call))
        # `np.ndarray.sort(x)` is a method.
        plain = dotted.startswith("numpy.") and not dotted.startswith("numpy.ndarray.")
        return plain and not called and not given

    def _runs_step(self, call: ast.Call) -> bool:
        """Whether a call is ``STEP.over(...)``, which may store into what it is given."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr="over"):
                return name in self._function.module.steps
        return False

    def _is_function(self, node: ast.expr) -> bool:
        dotted = self._function.dotted(node) or ""
        return isinstance(node, ast.Lambda) or dotted.startswith(".")

    def _is_method(self, call: ast.Call) -> bool:
        """Whether a call is of a method of an array, a random number generator or a string."""
        if not isinstance(call.func, ast.Attribute):
            return False
        receiver, name = call.func.value, call.func.attr
        value = self._function.facts.value(receiver)
        text = isinstance(receiver, ast.Constant | ast.JoinedStr)
        return text or isinstance(value, Generator | Scalar) or (isinstance(value, Array) and is_method(name))

    def _is_of_list(self, call: ast.Call) -> bool:
        """Whether a call is ``records.append(...)`` for a list that the function has made."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in _OF_LISTS:
                return name in self._lists and self._is_own(name)
        return False


def changed_by(call: ast.Call, dotted: str | None) -> list[ast.expr]:
    """The arrays that a call changes: of NumPy's function ``dotted``, or of a method if that is None."""
    changed = outputs(call, dotted)
    if dotted is not None:
        first = has_effect(dotted) and not calls_back(dotted.removeprefix("numpy."))
        return changed + (call.args[:1] if first or dotted == "numpy.random.shuffle" else [])
    if isinstance(call.func, ast.Attribute):
        if changes_its_array(call.func.attr):
            changed.append(call.func.value)
        elif call.func.attr in ("shuffle", "itemset"):
            changed += [*call.args, call.func.value]
    return changed


def outputs(call: ast.Call, dotted: str | None) -> list[ast.expr]:
    """The arrays that NumPy's function ``dotted``, or a method, puts its result into: ``out``."""
    found = [each.value for each in call.keywords if each.arg == "out"]
    name = (dotted or "").removeprefix("numpy.")
    if dotted is None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    taken = 1 if dotted is None else 0
    entry = elementwise(dotted or f"numpy.{name}") if dotted is not None or is_method(name) else None
    ufunc = entry[1].ufunc if entry is not None else getattr(np, name, None)
    if isinstance(ufunc, np.ufunc):
        return found + call.args[ufunc.nin - taken :]
    line = array_function(name)
    names = line.positions.split() if line is not None else []
    if line is None or "out" not in names:
        return found
    return found + call.args[max(line.arrays, 1) - taken + names.index("out") :][:1]


def _operands(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call, and the object whose method it is."""
    given = [*call.args, *(each.value for each in call.keywords)]
    return [call.func.value, *given] if isinstance(call.func, ast.Attribute) else given


def _named(target: ast.expr, value: ast.expr) -> Iterator[tuple[list[str], ast.expr]]:
    for each, part in assigned(target, value, apart=False):
        if not isinstance(each, ast.Subscript | ast.Attribute):
            yield [*stored_names(each)], part


def _expressions_in(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions that a node is directly made of; those of a comprehension are its parts."""
    for child in children(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.comprehension | ast.keyword):
            yield from _expressions_in(child)


def _unscoped(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes in it, except the bodies of functions and classes."""
    yield node
    if not isinstance(node, SCOPES):
        yield from statements_of(node)
