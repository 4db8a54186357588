"""What calls of a function have shown, where its statements stand in place of a call."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from nprewrite.analysis.inlining import local_name
from nprewrite.base.syntax import expression_tree, name_nodes
from nprewrite.types.observed import Observed


def in_place_of_calls(function: Callable[..., Any], seen: Observed) -> Observed:
    """The same of the names that its variables get there; parameters may stand for anything."""
    code = function.__code__
    variables = frozenset(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    return {
        (line, _renamed(text, function.__name__, variables)): value for (line, text), value in seen.items()
    }


@lru_cache(maxsize=1024)
def _renamed(text: str, called: str, variables: frozenset[str]) -> str:
    tree = expression_tree(text)
    for each in name_nodes(tree):
        if each.id in variables:
            each.id = local_name(called, each.id)
    return ast.unparse(tree)
