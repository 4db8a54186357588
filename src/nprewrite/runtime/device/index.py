"""Indices of arrays on a device: NumPy's keys in torch's form, checked before the device sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from nprewrite.runtime.device.devices import DeviceProblem
from nprewrite.runtime.device.private import numpy as tnp
from nprewrite.runtime.device.values import DeviceValue, tensor_of, value_of

Tensor = Any


Keys = tuple[Any, ...]


def forward(key: Any, array: DeviceValue) -> tuple[Keys, list[int]]:
    """The keys that torch takes for one of NumPy's, and the axes of the result to reverse after them."""
    keys = key if isinstance(key, tuple) else (key,)
    if not any(isinstance(each, slice) and each.step is not None and each.step < 0 for each in keys):
        return tuple(_key(each, array) for each in keys), []
    basic = all(isinstance(each, int | slice) or each in (None, Ellipsis) for each in keys)
    if not basic:
        raise DeviceProblem("reversed slice", "a reversed slice beside an index array")
    return _turned(keys, array)


def _turned(keys: Keys, array: DeviceValue) -> tuple[Keys, list[int]]:
    """Basic keys with all slices going forwards, and the axes of the result to reverse for that."""
    given = sum(each is not None and each is not Ellipsis for each in keys)
    made: list[Any] = []
    flipped: list[int] = []
    axis = place = 0
    for each in keys:
        if each is Ellipsis:
            made.append(each)
            axis += array.ndim - given
            place += array.ndim - given
            continue
        if each is None:
            made.append(each)
            place += 1
            continue
        if isinstance(each, slice):
            positions = range(array.shape[axis])[each]
            if positions.step < 0:
                positions = positions[::-1]
                flipped.append(place)
            made.append(slice(positions.start, positions.stop, positions.step))
            place += 1
        else:
            made.append(each)
        axis += 1
    return tuple(made), flipped


def _key(key: Any, array: DeviceValue) -> Any:
    if isinstance(key, DeviceValue | np.ndarray):
        tensor = tensor_of(key, array.tensor.device)
        # torch takes uint8 for a mask.
        return tnp.ndarray(tensor if key.dtype.kind == "b" else tensor.long())
    if isinstance(key, list):
        return _key(np.asarray(key), array)
    if isinstance(key, np.integer):
        return int(key)
    return key


def _positions(keys: Keys) -> list[Tensor]:
    return [each.tensor for each in keys if isinstance(each, tnp.ndarray) and each.tensor.dtype != torch.bool]


def check_positions(keys: Keys, array: DeviceValue) -> None:
    """Raise ``IndexError`` as NumPy does: a GPU stops the whole program at an index out of range."""
    if not _positions(keys) or array.tensor.device.type == "meta":
        return
    if any(each is None or each is Ellipsis for each in keys):
        raise DeviceProblem("index arrays", "index arrays beside np.newaxis or an ellipsis")
    for axis, each in enumerate(keys):
        if isinstance(each, tnp.ndarray) and each.tensor.dtype == torch.bool and each.tensor.ndim > 1:
            raise DeviceProblem("index arrays", "an index array beside a mask of several axes")
        if not isinstance(each, tnp.ndarray) or each.tensor.dtype == torch.bool:
            continue
        length = array.shape[axis]
        outside = ((each.tensor < -length) | (each.tensor >= length)).any()
        if value_of(DeviceValue(outside)):
            raise IndexError(f"index is out of bounds for axis {axis} with size {length}")


def check_distinct(keys: Keys) -> None:
    """Refuse repeated positions: NumPy stores at them in order, a GPU in any order."""
    positions = _positions(keys)
    if not positions:
        return
    if len(positions) > 1:
        raise DeviceProblem("index arrays", "a store through several index arrays")
    if positions[0].device.type != "meta" and positions[0].unique().numel() != positions[0].numel():
        raise DeviceProblem("repeated positions", "a store through an index array that repeats a position")


def check_number(keys: Keys, value: Any, array: DeviceValue) -> None:
    """Raise as NumPy does for a single number too large for signed integers; at index arrays it wraps."""
    is_number = isinstance(value, np.generic) or (isinstance(value, DeviceValue) and not value.ndim)
    if not is_number or array.dtype.kind != "i" or np.can_cast(value.dtype, array.dtype):
        return
    if array.tensor.device.type == "meta" or any(isinstance(each, tnp.ndarray) for each in keys):
        return
    np.empty(1, array.dtype)[0] = value_of(value) if isinstance(value, DeviceValue) else value
