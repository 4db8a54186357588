"""What the text of a function shows at a glance."""

from __future__ import annotations

import ast

from nprewrite.source.kept import kept
from nprewrite.source.names import Scope, statements_of

LOOPS = ast.For | ast.While | ast.ListComp | ast.GeneratorExp
ARITHMETIC = ast.BinOp | ast.AugAssign
_OF_CALLERS = frozenset(("_getframe", "currentframe", "stacklevel"))


@kept
def counts_callers(node: ast.AST) -> bool:
    """Whether a function looks at its calling frames, of which a decorator's would be one."""
    words = (
        getattr(each, "attr", None) or getattr(each, "arg", None) or getattr(each, "id", None)
        for each in ast.walk(node)
    )
    return any(word in _OF_CALLERS for word in words)


def computes_in_loops(node: ast.AST) -> bool:
    """Whether there is arithmetic in a loop or a comprehension of a function."""
    loops = (each for each in ast.walk(node) if isinstance(each, LOOPS))
    return any(isinstance(inner, ARITHMETIC) for each in loops for inner in ast.walk(each))


def yields(scope: Scope) -> bool:
    """Whether a function is a generator, which stays as it is."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in statements_of(scope))
