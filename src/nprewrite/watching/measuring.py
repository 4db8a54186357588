"""Whether the decorator pays for functions that a program was seen to call: it is tried where it may."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from nprewrite.base.syntax import text_tree, words_in
from nprewrite.engine.outcomes import Options
from nprewrite.engine.sites import is_done_in
from nprewrite.files.source import decode
from nprewrite.files.work import Settings, rewrite_file
from nprewrite.program.function import Module
from nprewrite.source.document import Document
from nprewrite.source.names import find_definition
from nprewrite.watching.seen import Seen, given_of
from nprewrite.watching.trial import tried

WORTH_S = 0.3
"""A program, or a function in all its calls, that takes less is too short to tell what the decorator does."""


def measured(
    command: str,
    seen: Sequence[Seen],
    settings: Mapping[str, Settings],
    seconds: float,
    say: Callable[[str], None],
) -> tuple[Seen, ...]:
    """What was seen, with trials of the functions that only the decorator could make faster.

    ``settings`` are those of the files. Raises ``CannotVerify``.
    """
    given = given_of(seen)
    keys = {
        (os.path.realpath(each.path), each.name): each
        for path, own in settings.items()
        for each in _left(path, replace(own, given=given.get(path, {})), seen)
    }
    if not keys:
        return tuple(seen)
    functions = {key: settings[each.path].options for key, each in keys.items()}
    trials = tried(command, functions, None, say, seconds=seconds, least=WORTH_S).functions
    return tuple(replace(each, trial=trials.get((os.path.realpath(each.path), each.name))) for each in seen)


def chosen(options: Options, seen: Sequence[Seen]) -> Options:
    """The options for a file with the functions that were tried."""
    trials = [(each.name, each.trial) for each in seen if each.trial is not None]
    paid = frozenset(name for name, trial in trials if trial.paid)
    return replace(options, paid=paid, unpaid=frozenset(name for name, _ in trials) - paid)


def _left(path: str, settings: Settings, seen: Sequence[Seen]) -> Iterator[Seen]:
    """The functions that could get the decorator, and that rewriting the file leaves as they are."""
    if settings.options.leaves_to_the_decorator or path.endswith(".ipynb"):
        return
    result = rewrite_file(path, settings)
    if result.problem:
        return
    tree = text_tree(result.before)
    steps = Module(Document(decode(result.before).text), {}).steps
    own = {each.name: each for each in seen if each.path == path and "<locals>" not in each.name}
    nodes = {name: node for name in own if isinstance(node := find_definition(tree, name), ast.FunctionDef)}
    done = {name for name, node in nodes.items() if any(is_done_in(site, node) for site in result.sites)}
    words = {*steps, *(name.rpartition(".")[2] for name in done)}
    for name, node in nodes.items():
        # The decorator would take in what the function calls, which is rewritten where it stands.
        if name not in done and not node.decorator_list and not words & words_in(node):
            yield own[name]
