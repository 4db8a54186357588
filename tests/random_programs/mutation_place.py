"""Where a mistake is put: the function around it, and what of it does not count."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Operator = Callable[["Place", Any], "Iterator[Edit]"]
Edit = list[tuple[ast.AST, Any]]


@dataclass(frozen=True)
class Place:
    """Where a node stands: its function, the function that calls it if it is a step, all steps."""

    tree: ast.Module
    function: ast.FunctionDef
    caller: str
    steps: dict[str, ast.FunctionDef]
    raising: frozenset[str]
    """Functions for which a case raises."""

    @property
    def is_step(self) -> bool:
        """Whether the function is a step."""
        return self.function.name in self.steps

    @functools.cached_property
    def neutral(self) -> frozenset[ast.AST]:
        """What lanes hold that are not selected, inside of a select: ``1 / np.where(m, x, 1)``."""
        selects = [each for each in ast.walk(self.function) if is_call("where", 3, each)]
        inner = [
            each for outer in selects for each in ast.walk(outer) if each in selects and each is not outer
        ]
        return frozenset(each.args[2] for each in inner if isinstance(each, ast.Call))

    @functools.cached_property
    def vanishing(self) -> frozenset[ast.AST]:
        """What stands in products with 0."""
        products = [each for each in ast.walk(self.function) if isinstance(each, ast.BinOp) and is_zero(each)]
        return frozenset(node for each in products for node in ast.walk(each))

    @functools.cached_property
    def unsigned(self) -> frozenset[ast.AST]:
        """The differences of which only the size counts."""
        calls = [each for each in ast.walk(self.function) if isinstance(each, ast.Call)]
        sizes = [each for each in calls if ast.unparse(each.func) in ("np.abs", "np.hypot")]
        return frozenset(argument for each in sizes for argument in each.args)

    @property
    def parameters(self) -> set[str]:
        """The names of the function's parameters."""
        return {each.arg for each in self.function.args.args}


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def statement(text: str) -> list[ast.stmt]:
    """The trees of statements."""
    return ast.parse(text).body


def is_zero(node: ast.expr) -> bool:
    """A product with the zero part of a real number: its sign shows in signed zeros only."""
    if isinstance(node, ast.Constant):
        return node.value == 0
    if not isinstance(node, ast.BinOp):
        return False
    zeros = is_zero(node.left), is_zero(node.right)
    return any(zeros) if isinstance(node.op, ast.Mult) else all(zeros)


def is_call(name: str, count: int, node: ast.AST) -> bool:
    """Whether a node is a call of NumPy's function with so many arguments."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == f"np.{name}" and len(node.args) == count


def stored(node: ast.stmt) -> set[str]:
    """The names that a statement binds or stores into."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AugAssign) else targets
    names = [each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return {each.id for each in names}


def declared(step: ast.FunctionDef, what: str) -> dict[str, str]:
    """The names and dtypes that a step declares, ``what`` being ``state``, ``carried`` or ``out``."""
    decorator = step.decorator_list[0]
    assert isinstance(decorator, ast.Call)
    values = [each.value for each in decorator.keywords if each.arg == what]
    pairs = [
        pair
        for each in values
        if isinstance(each, ast.Dict)
        for pair in zip(each.keys, each.values, strict=True)
    ]
    return {ast.literal_eval(key): ast.unparse(value) for key, value in pairs if key is not None}


def binary(to: dict[type[ast.operator], type[ast.operator]]) -> Operator:
    """The operator that puts one arithmetic operator for another, in expressions and updates."""

    def operator(place: Place, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.BinOp) and type(node.op) in to and not is_zero(node.right):
            yield [(node, ast.BinOp(node.left, to[type(node.op)](), node.right))]
        if isinstance(node, ast.AugAssign) and type(node.op) in to:
            yield [(node, ast.AugAssign(node.target, to[type(node.op)](), node.value))]

    return operator
