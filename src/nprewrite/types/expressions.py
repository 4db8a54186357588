"""What is known of one expression, given what is known of the names in it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from nprewrite.base.syntax import children, items_of, names_in
from nprewrite.numpy_api.attributes import is_part, limit
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.effects import changes_its_array, changes_its_first
from nprewrite.numpy_api.elementwise import OPERATORS, elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.python import number_of, python_function
from nprewrite.numpy_api.scipy import of_normal, special_function
from nprewrite.source.names import ModuleNames, Scope
from nprewrite.types import array_functions, array_methods, constructors, indexing, random_numbers
from nprewrite.types.arithmetic import (
    combined,
    first_unknown,
    of_array,
    of_displays,
    python_arithmetic,
    special,
)
from nprewrite.types.python_functions import folded
from nprewrite.types.values import (
    Absent,
    Array,
    Callee,
    DtypeValue,
    Generator,
    Instance,
    Items,
    Kind,
    Scalar,
    ShapeOf,
    Unknown,
    Value,
    constant,
    either,
    join,
    kind_of,
    real_part,
    suggested,
    value_of,
)
from nprewrite.types.variables import variable_of

RUNTIME_PRODUCT = "nprewrite.runtime.matrix_product"
_FLOAT64 = Scalar("float", np.dtype(float))


@dataclass(frozen=True)
class MaskedAccess:
    """``x[m]`` with a boolean array ``m``, read or stored."""

    array: Array
    mask: Array
    key: str


class Expressions:
    """Finds what is known of expressions, and keeps the answers by node."""

    def __init__(
        self,
        names: ModuleNames,
        scope: Scope,
        module_values: Mapping[str, Value],
        call: Callable[[str, list[Value]], Value] | None = None,
        seen: Callable[[ast.expr], Value | None] | None = None,
    ) -> None:
        """``call`` gives what a function of the module returns for these arguments.

        ``seen`` gives what an expression was while the program ran.
        """
        self.names = names
        self.scope = scope
        self.values: dict[ast.expr, Value] = {}
        self.loops: dict[ast.expr, tuple[np.dtype[Any], ...]] = {}
        self.masked: dict[ast.Subscript, MaskedAccess] = {}
        self._module_values = module_values
        self._call_own = call
        self._seen = seen
        self._versions: dict[str, int] = {}
        self._clock = 0

    def anew(self) -> Expressions:
        """Expressions without any answers, and with the present versions of masks."""
        made = Expressions(self.names, self.scope, self._module_values, self._call_own, self._seen)
        made._versions, made._clock = dict(self._versions), self._clock
        return made

    def changed(self, name: str) -> None:
        """Note that ``name`` was bound or its array changed: masks that mention it have new values."""
        self._clock += 1
        self._versions[name] = self._clock

    def evaluate(self, node: ast.expr, environment: Mapping[str, Value]) -> Value:
        """What is known of ``node``; the answer is also kept in ``values``."""
        value = self._evaluate(node, environment)
        if isinstance(value, Unknown) and self._seen is not None:
            value = self._seen(node) or value
        self.values[node] = value
        return value

    def element(self, node: ast.expr, environment: Mapping[str, Value]) -> Value:
        """What one element of the iterable ``node`` is."""
        self.evaluate(node, environment)
        if isinstance(node, ast.Call):
            for argument in node.args:
                self.evaluate(argument, environment)
            if self.is_range(node):
                return Scalar("int", symbol=f"element@{node.lineno}:{node.col_offset}")
            dotted = self.names.dotted(node.func, self.scope)
            if dotted == "builtins.reversed" and len(node.args) == 1 and not node.keywords:
                return self.element(node.args[0], environment)
            if dotted in ("builtins.enumerate", "builtins.zip") and not node.keywords:
                counted = (Scalar("int"),) if dotted == "builtins.enumerate" else ()
                return Items((*counted, *(self.element(each, environment) for each in node.args)))
        array = self.evaluate(node, environment)
        if isinstance(node, ast.Tuple | ast.List) and isinstance(array, Items) and array.values:
            return reduce(either, array.values)
        kind = kind_of(array.dtype) if isinstance(array, Array) and array.rank == 1 else None
        if isinstance(array, Array) and kind is not None and array.under is None:
            return Scalar(kind, array.dtype)
        return Unknown("the loop is not over range(...)")

    def own(self, call: ast.Call) -> bool:
        """Whether a call is of a function that is neither Python's own nor of a known module."""
        dotted = self.names.dotted(call.func, self.scope)
        return dotted is None or not dotted.startswith(("numpy.", "math.", "cmath.", "scipy.", "builtins."))

    def is_range(self, call: ast.Call) -> bool:
        """Whether a call is ``range(...)``, the builtin."""
        return self.names.dotted(call.func, self.scope) == "builtins.range"

    def _evaluate(self, node: ast.expr, env: Mapping[str, Value]) -> Value:
        match node:
            case ast.Constant():
                named = constructors.dtype_of(None, node)
                return DtypeValue(named) if named is not None else constant(node.value)
            case ast.Name():
                return self._name(node, env)
            case ast.Tuple() | ast.List():
                items = tuple(self.evaluate(element, env) for element in node.elts)
                return Items(items, changes=isinstance(node, ast.List))
            case ast.BinOp():
                operands = [self.evaluate(node.left, env), self.evaluate(node.right, env)]
                return self.binary(type(node.op).__name__, operands, node)
            case ast.UnaryOp():
                return self._unary(node, self.evaluate(node.operand, env))
            case ast.Compare():
                operands = [self.evaluate(each, env) for each in (node.left, *node.comparators)]
                return self._compare(node, operands)
            case ast.BoolOp():
                values = [self.evaluate(each, env) for each in node.values]
                alike = all(value == values[0] for value in values)
                different = Unknown("`and`/`or` of different types")
                return first_unknown(values) or (values[0] if alike else different)
            case ast.IfExp():
                self.evaluate(node.test, env)
                arms = [self.evaluate(each, env) for each in (node.body, node.orelse)]
                shown = shown_arm(node.test, env)
                return join(*arms) if shown is None else suggested(arms[shown])
            case ast.Attribute():
                return self._attribute(node, env)
            case ast.Subscript():
                return self.evaluate_subscript(node, env)
            case ast.Call():
                return self._call(node, env)
        values = [self.evaluate(each, env) for each in children(node) if isinstance(each, ast.expr)]
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            # Written out, it may be known once a call shows what it runs over.
            over = self.evaluate(node.generators[0].iter, env)
            values += over.values if isinstance(over, Items) else [over]
        unknown = first_unknown(values)
        parameter = None if unknown is None else unknown.parameter
        return Unknown(f"a {type(node).__name__} expression is not analysed", parameter)

    def _name(self, node: ast.Name, env: Mapping[str, Value]) -> Value:
        if node.id in env:
            known = env[node.id]
            return replace(known, fresh=False) if isinstance(known, Array) else known
        if self.names.binding(node.id, self.scope) == "assignment" and node.id in self._module_values:
            return self._module_values[node.id]
        imported = _constant(self.names.dotted(node, self.scope) or "")
        if imported is not None:
            return imported
        # What a variable of the module is, a call of the function shows.
        shown = self.names.is_variable(node.id, self.scope)
        return Unknown(f"nothing is known of `{node.id}`", parameter=node.id if shown else None)

    def binary(self, operator: str, operands: Sequence[Value], node: ast.expr | None = None) -> Value:
        """The value of ``left operator right``."""
        if operator == "MatMult":
            place = f"@{node.lineno}:{node.col_offset}" if node is not None else "@"
            return array_functions.product(operands[0], operands[1], place)
        weak = [each for each in operands if isinstance(each, Scalar) and each.dtype is None]
        if len(weak) == 2:
            return python_arithmetic(operator, weak[0], weak[1])
        if all(isinstance(each, ShapeOf | Items) for each in operands):
            return Unknown("an operation on sequences")
        name = OPERATORS.get(operator)
        if name is None:
            return Unknown(f"operator {operator} is not elementwise")
        return self.apply(f"numpy.{name}", operands, node)

    def apply(self, function: str, operands: Sequence[Value], node: ast.expr | None = None) -> Value:
        """The value of an elementwise function of ``operands``."""
        found = elementwise(function)
        operands = of_displays(operands)
        unknown = first_unknown(operands)
        if found is None:
            return unknown or Unknown(f"`{function}` is not an elementwise function")
        ufunc = found[1].ufunc
        if unknown is not None:
            masks = any(isinstance(each, Unknown) and each.comparison for each in operands)
            return replace(unknown, comparison=masks or _gives_truth_values(ufunc))
        known = [each for each in operands if isinstance(each, Array | Scalar)]
        if len(operands) != ufunc.nin or len(known) != len(operands):
            return Unknown(f"`{function}` of these operands is not analysed")
        kinds = [each.dtype if isinstance(each, Array) else each.operand for each in known]
        try:
            dtypes = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))
        except TypeError:
            return Unknown(f"`{function}` raises TypeError for these types")
        if node is not None:
            self.loops[node] = dtypes
        return combined(dtypes[-1], operands)

    def _unary(self, node: ast.UnaryOp, operand: Value) -> Value:
        if isinstance(node.op, ast.Not):
            return Scalar("bool") if isinstance(operand, Scalar) else Unknown("`not` of an array")
        if isinstance(operand, Scalar) and operand.dtype is None:
            negated = isinstance(node.op, ast.USub) and operand.constant is not None
            value = -operand.constant if negated and operand.constant is not None else None
            kind: Kind = "int" if operand.kind == "bool" else operand.kind
            return Scalar(kind, constant=value, proven=operand.proven, of_array=operand.of_array)
        return self.apply(f"numpy.{OPERATORS[type(node.op).__name__]}", [operand], node)

    def _compare(self, node: ast.Compare, operands: list[Value]) -> Value:
        unknown = first_unknown(operands)
        if unknown is not None:
            return replace(unknown, comparison=True)
        if all(isinstance(each, Scalar) and each.dtype is None for each in operands):
            return Scalar("bool", of_array=of_array(operands))
        name = OPERATORS.get(type(node.ops[0]).__name__)
        if len(node.ops) > 1 or name is None:
            return Unknown("a chained comparison of arrays has no truth value")
        return self.apply(f"numpy.{name}", operands, node)

    def _attribute(self, node: ast.Attribute, env: Mapping[str, Value]) -> Value:
        variable, dotted = variable_of(node), self.names.dotted(node, self.scope)
        if variable is not None:
            return self._variable(*variable, env)
        if dotted is None:
            found = array_methods.attribute(self.evaluate(node.value, env), node.attr)
            known = self._limit(node, env) if isinstance(found, Unknown) else found
            return found if isinstance(known, Unknown) else known
        return _constant(dotted) or Unknown(f"`{dotted}`")

    def _variable(self, function: str, number: int, env: Mapping[str, Value]) -> Value:
        """A variable of a function that is an argument."""
        called = env.get(function)
        seen = called.variable(number) if isinstance(called, Callee) else None
        return Unknown(f"nothing is known of what `{function}` sees") if seen is None else suggested(seen)

    def _limit(self, node: ast.Attribute, env: Mapping[str, Value]) -> Value:
        """``np.finfo(x.dtype).eps`` and the like; unknown for any other attribute."""
        unknown = Unknown(f"attribute `{node.attr}`")
        match node.value:
            case ast.Call(func=called, args=[given], keywords=[]):
                dtype = constructors.dtype_of(self.evaluate(given, env))
                number = limit(self.names.dotted(called, self.scope), dtype, node.attr)
                return value_of(number, f"{ast.unparse(node)}@limit") or unknown
        return unknown

    def evaluate_subscript(self, node: ast.Subscript, env: Mapping[str, Value]) -> Value:
        """``x[...]``, read or stored; masked accesses are noted in ``masked``."""
        base = self.evaluate(node.value, env)
        found = self.evaluate(node.slice, env)
        index = None if isinstance(node.slice, ast.Slice) else found
        value = self._subscript(node, base, index)
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.changed(node.value.id)
        self.values[node] = value
        return value

    def _subscript(self, node: ast.Subscript, base: Value, index: Value | None) -> Value:
        # An earlier pass over a loop may have assumed more than holds in all its iterations.
        self.masked.pop(node, None)
        dotted = self.names.dotted(node.value, self.scope)
        if dotted in ("numpy.mgrid", "numpy.ogrid"):
            items = items_of(node)
            place = f"@{node.lineno}:{node.col_offset}"
            return constructors.grid(dotted.removeprefix("numpy."), items, self.values, place)
        if isinstance(base, ShapeOf):
            return indexing.axis_length(base, node)
        if isinstance(base, Instance) and base.kind is list and isinstance(index, Scalar):
            return suggested(reduce(join, (each for _, each in base.attributes)))
        if not isinstance(base, Array):
            return base if isinstance(base, Unknown) else Unknown("a subscript of something not an array")
        if isinstance(index, Array) and index.dtype == np.bool_:
            key = self._mask_key(node.slice)
            self.masked[node] = MaskedAccess(base, index, key)
            return Array(base.dtype, f"active({key})", under=key, fresh=True, assumed=base.assumed)
        if isinstance(index, Unknown) and not isinstance(node.slice, ast.Tuple | ast.Constant):
            return index
        return indexing.basic_index(node, base, self.values)

    def _mask_key(self, node: ast.expr) -> str:
        names = sorted(names_in(node))
        versions = ",".join(f"{name}:{self._versions.get(name, 0)}" for name in names)
        return f"{ast.unparse(node)} ({versions})"

    def _call(self, node: ast.Call, env: Mapping[str, Value]) -> Value:
        arguments = [self.evaluate(each, env) for each in node.args]
        keywords = {each.arg: self.evaluate(each.value, env) for each in node.keywords}
        dotted = self.names.dotted(node.func, self.scope)
        self._note_change(node, dotted)
        called = self.evaluate(node.func, env) if isinstance(node.func, ast.Name) and dotted is None else None
        if isinstance(called, Callee):
            dotted = f".{called.name}"
        written_out = not any(isinstance(each, ast.Starred) for each in node.args) and None not in keywords
        named = {name: value for name, value in keywords.items() if name is not None}
        position = f"@{node.lineno}:{node.col_offset}"
        if dotted is None and isinstance(node.func, ast.Attribute):
            receiver = self.evaluate(node.func.value, env)
            if node.func.attr == "clip" and isinstance(receiver, Array) and not keywords:
                return self.apply("numpy.clip", [receiver, *arguments], node)
            if isinstance(receiver, Generator) and written_out:
                return random_numbers.drawn(receiver, node.func.attr, arguments, named, position)
            return array_methods.method(node.func.attr, receiver, node, arguments, keywords)
        if dotted is None or not written_out:
            return Unknown(f"nothing is known of `{ast.unparse(node.func)}(...)`")
        if dotted == "random.Random":
            return Generator("python")
        if dotted.startswith("numpy.random."):
            name = dotted.removeprefix("numpy.random.")
            return random_numbers.of_module(name, arguments, named, position)
        if dotted.startswith(".") and self._call_own is not None and not keywords:
            return self._call_own(dotted.removeprefix("."), arguments)
        if elementwise(dotted) and not keywords:
            weak = [each for each in arguments if isinstance(each, Scalar) and each.dtype is None]
            if dotted == "builtins.abs" and len(weak) == len(arguments) == 1:
                return Scalar("float" if weak[0].kind == "complex" else weak[0].kind)
            return self.apply(dotted, arguments, node)
        if dotted == "numpy.where" and len(arguments) == 3 and not keywords:
            return self._where(arguments, node)
        if dotted == "builtins.len" and len(arguments) == 1 and isinstance(first := arguments[0], Array):
            return replace(
                indexing.axis_length(ShapeOf(first.shape or "?"), node), of_array=first.under is not None
            )
        short = dotted.removeprefix("numpy.")
        python = python_function(dotted)
        if python is not None and python.folds and arguments and not keywords:
            return folded(dotted.removeprefix("builtins."), arguments, position)
        if dotted.startswith("numpy.") and arguments and array_function(short) is not None:
            return array_functions.call(short, arguments, named, node, method=False)
        if dotted == RUNTIME_PRODUCT and arguments:
            return self._matrix_product(arguments, keywords, position)
        if is_part(dotted) and len(arguments) == 1:
            if isinstance(arguments[0], Array):
                return real_part(arguments[0])
            return first_unknown(arguments) or Unknown(f"`{dotted}` of something not an array")
        math = number_of(dotted)
        if math is not None and not keywords:
            numbers = all(isinstance(each, Scalar) for each in arguments)
            kind: Kind = math.gives
            return (
                Scalar(kind, of_array=of_array(arguments)) if numbers else Unknown(f"`{dotted}` of no number")
            )
        if special_function(dotted) is not None and len(arguments) == 1 and not keywords:
            return special(arguments[0], dotted)
        if of_normal(dotted) and arguments:
            # Narrower floats are computed in float64.
            found: Value = _FLOAT64
            for each in (*arguments, *named.values()):
                found = self.apply("numpy.add", [found, special(each, dotted)])
            return found
        made = creation(dotted)
        if made is not None and made.rule in ("converted", "grid"):
            arguments = [*map(self._of_range, node.args, arguments)]
        return constructors.construct(dotted, arguments, named, position)

    def _of_range(self, node: ast.expr, value: Value) -> Value:
        """What NumPy makes of ``range(n)``; an empty one gives floats, which a guard finds."""
        if isinstance(node, ast.Call) and self.is_range(node):
            return Array(np.dtype(int), (f"range@{node.lineno}:{node.col_offset}",), fresh=True, assumed=True)
        return value

    def _matrix_product(
        self, factors: Sequence[Value], keywords: Mapping[str | None, Value], position: str
    ) -> Value:
        """The type of the runtime's product in another order, which is that of the product as written."""
        value = array_functions.products(factors, position)
        for name, function in (("scale", "numpy.multiply"), ("divisor", "numpy.true_divide")):
            if name in keywords:
                value = self.apply(function, [value, keywords[name]])
        return value

    def _note_change(self, node: ast.Call, dotted: str | None) -> None:
        """Note arrays changed by ``x.sort()``, ``np.copyto(x, y)``, ``np.add.at(x, k, 1)``."""
        method = node.func if dotted is None and isinstance(node.func, ast.Attribute) else None
        short = (dotted or "").removeprefix("numpy.")
        target = method.value if method is not None and changes_its_array(method.attr) else None
        if node.args and (changes_its_first(short)):
            target = node.args[0]
        if isinstance(target, ast.Name):
            self.changed(target.id)

    def _where(self, operands: list[Value], node: ast.expr) -> Value:
        unknown = first_unknown(operands)
        known = [each for each in operands if isinstance(each, Array | Scalar)]
        if unknown is not None or len(known) != len(operands):
            return unknown or Unknown("`np.where` of these operands")
        chosen = [each.dtype if isinstance(each, Array) else each.promoting for each in known[1:]]
        dtype = np.result_type(*chosen)
        self.loops[node] = (np.dtype(bool), dtype, dtype, dtype)
        made = combined(dtype, operands)
        # Unlike a ufunc, it gives an array even for numbers: one without axes.
        return Array(dtype, (), fresh=True) if isinstance(made, Scalar) else made


def _gives_truth_values(ufunc: np.ufunc) -> bool:
    """Whether all results for numbers are booleans, so that an array of them may be a mask."""
    return all(each.endswith("->?") for each in ufunc.types if "O" not in each)


def shown_arm(test: ast.expr, env: Mapping[str, Value]) -> int | None:
    """The arm that a call takes: at ``x is None`` where x is, at ``x.ndim < 2`` by the number of axes."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as kind], [ast.Constant(None)]):
            return int(isinstance(kind, ast.IsNot)) if isinstance(env.get(name), Absent) else None
        case ast.Compare(
            ast.Attribute(ast.Name(name), "ndim")
            | ast.Call(ast.Name("len"), [ast.Attribute(ast.Name(name), "shape")], []),
            [kind],
            [ast.Constant(int() as number)],
        ):
            value, compared = env.get(name), OPERATORS.get(type(kind).__name__)
            rank = value.rank if isinstance(value, Array) else None
            return None if rank is None or compared is None else int(not getattr(np, compared)(rank, number))
    return None


def _constant(dotted: str) -> Value | None:
    """The dtype or the float that ``np.float32``, ``math.pi`` or ``np.pi`` stands for."""
    dtype = constructors.dtype_named(dotted)
    if dtype is not None:
        return DtypeValue(dtype)
    if dotted in {"math.pi", "math.e", "math.inf", "math.nan", "math.tau"}:
        return Scalar("float")
    number = getattr(np, dotted.removeprefix("numpy."), None) if dotted.startswith("numpy.") else None
    return Scalar("float", constant=number) if type(number) is float else None
