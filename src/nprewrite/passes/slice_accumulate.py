"""Sums into parts of an array, in a step, as sums of whole arrays that are neutral outside the parts.

Why: each store into a part is one more select around all the stores before it; whole arrays are summed in one
loop. A value that is added in one place and subtracted in another is computed once.

    d[:, :-1] += K * np.sin(x)            d_term = K * np.sin(x)
    d[:, 1:] += K * np.sin(-x)      ->    d_part = np.full_like(d, -0.0)
                                          d_part[:, :-1] = d_term
                                          d += d_part
                                          ...

Safety: ``x + -0.0`` and ``x - 0.0`` are ``x`` in every bit, also for -0.0, infinities and nan, so that the
sums are exact. A part has the dtype in which the sum is taken. A value is shared only while nothing that it
reads changes; ``np.sin(-x)`` as ``-np.sin(x)`` may be rounded differently.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from nprewrite.passes.contract import Change, ProvedPass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.regions.array_loops.accumulations import Accumulation, accumulations
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import Statement, expression, statements
from nprewrite.types.values import Array, Scalar


class SliceAccumulate(ProvedPass[Accumulation]):
    """NPR302."""

    code = "NPR302"
    name = "slice-accumulate"
    summary = "sums into parts of an array become sums of whole arrays, with shared values computed once"
    level = Level.EXACT

    def match(self, function: Function) -> Iterator[Accumulation]:
        """The sums into parts of arrays that get two or more."""
        if function.step is not None and not function.step.lanewise:
            yield from accumulations(function)

    def level_of(self, site: Accumulation, function: Function) -> Level:
        """Rounding where a value is computed as the negative of another."""
        return Level.ROUNDING if site.sign < 0 else Level.EXACT

    def node(self, site: Accumulation) -> ast.stmt:
        return site.statement

    def rewrite(self, site: Accumulation, proof: Accumulation, function: Function) -> Change:
        """A shared value's name, a neutral array, the value in its part of that, and the sum."""
        document, statement = function.document, site.statement
        array = function.facts.value(site.target.value)
        assert isinstance(array, Array)
        adds = isinstance(statement.op, ast.Add) == (site.sign > 0)
        made = [each for line in _lines(site, array, adds, function) for each in line]
        edit = Replace(statement, document.with_comments_of(statement, made))
        message = f"`{ast.unparse(site.target)}` is summed as a whole array"
        if site.first is not statement:
            message += f", of the value of line {document.position(site.first)[0]}"
        return Change((edit,), message=message)


def _lines(
    site: Accumulation, array: Array, adds: bool, function: Function
) -> Iterator[tuple[Statement, ...]]:
    """``term = value`` if it is shared, the neutral array, the value in its part of that, and the sum."""
    document, name = function.document, site.name
    numpy = function.names.numpy_name(function.node)
    value = document.expression(site.statement.value)
    if site.term:
        if site.first is site.statement:
            yield statements("{term} = {value}", term=site.term, value=value)
        value = expression(site.term)
    part = function.names.fresh(f"{name}_part")
    target = document.changed(site.target, [Replace(site.target.value, (expression(part),))])
    if not _fits(site, function):
        value = expression("{np}.broadcast_to({value}, {target}.shape)", np=numpy, value=value, target=target)
    dtype = _dtype_of_sum(site, function)
    own = f", dtype={numpy}.{dtype.name}" if dtype is not None and dtype != array.dtype else ""
    negative = adds and array.dtype.kind == "f"
    neutral = f"full_like({name}, -0.0{own})" if negative else f"zeros_like({name}{own})"
    yield statements(f"{part} = {numpy}.{neutral}")
    yield statements("{target} = {value}", target=target, value=value)
    yield statements(f"{name} {'+' if adds else '-'}= {part}")


def _fits(site: Accumulation, function: Function) -> bool:
    """Whether the value has no more axes than the part: an assignment would drop axes of one element."""
    value, part = function.facts.value(site.statement.value), function.facts.value(site.target)
    if isinstance(value, Scalar) or isinstance(part, Scalar):
        return isinstance(value, Scalar)
    if not isinstance(value, Array) or not isinstance(part, Array):
        return False
    return value.rank is not None and part.rank is not None and value.rank <= part.rank


def _dtype_of_sum(site: Accumulation, function: Function) -> np.dtype[np.generic] | None:
    """The dtype in which the sum is taken, before it is stored."""
    array, value = function.facts.value(site.target.value), function.facts.value(site.statement.value)
    probe = ast.copy_location(ast.Constant(0), site.statement.value)
    function.facts.expressions.binary(type(site.statement.op).__name__, [array, value], probe)
    loop = function.facts.expressions.loops.get(probe)
    return loop[-1] if loop is not None else None
