"""The step through torch.compile. Import this module only where torch is wanted: it imports torch."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
import torch._dynamo

from nprewrite.runtime.backend import STEP_ERRORS, Expected, StepFunction
from nprewrite.runtime.refusal import Unusable
from nprewrite.runtime.spec import DType

Tensor = Any
Compiled = Callable[..., tuple[tuple[str, ...], tuple[bool, ...], tuple[Tensor, ...]]]

# Inductor decides from the sizes of the first call whether a kernel runs on several threads.
NOMINAL_LANES = 1 << 16
# What makes an unrolled elementwise recurrence one kernel, compiled in seconds.
LANEWISE_OPTIONS: dict[str, Any] = {
    # An iteration's values are inlined into the next one's at every use, which grows exponentially with the
    # iterations, unless a value of more than a few operations gets a name.
    "realize_opcount_threshold": 8,
    # More named values than this are split over several kernels, with bool masks written in between.
    "max_fusion_size": 4096,
    # The patterns are of matrix products and attention; loading them takes a third of a second.
    "pattern_matcher": False,
}


class TorchKernel:
    """One graph for each number of iterations; see ``backend.Kernel``.

    With ``lanewise`` the lanes are a dynamic dimension from the start, so a graph serves every size.
    """

    compact_above = 1 << 14

    def __init__(self, function: StepFunction, expected: Expected, *, lanewise: bool) -> None:
        self._function = _importable(function)
        self._expected = expected
        self._lanewise = lanewise
        self._compiled: dict[int, Compiled] = {}
        self._options = LANEWISE_OPTIONS if lanewise else {}
        # In place saves memory traffic, but where b takes a's old value Inductor stores a's new one.
        self._in_place = lanewise and not passes_values_on(function, expected)
        self._checked: tuple[tuple[str, ...], tuple[bool, ...]] | None = None

    def run(
        self,
        size: int,
        scalars: Sequence[Tensor],
        constants: Sequence[Tensor],
        inputs: Sequence[Tensor],
        sources: Sequence[Tensor],
        targets: Sequence[Tensor],
    ) -> Sequence[Any]:
        results = list(targets)
        if self._in_place:
            del results[: len(sources)]
        elif self._lanewise:
            results[: len(sources)] = [torch.empty_like(source) for source in sources]
        arrays = (*inputs, *sources, *results)
        with torch.no_grad():
            if size not in self._compiled:
                self._compile(size, (*scalars, *constants), arrays)
            rest = self._call(self._compiled[size], (*scalars, *constants, *arrays))
            if self._lanewise and not self._in_place:
                for source, result in zip(sources, results, strict=False):
                    source.copy_(result)
        return rest

    def _compile(self, size: int, boxes: Sequence[Tensor], arrays: Sequence[Tensor]) -> None:
        """Make the graph of ``size`` iterations by a call on copies; raise ``Unusable``."""
        prober = threading.Thread(target=_probe_vector_instructions, daemon=True)
        prober.start()
        compiled: Compiled = torch.compile(self._chunk(size), fullgraph=True, options=self._options)
        try:
            copies = [self._nominal(array) for array in arrays]
            self._call(compiled, (*boxes, *copies))
        except STEP_ERRORS as error:
            summary = str(error).strip().split("\n")[0]
            raise Unusable(
                "torch.compile failed",
                f"torch.compile says {type(error).__name__}: {summary}, expected a kernel; "
                "see that a C++ compiler is installed, or set NPREWRITE_DISABLE=1",
            ) from error
        finally:
            prober.join()
        self._compiled[size] = compiled

    def _call(self, compiled: Compiled, arguments: Sequence[Tensor]) -> Sequence[Any]:
        dtypes, same_shape, rest = compiled(*arguments)
        if (dtypes, same_shape) != self._checked:
            self._expected.check(dtypes, same_shape)
            self._checked = (dtypes, same_shape)
        return rest

    def _nominal(self, array: Tensor) -> Tensor:
        if not self._lanewise:
            return array.clone()
        repeats = -(-NOMINAL_LANES // len(array))
        copy = array[:NOMINAL_LANES].repeat(repeats)[:NOMINAL_LANES].clone()
        torch._dynamo.mark_dynamic(copy, 0)
        return copy

    def _chunk(self, size: int) -> Callable[..., Any]:
        """The function to compile: tensors in, results written to tensors, dtypes and shapes out."""
        step = self._function
        expected = self._expected
        in_place, lanewise = self._in_place, self._lanewise
        scalars, constants = len(expected.scalars), len(expected.constants)
        first_source = scalars + constants + len(expected.inputs)
        first_target = first_source + len(expected.sources)
        dtypes = expected.scalars + expected.constants + expected.inputs + expected.sources
        bools = [dtype.kind == "b" for dtype in dtypes]

        def chunk(*tensors: Tensor) -> Any:
            arrays = [
                tensor != 0 if is_bool else tensor
                for tensor, is_bool in zip(tensors[:first_target], bools, strict=True)
            ]
            boxes = arrays[:scalars]
            fixed = [array.numpy() for array in arrays[scalars:first_source]]
            sources = arrays[first_source:]
            # A step over whole arrays may store into them: into copies, which are never made, and not into
            # the sources too.
            results: Sequence[Any] = [(each if lanewise else each.clone()).numpy() for each in sources]
            for j in range(size):
                current = results[: len(expected.sources)]
                results = step(*[box[j].numpy() for box in boxes], *fixed, *current)
            targets = tensors[first_source:] if in_place else tensors[first_target:]
            values = [torch.as_tensor(result) for result in results]
            kept = [_encode(value) for value in values]
            for target, value in zip(targets, kept, strict=False):
                target.copy_(value)
            return (
                tuple([str(value.dtype).removeprefix("torch.") for value in values]),
                tuple([a.shape == b.shape for a, b in zip(kept, targets, strict=False)]),
                tuple(kept[len(targets) :]),
            )

        return _distinct(chunk)


def _probe_vector_instructions() -> None:
    """Let Inductor try the processor's vector instructions, in child processes, while Dynamo traces.

    It remembers the answer; asked only when the kernel is generated, that is most of a second lost.
    """
    try:
        from torch._inductor.cpu_vec_isa import pick_vec_isa

        pick_vec_isa()
    except STEP_ERRORS:
        # The same problem comes up, and is reported, when the kernel is generated.
        return


def passes_values_on(function: StepFunction, expected: Expected) -> bool:
    """Whether an iteration may give a value that it was given back under another name.

    Decided by running it in NumPy on values that all differ. ``a, b = b, a`` does, and so does
    ``old = a.copy()``; a step that cannot run on such values may.
    """
    rng = np.random.default_rng(0)
    boxes = [_sample(rng, dtype, ()) for dtype in expected.scalars + expected.constants]
    inputs = [_sample(rng, dtype, (64,)) for dtype in expected.inputs]
    sources = [_sample(rng, dtype, (64,)) for dtype in expected.sources]
    try:
        with np.errstate(all="ignore"):
            results = function(*boxes, *inputs, *sources)
    except STEP_ERRORS:
        return True
    return any(
        i != j and np.array_equal(result, source)
        for i, result in enumerate(results)
        for j, source in enumerate(sources)
    )


def _sample(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> Any:
    drawn = rng.random(shape)
    return drawn < 0.5 if dtype.kind == "b" else (1 + 100 * drawn).astype(dtype)


def _encode(value: Tensor) -> Tensor:
    if value.dtype != torch.bool:
        return value
    # Straight to uint8 Inductor writes one element at a time; through int32 it writes vectors.
    return value.to(torch.int32).to(torch.uint8)


def _importable(function: StepFunction) -> StepFunction:
    """The function, in a module that can be imported: Dynamo imports the module of what it inlines.

    A program run with ``runpy`` or loaded from a path by hand is in no module that ``sys.modules`` knows.
    """
    if not isinstance(function, types.FunctionType) or function.__globals__.get("__name__") in sys.modules:
        return function
    names = {**function.__globals__, "__name__": __name__, "__package__": __package__}
    return types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )


def _distinct(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy with a code object of its own, because Dynamo counts recompilations by code object."""
    assert isinstance(function, types.FunctionType)
    code = function.__code__.replace()
    copy = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
