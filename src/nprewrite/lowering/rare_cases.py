"""What a loop tells in rare cases only, which is no reason to leave the whole loop to Python.

if abs(step) > tolerance: print("did not converge")      rare, as far as anybody can tell
if n % 100 == 0: print(n)                                every so often
if verbose: print(n)                                     never, or each time
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from nprewrite.base.syntax import names_in, walk

_TELLING = frozenset({"builtins.print", "warnings.warn"})


def tells(node: ast.Expr, resolve: Callable[[ast.expr], str | None]) -> bool:
    """Whether a statement does nothing but print or warn."""
    return isinstance(node.value, ast.Call) and resolve(node.value.func) in _TELLING


def is_rare(test: ast.expr, counters: Collection[str]) -> bool:
    """Whether a test compares what is computed, not the counter of a loop."""
    nodes = [*walk(test)]
    computed = any(isinstance(each, ast.Compare) for each in nodes)
    periodic = any(isinstance(each, ast.Mod) for each in nodes)
    return computed and not periodic and names_in(test).isdisjoint(counters)
