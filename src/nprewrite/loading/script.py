"""A script's own statements, whose loops go on in what the rest of the script is rewritten to.

Text tells little of the arrays of a script; its names do, once it runs. So its statements run as written, its
functions with the decorator where rewriting changes them, and its loops stop where the rest can take over
(see ``nprewrite.decorated.handover``).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set
from importlib.machinery import SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from nprewrite.base.environment import disabled
from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import children, text_tree, walk
from nprewrite.config import Choices, ConfigurationProblem
from nprewrite.decorated.rest import Rest, rests_of_script
from nprewrite.decorated.stopping import stopping_script
from nprewrite.files.problems import FileProblem
from nprewrite.files.source import decode
from nprewrite.loading.decorating import (
    ScriptHome,
    ask_home,
    compiled,
    decorated,
    functions_that_may_compute,
    plain_functions,
)
from nprewrite.loading.finder import Code, Finder
from nprewrite.loading.rewriting import rewritten
from nprewrite.source.names import ALL_SCOPES, ModuleNames
from nprewrite.source.stars import stars_of


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
    after = None if entry.is_awaited else text_tree(changed)
    return _handing_over(path, text, after, {*entry.decorated}, choices, vars(main)) or code


@unheard(*OF_SYNTAX)
def _handing_over(
    path: str,
    text: str,
    after: ast.Module | None,
    wanted: Set[str],
    choices: Choices,
    names: dict[str, Any],
) -> CodeType | None:
    """The code of a script with loops that may stop, to be run with ``names``; None where it has none.

    ``after`` has the passes applied, which with ``wanted`` tells what functions get the decorator; None as
    long as another process applies them.
    """
    if disabled() or not choices.leave_it_to_calls:
        return None
    tree = text_tree(text)
    if after is not None and _is_enough(after, tree):
        return None
    known = ModuleNames(tree, stars_of(text, path))
    if known.unknown_star:
        return None
    numpy = known.numpy_alias(tree)
    cut = rests_of_script(tree, known.fresh("script"), {numpy}) if numpy is not None else []
    if not cut or (after is not None and _would_miss(after, tree, cut)):
        return None
    function = compile("def script(): pass", path, "exec", dont_inherit=True).co_consts[0]
    home = ScriptHome(text, choices, cut, function.replace(co_name="<module>"), names)
    if after is None:
        wanted = functions_that_may_compute(tree)
    else:
        same = {(qualname, ast.dump(node)) for node, qualname in plain_functions(after)}
        own = ((qualname, ast.dump(node)) for node, qualname in plain_functions(tree))
        wanted = wanted | {each[0] for each in own if each not in same}
    name = known.fresh("home")
    made = stopping_script(tree, cut, f"{name}.handover")
    ask_home(made, name)
    decorated(made, wanted, tree)
    return compiled(made, path, home)


def _is_enough(after: ast.Module, tree: ast.Module) -> bool:
    """Whether the text told enough of the script's own loops."""
    loops, left = _loops(tree), _loops(after).keys()
    return bool(loops.keys() - left) and not any(_may_be_long(loops[each]) for each in loops.keys() & left)


def _would_miss(after: ast.Module, tree: ast.Module, cut: Sequence[Rest]) -> bool:
    """Whether the text told something of a loop that cannot stop, one above a function say, and that holds
    more loops than all that can."""
    covered = {id(node) for rest in cut for each in rest.statements for node in walk(each)}
    loops, left = _loops(tree), _loops(after).keys()
    told = [each for text, each in loops.items() if text not in left and id(each) not in covered]
    return max(map(_depth, told), default=0) > max(_depth(each.loop) for each in cut)


def _depth(node: ast.AST) -> int:
    """How deep the loops of a statement are nested."""
    inside = max(map(_depth, children(node)), default=0)
    return inside + isinstance(node, ast.For | ast.While)


def _loops(tree: ast.Module) -> dict[str, ast.stmt]:
    """The loops of the script's own statements, by their texts."""
    own = [each for each in tree.body if not isinstance(each, ALL_SCOPES)]
    inside = (node for each in own for node in walk(each))
    return {ast.dump(node): node for node in inside if isinstance(node, ast.For | ast.While)}


def _may_be_long(loop: ast.stmt) -> bool:
    """Whether a loop computes, or holds another one."""
    inside = [node for each in children(loop) for node in walk(each)]
    return any(isinstance(each, ast.For | ast.While | ast.BinOp | ast.AugAssign) for each in inside)
