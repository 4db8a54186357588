"""The iterations of a step as one loop that Numba compiles, where a single one is too little work for a call.

The step is run once in NumPy to see which arrays an iteration makes; the loop keeps memory for each.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nprewrite.lowering.arrays import ArrayArgument, Entry, NumberArgument
from nprewrite.lowering.iterations import Carrying, looped
from nprewrite.lowering.lanewise_loops import LaneNest
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.single_assignment import single_assignment
from nprewrite.runtime.api.backend import Array, Expected, StepFunction
from nprewrite.runtime.api.refusal import Refused, Unusable
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.numba.followed import followed
from nprewrite.runtime.numba.names import resolver
from nprewrite.runtime.numba.plans import Plan
from nprewrite.runtime.numba.source_tree import tree_of
from nprewrite.runtime.numba.sweep import Sweep, argument_type

ITERATIONS = 256
"""Iterations in one call: they take some ten milliseconds at most, after which Ctrl-C is seen."""
MOST_SHAPES = 16
"""Combinations of shapes for which a loop is made."""


class LoopKernel:
    """Runs many iterations of a step over whole arrays in a call; see ``backend.Kernel``."""

    compact_above = 0
    only_reads = True
    torch_operations = ()

    def __init__(
        self, function: StepFunction, expected: Expected, rotation: Sequence[int], scalars: int
    ) -> None:
        """``rotation`` gives for each source the one whose result it takes after an iteration.

        Raises ``Unusable`` where the text of the step is not available or not followed.
        """
        self._function = function
        self._expected = expected
        self._rotation = rotation
        self._loops: dict[tuple[Any, ...], _Loop] = {}
        with followed(Unusable, silent=True):
            self._iteration = single_assignment(tree_of(function))
        self._scalars = self._iteration.parameters[:scalars]

    def run(
        self,
        size: int,
        scalars: Sequence[Array],
        constants: Sequence[Array],
        inputs: Sequence[Array],
        sources: Sequence[Array],
        targets: Sequence[Array],
    ) -> Sequence[Any]:
        numbers = [each[0] for each in constants]
        # Padded to one length, because the code is made for the shapes of its arrays.
        scalars = [np.resize(each, ITERATIONS) for each in scalars]
        key = tuple([(each.dtype, each.shape) for each in (*inputs, *sources)])
        if key not in self._loops:
            self._loops[key] = self._loop([*scalars, *numbers, *inputs], sources)
        for source, target in zip(sources, targets, strict=True):
            np.copyto(target, source)
        return self._loops[key].ran(size, [*scalars, *numbers, *inputs], targets)

    def _made(self, leading: Sequence[Any], sources: Sequence[Array]) -> Mapping[str, Array]:
        """The arrays that an iteration makes; raises ``Unusable`` where a result is not what was declared."""
        iteration = self._iteration
        arguments = [*leading, *(each.copy() for each in sources)]
        with np.errstate(all="ignore"):
            made = self._showing(*arguments)
        values = dict(zip((*iteration.parameters, *iteration.made), (*arguments, *made), strict=True))
        results = [np.asarray(values[name]) for name in iteration.results]
        same = [each.shape == source.shape for each, source in zip(results, sources, strict=False)]
        self._expected.check([each.dtype.name for each in results], same)
        if not all(same) or any(each.ndim == 0 for each in results):
            raise Unusable(
                "shape of a result", "an iteration changes the shape of an array, or gives a number"
            )
        arrays = {name: each for name, each in zip(iteration.made, made, strict=True) if np.ndim(each)}
        return {name: np.empty(each.shape, each.dtype) for name, each in arrays.items()}

    def _loop(self, leading: Sequence[Any], sources: Sequence[Array]) -> _Loop:
        """The loop for arrays of these types and shapes."""
        if len(self._loops) >= MOST_SHAPES:
            raise Refused("many shapes", silent=True)
        iteration, count = self._iteration, len(self._scalars)
        made = self._made([*[each[0] for each in leading[:count]], *leading[count:]], sources)
        names = iteration.parameters[-len(sources) :]
        order = self._rotation or range(len(names))
        carrying = Carrying(names, tuple(iteration.results[each] for each in order))
        arguments = zip(iteration.parameters, (*leading, *sources), strict=True)
        entry = {name: _argument(each) for name, each in {**dict(arguments), **made}.items()}
        entry[iteration.free("trips")] = NumberArgument(INT)
        with followed(Unusable, silent=True):
            nest = looped(iteration, carrying, self._scalars, entry, resolver(self._function))
        text = ast.dump(nest.function)
        alike = (each.sweep for each in self._loops.values() if each.text == text)
        sweep = next(alike, None) or _IterationSweep(self._function, nest)
        return _Loop(sweep, text, carrying, iteration.results, made)

    @functools.cached_property
    def _showing(self) -> Callable[..., tuple[Any, ...]]:
        module = ast.fix_missing_locations(ast.Module([self._iteration.showing()], []))
        names = dict(getattr(self._function, "__globals__", {}))
        exec(compile(module, "<iteration>", "exec"), names)
        found: Callable[..., tuple[Any, ...]] = names[self._iteration.function.name]
        return found


def _argument(value: Any) -> ArrayArgument | NumberArgument:
    """What the loop is told of an argument; raises ``Unusable`` for types that are not followed."""
    known = argument_type(value)
    if known is None:
        raise Unusable("dtype-unsupported", silent=True)
    return replace(known, shape=value.shape) if isinstance(known, ArrayArgument) else known


class _IterationSweep(Sweep):
    """The loop over iterations, made from a step for the types of its arguments."""

    waits = False
    # It is done before anybody waits, and what it has stored can be put back only then.
    looks = False

    def __init__(self, function: StepFunction, nest: LaneNest) -> None:
        super().__init__(function)
        self.counts = frozenset(nest.arguments[:1])
        self._made = nest

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return self._made.arguments

    def _lanes(self, entry: Entry) -> LaneNest:
        return self._made

    def _is_awaited(self, plan: Plan) -> bool:
        """The step tells; how much work its iterations are is not known from its text."""
        return waiting.is_wanted()


@dataclass(frozen=True)
class _Loop:
    """The loop for arrays of given types and shapes; ``made`` are samples of the further arrays it needs."""

    sweep: _IterationSweep
    text: str
    carrying: Carrying
    results: tuple[str, ...]
    made: Mapping[str, Array]

    def ran(self, size: int, leading: Sequence[Any], targets: Sequence[Array]) -> Sequence[Array]:
        """Run ``size`` iterations on the arrays in ``targets``; return the results beyond these."""
        # Memory for each call: another thread may run the loop too.
        made = {name: np.empty_like(each) for name, each in self.made.items()}
        self.sweep._ran([size, *leading, *targets, *made.values()])
        phases = self.carrying.phases
        places = phases[(size - 1) % len(phases)]
        arrays = {**dict(zip(self.carrying.sources, targets, strict=True)), **made}
        found = [arrays[places.get(name, name)] for name in self.results]
        moved = [
            (each.copy(), target) for each, target in zip(found, targets, strict=False) if each is not target
        ]
        for each, target in moved:
            np.copyto(target, each)
        return [each.copy() for each in found[len(targets) :]]
