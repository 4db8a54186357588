"""Whether the iterations of a step can run as one loop over its lanes, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.base.syntax import walk
from nprewrite.lowering.arrays import ArrayArgument, NumberArgument
from nprewrite.lowering.iterations import Carrying, looped
from nprewrite.lowering.lower import lower
from nprewrite.lowering.numbers import INT, of_real_dtype
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.single_assignment import single_assignment
from nprewrite.program.function import Function
from nprewrite.program.steps import parts, step_values
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar, Value


def loop_problem(function: Function) -> Problem | None:
    """Why the iterations of a step cannot run as one loop; None where they can.

    Arrays of unknown rank are assumed to have the rank that subscripts need; the runtime checks again.
    """
    node, spec = function.as_step()
    try:
        iteration = single_assignment(node)
        axes = max((*_axes(node), *spec.ranks.values()), default=1)
        scalars = [part for name, box in spec.scalars.items() for part in parts(name, box)]
        entry: dict[str, ArrayArgument | NumberArgument] = {iteration.free("trips"): NumberArgument(INT)}
        for name, value in step_values(spec).items():
            entry[name] = _argument(value, axes, boxed=name in scalars)
        for name, written in iteration.written.items():
            made = function.facts.value(written)
            if isinstance(made, Array) and made.rank != 0:
                entry[name] = _argument(made, axes)
        sources = [part for name, box in {**spec.state, **spec.carried}.items() for part in parts(name, box)]
        taken = {part: spec.rotates.get(part, part) for part in sources}
        becomes = [iteration.results[sources.index(taken[each])] for each in sources]
        carrying = Carrying(tuple(sources), tuple(becomes))
        nest = looped(iteration, carrying, scalars, entry, function.dotted)
        lower(nest.function, nest.entry(entry), function.dotted)
    except NotNative as problem:
        return Problem(problem.code, problem.message, problem.place(node))
    return None


def _argument(value: Value, axes: int, *, boxed: bool = False) -> ArrayArgument | NumberArgument:
    """The loop's argument for a value; ``boxed`` scalars are arrays with an element for each iteration."""
    dtype = value.dtype if isinstance(value, Array | Scalar) else None
    number = of_real_dtype(dtype) if dtype is not None else None
    if number is None:
        raise NotNative("dtype-unsupported", f"an array or a number is of {dtype or 'an unknown type'}")
    if boxed:
        return ArrayArgument(number, 1)
    if not isinstance(value, Array):
        return NumberArgument(number)
    return ArrayArgument(number, axes if value.rank is None else value.rank)


def _axes(node: ast.FunctionDef) -> Iterator[int]:
    """The numbers of axes that subscripts name."""
    for each in walk(node):
        if isinstance(each, ast.Subscript):
            yield len(each.slice.elts) if isinstance(each.slice, ast.Tuple) else 1
