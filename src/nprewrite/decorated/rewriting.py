"""What the decorator asks of the rewriter; this is imported where no earlier process has the answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from nprewrite.base.syntax import text_tree, walk
from nprewrite.decorated.kept import Answer, Question
from nprewrite.engine import observation
from nprewrite.engine.outcomes import Outcome, Rewriting, Watched
from nprewrite.engine.pipeline import SERVING_OTHERS, rewrite_source
from nprewrite.passes.native_loop import NativeLoop
from nprewrite.passes.small_arrays import SmallArrays
from nprewrite.program.steps import is_native
from nprewrite.source.names import ModuleNames
from nprewrite.types.observed import Observed

SMALL_ARRAYS = SmallArrays.code
_MOVED = frozenset((NativeLoop.code, SMALL_ARRAYS))


def watched(question: Question, file: str) -> Watched | None:
    """The text that shows unknown expressions. Raises ``SourceProblem`` and ``InternalError``."""
    asked = question
    return observation.watched(asked.text, file, asked.options, asked.given, asked.qualname, asked.own)


def watched_or_answered(question: Question, file: str) -> Watched | Answer:
    """What shows unknown expressions, or what the function is rewritten to, if nothing else need be known.

    Where whole loops run natively, that is so although expressions in them are unknown. Raises
    ``SourceProblem`` and ``InternalError``.
    """
    shown = watched(question, file)
    if shown is not None and not _has_loops(question):
        return shown
    made = answered(question, file, {})
    return made if shown is None or _is_moved(question, file, made.rewriting) else shown


def _has_loops(question: Question) -> bool:
    """Whether there is a loop in the text, be it in the function or in what it calls."""
    return any(isinstance(each, ast.For | ast.While) for each in walk(text_tree(question.text)))


def _is_moved(question: Question, file: str, rewriting: Rewriting) -> bool:
    """Whether all that is not known has moved into functions of loops that run natively."""
    codes = {each.code for each in rewriting.sites if each.outcome is Outcome.REWRITTEN}
    if _MOVED.isdisjoint(codes):
        return False
    left = watched(replace(question, text=rewriting.text), file)
    calls = {*_calls_of_loops(text_tree(rewriting.text))}
    return left is None or all(line in calls for line, _ in left.places)


def _calls_of_loops(tree: ast.Module) -> Iterator[int]:
    """The lines of calls of functions of native loops."""
    names = ModuleNames(tree)
    native = {name for name, each in names.definitions.items() if is_native(each, names, tree)}
    for each in walk(tree):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in native:
            yield from range(each.lineno, (each.end_lineno or each.lineno) + 1)


def answered(question: Question, file: str, seen: Observed) -> Answer:
    """What the function is rewritten to. Raises ``SourceProblem`` and ``InternalError``."""
    asked = question
    made = rewrite_source(asked.text, file, asked.options, asked.given, asked.qualname, seen, asked.own)
    done = {each.code for each in made.sites if each.outcome is Outcome.REWRITTEN}
    return Answer(made, SERVING_OTHERS.issuperset(done))
