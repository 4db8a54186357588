"""Complex expressions written as pairs of real ones.

The formulas are those of NumPy's own loops (``loops.c.src``, ``npy_math_complex``), so that infinities and
nans come out alike: a real factor is a complex one with a zero imaginary part, division is Smith's
(R. L. Smith, Algorithm 116: Complex division, CACM 5(8), 1962).
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from nprewrite.facts.function import Function
from nprewrite.facts.numpy_table import OPERATORS, elementwise
from nprewrite.facts.steps import step_decorator
from nprewrite.facts.values import Array, Scalar, Value

Pair = tuple[ast.expr, ast.expr]

_SQUARE_RANGE = {"float32": (2.0**-60, 2.0**63), "float64": (2.0**-500, 2.0**511)}
"""Where ``h * h`` neither overflows nor underflows, with room for the sum of two squares."""

_LINE = 88
_OPERATIONS: dict[str, ast.operator] = {"add": ast.Add(), "subtract": ast.Sub(), "multiply": ast.Mult()}
_NATIVE = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "square",
        "divide",
        "negative",
        "positive",
        "conjugate",
        "power",
        "exp",
        "reciprocal",
    ]
)
_COMPARED = {"less": ast.Lt(), "less_equal": ast.LtE()}
_MIRRORED = {
    "greater": "less",
    "greater_equal": "less_equal",
    "less": "greater",
    "less_equal": "greater_equal",
}


class PairWriter:
    """Writes the statements of one step; ``bounds`` collects what squared comparisons rely on."""

    def __init__(self, function: Function) -> None:
        self.bounds: dict[str, tuple[float, float]] = {}
        self.split = False
        self.rebuilt = False
        self._function = function
        self._prelude: list[str] = []
        self._taken = {each.id for each in ast.walk(function.node) if isinstance(each, ast.Name)}
        tree = function.document.tree
        self._numpy = function.names.numpy_name(tree)
        decorator = step_decorator(function.node, function.names, tree)
        assert decorator is not None
        assert isinstance(decorator.func, ast.Attribute)
        self._runtime = ast.unparse(decorator.func.value)
        self._names: dict[str, Pair] = {}

    def statement(self, node: ast.stmt) -> str | None:
        """The statement's new text; None when nothing in it is complex."""
        if not any(self._is_complex(each) for each in ast.walk(node) if isinstance(each, ast.expr)):
            return None
        self._prelude = []
        text = self._statement(node)
        return "\n".join(_merged(self._prelude, text))

    def _statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Return(value=ast.Tuple() as value):
                return f"return {', '.join(ast.unparse(each) for each in self._flat(value.elts))}"
            case ast.Assign(targets=[ast.Tuple() as targets], value=ast.Tuple() as values):
                return self._assign([*targets.elts], [*values.elts])
            case ast.Assign(targets=[target]):
                return self._assign([target], [node.value])
            case ast.AugAssign():
                return self._augmented(node)
        raise TypeError(f"a step holds a statement that no pass emits: {ast.unparse(node)}")

    def _flat(self, nodes: list[ast.expr]) -> list[ast.expr]:
        flat: list[ast.expr] = []
        for node in nodes:
            flat += self.pair(node) if self._is_complex(node) else [self.real(node)]
        return flat

    def _assign(self, targets: list[ast.expr], values: list[ast.expr]) -> str:
        left: list[str] = []
        right: list[ast.expr] = []
        for target, value in zip(targets, values, strict=True):
            if not self._is_complex(target):
                left.append(ast.unparse(target))
                right.append(self.real(value))
                continue
            right += self._wanted(value, self._value(target))
            left += self._target(target)
        return _assignment(left, right)

    def _target(self, target: ast.expr) -> list[str]:
        if isinstance(target, ast.Name):
            return [ast.unparse(each) for each in self._name(target.id)]
        assert isinstance(target, ast.Subscript)
        assert isinstance(target.value, ast.Name)
        index = ast.unparse(target.slice)
        return [f"{ast.unparse(each)}[{index}]" for each in self._name(target.value.id)]

    def _augmented(self, node: ast.AugAssign) -> str:
        read = ast.copy_location(ast.Name(ast.unparse(node.target), ast.Load()), node.target)
        value = self._value(node.target)
        self._function.facts.expressions.values[read] = value
        operation = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        result = self._function.facts.expressions.binary(
            type(node.op).__name__, [value, self._value(node.value)], operation
        )
        self._function.facts.expressions.values[operation] = result
        return _assignment(self._target(node.target), [*self._wanted(operation, value)])

    def real(self, node: ast.expr) -> ast.expr:
        """A real (or boolean) expression with the complex parts of it written in pairs."""
        inside = (each for each in ast.walk(node) if isinstance(each, ast.expr))
        if not any(self._is_complex(each) for each in inside):
            return node
        match node:
            case ast.Attribute(attr="real"):
                return self.pair(node.value)[0]
            case ast.Attribute(attr="imag"):
                return self.pair(node.value)[1]
            case ast.Compare():
                return self._compare(
                    node, OPERATORS[type(node.ops[0]).__name__], node.left, node.comparators[0]
                )
            case ast.BinOp():
                return ast.BinOp(self.real(node.left), node.op, self.real(node.right))
            case ast.UnaryOp():
                return ast.UnaryOp(node.op, self.real(node.operand))
            case ast.Call():
                return self._real_call(node)
        raise TypeError(f"no real form of {ast.unparse(node)}")

    def _real_call(self, node: ast.Call) -> ast.expr:
        dotted = self._function.dotted(node.func)
        found = elementwise(dotted)
        name = found[0] if found else (dotted or "").removeprefix("numpy.")
        if name in {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}:
            return self._compare(node, name, *node.args)
        if name == "absolute":
            return self._numpy_call("hypot", *self.pair(node.args[0]))
        if name in {"real", "imag"}:
            return self.pair(node.args[0])[name == "imag"]
        joined: dict[str, ast.operator] = {
            "isnan": ast.BitOr(),
            "isinf": ast.BitOr(),
            "isfinite": ast.BitAnd(),
        }
        if name in joined:
            first, second = (self._numpy_call(name, part) for part in self.pair(node.args[0]))
            return ast.BinOp(first, joined[name], second)
        if name == "where":
            return ast.Call(node.func, [self._truth(node.args[0]), *map(self.real, node.args[1:])], [])
        if name.startswith("logical_"):
            return ast.Call(node.func, [self._truth(each) for each in node.args], [])
        if any(self._is_complex(each) for each in node.args):
            return self._rebuilt_call(node)
        if isinstance(node.func, ast.Attribute) and dotted is None and self._is_complex(node.func.value):
            return self._converted(node)
        if isinstance(node.func, ast.Attribute) and dotted is None:
            function = ast.Attribute(self.real(node.func.value), node.func.attr)
            return ast.Call(function, node.args, node.keywords)
        return ast.Call(node.func, [self.real(each) for each in node.args], node.keywords)

    def _truth(self, node: ast.expr) -> ast.expr:
        """An operand in a place where NumPy asks whether it is zero."""
        if not self._is_complex(node):
            return self.real(node)
        re, im = (ast.Compare(part, [ast.NotEq()], [ast.Constant(0)]) for part in self.pair(node))
        return ast.BinOp(re, ast.BitOr(), im)

    def _converted(self, node: ast.Call) -> ast.expr:
        """``z.astype(bool)`` asks whether z is zero; to another real dtype it keeps the real part."""
        assert isinstance(node.func, ast.Attribute)
        value = self._value(node)
        if isinstance(value, Array) and value.dtype.kind == "b":
            return self._truth(node.func.value)
        return ast.Call(
            ast.Attribute(self.pair(node.func.value)[0], node.func.attr), node.args, node.keywords
        )

    def _compare(self, node: ast.expr, name: str, left: ast.expr, right: ast.expr) -> ast.expr:
        squared = self._squared(name, left, right) or self._squared(_MIRRORED.get(name, ""), right, left)
        if squared is not None:
            return squared
        if self._is_complex(left) or self._is_complex(right):
            if name not in {"equal", "not_equal"}:
                return self._rebuilt_compare(node, left, right)
            same = ast.Eq() if name == "equal" else ast.NotEq()
            both = ast.BitAnd() if name == "equal" else ast.BitOr()
            first, second = self._parts(left), self._parts(right)
            halves = [ast.Compare(a, [same], [b]) for a, b in zip(first, second, strict=True)]
            return ast.BinOp(halves[0], both, halves[1])
        if isinstance(node, ast.Compare):
            return ast.Compare(self.real(left), node.ops, [self.real(right)])
        assert isinstance(node, ast.Call)
        return ast.Call(node.func, [self.real(left), self.real(right)], [])

    def _squared(self, name: str, left: ast.expr, right: ast.expr) -> ast.expr | None:
        """``abs(z) < h`` as a comparison of squares where ``h`` is a constant of the loop in a safe range."""
        argument = self._absolute_of(left)
        if argument is None or name not in _COMPARED:
            return None
        real = np.dtype(type(self._dtype(argument).type(0).real))
        low, high = _SQUARE_RANGE[real.name]
        limit = self._value(right)
        if isinstance(limit, Scalar) and isinstance(limit.constant, int | float):
            if not low <= limit.constant <= high:
                return None
            square: ast.expr = ast.Constant(float(limit.constant) * float(limit.constant))
        elif isinstance(right, ast.Name) and self._constant_dtype(right.id) == real.name:
            self.bounds[right.id] = (low, high)
            square = _multiply(right, right)
        else:
            return None
        re, im = self._simple(argument)
        return ast.Compare(_add(_multiply(re, re), _multiply(im, im)), [_COMPARED[name]], [square])

    def _absolute_of(self, node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or len(node.args) != 1:
            return None
        found = elementwise(self._function.dotted(node.func))
        return node.args[0] if found and found[0] == "absolute" and self._is_complex(node.args[0]) else None

    def _constant_dtype(self, name: str) -> str | None:
        assert self._function.step is not None
        box = self._function.step.constants.get(name)
        return box.dtype if box else None

    def pair(self, node: ast.expr) -> Pair:
        """The real and imaginary part of a complex expression."""
        match node:
            case ast.Constant():
                assert isinstance(node.value, complex | float | int)
                return ast.Constant(node.value.real), ast.Constant(node.value.imag)
            case ast.Name():
                return self._name(node.id)
            case ast.Attribute(attr="T"):
                return self._rebuilt(node)
            case ast.BinOp():
                return self._operation(
                    OPERATORS.get(type(node.op).__name__, ""), [node.left, node.right], node
                )
            case ast.UnaryOp():
                return self._operation(OPERATORS[type(node.op).__name__], [node.operand], node)
            case ast.Call():
                return self._call(node)
        return self._rebuilt(node)

    def _call(self, node: ast.Call) -> Pair:
        dotted = self._function.dotted(node.func)
        found = elementwise(dotted)
        if found is not None:
            return self._operation(found[0], [*node.args], node)
        if dotted == "numpy.where":
            return self._where(node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) and dotted is None else ""
        assert isinstance(node.func, ast.Attribute)
        if method in {"conj", "conjugate"}:
            return self._operation("conjugate", [node.func.value], node)
        if method == "copy":
            re, im = self.pair(node.func.value)
            return _copied(re), _copied(im)
        if method == "astype":
            return self._wanted(node.func.value, self._value(node))
        return self._rebuilt(node)

    def _operation(self, name: str, operands: list[ast.expr], node: ast.expr) -> Pair:
        value = self._value(node)
        if name not in _NATIVE:
            return self._rebuilt(node)
        self.split = True
        if name in {"add", "subtract"}:
            return self._sum(_OPERATIONS[name], operands, value)
        if name == "multiply":
            return self._product(self._simple(operands[0], value), self._simple(operands[1], value))
        if name == "square":
            return self._product(self._simple(operands[0], value), self._simple(operands[0], value))
        if name == "divide":
            return self._quotient(operands, value)
        if name == "negative":
            re, im = self._wanted(operands[0], value)
            return ast.UnaryOp(ast.USub(), re), ast.UnaryOp(ast.USub(), im)
        if name == "positive":
            return self._wanted(operands[0], value)
        if name == "conjugate":
            re, im = self._wanted(operands[0], value)
            return re, ast.UnaryOp(ast.USub(), im)
        if name == "power":
            return self._power(operands, value, node)
        if name == "exp":
            return self._helper("exp", self._wanted(operands[0], value), [])
        return self._helper("reciprocal", self._wanted(operands[0], value), [])

    def _sum(self, operator: ast.operator, operands: list[ast.expr], value: Value) -> Pair:
        left, right = operands
        if not self._is_complex(right):
            re, im = self._wanted(left, value)
            return ast.BinOp(re, operator, self._cast(right, value)), im
        if not self._is_complex(left):
            re, im = self._wanted(right, value)
            lone = im if isinstance(operator, ast.Add) else ast.UnaryOp(ast.USub(), im)
            return ast.BinOp(self._cast(left, value), operator, re), lone
        first, second = self._wanted(left, value), self._wanted(right, value)
        return ast.BinOp(first[0], operator, second[0]), ast.BinOp(first[1], operator, second[1])

    def _product(self, left: Pair, right: Pair) -> Pair:
        re = ast.BinOp(_multiply(left[0], right[0]), ast.Sub(), _multiply(left[1], right[1]))
        return re, _add(_multiply(left[0], right[1]), _multiply(left[1], right[0]))

    def _quotient(self, operands: list[ast.expr], value: Value) -> Pair:
        divisor = self._value(operands[1])
        if isinstance(divisor, Scalar) and divisor.constant is not None and divisor.kind != "complex":
            re, im = self._simple(operands[0], value)
            zero = ast.Constant(0.0)
            over = ast.Constant(divisor.constant)
            real = ast.BinOp(_add(re, _multiply(im, zero)), ast.Div(), over)
            return real, ast.BinOp(ast.BinOp(im, ast.Sub(), _multiply(re, zero)), ast.Div(), over)
        first, second = (self._simple(each, value) for each in operands)
        model = next(each for each in (*first, *second) if isinstance(each, ast.Name))
        parts = [self._whole(each, model) for each in (*first, *second)]
        return self._helper("divide", parts, [])

    def _power(self, operands: list[ast.expr], value: Value, node: ast.expr) -> Pair:
        exponent = self._value(operands[1])
        if not (
            isinstance(exponent, Scalar) and type(exponent.constant) is int and self._is_complex(operands[0])
        ):
            return self._rebuilt(node)
        base = self._simple(operands[0], value)
        if exponent.constant == 2:
            return self._product(base, base)
        return self._helper("power", base, [ast.Constant(exponent.constant)])

    def _where(self, node: ast.Call) -> Pair:
        mask, left, right = node.args
        value = self._value(node)
        first, second = self._wanted(left, value), self._wanted(right, value)
        condition = self._truth(mask)
        if not isinstance(condition, ast.Name):
            name = self._fresh("mask")
            self._prelude.append(f"{name} = {ast.unparse(condition)}")
            condition = ast.Name(name)
        return (
            ast.Call(node.func, [condition, first[0], second[0]], []),
            ast.Call(node.func, [condition, first[1], second[1]], []),
        )

    def _helper(self, name: str, arguments: list[ast.expr] | Pair, more: list[ast.expr]) -> Pair:
        """A function of the runtime that takes and returns pairs; its result gets names."""
        text = ", ".join(ast.unparse(each) for each in (*arguments, *more))
        return self._named(f"{self._runtime}.{name}({text})")

    def _named(self, text: str) -> Pair:
        stem = self._fresh("t")
        re, im = f"{stem}_re", f"{stem}_im"
        self._prelude.append(f"{re}, {im} = {text}")
        return ast.Name(re), ast.Name(im)

    def _simple(self, node: ast.expr, value: Value | None = None) -> Pair:
        """Parts that may be written twice: names and constants, anything longer gets a name first."""
        pair = self._parts(node) if value is None else self._wanted(node, value)
        if all(isinstance(each, ast.Name | ast.Constant) for each in pair):
            return pair
        return self._named(f"{ast.unparse(pair[0])}, {ast.unparse(pair[1])}")

    def _parts(self, node: ast.expr) -> Pair:
        """The parts of a complex or real operand."""
        return self.pair(node) if self._is_complex(node) else (self.real(node), ast.Constant(0.0))

    def _wanted(self, node: ast.expr, value: Value) -> Pair:
        """The parts in the precision of ``value``, the result that they go into."""
        re, im = self._parts(node)
        have, want = self._value(node), self._part_dtype(value)
        if not isinstance(have, Array) or want is None or self._part_dtype(have) == want:
            return re, im
        return self._astype(re, want), im if isinstance(im, ast.Constant) else self._astype(im, want)

    def _cast(self, node: ast.expr, value: Value) -> ast.expr:
        return self._wanted(node, value)[0]

    def _whole(self, part: ast.expr, model: ast.expr) -> ast.expr:
        """A part as an array, for the runtime's helpers."""
        return self._numpy_call("full_like", model, part) if isinstance(part, ast.Constant) else part

    def _rebuilt(self, node: ast.expr) -> Pair:
        """The operation on complex arrays rebuilt here, its result split again."""
        self.rebuilt = True
        return self._named(f"{self._runtime}.split({ast.unparse(self._joined(node))})")

    def _rebuilt_call(self, node: ast.Call) -> ast.expr:
        self.rebuilt = True
        return self._joined(node)

    def _rebuilt_compare(self, node: ast.expr, left: ast.expr, right: ast.expr) -> ast.expr:
        self.rebuilt = True
        return self._joined(node)

    def _joined(self, node: ast.expr) -> ast.expr:
        """The expression with each complex operand rebuilt from its parts."""
        writer = self

        class Join(ast.NodeTransformer):
            def visit(self, inner: ast.AST) -> Any:
                if inner is node or not isinstance(inner, ast.expr):
                    return self.generic_visit(inner)
                if isinstance(inner, ast.Constant) or not writer._is_complex(inner):
                    return writer.real(inner) if isinstance(writer._value(inner), Array) else inner
                re, im = writer.pair(inner)
                return ast.parse(
                    f"{writer._runtime}.join({ast.unparse(re)}, {ast.unparse(im)})", mode="eval"
                ).body

        copied = {each: getattr(node, each) for each in node._fields}
        shallow = type(node)(**{key: _visited(Join(), item) for key, item in copied.items()})
        return ast.fix_missing_locations(shallow)

    def _name(self, name: str) -> Pair:
        if name not in self._names:
            re, im = f"{name}_re", f"{name}_im"
            self._taken.update((re, im))
            self._names[name] = (ast.Name(re), ast.Name(im))
        return self._names[name]

    def _fresh(self, stem: str) -> str:
        count, name = 1, stem
        while name in self._taken or f"{name}_re" in self._taken:
            name, count = f"{stem}_{count}", count + 1
        self._taken.add(name)
        return name

    def _numpy_call(self, name: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Attribute(ast.Name(self._numpy), name), [*arguments], [])

    def _astype(self, node: ast.expr, dtype: str) -> ast.expr:
        return ast.Call(ast.Attribute(node, "astype"), [ast.Attribute(ast.Name(self._numpy), dtype)], [])

    def _value(self, node: ast.expr) -> Value:
        return self._function.facts.value(node)

    def _dtype(self, node: ast.expr) -> np.dtype[Any]:
        value = self._value(node)
        assert isinstance(value, Array)
        return value.dtype

    def _part_dtype(self, value: Value) -> str | None:
        dtype = value.dtype if isinstance(value, Array | Scalar) else None
        return dtype.type(0).real.dtype.name if dtype is not None else None

    def _is_complex(self, node: ast.expr) -> bool:
        value = self._function.facts.expressions.values.get(node)
        if isinstance(value, Array):
            return value.dtype.kind == "c"
        return isinstance(value, Scalar) and value.kind == "complex"


def _visited(visitor: ast.NodeTransformer, item: Any) -> Any:
    if isinstance(item, list):
        return [visitor.visit(each) if isinstance(each, ast.AST) else each for each in item]
    return visitor.visit(item) if isinstance(item, ast.AST) else item


def _multiply(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, ast.Mult(), right)


def _add(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, ast.Add(), right)


def _copied(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(node, "copy"), [], [])


def _merged(prelude: list[str], text: str) -> list[str]:
    """``t_re, t_im = f(z); dz_re, dz_im = t_re, t_im`` as ``dz_re, dz_im = f(z)``."""
    left, _, right = text.partition(" = ")
    if prelude and prelude[-1].startswith(f"{right} = "):
        return [*prelude[:-1], f"{left} = {prelude[-1].removeprefix(f'{right} = ')}"]
    return [*prelude, text]


def _assignment(left: list[str], right: list[ast.expr]) -> str:
    texts = [ast.unparse(each) for each in right]
    line = f"{', '.join(left)} = {', '.join(texts)}"
    if len(line) <= _LINE or len(texts) == 1:
        return line
    return f"{', '.join(left)} = (\n" + "".join(f"    {text},\n" for text in texts) + ")"
