"""The sites of a report: what they say of a place in the user's text, and where they lie in it."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from nprewrite.base.syntax import walk
from nprewrite.engine.outcomes import Outcome, Site
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import advice
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.source.document import Document

COMPILED_ELSEWHERE = "NPR003"
COMPILED_ELSEWHERE_NAME = "other-compiler"


def site_of(
    each: RewritePass[Any, Any],
    node: ast.expr | ast.stmt,
    found: Change | Refusal | Deferral,
    function: Function,
    level: Level | None = None,
) -> Site:
    """What came of a place that a pass looked at."""
    reason = help_text = None
    outcome = Outcome.REWRITTEN
    if isinstance(found, Refusal):
        outcome, reason = Outcome.REFUSED, found.reason
        help_text = found.help or advice(reason, each.code)
        node = found.at or node
    elif isinstance(found, Deferral):
        outcome, help_text = Outcome.DEFERRED, found.help
    line, column = function.document.position(node)
    message = function.module.as_written(found.message)
    return Site(line, column, each.code, each.name, outcome, message, reason, help_text, level)


def compiled_elsewhere(function: Function, compiler: str) -> Site:
    """The verdict on a function that another compiler takes, in place of those on its sites."""
    assert not isinstance(function.node, ast.Module)
    line, column = function.document.position(function.node)
    message = f"`{function.node.name}` is compiled by `{compiler}`, which reads its code"
    return Site(
        line,
        column,
        COMPILED_ELSEWHERE,
        COMPILED_ELSEWHERE_NAME,
        Outcome.REFUSED,
        message,
        "compiled-elsewhere",
        "remove the other compiler to have it rewritten",
    )


def at_a_first_call(site: Site, done: str) -> Site:
    """The site in a function that the decorator rewrites; ``done`` says what it does then."""
    message = f"{done} at a first call: {site.message}"
    return replace(site, outcome=Outcome.DEFERRED, message=message, level=None)


def lines_of_body(change: Change, document: Document) -> set[int]:
    """The lines of the user's text in the body of a loop that a change moves into a native function."""
    if change.step is None or not isinstance(change.step.spec, NativeSpec):
        return set()
    loop = change.step.loop
    lines = {document.position(each)[0] for each in walk(loop) if isinstance(each, ast.stmt)}
    return lines - {document.position(loop)[0]}


def is_done_in(site: Site, node: ast.FunctionDef) -> bool:
    """Whether a site lies in a function, by the lines of the user's text, and was rewritten."""
    return site.outcome is Outcome.REWRITTEN and stands_in(site, node)


def stands_in(site: Site, node: ast.FunctionDef) -> bool:
    """Whether a site lies in a function, by the lines of the user's text."""
    return node.lineno <= site.line <= (node.end_lineno or node.lineno)


def in_order(sites: Collection[Site]) -> tuple[Site, ...]:
    """Sites as they are reported.

    A function whose body became a step elsewhere stays as it is for its other callers: where one of a
    pass's verdicts on a place is that it was rewritten, the others are left out.
    """
    done = {(site.place, site.code) for site in sites if site.outcome is Outcome.REWRITTEN}
    ordered = sorted(sites, key=lambda site: (*site.place, site.code, site.message))
    return tuple(
        site for site in ordered if site.outcome is Outcome.REWRITTEN or (site.place, site.code) not in done
    )
