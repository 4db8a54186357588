"""What the writers of pairs share: the step's values, names for parts, and statements to put before."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import names_in
from nprewrite.program.function import Function
from nprewrite.program.steps import step_decorator
from nprewrite.types.values import Array, Scalar, Value

Pair = tuple[ast.expr, ast.expr]
"""A real and an imaginary part."""


class PairNames:
    """The values and names of the step that is being written."""

    def __init__(self, function: Function) -> None:
        """Raises ``TypeError`` where the function is not a step with ``@npr.step(...)``."""
        tree = function.document.tree
        decorator = step_decorator(function.node, function.names, tree)
        if decorator is None or not isinstance(decorator.func, ast.Attribute):
            raise TypeError(f"`{function.name}` is not a step function")
        self._function = function
        self._runtime = ast.unparse(decorator.func.value)
        self._numpy = function.names.numpy_name(tree)
        self._taken = names_in(function.node)
        self._names: dict[str, Pair] = {}
        self._prelude: list[str] = []

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

    def _named(self, text: str) -> Pair:
        stem = self._fresh("t")
        re, im = f"{stem}_re", f"{stem}_im"
        self._prelude.append(f"{re}, {im} = {text}")
        return ast.Name(re), ast.Name(im)

    def _helper(self, name: str, arguments: list[ast.expr] | Pair, more: list[ast.expr]) -> Pair:
        """A call of a runtime function that takes and returns pairs; its result is bound to names."""
        text = ", ".join(ast.unparse(each) for each in (*arguments, *more))
        return self._named(f"{self._runtime}.{name}({text})")

    def _numpy_call(self, name: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Attribute(ast.Name(self._numpy), name), [*arguments], [])

    def _astype(self, node: ast.expr, dtype: str) -> ast.expr:
        return ast.Call(ast.Attribute(node, "astype"), [ast.Attribute(ast.Name(self._numpy), dtype)], [])

    def _value(self, node: ast.expr) -> Value:
        return self._function.facts.value(node)

    def _part_dtype(self, value: Value) -> str | None:
        dtype = value.dtype if isinstance(value, Array | Scalar) else None
        return dtype.type(0).real.dtype.name if dtype is not None else None

    def _is_complex(self, node: ast.expr) -> bool:
        value = self._function.facts.expressions.values.get(node)
        if isinstance(value, Array):
            return value.dtype.kind == "c"
        return isinstance(value, Scalar) and value.kind == "complex"
