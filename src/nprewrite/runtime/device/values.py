"""What an array on a device holds, and how it gets there and back; see ``array``. Imports torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from nprewrite.runtime.api.spec import DType
from nprewrite.runtime.device.devices import DeviceProblem, Placed, Placement, current
from nprewrite.runtime.torch.tensors import SUPPORTED, dtype_name

Tensor = Any
Host = np.ndarray[Any, Any]


class DeviceValue(Placed):
    """A tensor of any shape, and of a dtype that NumPy and torch share; ``tensor`` shares its memory."""

    __slots__ = ("_base", "_tensor", "_version")

    def __init__(self, tensor: Tensor, base: Tensor | None = None) -> None:
        self._tensor = tensor
        # torch has no negative strides: a reversed array is a copy, stale when its base is written.
        self._base = base
        self._version = None if base is None else base._version

    @property
    def tensor(self) -> Tensor:
        if self._base is not None and self._base._version != self._version:
            raise DeviceProblem("reversed view", "an array was changed while a reversed view of it is in use")
        return self._tensor

    @property
    def dtype(self) -> DType:
        return numpy_dtype(self._tensor)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._tensor.shape)

    @property
    def ndim(self) -> int:
        return int(self._tensor.ndim)

    @property
    def size(self) -> int:
        return int(self._tensor.numel())

    @property
    def itemsize(self) -> int:
        return int(self._tensor.element_size())

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize


def copied(array: Host, placement: Placement) -> Tensor:
    """The tensor of a copy on the device of a call. Raises ``DeviceProblem`` for dtypes that torch lacks."""
    if array.dtype not in SUPPORTED or not array.dtype.isnative:
        raise DeviceProblem("dtype", f"torch does not compute with {array.dtype.str} as NumPy does")
    placement.transfers.sent += array.nbytes
    # Laid out as in NumPy. torch takes no read-only memory, and on the CPU it would share the user's.
    own = placement.device.type == "cpu" or not array.flags.writeable
    host = np.array(array, order="C") if own else np.asarray(array, order="C")
    return torch.from_numpy(host).to(placement.device)


def fetched(array: DeviceValue) -> Host:
    """A copy of an array in NumPy's memory."""
    placement = current()
    if placement is not None:
        placement.transfers.fetched += array.nbytes
    tensor = array.tensor.detach().resolve_conj().resolve_neg()
    if tensor.device.type == "meta":
        raise DeviceProblem("no values", "the values of an array on the device 'meta' are asked for")
    host: Host = tensor.to("cpu", copy=True).contiguous().numpy()
    return host


def value_of(array: DeviceValue) -> Any:
    """The only element, as a NumPy scalar; Python waits for the device."""
    placement = current()
    if placement is not None:
        placement.transfers.values += 1
    return fetched(array).reshape(-1)[0] if array.size == 1 else fetched(array).item()


def tensor_of(value: Any, device: Any) -> Any:
    """The tensor of an array, or of a NumPy scalar, which stays on the CPU; other values as they are."""
    if isinstance(value, DeviceValue):
        return value.tensor
    if isinstance(value, np.generic):
        # On the CPU: torch takes a number from there without a copy, and its dtype counts.
        return torch.as_tensor(value.item(), dtype=torch_dtype(value.dtype), device="cpu")
    if isinstance(value, np.ndarray):
        placement = current() or Placement(device)
        return copied(value, placement)
    return value


def torch_dtype(dtype: DType) -> Any:
    """torch's dtype for NumPy's. Raises ``DeviceProblem`` where they do not compute the same."""
    if dtype not in SUPPORTED:
        raise DeviceProblem("dtype", f"torch does not compute with {dtype} as NumPy does")
    return getattr(torch, dtype.name)


def numpy_dtype(tensor: Tensor) -> DType:
    """NumPy's dtype for a tensor. Raises ``DeviceProblem`` where there is none."""
    try:
        return np.dtype(dtype_name(tensor.dtype))
    except TypeError:
        text = f"a tensor has the dtype {tensor.dtype}, expected one that NumPy has"
        raise DeviceProblem("dtype", text) from None


def shares(left: Tensor, right: Tensor) -> bool:
    """Whether two tensors lie in one piece of memory."""
    # Addresses do not tell: on "meta" all are the same.
    same: bool = left.untyped_storage()._cdata == right.untyped_storage()._cdata
    return same
