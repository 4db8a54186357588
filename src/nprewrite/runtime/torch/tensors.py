"""Lanes as CPU tensors. Import this module only where torch is wanted: it imports torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from nprewrite.runtime.api.backend import Array
from nprewrite.runtime.api.numpy_backend import NumpyMemory
from nprewrite.runtime.api.spec import DType

Tensor = Any

SUPPORTED = frozenset(map(np.dtype, ["?", "i1", "i2", "i4", "i8", "u1", "f4", "f8", "c8", "c16"]))


def dtype_name(dtype: Any) -> str:
    """The name of one of torch's dtypes, which is NumPy's name where NumPy has that dtype."""
    return str(dtype).removeprefix("torch.")


def kept_as(dtype: DType) -> DType:
    """The dtype of the buffer for ``dtype``: a kernel that writes bool takes three times as long."""
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def machine() -> str:
    """What decides the speed of a kernel here, besides the processor's name."""
    return f"{torch.__version__} {torch.backends.cpu.get_cpu_capability()} {torch.get_num_threads()}"


class TorchMemory:
    """Buffers are CPU tensors; see ``backend.Memory``. Large copies run on all of torch's threads."""

    def __init__(self) -> None:
        self._numpy = NumpyMemory()

    def empty(self, size: int, dtype: DType) -> Tensor:
        return torch.from_numpy(np.empty(size, kept_as(dtype)))

    def wrap(self, array: Array) -> Tensor:
        tensor = torch.from_numpy(array if array.dtype.kind != "b" else array.view(np.uint8))
        # Graphs are made for torch's strides; NumPy's differ where there are no elements.
        return tensor if array.size else torch.empty(tensor.shape, dtype=tensor.dtype)

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
