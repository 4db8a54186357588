"""What the rewriter looks at grows with the text, not with its square."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from unittest.mock import patch

from nprewrite.rewrite import Options, rewrite_source

FUNCTION = """
def scale_{number}(values, factor=2.0):
    def doubled(x):
        return x * 2.0 if x > 0.0 else x
    for n in range(10):
        values = values * factor
    if factor > 1.0:
        values = helper(values)
    return np.vectorize(doubled)(values)

scale_{number}(np.ones(10), 3.0)
"""
HEAD = "import numpy as np\n\ndef helper(values):\n    return values + 1.0\n"


def nodes_looked_at(functions: int) -> int:
    """How many nodes are reached while a module of so many functions is rewritten."""
    text = HEAD + "".join(FUNCTION.format(number=number) for number in range(functions))
    children, count = ast.iter_child_nodes, 0

    def counted(node: ast.AST) -> Iterator[ast.AST]:
        nonlocal count
        for child in children(node):
            count += 1
            yield child

    with patch.object(ast, "iter_child_nodes", counted):
        rewrite_source(text, "module.py", Options())
    return count


def test_effort_grows_with_the_text() -> None:
    assert nodes_looked_at(40) < 4.5 * nodes_looked_at(10)
