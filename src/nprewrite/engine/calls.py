"""A text rewritten with the types of parameters that calls of its functions have shown."""

from __future__ import annotations

import ast

from nprewrite.engine.outcomes import Given, Options, Outcome, Rewriting
from nprewrite.engine.pipeline import EXTRACTING, rewrite_source
from nprewrite.program.function import Definition, Module
from nprewrite.source.document import Document


def rewrite_with_calls(text: str, filename: str, options: Options, given: Given) -> Rewriting:
    """Run the passes with ``given``, except for functions of which the decorator makes more.

    The decorator does more than is done in a file: it inlines calls, names attributes, compiles statements
    outside of loops. A function with a loop that would wait for a call, and that is refused with the types
    of the calls, therefore still waits. Raises ``SourceProblem`` and ``InternalError`` as ``rewrite_source``
    does.
    """
    found = rewrite_source(text, filename, options, given)
    without = rewrite_source(text, filename, options)
    lines = _refused_now(found, without)
    functions = Module(Document(text), {}).functions if lines else ()
    waiting = {each.name for each in functions if each.name in given and _holds(each.node, lines)}
    if not waiting:
        return found
    kept = {name: values for name, values in given.items() if name not in waiting}
    return rewrite_source(text, filename, options, kept)


def _holds(node: Definition | ast.Module, lines: set[int]) -> bool:
    if isinstance(node, ast.Module):
        return False
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines)


def _refused_now(found: Rewriting, without: Rewriting) -> set[int]:
    """The lines of loops that wait for the decorator in ``without`` and are not rewritten in ``found``."""
    done = {(site.place, site.code) for site in found.sites if site.outcome is not Outcome.REFUSED}
    waited = {site for site in without.sites if site.outcome is Outcome.DEFERRED and site.code in EXTRACTING}
    return {site.line for site in waited if (site.place, site.code) not in done}
