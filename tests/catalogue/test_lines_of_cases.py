"""What a rewriting leaves as it was keeps its line, which tracebacks show; functions by themselves, too."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

import pytest
from catalogue_cases import REWRITES, Case, rewritten_file

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source


def _simple_statements(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno == node.end_lineno:
            yield ast.unparse(node), node.lineno


@pytest.mark.parametrize("case", REWRITES, ids=str)
def test_statements_that_stay_stand_for_their_own_lines(case: Case) -> None:
    made = rewritten_file(case)
    before, after = [*_simple_statements(case.before)], [*_simple_statements(made.text)]
    often = Counter(text for text, _ in (*before, *after))
    own = dict(before)
    moved = {
        text: (made.origins[line - 1], own[text])
        for text, line in after
        if often[text] == 2 and own.get(text) not in (None, made.origins[line - 1])
    }
    assert moved == {}


@pytest.mark.parametrize("case", [each for each in REWRITES if each.pass_name == "masked-store"], ids=str)
def test_functions_by_themselves_are_rewritten_or_left(case: Case) -> None:
    """As `nprewrite explain FILE::function` does, without the types of a call."""
    for node in ast.parse(case.before).body:
        if isinstance(node, ast.FunctionDef):
            made = rewrite_source(case.before, "before.py", Options(), only=node.name)
            assert node.name in made.text
