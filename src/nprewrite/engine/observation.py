"""A function's text that shows unknown expressions to an observer: ``x = _seen(0, rng.normal(size=n))``."""

from __future__ import annotations

import ast

from nprewrite.engine.engine import Run
from nprewrite.engine.outcomes import Given, Options, Watched, faults_of
from nprewrite.engine.pipeline import PASSES
from nprewrite.source.edits import Wrap
from nprewrite.source.nodes import expression
from nprewrite.source.stars import may_be_rewritten
from nprewrite.types.observed import place_of


def watched(
    text: str,
    filename: str,
    options: Options,
    given: Given,
    only: str,
    own: frozenset[str] | None = None,
) -> Watched | None:
    """The text of a module whose function ``only`` shows its unknown expressions; None if it has none.

    The function is prepared as for rewriting, so that the places are those of its later passes. Raises
    ``SourceProblem`` and ``InternalError`` as `rewrite_source` does.
    """
    if not may_be_rewritten(text):
        return None
    with faults_of("rewriting"):
        module = Run(PASSES, text, filename, options, given, only, own=own).prepared()
    with faults_of("looking for what is not known"):
        nodes = [*module.unknown_expressions(only)]
        if not nodes:
            return None
        document = module.document
        name = document.names.free("_seen")
        shown = document.replaced([_show(node, number, name) for number, node in enumerate(nodes)])
        return Watched(shown.text, shown.user_lines, tuple(place_of(node, document) for node in nodes), name)


def _show(node: ast.expr, number: int, name: str) -> Wrap:
    return Wrap(node, lambda value: expression(f"{name}({number}, {{value}})", value=value))
