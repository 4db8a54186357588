"""Walks through trees and copies of them are quicker than those of Python, and give the same but ``ctx``."""

from __future__ import annotations

import ast
import copy
from pathlib import Path

import pytest

from nprewrite.base import syntax
from nprewrite.source import names, tree

FILES = [Path(each.__file__ or "") for each in (syntax, names, tree)]
TEXTS = {each.name: each.read_text() for each in FILES} | {"empty": ""}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_walk_goes_as_that_of_python(text: str) -> None:
    parsed = ast.parse(text)
    expected = [each for each in ast.walk(parsed) if not isinstance(each, ast.expr_context)]
    assert [*map(id, syntax.walk(parsed))] == [*map(id, expected)]
    for each in expected:
        inside = [part for part in ast.iter_child_nodes(each) if not isinstance(part, ast.expr_context)]
        assert syntax.children(each) == inside


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_copy_is_that_of_python(text: str) -> None:
    parsed = ast.parse(text)
    made = syntax.twin(parsed)
    assert ast.dump(made, include_attributes=True) == ast.dump(copy.deepcopy(parsed), include_attributes=True)
    assert {*map(id, ast.walk(made))}.isdisjoint(map(id, ast.walk(parsed)))


def test_what_occurs_twice_does_so_in_a_copy() -> None:
    part = ast.Name("x", ast.Load())
    made = syntax.twin(ast.BinOp(part, ast.Add(), part))
    assert made.left is made.right is not part
