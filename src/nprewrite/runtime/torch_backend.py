"""The step through torch.compile. Import this module only where torch is wanted: it imports torch."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
import torch._dynamo

from nprewrite.runtime.backend import STEP_ERRORS, Array, Expected, StepFunction
from nprewrite.runtime.numpy_backend import NumpyMemory
from nprewrite.runtime.refusal import CompileFailed
from nprewrite.runtime.spec import DType

Tensor = Any
Compiled = Callable[..., tuple[tuple[str, ...], tuple[bool, ...], tuple[Tensor, ...]]]

SUPPORTED = frozenset(
    np.dtype(name)
    for name in "bool int8 int16 int32 int64 uint8 float16 float32 float64 complex64 complex128".split()
)
# Inductor decides from the sizes of the first call whether a kernel runs on several threads.
NOMINAL_LANES = 1 << 16


def kept_as(dtype: DType) -> DType:
    """The dtype of the buffer for ``dtype``: a kernel that writes bool takes three times as long."""
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def machine() -> str:
    """What decides the speed of a kernel here, beyond the processor's name."""
    return f"{torch.__version__} {torch.backends.cpu.get_cpu_capability()} {torch.get_num_threads()}"


class TorchMemory:
    """Buffers are CPU tensors; see ``backend.Memory``. Large copies run on all of torch's threads."""

    def __init__(self) -> None:
        self._numpy = NumpyMemory()

    def empty(self, size: int, dtype: DType) -> Tensor:
        return torch.from_numpy(np.empty(size, kept_as(dtype)))

    def wrap(self, array: Array) -> Tensor:
        return torch.from_numpy(array.view(kept_as(array.dtype)))

    def view(self, buffer: Tensor) -> Array:
        array: Array = buffer.numpy()
        return array

    def load(self, buffers: Sequence[Tensor], array: Array) -> None:
        if not (array.flags.c_contiguous and array.flags.writeable):
            self._numpy.load([self.view(buffer) for buffer in buffers], array)
            return
        flat = self.wrap(array).reshape(-1)
        sources = (flat,) if len(buffers) == 1 else torch.view_as_real(flat).unbind(-1)
        for buffer, source in zip(buffers, sources, strict=True):
            buffer.view(-1).copy_(source)

    def store(self, array: Array, buffers: Sequence[Tensor]) -> None:
        if not array.flags.c_contiguous:
            self._numpy.store(array, [self.view(buffer) for buffer in buffers])
            return
        flat = self.wrap(array).reshape(-1)
        if len(buffers) == 1:
            flat.copy_(buffers[0].reshape(-1))
            return
        torch.complex(buffers[0].reshape(-1), buffers[1].reshape(-1), out=flat)

    def take(self, source: Tensor, index: Array, out: Tensor) -> None:
        torch.index_select(source, 0, torch.from_numpy(index), out=out)

    def put(self, target: Tensor, index: Array, source: Tensor) -> None:
        target.scatter_(0, torch.from_numpy(index), source)


class TorchKernel:
    """One graph for each number of iterations; see ``backend.Kernel``.

    With ``lanewise`` the lanes are a dynamic dimension from the start, so a graph serves every size.
    """

    compact_above = 1 << 14

    def __init__(self, function: StepFunction, expected: Expected, *, lanewise: bool) -> None:
        self._function = function
        self._expected = expected
        self._lanewise = lanewise
        self._compiled: dict[int, Compiled] = {}
        # Inductor's patterns are of matrix products and attention; to load them takes a third of a second.
        self._options = {"pattern_matcher": False} if lanewise else {}
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
        extra = targets[len(sources) :] if self._lanewise else targets
        arguments = (*scalars, *constants, *inputs, *sources, *extra)
        with torch.no_grad():
            if size not in self._compiled:
                self.compile(size, scalars, constants, arguments[len(scalars) + len(constants) :])
            return self._call(self._compiled[size], arguments)

    def compile(
        self, size: int, scalars: Sequence[Tensor], constants: Sequence[Tensor], arrays: Sequence[Tensor]
    ) -> None:
        """Make the graph of ``size`` iterations by a call on copies; raise ``CompileFailed``."""
        prober = threading.Thread(target=_probe_vector_instructions, daemon=True)
        prober.start()
        compiled: Compiled = torch.compile(
            self._chunk(size, len(scalars), len(constants)), fullgraph=True, options=self._options
        )
        try:
            copies = [self._nominal(array) for array in arrays]
            self._call(compiled, (*scalars, *constants, *copies))
        except STEP_ERRORS as error:
            summary = str(error).strip().split("\n")[0]
            raise CompileFailed(
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

    def _chunk(self, size: int, scalars: int, constants: int) -> Callable[..., Any]:
        """The function to compile: tensors in, results written to tensors, dtypes and shapes out."""
        step = self._function
        expected = self._expected
        lanewise = self._lanewise
        first_input = scalars + constants
        first_source = first_input + len(expected.inputs)
        first_target = first_source + len(expected.sources)
        bools = [dtype.kind == "b" for dtype in expected.inputs + expected.sources]

        def chunk(*tensors: Tensor) -> Any:
            boxes = tensors[:scalars]
            fixed = [tensor.numpy() for tensor in tensors[scalars:first_input]]
            arrays = [
                tensor.numpy() != 0 if is_bool else tensor.numpy()
                for tensor, is_bool in zip(tensors[first_input:first_target], bools, strict=True)
            ]
            inputs = arrays[: len(expected.inputs)]
            results = arrays[len(expected.inputs) :]
            for j in range(size):
                results = step(*[box[j].numpy() for box in boxes], *fixed, *inputs, *results[: len(expected.sources)])
            targets = tensors[first_source:] if lanewise else tensors[first_target:]
            values = [torch.as_tensor(result) for result in results]
            # The clones keep a step that swaps two names from reading a buffer already overwritten.
            kept = [_encode(value).clone() for value in values]
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

    It remembers the answer for the process; asked only when the kernel is generated it costs most of a second.
    """
    try:
        from torch._inductor.cpu_vec_isa import pick_vec_isa

        pick_vec_isa()
    except STEP_ERRORS:
        # The same problem comes up, and is reported, when the kernel is generated.
        return


def _encode(value: Tensor) -> Tensor:
    if value.dtype != torch.bool:
        return value
    # Straight to uint8 Inductor writes one element at a time; through int32 it writes vectors.
    return value.to(torch.int32).to(torch.uint8)


def _distinct(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy with a code object of its own, because Dynamo counts recompilations by code object."""
    assert isinstance(function, types.FunctionType)
    code = function.__code__.replace()
    copy = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
