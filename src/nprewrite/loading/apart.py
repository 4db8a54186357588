"""The names that rewriting adds to a module, kept apart from those that its program sees.

Steps, imports and names for the results of loops are attributes of an object that is in no namespace of the
program: ``globals()``, ``dir(module)`` and the like show the same as without rewriting.
"""

from __future__ import annotations

import ast
import importlib
import symtable
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import names_bound, names_in, walk

N = TypeVar("N", bound=ast.AST)


class Names:
    """The added names of one module, as attributes."""

    def __init__(self) -> None:
        self._factories: list[CodeType] = []

    def add(self, factory: CodeType) -> int:
        """Keep the code of a module whose only function makes another; returns its number."""
        if factory not in self._factories:
            self._factories.append(factory)
        return self._factories.index(factory)

    def _define(self, number: int) -> None:
        """Make a function in the namespace of the module that calls this."""
        made: dict[str, Any] = {}
        exec(self._factories[number], sys._getframe(1).f_globals, made)
        (factory,) = made.values()
        code: CodeType = factory.__code__
        given = [vars(self).get(name) for name in code.co_varnames[: code.co_argcount]]
        setattr(self, factory.__name__, factory(*given))

    def _import(self, name: str, module: str) -> None:
        setattr(self, name, importlib.import_module(module))

    def _keep(self, name: str, value: Any) -> Any:
        setattr(self, name, value)
        return value


@unheard(*OF_SYNTAX)
def apart(
    source: str,
    text: str,
    tree: ast.Module,
    names: Names,
    home: Callable[[], ast.expr],
    compiled: Callable[[ast.Module], CodeType],
) -> ast.Module:
    """The tree of a rewritten text, with added names as attributes of ``names``, written as ``home()``.

    ``compiled`` compiles the trees of added functions.
    """
    hidden = _bound_at_top(text) - _bound_at_top(source)
    made: ast.Module = _Apart(hidden, names, home, compiled).visit(tree)
    return made


def _bound_at_top(text: str) -> frozenset[str]:
    symbols = symtable.symtable(text, "<module>", "exec").get_symbols()
    return frozenset(each.get_name() for each in symbols if each.is_assigned() or each.is_imported())


@dataclass
class _Apart(ast.NodeTransformer):
    _hidden: frozenset[str]
    _names: Names
    _home: Callable[[], ast.expr]
    _compiled: Callable[[ast.Module], CodeType]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._hidden:
            return node
        return _at(node, ast.Attribute(self._home(), node.id, node.ctx))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        if node.target.id not in self._hidden:
            return self._visited(node)
        return self._call(node, "_keep", ast.Constant(node.target.id), self.visit(node.value))

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        (alias, *others) = node.names
        name = alias.asname or alias.name
        if others or name not in self._hidden:
            return node
        call = self._call(node, "_import", ast.Constant(name), ast.Constant(alias.name))
        return _at(node, ast.Expr(call))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        if node.name not in self._hidden:
            return self._scope(node)
        # Made by a factory, the function has the added names it uses in its closure, where tools look for
        # them.
        used = sorted(names_in(node) & self._hidden)
        result = ast.Return(ast.Name(node.name, ast.Load()))
        arguments = ast.arguments([], [ast.arg(each) for each in used], None, [], [], None, [])
        factory = _at(node, ast.FunctionDef(node.name, arguments, [node, result], [], None))
        number = ast.Constant(self._names.add(self._compiled(ast.Module([factory], []))))
        return _at(node, ast.Expr(self._call(node, "_define", number)))

    def _scope(self, node: N) -> N:
        """A function, whose own variables may have the same names as added ones of the module."""
        around = self._hidden
        arguments = {each.arg for each in walk(node) if isinstance(each, ast.arg)}
        self._hidden = around.difference(names_bound(node), arguments)
        made = self._visited(node)
        self._hidden = around
        return made

    visit_AsyncFunctionDef = visit_Lambda = _scope

    def _visited(self, node: N) -> N:
        return self.generic_visit(node)  # type: ignore[return-value]

    def _call(self, node: ast.AST, method: str, *arguments: ast.expr) -> ast.expr:
        function = ast.Attribute(self._home(), method, ast.Load())
        return _at(node, ast.Call(function, [*arguments], []))


def _at(node: ast.AST, made: N) -> N:
    """The node ``made``, with what it contains, at the position of ``node``."""
    return ast.fix_missing_locations(ast.copy_location(made, node))
