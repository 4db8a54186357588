"""The step through torch.compile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nprewrite.base.signal_handlers import interrupts
from nprewrite.runtime.api.backend import STEP_ERRORS, Array, Expected, StepFunction
from nprewrite.runtime.api.refusal import Refused, Unusable
from nprewrite.runtime.api.spec import DType
from nprewrite.runtime.torch import artifacts
from nprewrite.runtime.torch.jobs import Shape
from nprewrite.runtime.torch.package import Package
from nprewrite.runtime.torch.portable import NotPortable, Portable, pack

# Inductor decides from the sizes of the first call whether a kernel runs on several threads.
NOMINAL_LANES = 1 << 16
_NOMINAL_FEW_LANES, _FEW_LANES = 1 << 10, 1 << 12
"""For no more than the second number a graph runs on one thread: others wait as long for a core that another
program uses as they compute."""
MOST_GRAPHS = 4
"""Graphs that are made for further shapes, for one number of iterations."""


class TorchKernel:
    """Graphs for each number of iterations; see ``backend.Kernel``.

    With ``lanewise`` the lanes are a dynamic dimension from the start, so a graph serves every size.
    Otherwise the first graph is for the first shapes; in later ones the axes that have varied are dynamic.
    """

    compact_above = 1 << 14
    only_reads = True

    def __init__(self, function: StepFunction, expected: Expected, *, lanewise: bool) -> None:
        self._step = _portable(function)
        self._expected = expected
        self._lanewise = lanewise
        self._graphs: dict[int, list[tuple[Shape, Package]]] = {}
        self._fitting: dict[tuple[int, tuple[tuple[int, ...], ...]], Package] = {}
        # Working in place saves memory traffic, but where b takes a's old value Inductor stores a's new one.
        self._in_place = lanewise and not passes_values_on(function, expected)
        self._checked: tuple[tuple[str, ...], tuple[bool, ...]] | None = None

    @property
    def torch_operations(self) -> tuple[str, ...]:
        """What its graphs call torch for."""
        made = [each for graphs in self._graphs.values() for _, each in graphs]
        return tuple(dict.fromkeys(name for each in made for name in each.operations))

    def run(
        self,
        size: int,
        scalars: Sequence[Array],
        constants: Sequence[Array],
        inputs: Sequence[Array],
        sources: Sequence[Array],
        targets: Sequence[Array],
    ) -> Sequence[Any]:
        results = list(targets)
        if self._in_place:
            del results[: len(sources)]
        elif self._lanewise:
            results[: len(sources)] = [np.empty_like(source) for source in sources]
        arguments = (*scalars, *constants, *inputs, *sources, *results)
        dtypes, same_shape, rest = self._compiled(size, arguments)(*arguments)
        if (dtypes, same_shape) != self._checked:
            self._expected.check(dtypes, same_shape)
            self._checked = (dtypes, same_shape)
        if self._lanewise and not self._in_place:
            for source, result in zip(sources, results, strict=False):
                np.copyto(source, result)
        return rest

    def fitting(self, shapes: tuple[tuple[int, ...], ...]) -> Package | None:
        """The graph of one iteration that has run on arrays of these shapes; None where there is none."""
        return self._fitting.get((1, shapes))

    def _compiled(self, size: int, arguments: Sequence[Array]) -> Package:
        """The graph of ``size`` iterations that fits the arguments; see ``artifacts.graph`` for errors."""
        key = size, tuple([each.shape for each in arguments])
        if key not in self._fitting:
            graphs = self._graphs.setdefault(size, [])
            suiting = (graph for shape, graph in graphs if self._suits(shape, arguments))
            fitting = next((graph for graph in suiting if graph.fits(*arguments)), None)
            if fitting is None:
                fitting = self._further(size, arguments)
            self._fitting[key] = fitting
        return self._fitting[key]

    def _suits(self, shape: Shape, arguments: Sequence[Array]) -> bool:
        """Whether a graph is made for so many lanes; that for many serves few, too."""
        return not self._lanewise or shape.tensors[-1][0][0] >= _nominal(arguments)

    def _further(self, size: int, arguments: Sequence[Array]) -> Package:
        graphs = self._graphs[size]
        if len(graphs) >= MOST_GRAPHS:
            raise Refused(
                "many shapes",
                f"the arrays have more combinations of shapes than {MOST_GRAPHS} compiled graphs cover",
            )
        shape = self._shape(size, arguments)
        try:
            made = artifacts.graph(self._step, self._expected, shape)
        except Unusable as failure:
            if not graphs:
                raise
            # The existing graphs still serve other shapes.
            raise Refused(failure.reason, failure.detail) from failure
        graphs.append((shape, made))
        return made

    def _shape(self, size: int, arguments: Sequence[Array]) -> Shape:
        tensors = tuple((tuple(each.shape), _kept_as(each.dtype)) for each in arguments)
        graphs = self._graphs[size]
        dynamic: tuple[tuple[int, int], ...] = ()
        if self._lanewise:
            boxes = len(self._expected.scalars) + len(self._expected.constants)
            dynamic = tuple((number, 0) for number in range(boxes, len(tensors)))
            lanes = tuple(((_nominal(arguments),), dtype) for _, dtype in tensors[boxes:])
            tensors = tensors[:boxes] + lanes
        else:
            found = {pair for before, _ in graphs for pair in _different(before.tensors, tensors)}
            dynamic = tuple(sorted(found))
        return Shape(size, self._lanewise, self._in_place, tensors, dynamic)


def _nominal(arguments: Sequence[Array]) -> int:
    """The lanes that a graph for such arguments is made for; the last one has as many as there are."""
    return _NOMINAL_FEW_LANES if arguments[-1].size <= _FEW_LANES else NOMINAL_LANES


def _different(
    before: tuple[tuple[tuple[int, ...], str], ...], now: tuple[tuple[tuple[int, ...], str], ...]
) -> tuple[tuple[int, int], ...]:
    """The (tensor, axis) pairs whose length has changed."""
    pairs = enumerate(zip(before, now, strict=True))
    return tuple(
        (number, axis)
        for number, ((old, _), (new, _)) in pairs
        if len(old) == len(new)
        for axis in range(len(new))
        if old[axis] != new[axis]
    )


def _kept_as(dtype: DType) -> str:
    """The dtype of the tensor for an array: a kernel that writes bool takes three times as long."""
    return "uint8" if dtype.kind == "b" else dtype.name


def _portable(function: StepFunction) -> Portable:
    try:
        return pack(function)
    except NotPortable as problem:
        raise Unusable(
            "not compiled apart",
            f"the step cannot be compiled in a process of its own: {problem}, expected functions of NumPy",
        ) from problem


def passes_values_on(function: StepFunction, expected: Expected) -> bool:
    """Whether an iteration may return a value that it was given under another name.

    Decided by running it in NumPy on values that all differ. ``a, b = b, a`` does, and so does
    ``old = a.copy()``; of a step that cannot run on such values it is assumed.
    """
    rng = np.random.default_rng(0)
    boxes = [_sample(rng, dtype, ()) for dtype in expected.scalars + expected.constants]
    inputs = [_sample(rng, dtype, (64,)) for dtype in expected.inputs]
    sources = [_sample(rng, dtype, (64,)) for dtype in expected.sources]
    try:
        with np.errstate(all="ignore"):
            results = function(*boxes, *inputs, *sources)
    except STEP_ERRORS as error:
        if interrupts(error):
            raise
        return True
    return any(
        i != j and np.array_equal(result, source)
        for i, result in enumerate(results)
        for j, source in enumerate(sources)
    )


def _sample(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> Any:
    drawn = rng.random(shape)
    return drawn < 0.5 if dtype.kind == "b" else (1 + 100 * drawn).astype(dtype)
