"""Functions that get the decorator as their module is loaded, whose text stays as it is.

They are those that rewriting changes, or, as long as another process finds that out, those that may compute.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from nprewrite.base.code_objects import changed_code
from nprewrite.config import Choices
from nprewrite.decorated.rest import Rest
from nprewrite.source.functions import ARITHMETIC, LOOPS, counts_callers, yields

if TYPE_CHECKING:
    from nprewrite.decorated.handover import Handover
    from nprewrite.decorated.jitted import Jitted
    from nprewrite.decorated.versions import Settings

_HOME = "<what a module asks of nprewrite>"
"""A constant that represents the object in the tree until the tree is compiled."""


class Home:
    """What the statements of a module ask, which may not have imported NumPy yet; nor does this.

    ``text`` is that of a script with ``cut`` loops that may stop; ``code`` stands for its statements.
    """

    def __init__(self, text: str, cut: list[Rest], choices: Choices, code: CodeType) -> None:
        self._text, self._cut, self._choices, self._code = text, cut, choices, code
        self.names: dict[str, Any] = {}
        """Those of the module."""

    @cached_property
    def handover(self) -> Handover:
        """Whether loops go on."""
        from nprewrite.decorated.handover import Handover, WatchedScript

        original = FunctionType(self._code, self.names)
        return Handover(WatchedScript(original, self._text, self._cut, self._settings))

    def jit(self, function: Callable[..., Any]) -> Jitted[..., Any]:
        """The decorator with what was chosen for the module."""
        from nprewrite.decorated.jitted import Jitted

        return Jitted(function, self._settings)

    @cached_property
    def _settings(self) -> Settings:
        from nprewrite.decorated.versions import Settings

        return Settings(self._choices.options(), False, None, "raise", self._choices.on_fallback)


def plain_functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions and methods without a decorator, each with its qualified name."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and not each.decorator_list:
            yield each, each.name
        if isinstance(each, ast.ClassDef):
            methods = (node for node in each.body if isinstance(node, ast.FunctionDef))
            yield from ((node, f"{each.name}.{node.name}") for node in methods if not node.decorator_list)


def may_compute(node: ast.FunctionDef, qualname: str, tree: ast.Module) -> bool:
    """Whether calls may show that a function is worth rewriting: it has loops, or arithmetic."""
    # Its types know NumPy.
    from nprewrite.types.classes import plain_class

    inside = [each for statement in node.body for each in ast.walk(statement)]
    reached = "." not in qualname or plain_class(qualname, tree) is not None
    computes = any(isinstance(each, LOOPS | ARITHMETIC) for each in inside)
    return computes and reached and not (counts_callers(node) or yields(node))


def decorated(tree: ast.Module, wanted: Callable[[ast.FunctionDef, str], bool]) -> None:
    """Put the decorator of the home on the functions that are wanted."""
    for node, qualname in plain_functions(tree):
        if wanted(node, qualname):
            decorator = ast.Attribute(ast.Constant(_HOME), "jit", ast.Load())
            node.decorator_list.append(ast.copy_location(decorator, node))


def ask_home(tree: ast.Module, name: str) -> None:
    """Have what a tree asks of a name asked of the home."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name:
            each.value = ast.copy_location(ast.Constant(_HOME), each.value)


def compiled(tree: ast.Module, path: str, home: Home) -> CodeType:
    """The code of a tree that asks its home."""
    code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    return changed_code(code, lambda each: home if each == _HOME else each)
