"""A script's own statements, whose loops go on in what the rest of the script is rewritten to.

Text tells little of the arrays of a script; its names do, once it runs. So its statements run as written, its
functions with the decorator where rewriting changes them, and its loops stop where the rest can take over
(see ``nprewrite.decorated.handover``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from nprewrite.base.code_objects import changed_code
from nprewrite.base.environment import disabled
from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import with_names
from nprewrite.config import Choices, ConfigurationProblem
from nprewrite.decorated.rest import Rest, rests_of_script
from nprewrite.decorated.stopping import stopping_script
from nprewrite.files.problems import FileProblem
from nprewrite.files.source import decode
from nprewrite.loading.finder import Code, Finder
from nprewrite.loading.rewriting import rewritten
from nprewrite.source.names import ALL_SCOPES, ModuleNames
from nprewrite.source.stars import stars_of

if TYPE_CHECKING:
    from nprewrite.decorated.handover import Handover
    from nprewrite.decorated.jitted import Jitted
    from nprewrite.decorated.versions import Settings

_HOME = "<the loops of the script>"
"""A constant that represents the object in the tree until the tree is compiled."""


class Home:
    """What the statements of a script ask; the script may not have imported NumPy yet, nor does this."""

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
        """The decorator with what was chosen for the script."""
        from nprewrite.decorated.jitted import Jitted

        return Jitted(function, self._settings)

    @cached_property
    def _settings(self) -> Settings:
        from nprewrite.decorated.versions import Settings

        return Settings(self._choices.options(), False, None, "raise", self._choices.on_fallback)


def code_of(loader: SourceFileLoader, finder: Finder, main: ModuleType) -> CodeType | None:
    """The rewritten code of a program's own module, with loops that may stop if it has any."""
    code = Code(loader, finder).get(loader.name)
    path = loader.path
    try:
        choices = finder.configurations.of(path).choices(path)
        source = loader.get_data(path)
        entry = rewritten(path, source, choices)
    except (FileProblem, ConfigurationProblem):
        # Told when the program was compiled, which runs as written.
        return code
    text = decode(source).text
    changed = text if entry.data is None else decode(entry.data).text
    return _handing_over(path, text, changed, choices, vars(main)) or code


@unheard(*OF_SYNTAX)
def _handing_over(
    path: str, text: str, rewritten: str, choices: Choices, names: dict[str, Any]
) -> CodeType | None:
    """The code of a script with loops that may stop, to be run with ``names``; None where it has none.

    ``rewritten`` is the text with the passes applied, which tells what functions get the decorator.
    """
    chosen = choices.select is not None or choices.ignore or choices.verify or choices.precision
    if disabled() or chosen or choices.level == "exact":
        return None
    tree, after = ast.parse(text), ast.parse(rewritten)
    loops, left = _loops(tree), _loops(after).keys()
    if loops.keys() - left and not any(_may_be_long(loops[each]) for each in loops.keys() & left):
        # What its text tells is enough.
        return None
    known = ModuleNames(tree, stars_of(text, path))
    if known.unknown_star:
        return None
    numpy = known.numpy_alias(tree)
    cut = rests_of_script(tree, known.fresh("script"), {numpy}) if numpy is not None else []
    if not cut:
        return None
    function = compile("def script(): pass", path, "exec", dont_inherit=True).co_consts[0]
    home = Home(text, cut, choices, function)
    home.names = names
    marked = known.fresh("home")
    made = stopping_script(tree, cut, f"{marked}.handover")
    changed = {*_texts(made)} - {*_texts(after)}
    for node, qualname in _functions(made):
        if (qualname, ast.dump(node)) in changed:
            decorator = ast.parse(f"{marked}.jit", mode="eval").body
            node.decorator_list.insert(0, ast.copy_location(decorator, node))
    made = with_names(made, lambda name: ast.Constant(_HOME) if name.id == marked else None)
    code = compile(ast.fix_missing_locations(made), path, "exec", dont_inherit=True)
    return changed_code(code, lambda each: home if each == _HOME else each)


def _loops(tree: ast.Module) -> dict[str, ast.stmt]:
    """The loops of the script's own statements, by their texts."""
    own = [each for each in tree.body if not isinstance(each, ALL_SCOPES)]
    inside = (node for each in own for node in ast.walk(each))
    return {ast.dump(node): node for node in inside if isinstance(node, ast.For | ast.While)}


def _may_be_long(loop: ast.stmt) -> bool:
    """Whether a loop computes, or holds another one."""
    inside = [node for each in ast.iter_child_nodes(loop) for node in ast.walk(each)]
    return any(isinstance(each, ast.For | ast.While | ast.BinOp | ast.AugAssign) for each in inside)


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions and methods that may get the decorator."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef):
            yield each, each.name
        if isinstance(each, ast.ClassDef):
            methods = (node for node in each.body if isinstance(node, ast.FunctionDef))
            yield from ((node, f"{each.name}.{node.name}") for node in methods)


def _texts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    return ((qualname, ast.dump(node)) for node, qualname in _functions(tree) if not node.decorator_list)
