"""The source of a module with its arithmetic and its calls routed through the oracle.

``a * b`` becomes ``_oracle_.binary("Mult", a, b)``, ``f(x)`` becomes ``_oracle_.call(f, x)``, and in-place
operators and stores of numbers likewise become calls. Operands are evaluated in the order of the text.
Chained comparisons, code in strings and annotations stay as they are.
"""

from __future__ import annotations

import ast
from typing import Any

from nprewrite.base.syntax import text_tree

RUNTIME = "_oracle_"

# Functions that look at the frame that calls them.
_FRAME_READERS = frozenset(["super", "locals", "globals", "vars", "dir", "eval", "exec", "breakpoint"])
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def widened_module(text: str, filename: str) -> Any:
    """The code object of the module; raises ``SyntaxError`` as the module itself would."""
    tree = _Widener().visit(text_tree(text, filename))
    return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)


class _Widener(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _at(node, _runtime("binary", _name(node.op), node.left, node.right))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], _COMPARISONS):
            return node
        return _at(node, _runtime("binary", _name(node.ops[0]), node.left, node.comparators[0]))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _FRAME_READERS:
            return node
        return _at(node, _runtime("call", node.func, *node.args, keywords=node.keywords))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        operation, target = _name(node.op), node.target
        if isinstance(target, ast.Name):
            loaded = ast.Name(target.id, ast.Load())
            made = _runtime("inplace", operation, loaded, node.value)
            return _at(node, ast.Assign([target], made))
        if isinstance(target, ast.Attribute):
            call = _runtime(
                "inplace_attribute", operation, target.value, ast.Constant(target.attr), node.value
            )
        else:
            call = _runtime("inplace_item", operation, target.value, _index(target.slice), node.value)
        return _at(node, ast.Expr(call))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Subscript)
            and isinstance(target.value, ast.Name)
        ):
            array = ast.Name(target.value.id, ast.Load())
            node.value = ast.copy_location(_runtime("stored", array, node.value), node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        node.decorator_list = [_at(each, _runtime("decorator", each)) for each in node.decorator_list]
        return node  # type: ignore[no-any-return]

    visit_AsyncFunctionDef = visit_FunctionDef


def _runtime(method: str, *args: Any, keywords: list[ast.keyword] | None = None) -> ast.Call:
    values = [ast.Constant(arg) if isinstance(arg, str) else arg for arg in args]
    function = ast.Attribute(ast.Name(RUNTIME, ast.Load()), method, ast.Load())
    return ast.Call(function, values, keywords or [])


def _name(node: ast.operator | ast.cmpop) -> str:
    return type(node).__name__


def _index(node: ast.expr) -> ast.expr:
    """An index as a value: slices become calls of ``slice``."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return _runtime("slice", *parts)
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_index(each) for each in node.elts], ast.Load())
    return node


def _at(old: ast.AST, new: ast.AST) -> ast.AST:
    return ast.copy_location(new, old)
