"""Names in the body of a loop that a step function could not see, or that would mean something else there."""

from __future__ import annotations

import ast

from nprewrite.base.syntax import name_nodes, walk
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.loop import Flow
from nprewrite.source.kept import kept
from nprewrite.source.names import statements_of
from nprewrite.types.problems import Problem


def shows_its_names(function: Function) -> bool:
    """Whether code of a module's own may look at all names of the module."""
    return isinstance(function.node, ast.Module) and function.looks_at_names is not None


def unclear_names(loop: ast.stmt, function: Function) -> Problem | None:
    """Why the names in a loop may not mean what they seem to."""
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` may not be NumPy here", loop)
    dynamic = function.dynamic_call
    if dynamic is not None:
        return Problem("dynamic-scope", f"`{ast.unparse(dynamic.func)}()` sees every name", loop)
    return None


@kept
def bound_by_others(function: Function) -> frozenset[str]:
    """The names that other functions of the module bind by ``global`` and ``nonlocal``, in a call perhaps.

    Declarations of names that are only read are not in the tree.
    """
    own = {*statements_of(function.node)}
    nodes = walk(function.document.tree)
    declared = (each for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) and each not in own)
    return frozenset(name for each in declared for name in each.names)


def foreign_name(flow: Flow) -> Problem | None:
    """A local name that the step could not see: no array, no scalar part, not bound in the step."""
    view, seen = flow.body.view, {*flow.dtypes, *flow.scalars, *flow.sizes}
    if isinstance(view.node, ast.Module):
        return None
    outside = [*(leaf for leaf, _ in flow.leaves), *flow.scalars.values()]
    in_leaves = {id(each) for node in outside for each in walk(node)}
    for statement in flow.body.statements:
        names = [*name_nodes(statement)]
        read = [each.id for each in names if isinstance(each.ctx, ast.Load) and id(each) not in in_leaves]
        name = next((each for each in read if each not in seen and view.is_local(each)), None)
        if name is not None:
            return Problem("stays-in-numpy", f"the step would need `{name}`", statement)
    return None


def hidden_global(flow: Flow, function: Function) -> Problem | None:
    """A global name of a called function that the caller uses for something else."""
    passed = flow.body.passed
    if passed is None:
        return None
    for name in sorted(flow.names_in_leaves() | {*flow.read}):
        if name not in passed and name not in flow.scalars and function.is_local(name):
            text = f"`{name}` means something else in the function called"
            return Problem("unknown-call", text, flow.body.statements[0])
    return None
