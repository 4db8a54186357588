"""The computation of a function in float32 and complex64.

Why: processors compute, and memory moves, twice as many float32 as float64 numbers at once, and most GPUs
compute float64 at a fraction of their speed.

    u = np.zeros(n)              ->  u = np.zeros(n, dtype=np.float32)
    r = np.arange(n) * u         ->  r = np.arange(n).astype(np.float32) * u
    return (r * r).sum()         ->  return np.float32((r * r).sum(dtype=np.float64))

Safety: fast, and only on request (``precision="float32"``). Types, shapes, integers and the dtypes of the
caller's arrays stay; values have 7 digits instead of 16, and results are float32 unless NumPy's dtypes are
asked for. Iterations that would wait for more digits are refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nprewrite.analysis.tolerances import tolerance_problem
from nprewrite.emit.single_precision.expressions import NotNarrowed
from nprewrite.emit.single_precision.statements import FunctionNarrowing
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import stays
from nprewrite.program.function import Function
from nprewrite.regions.nests.scalar_sums import is_unclear, of_two_types, python_starts
from nprewrite.source.edits import NodeEdit, Wrap
from nprewrite.source.nodes import call, expression
from nprewrite.types.problems import Problem
from nprewrite.types.single_precision import is_double
from nprewrite.types.values import Array, Unknown


@dataclass(frozen=True)
class Site:
    """A function to compute in single precision, with the edits for it, or why there are none."""

    node: ast.FunctionDef
    found: tuple[NodeEdit, ...] | Problem


class Float32(RewritePass[Site, tuple[NodeEdit, ...]]):
    """NPR502."""

    code = "NPR502"
    name = "float32"
    summary = 'with `precision="float32"`: the function computes in float32 and complex64'
    level = Level.FAST
    names_attributes = True
    repeats = True
    waits = True

    def match(self, function: Function) -> Iterator[Site]:
        """The function, if it computes in double precision, or that cannot be known."""
        if function.module.precision is None or function.step is not None:
            return
        if not isinstance(function.node, ast.FunctionDef) or "<locals>" in function.name:
            return
        found = _edits(function)
        if found:
            yield Site(function.node, found)

    def node(self, site: Site) -> ast.stmt:
        return site.node

    def check(self, site: Site, function: Function) -> tuple[NodeEdit, ...] | Refusal | Deferral:
        """The types are those of a call, or all follow from the text."""
        found = site.found
        assumed = [
            name
            for name, value in function.parameter_values.items()
            if isinstance(value, Array) and value.assumed
        ]
        if assumed and function.can_defer:
            return Deferral(f"the type of parameter `{assumed[0]}` is only known at a call")
        if not isinstance(found, Problem):
            return found
        return stays(found, function, at=found.node)

    def rewrite(self, site: Site, proof: tuple[NodeEdit, ...], function: Function) -> Change:
        """Casts, and dtypes of new arrays."""
        return Change(proof, message="computed in float32")


def _edits(function: Function) -> tuple[NodeEdit, ...] | Problem:
    """The next edits; sums start as NumPy's numbers only where the function is narrowed then.

    ``s = 0.5`` beside complex64 keeps it, ``s = np.float64(0.5)`` that nothing narrows would widen it.
    """
    starts = _started(function)
    if isinstance(starts, Problem) or not starts:
        return starts or _narrowed(function)
    after = replace(function.module, document=function.document.replaced(starts), results={})
    then = _narrowed(next(each for each in after.functions if each.name == function.name))
    if isinstance(then, Problem):
        return _narrowed(function)
    return starts if then else ()


def _started(function: Function) -> tuple[NodeEdit, ...] | Problem:
    """Edits that start sums and errors as NumPy numbers, so that their types are known for the casts."""
    assert function.module.precision is not None
    numpy = function.names.numpy_name(function.node)
    kept = function.module.precision.keep_float64
    starts = python_starts(function)

    def computed(node: ast.expr) -> bool:
        value = function.facts.value(node)
        unclear = isinstance(node, ast.Name) and (
            is_unclear(value) if node.id not in function.parameter_values else isinstance(value, Unknown)
        )
        named = isinstance(node, ast.Name) and node.id in kept
        return (unclear or is_double(value)) and not named

    # Checked first, because a refusal leaves the text as it is.
    problem = tolerance_problem(function, computed) if starts else None
    if problem is not None:
        return problem
    return tuple(Wrap(each, lambda made: call(expression(f"{numpy}.float64"), [made])) for each in starts)


def _narrowed(function: Function) -> tuple[NodeEdit, ...] | Problem:
    """The edits for a function, or why something in it cannot be narrowed."""
    assert function.module.precision is not None
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` may not be NumPy here", function.node)  # type: ignore[arg-type]
    mixed = of_two_types(function)
    if mixed is not None:
        text = f"`{mixed}` is one of NumPy's numbers on one path and one of Python's on another"
        return Problem("dtype-unknown", text, function.node)  # type: ignore[arg-type]
    narrowing = FunctionNarrowing(function, function.module.precision)

    def computed(node: ast.expr) -> bool:
        return is_double(function.facts.value(node)) and not narrowing.is_named(node)

    problem = tolerance_problem(function, computed)
    if problem is not None:
        return problem
    try:
        return tuple(narrowing.edits())
    except NotNarrowed as refused:
        return refused.problem
