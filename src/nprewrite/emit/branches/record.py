"""What the conversion of a scalar function to array expressions records, and the forms that it writes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from nprewrite.emit.branches.values import Lane, parsed

Path = tuple[ast.expr, ...]
"""The tests that hold where an expression is evaluated."""


@dataclass
class Record:
    """What a conversion has written so far: assignments in order, and where a lane would raise."""

    assignments: list[tuple[str, ast.expr]] = field(default_factory=list)
    raises: list[ast.expr] = field(default_factory=list)
    free: dict[str, Lane] = field(default_factory=dict)
    exact: bool = True
    bools: bool = True
    """Whether booleans may count as 0 and 1, which NumPy's functions treat differently."""
    taken: set[str] = field(default_factory=set)
    stems: dict[str, str] = field(default_factory=dict)

    def bound(self, stem: str, node: ast.expr) -> ast.Name:
        """``node`` under a name of its own."""
        name = free_name(stem, self.taken)
        self.taken.add(name)
        self.stems[name] = stem
        self.assignments.append((name, node))
        return ast.Name(name, ast.Load())

    def raise_where(self, path: Path, condition: ast.expr) -> None:
        """Note that Python raises in the lanes of ``path`` where ``condition`` holds."""
        self.raises.append(conjunction((*path, condition)))


def free_name(stem: str, taken: Collection[str]) -> str:
    """The first of ``stem``, ``stem_1``, ... that is not taken."""
    name, count = stem, 1
    while name in taken:
        name, count = f"{stem}_{count}", count + 1
    return name


def conjunction(tests: Sequence[ast.expr]) -> ast.expr:
    """``a & b & c``."""
    made = tests[0]
    for test in tests[1:]:
        made = ast.BinOp(made, ast.BitAnd(), test)
    return made


def select(test: ast.expr, left: ast.expr, right: ast.expr) -> ast.expr:
    """``np.where(test, left, right)``."""
    return parsed("np.where(c, a, b)", c=test, a=left, b=right)


def inverted(test: ast.expr) -> ast.expr:
    """``~test`` for an array of bool."""
    return ast.UnaryOp(ast.Invert(), test)
