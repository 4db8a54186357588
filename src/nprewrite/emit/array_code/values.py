"""Expressions of a scalar loop over whole arrays: elements become slices, loop variables become index grids.

Every value knows along which loops ("lanes") it varies and the type that one element has in the loop as
written, so that a Python number beside a float32 element does not become a float64 array.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nprewrite.base.syntax import base_of, expression_tree
from nprewrite.emit.array_code.arithmetic import BOOLEAN
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.indices import Elements
from nprewrite.emit.array_code.scene import Temporary, Vec
from nprewrite.emit.array_code.syntax import call, cast
from nprewrite.numpy_api.elementwise import OPERATORS, elementwise
from nprewrite.regions.nests.nest import unknown_array
from nprewrite.types.affine import Affine, number, symbol
from nprewrite.types.integer_sizes import COUNTED, LARGEST
from nprewrite.types.loop_numbers import Type, join, strong, weak
from nprewrite.types.values import Array, Kind, Scalar


class Values(Elements):
    """Evaluates expressions in a scene, with axes in the order ``order``."""

    def value(self, node: ast.expr) -> Vec:
        """The expression in all lanes; raises ``NotVectorizedError``."""
        match node:
            case ast.Constant(value=bool() | int() | float() | complex() as value):
                return Vec(node, frozenset(), Type(_KINDS[type(value)], literal=value), bound=_size(value))
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._element(node)
            case ast.BinOp():
                return self.binary(node.op, self.value(node.left), self.value(node.right), node)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                return self._unary(node)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) if _is_test(node):
                return self.test(node)
            case ast.IfExp():
                return self.where(self.test(node.test), self.value(node.body), self.value(node.orelse), node)
            case ast.Call():
                return self._called(node)
        raise NotVectorizedError("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)

    def _name(self, node: ast.Name) -> Vec:
        scene = self.scene
        loop = next((each for each in reversed(scene.loops) if each.name == node.id), None)
        if loop is not None:
            return self.grid(symbol(loop.symbol), node)
        if node.id in scene.temporaries:
            return self._temporary(scene.temporaries[node.id], node)
        if node.id in scene.nest.bound:
            text = f"`{node.id}` is carried from one iteration to the next"
            raise NotVectorizedError("scalar-carried", text, node)
        known = scene.nest.before.get(node.id)
        if isinstance(known, Scalar) and scene.nest.function.is_local(node.id):
            if not known.proven or self._is_believed(known):
                scene.guards.ask(f"type({node.id}) is {_type_name(known, scene.numpy)}")
            kind = Type(known.kind, known.dtype, known.constant)
            return Vec(node, frozenset(), kind, bound=_size(known.constant))
        if isinstance(known, Array):
            text = f"`{node.id}` is a whole array among numbers"
            raise NotVectorizedError("not-a-scalar-nest", text, node)
        problem = unknown_array(node, scene.nest)
        waits = problem.parameter is not None and scene.nest.function.can_defer
        if waits or not scene.nest.function.is_local(node.id) or not scene.nest.is_set(node.id):
            raise NotVectorizedError(problem.code, problem.message, node, problem.parameter)
        return self.some_float(node)

    def _is_believed(self, known: Scalar) -> bool:
        """Whether the type of a number rests on an annotation: calls may pass another type."""
        function = self.scene.nest.function
        return known.constant is None and known.dtype is None and function.name != function.module.jitted

    def some_float(self, node: ast.expr) -> Vec:
        """A number of unknown type as float64, under the condition that it is a float or ``np.float64``."""
        self.scene.guards.ask(f"isinstance({ast.unparse(node)}, float)")
        return Vec(node, frozenset(), Type("float", np.dtype(np.float64), mixed=True))

    def _attribute(self, node: ast.Attribute) -> Vec:
        dotted = self.scene.nest.function.dotted(node) or ""
        module, _, name = dotted.partition(".")
        if module in {"numpy", "math"} and name in {"pi", "e", "inf", "nan", "tau", "euler_gamma"}:
            return Vec(node, frozenset(), weak("float"))
        form = self.scene.nest.affine(node, self.scene.loops)
        if form is not None:
            return Vec(node, frozenset(), weak("int"))
        raise NotVectorizedError("not-local", f"`{ast.unparse(node)}` is not a local variable", node)

    def grid(self, form: Affine, node: ast.expr) -> Vec:
        """A loop variable as a value: a Python integer in a loop that stays, ``np.arange`` along its lane."""
        (name,) = form.symbols
        span = self.scene.span(name)
        texts = self.scene.texts
        if name not in self.scene.lanes:
            return Vec(node, frozenset(), weak("int"), bound=COUNTED)
        ends = [] if span.lows[0] == number(0) else [span.lows[0].text(texts)]
        ends.append(span.highs[0].text(texts))
        if span.stride != 1:
            ends = [span.lows[0].text(texts), ends[-1], str(span.stride)]
        grid = expression_tree(f"{self.scene.numpy}.arange({', '.join(ends)})")
        return Vec(self.aligned(grid, (name,)), frozenset([name]), weak("int"), bound=COUNTED)

    def _temporary(self, known: Temporary, node: ast.Name) -> Vec:
        scene = self.scene
        if known.home and not {each.name for each in known.home} & scene.lanes:
            return self._of_iteration(known, node)
        home = tuple(each.name for each in known.home)
        if not set(home) <= {each.name for each in scene.spans}:
            text = f"`{known.name}` is the number of the last iteration of another loop"
            raise NotVectorizedError("scalar-carried", text, node)
        spans = [scene.span(each) for each in home]
        same = all(
            span.lows == each.lows and span.highs == each.highs
            for span, each in zip(spans, known.home, strict=True)
        )
        kind, lanes, bound = known.type, known.lanes, known.bound
        name = ast.Name(known.name, ast.Load())
        if not set(home) <= set(self.order):
            text = f"`{known.name}` is a number of other loops"
            raise NotVectorizedError("unsupported-operation", text, node)
        if not lanes or (same and home == self.order[len(self.order) - len(home) :]):
            return Vec(name, lanes, kind, bound=bound)
        if not known.full:
            text = f"`{known.name}` varies along some of its loops only"
            raise NotVectorizedError("unsupported-operation", text, node)
        return Vec(self._part(name, known, node), lanes, kind, bare=True, bound=bound)

    def _of_iteration(self, known: Temporary, node: ast.Name) -> Vec:
        """The number of this iteration, where those of all iterations were computed before."""
        loops = {each.symbol: each for each in self.scene.loops}
        name, kind = ast.Name(known.name, ast.Load()), known.type
        if not known.lanes:
            return Vec(name, known.lanes, kind, bound=known.bound)
        if not all(each.name in loops and each.stride == 1 for each in known.home) or not known.full:
            text = f"`{known.name}` is a number of other loops"
            raise NotVectorizedError("unsupported-operation", text, node)
        if kind.weak and kind.kind != "float":
            text = f"`{known.name}` is a Python number, which an element of an array is not"
            raise NotVectorizedError("dtype-changes", text, node)
        forms = [symbol(each.name) - each.lows[0] for each in known.home]
        indices = [expression_tree(form.text(self.scene.texts)) for form in forms]
        inner = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        element = ast.Subscript(name, inner, ast.Load())
        if not kind.weak:
            return Vec(element, frozenset(), replace(kind, literal=None))
        # What outlives the loop would be NumPy's, and show it.
        if self.scene.nest.function.dotted(ast.Name("float", ast.Load())) != "builtins.float":
            raise NotVectorizedError("dtype-changes", "`float` means something else here", node)
        return Vec(call("float", [element]), frozenset(), weak("float"))

    def _part(self, name: ast.expr, known: Temporary, node: ast.expr) -> ast.expr:
        """The elements of a temporary that belong to the bounds here."""
        items: list[ast.expr] = []
        for each in known.home:
            if self.scene.span(each.name) == each:
                items.append(ast.Slice())
                continue
            length = each.highs[0] - each.lows[0]
            items.append(self.slice(symbol(each.name) - each.lows[0], each.name, length, node))
        return self.arranged(name, items, [each.name for each in known.home])

    def _element(self, node: ast.Subscript) -> Vec:
        found = self.scene.nest.element(node)
        if found is None:
            form = self.scene.nest.affine(node, self.scene.loops)
            if form is not None:
                return Vec(node, frozenset(), weak("int"))
            base = base_of(node)
            if isinstance(base, ast.Name):
                problem = unknown_array(base, self.scene.nest)
                raise NotVectorizedError(problem.code, problem.message, node, problem.parameter)
            raise NotVectorizedError("not-local", f"`{ast.unparse(base)}` is not a local variable", node)
        name, indices = found
        array = self.scene.nest.array(name)
        kind = strong(array.dtype) if array is not None else None
        if array is None or kind is None or array.dtype == np.float16 or array.dtype.itemsize > 16:
            raise NotVectorizedError("dtype-unsupported", f"`{name}` has no dtype of numbers", node)
        self.check_rank(name, array, indices, node)
        view, lanes, bare = self.elements(name, indices, node)
        return Vec(view, frozenset(lanes), kind, bare=bare and bool(lanes))

    def check_rank(self, name: str, array: Array, indices: Sequence[ast.expr], node: ast.expr) -> None:
        """Check that there is one index for each axis, so that what is read or stored is a number."""
        plain = not any(isinstance(each, ast.Slice | ast.Tuple | ast.Starred) for each in indices)
        if not plain or array.rank not in (None, len(indices)) or array.under is not None:
            text = f"`{ast.unparse(node)}` is not a single element"
            raise NotVectorizedError("not-a-scalar-nest", text, node)
        if array.assumed or array.rank is None:
            kind = f"{self.scene.numpy}.{array.dtype.name}, {len(indices)}"
            if self.scene.guards.arrays.setdefault(name, kind) != kind:
                text = f"`{ast.unparse(node)}` is no element, where `{name}` has another number of indices"
                raise NotVectorizedError("not-a-scalar-nest", text, node)

    def _unary(self, node: ast.UnaryOp) -> Vec:
        operand = self.value(node.operand)
        result = ast.UnaryOp(node.op, operand.node)
        if not operand.type.weak:
            name = OPERATORS[type(node.op).__name__]
            return self.applied(name, [operand], node, lambda parts: ast.UnaryOp(node.op, parts[0]))
        if operand.type.kind == "bool" or isinstance(node.op, ast.Invert):
            text = f"`{ast.unparse(node)}` on a Python number"
            raise NotVectorizedError("unsupported-operation", text, node)
        literal = operand.type.literal
        negated = isinstance(node.op, ast.USub) and literal is not None
        known = -literal if negated and literal is not None else literal
        return Vec(result, operand.lanes, replace(operand.type, literal=known), bound=operand.bound)

    def test(self, node: ast.expr) -> Vec:
        """A condition in all lanes."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                inner = self.test(node.operand)
                op: ast.unaryop = ast.Invert() if inner.lanes else ast.Not()
                return replace(inner, node=ast.UnaryOp(op, inner.node), bare=False)
            case ast.BoolOp():
                return self.together(node.op, [self.test(each) for each in node.values])
            case ast.Compare():
                return self._compare(node)
        value = self.value(node)
        if value.type.kind == "bool":
            return value
        if value.type.kind == "complex":
            raise NotVectorizedError("unsupported-operation", f"the truth of `{ast.unparse(node)}`", node)
        return Vec(ast.Compare(value.node, [ast.NotEq()], [ast.Constant(0)]), value.lanes, BOOLEAN)

    def _compare(self, node: ast.Compare) -> Vec:
        operands = [self.value(each) for each in (node.left, *node.comparators)]
        parts: list[Vec] = []
        for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
            name = OPERATORS.get(type(op).__name__)
            if name is None:
                text = f"`{ast.unparse(node)}` is not a comparison of numbers"
                raise NotVectorizedError("unsupported-operation", text, node)
            parts.append(self.compared(name, op, left, right, node))
        return self.together(ast.And(), parts)

    def _called(self, node: ast.Call) -> Vec:
        dotted = self.scene.nest.function.dotted(node.func)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise NotVectorizedError("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
        if self.scene.nest.affine(node, self.scene.loops) is not None:
            return Vec(node, frozenset(), weak("int"))
        if dotted in {"builtins.min", "builtins.max"} and len(node.args) == 2:
            return self._smaller(node, dotted == "builtins.min")
        if dotted in {"builtins.float", "builtins.int"} and len(node.args) == 1:
            return self._converted(node, dotted)
        found = elementwise(dotted)
        if found is None:
            text = f"`{ast.unparse(node.func)}` is not known to be a function of numbers"
            raise NotVectorizedError("unknown-call", text, node)
        operands = [self.value(each) for each in node.args]
        if dotted == "builtins.abs" and operands[0].type.weak:
            return self._python_abs(node, operands[0])
        if all(each.type.weak for each in operands):
            self._check_numbers(operands, node)
        func = ast.unparse(node.func) if dotted != "builtins.abs" else f"{self.scene.numpy}.abs"
        if found[0] in {"power", "float_power"}:
            self._check_power(ast.Pow(), operands[0], operands[-1], node)
        return self.applied(found[0], operands, node, lambda parts: call(func, parts))

    def _check_numbers(self, operands: Sequence[Vec], node: ast.expr) -> None:
        """Check that Python integers fit into int64, as which a NumPy function takes them."""
        for each in operands:
            if each.type.kind == "int" and each.lanes and (each.bound is None or each.bound > LARGEST):
                text = f"`{ast.unparse(each.node)}` may be larger than 2**53"
                raise NotVectorizedError("value-out-of-range", text, node)

    def _python_abs(self, node: ast.Call, operand: Vec) -> Vec:
        if operand.type.kind not in {"int", "float"}:
            raise NotVectorizedError("unsupported-operation", f"`{ast.unparse(node)}`", node)
        func = f"{self.scene.numpy}.abs" if operand.lanes else ast.unparse(node.func)
        return replace(operand, node=call(func, [operand.node]), type=weak(operand.type.kind), bare=False)

    def _smaller(self, node: ast.Call, least: bool) -> Vec:
        """``min(a, b)``, which is b only where b is smaller: a stays for nan and for equal zeros."""
        first, second = (self.value(each) for each in node.args)
        op = ast.Lt() if least else ast.Gt()
        if not first.lanes and not second.lanes:
            kind = join(first.type, second.type)
            if kind is None:
                raise NotVectorizedError("dtype-changes", f"`{ast.unparse(node)}` has two types", node)
            return Vec(call(ast.unparse(node.func), [first.node, second.node]), frozenset(), kind)
        name = OPERATORS[type(op).__name__]
        compare = ast.Compare(node.args[1], [op], [node.args[0]])
        return self.where(self.compared(name, op, second, first, compare), second, first, node)

    def _converted(self, node: ast.Call, dotted: str) -> Vec:
        inner = self.value(node.args[0])
        kind = inner.type.kind
        if not inner.lanes and inner.type.weak and kind in {"int", "float"}:
            if dotted == "builtins.int" and kind == "float":
                raise NotVectorizedError("may-raise", f"`{ast.unparse(node)}` raises for nan", node)
            to = weak("float" if dotted == "builtins.float" else "int")
            return replace(inner, node=call(ast.unparse(node.func), [inner.node]), type=to)
        if dotted == "builtins.float" and kind in {"int", "float", "bool"}:
            return self._cast_to(inner, np.dtype(np.float64), weak("float"))
        if dotted == "builtins.int" and kind in {"int", "bool"} and inner.type.natural != np.uint64:
            return self._cast_to(inner, np.dtype(np.int64), weak("int"))
        text = f"`{ast.unparse(node)}` raises for nan, and grows beyond int64"
        raise NotVectorizedError("may-raise", text, node)

    def _cast_to(self, inner: Vec, dtype: np.dtype[np.generic], kind: Type) -> Vec:
        if not inner.lanes:
            return Vec(call(kind.kind, [inner.node]), frozenset(), kind)
        same = inner.type.natural == dtype
        node = inner.node if same else cast(inner.node, dtype, self.scene.numpy)
        bound = inner.bound if inner.type.kind == "int" else None
        return Vec(node, inner.lanes, kind, bare=inner.bare and same, bound=bound)


_KINDS: dict[type, Kind] = {bool: "bool", int: "int", float: "float", complex: "complex"}


def _is_test(node: ast.expr) -> bool:
    """Whether the value is a bool: a comparison, or ``and``, ``or``, ``not`` of such."""
    match node:
        case ast.Compare():
            return True
        case ast.BoolOp():
            return all(_is_test(each) for each in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _size(value: object) -> int | None:
    return abs(value) if isinstance(value, int) else None


def _type_name(value: Scalar, numpy: str) -> str:
    return value.kind if value.dtype is None else f"{numpy}.{value.dtype.name}"
