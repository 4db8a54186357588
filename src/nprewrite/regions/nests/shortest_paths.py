"""All shortest paths (R. W. Floyd, *Algorithm 97*, CACM 5, 1962), whose inner loops depend on each other only
where a diagonal element is negative.

In the round of ``k`` the elements ``d[i, k]`` and ``d[k, j]`` are read and may be stored. They do not change
if ``d[k, k] + x < x`` holds for no x: if ``d[k, k]`` is a float that is not negative (rounding is monotone),
or the integer 0.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.tree import Branch, Loop, Store
from nprewrite.types.affine import symbol


@dataclass(frozen=True)
class Rounds:
    """The loop over ``k``, the two inner loops, and the condition under which these may run at once."""

    loop: Loop
    lanes: tuple[Loop, Loop]
    store: Store
    condition: str

    def otherwise(self, indent: str) -> list[str]:
        """The lines of the inner loops where the condition does not hold."""
        lines = [line for each in self.loop.node.body for line in ast.unparse(each).splitlines()]
        return [f"{indent}else:", *(f"{indent}    {line}" for line in lines)]


def shortest_paths(nest: Nest) -> Rounds | None:
    """The rounds of a nest that computes all shortest paths; None for any other."""
    match nest.root:
        case (
            Loop(body=(Loop(body=(Loop(body=(Branch() | Store() as update,)) as inner,)) as middle,)) as outer
        ):
            found = _relaxed(update, nest)
        case _:
            return None
    if found is None:
        return None
    store, through = found
    loops = (outer, middle, inner)
    target = nest.element(store.target)
    assert target is not None
    array = nest.array(target[0])
    kept = [[nest.affine(each, loops) for each in target[1]]]
    for each in (through.left, through.right):
        part = nest.element(each)
        if part is None or part[0] != target[0]:
            return None
        kept.append([nest.affine(index, loops) for index in part[1]])
    k, (i, j) = symbol(outer.symbol), (symbol(each.symbol) for each in (middle, inner))
    wanted = (
        [[i, j], [i, k], [k, j]],
        [[i, j], [k, j], [i, k]],
        [[j, i], [j, k], [k, i]],
        [[j, i], [k, i], [j, k]],
    )
    if kept not in wanted or array is None or array.dtype.kind not in "iuf":
        return None
    zero = ">=" if array.dtype.kind == "f" else "=="
    return Rounds(outer, (middle, inner), store, f"{target[0]}[{outer.name}, {outer.name}] {zero} 0")


def _relaxed(update: Branch | Store, nest: Nest) -> tuple[Store, ast.BinOp] | None:
    """The store and the sum of ``if s < d: d = s`` or ``d = min(d, s)``, which keeps d if both are equal."""
    old: ast.expr
    through: ast.expr
    match update:
        case Branch(body=(Store(operator=None) as store,), orelse=()):
            compared = _less(update.node.test)
            if compared is None:
                return None
            through, old = compared
            fits = _same(through, store.value)
        case Store(operator=None, value=ast.Call(args=[old, through], keywords=[], func=function)):
            store = update
            fits = nest.function.dotted(function) == "builtins.min"
        case _:
            return None
    added = isinstance(through, ast.BinOp) and isinstance(through.op, ast.Add)
    if not fits or not added or not _same(old, store.target) or not isinstance(through, ast.BinOp):
        return None
    return store, through


def _less(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The smaller and the larger side of a strict comparison."""
    match test:
        case ast.Compare(left=left, ops=[ast.Lt()], comparators=[right]):
            return left, right
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[right]):
            return right, left
    return None


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(one) == ast.unparse(other)
