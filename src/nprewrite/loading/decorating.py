"""Functions that get the decorator as their module is loaded, whose text stays as it is.

They are those that rewriting changes, or, as long as another process finds that out, those that may compute.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Set
from functools import cached_property
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from nprewrite.analysis.called_once import is_called_once
from nprewrite.base import notes
from nprewrite.base.code_objects import changed_code
from nprewrite.base.environment import waits
from nprewrite.base.syntax import text_tree, walk
from nprewrite.config import Choices
from nprewrite.decorated.rest import Rest
from nprewrite.source.functions import ARITHMETIC, LOOPS, counts_callers, may_get_decorator, yields

if TYPE_CHECKING:
    from nprewrite.decorated.handover import Handover
    from nprewrite.decorated.jitted import Jitted
    from nprewrite.decorated.versions import Settings

_HOME = "<what a module asks of nprewrite>"
"""A constant that represents the object in the tree until the tree is compiled."""
_FOLDER = "functions"


class Home:
    """What the statements of a module ask, which may not have imported NumPy yet; nor does this.

    ``text`` is that of the module as its user wrote it.
    """

    def __init__(self, text: str, choices: Choices) -> None:
        self._text, self._choices = text, choices

    def jit(self, function: Callable[..., Any]) -> Jitted[..., Any]:
        """The decorator with what was chosen for the module."""
        from nprewrite.decorated.unproven import Loaded

        return Loaded(function, self._settings)

    def jit_if_long(self, function: Callable[..., Any]) -> Jitted[..., Any]:
        """`jit` for a function whose calls take long, in this process or an earlier one."""
        from nprewrite.decorated.unproven import Unproven
        from nprewrite.runtime.device import devices

        if function.__qualname__ in self._long or waits() or devices.asked_for() is not None:
            return self.jit(function)
        return Unproven(function, self._settings, self._note_long)

    @cached_property
    def _name(self) -> str:
        return notes.name_of([notes.digest(self._text.encode(errors="surrogatepass")), "long"])

    @cached_property
    def _long(self) -> frozenset[str]:
        """The functions whose calls have taken long in earlier processes."""
        found = notes.read(_FOLDER, "long", self._name)
        return frozenset(() if found is None else found["functions"])

    def _note_long(self, qualname: str) -> None:
        self._long = self._long | {qualname}
        # A full disk or a read-only home: the next process finds out again.
        with contextlib.suppress(OSError):
            notes.write(_FOLDER, "long", self._name, {"functions": sorted(self._long)})

    @cached_property
    def _settings(self) -> Settings:
        from nprewrite.decorated.versions import Settings

        return Settings(self._choices.options(), False, None, "raise", self._choices.on_fallback)


class ScriptHome(Home):
    """The same for a script with ``cut`` loops that may stop; ``code`` stands for its statements, which have
    ``names``."""

    def __init__(
        self, text: str, choices: Choices, cut: list[Rest], code: CodeType, names: dict[str, Any]
    ) -> None:
        super().__init__(text, choices)
        self._cut, self._code, self._names = cut, code, names

    @cached_property
    def handover(self) -> Handover:
        """Whether loops go on."""
        from nprewrite.decorated.handover import Handover, WatchedScript

        original = FunctionType(self._code, self._names)
        return Handover(WatchedScript(original, self._text, self._cut, self._settings))


def functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions and methods, each with its qualified name."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef):
            yield each, each.name
        if isinstance(each, ast.ClassDef):
            methods = (node for node in each.body if isinstance(node, ast.FunctionDef))
            yield from ((node, f"{each.name}.{node.name}") for node in methods)


def plain_functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Those that may get a decorator."""
    return ((node, qualname) for node, qualname in functions(tree) if may_get_decorator(node, tree))


def may_compute(node: ast.FunctionDef, qualname: str, tree: ast.Module) -> bool:
    """Whether calls may show that a function is worth rewriting: it has loops, or arithmetic."""
    # Its types know NumPy.
    from nprewrite.types.classes import plain_class

    inside = [each for statement in node.body for each in walk(statement)]
    reached = "." not in qualname or plain_class(qualname, tree) is not None
    computes = any(isinstance(each, LOOPS | ARITHMETIC) for each in inside)
    return computes and reached and not (counts_callers(node) or yields(node))


def decorated(tree: ast.Module, wanted: Set[str], written: ast.Module) -> None:
    """Put the decorator of the home on functions, by their qualified names.

    ``written`` is the tree as its user wrote it.
    """
    once = {name for name in wanted if is_called_once(name, written)}
    for node, qualname in plain_functions(tree):
        if qualname in wanted:
            # What is called once cannot be known to take long.
            name = "jit" if qualname in once else "jit_if_long"
            decorator = ast.Attribute(ast.Constant(_HOME), name, ast.Load())
            node.decorator_list.append(ast.fix_missing_locations(ast.copy_location(decorator, node)))


def functions_that_may_compute(tree: ast.Module) -> Set[str]:
    """Their qualified names."""
    return {qualname for node, qualname in plain_functions(tree) if may_compute(node, qualname, tree)}


def only_decorated(before: ast.Module, after: ast.Module) -> tuple[str, ...]:
    """The functions that get the decorator in a rewritten text, if that is all that it differs in.

    It changes the second tree.
    """
    got = _without_decorators(before, after)
    after.body = [each for each in after.body if not _imports_nprewrite(each)]
    return tuple(sorted(got)) if ast.dump(after) == ast.dump(before) else ()


def decorated_by_home(before: str, after: ast.Module) -> None:
    """Have the functions of a rewritten text get the decorator of the home in place of its own, if any do.

    ``before`` is the text as its user wrote it.
    """
    if any(map(_imports_nprewrite, after.body)):
        written = text_tree(before)
        decorated(after, _without_decorators(written, after), written)


def _without_decorators(before: ast.Module, after: ast.Module) -> Set[str]:
    """Take the decorators off the functions that got one; returns their qualified names."""
    plain = {qualname: len(node.decorator_list) for node, qualname in plain_functions(before)}
    found = ((each, qualname) for each, qualname in functions(after) if qualname in plain)
    got = {qualname: each for each, qualname in found if len(each.decorator_list) > plain[qualname]}
    for each in got.values():
        # It is the innermost one.
        each.decorator_list.pop()
    return got.keys()


def _imports_nprewrite(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and [each.name for each in node.names] == ["nprewrite"]


def ask_home(tree: ast.Module, name: str) -> None:
    """Have what a tree asks of a name asked of the home."""
    for each in walk(tree):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == name:
            each.value = ast.copy_location(ast.Constant(_HOME), each.value)


def compiled(tree: ast.Module, path: str, home: Home) -> CodeType:
    """The code of a tree that asks its home."""
    return at_home(compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True), home)


def at_home(code: CodeType, home: Home) -> CodeType:
    """The code of a tree, with the home that it asks."""
    return changed_code(code, lambda each: home if each == _HOME else each)
