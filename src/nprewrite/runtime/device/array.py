"""Arrays in the memory of a device, where NumPy's functions and operators compute with them.

NumPy hands functions that meet such an array to its ``__array_ufunc__`` and ``__array_function__``
(NEP 13, NEP 18), which use torch's own implementation of NumPy, ``torch._numpy``. What torch does not have
raises; nothing is silently computed elsewhere. Import this module only where torch is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from nprewrite.runtime.device import functions, index
from nprewrite.runtime.device.devices import DeviceProblem, Placement, current
from nprewrite.runtime.device.private import numpy as tnp
from nprewrite.runtime.device.values import DeviceValue, Host, copied, fetched, shares, tensor_of, value_of

MOST_ELEMENTS = 4096
"""Elements read one by one in a call: a loop over all of them would wait for the device at each."""


class DeviceArray(np.lib.mixins.NDArrayOperatorsMixin, DeviceValue):
    """A tensor that behaves like ``numpy.ndarray``, of any shape and a dtype that NumPy and torch share.

    ``tensor`` shares its memory. Reading an element's value, or the array as a NumPy array, copies from the
    device, which is counted. Raises ``DeviceProblem`` for what torch does not do as NumPy does.
    """

    __slots__ = ()

    @property
    def T(self) -> DeviceArray:
        return DeviceArray(self.tensor.permute(*reversed(range(self.ndim))))

    @property
    def real(self) -> DeviceArray:
        return DeviceArray(self.tensor.real if self._tensor.is_complex() else self.tensor)

    @property
    def imag(self) -> DeviceArray:
        return DeviceArray(self.tensor.imag if self._tensor.is_complex() else torch.zeros_like(self.tensor))

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return int(self._tensor.shape[0])

    def __iter__(self) -> Iterator[DeviceArray]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous.")
        return bool(value_of(self))

    def __int__(self) -> int:
        return int(value_of(self))

    def __index__(self) -> int:
        return int(value_of(self).__index__())

    def __float__(self) -> float:
        return float(_differentiable(self))

    def __complex__(self) -> complex:
        return complex(_differentiable(self))

    def item(self) -> Any:
        """The value of the only element, as a Python number."""
        return _differentiable(self).item()

    def tolist(self) -> Any:
        return fetched(self).tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Host:
        if copy is False:
            raise ValueError("an array on a device cannot be a NumPy array without a copy")
        host = fetched(self)
        if dtype is None and copy is None:
            # ``np.asarray`` would give the array itself, and stores into it would be stores into the array.
            host.flags.writeable = False
        return host.astype(dtype or host.dtype, copy=False)

    def __repr__(self) -> str:
        if self._tensor.device.type == "meta":
            return f"DeviceArray({self.dtype}, {self.shape}, device=meta)"
        return repr(fetched(self)[()])

    def __str__(self) -> str:
        return str(fetched(self)[()])

    def __format__(self, spec: str) -> str:
        return format(fetched(self)[()], spec)

    def __hash__(self) -> int:
        """The hash of NumPy's number; arrays have none."""
        return hash(fetched(self)[()])

    def __round__(self, digits: int | None = None) -> Any:
        if self.ndim:
            raise TypeError("type numpy.ndarray doesn't define __round__ method")
        number = _differentiable(self)
        return round(number) if digits is None else round(number, digits)

    def __getattr__(self, name: str) -> Any:
        if not functions.is_method(name):
            raise AttributeError(f"an array on a device has no attribute {name!r}")
        method = getattr(tnp.ndarray, name)
        return lambda *args, **kwargs: _taken(
            functions.computed(method, functions.typed(name, (self, *args), kwargs), kwargs)
        )

    def __getitem__(self, key: Any) -> DeviceArray:
        keys, flipped = index.forward(key, self)
        index.check_positions(keys, self)
        result = DeviceArray(tnp.ndarray(self.tensor)[keys].tensor)
        if flipped:
            return DeviceArray(torch.flip(result.tensor, flipped), self._tensor)
        if not result.ndim:
            _count_element()
            # NumPy gives a number here, which later stores do not change.
            return DeviceArray(result.tensor.clone())
        return result

    def __setitem__(self, key: Any, value: Any) -> None:
        self.check_writeable()
        keys, flipped = index.forward(key, self)
        if flipped:
            raise _reversed_store()
        index.check_positions(keys, self)
        index.check_distinct(keys)
        index.check_number(keys, value, self)
        source = tensor_of(value, self._tensor.device)
        if isinstance(source, torch.Tensor) and shares(source, self._tensor):
            # NumPy reads the whole source before it stores.
            source = source.clone()
        target = tnp.ndarray(self.tensor)
        target[keys] = tnp.ndarray(source) if isinstance(source, torch.Tensor) else source

    def fill(self, value: Any) -> None:
        if np.ndim(value):
            raise DeviceProblem("fill", "an array is filled with an array, expected a number")
        self[...] = value

    def apart(self, others: Sequence[Any]) -> bool:
        """As ``Placed.apart``; elements of an expanded array do not each lie in memory of their own."""
        if 0 in self.tensor.stride() and self.size > 1:
            return False
        return not any(isinstance(each, DeviceArray) and shares(self.tensor, each.tensor) for each in others)

    def check_writeable(self) -> None:
        """Raise ``DeviceProblem`` for a reversed array, which is a copy here."""
        if self._base is not None:
            raise _reversed_store()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        if kwargs.get("where", True) is not True:
            raise DeviceProblem("where=", f"np.{ufunc.__name__} with where= has no counterpart on a device")
        result = _taken(functions.ufunc_result(ufunc, method, inputs, kwargs))
        if out is None:
            return result
        results = result if isinstance(result, tuple) else (result,)
        for target, each in zip(out, results, strict=True):
            functions.store_out(ufunc, target, each)
        return out if isinstance(result, tuple) else out[0]

    def __array_function__(
        self, function: Callable[..., Any], _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return _taken(functions.answer(function, args, kwargs))


def _reversed_store() -> DeviceProblem:
    return DeviceProblem("reversed store", "a store into a reversed slice, which torch has no view for")


def _taken(result: Any) -> Any:
    """What a function returns, with its tensors as arrays on the device."""
    if isinstance(result, tnp.ndarray):
        return DeviceArray(result.tensor)
    if isinstance(result, list | tuple):
        return type(result)([_taken(each) for each in result])
    if isinstance(result, torch.Tensor):
        return DeviceArray(result)
    return result


def _rebinding(name: str) -> Callable[[DeviceArray, Any], Any]:
    """``x += 1``; without dimensions ``x`` is a number in NumPy, and the name is bound to a new one."""
    in_place = getattr(np.lib.mixins.NDArrayOperatorsMixin, name)
    return lambda self, other: in_place(self, other) if self.ndim else NotImplemented


_OPERATORS = vars(np.lib.mixins.NDArrayOperatorsMixin)
for _name in _OPERATORS:
    if _name.startswith("__i") and _name.replace("__i", "__") in _OPERATORS:
        setattr(DeviceArray, _name, _rebinding(_name))


def sent(array: Host, placement: Placement) -> DeviceArray:
    """A copy of an array on the device of a call. Raises ``DeviceProblem`` for dtypes that torch lacks."""
    return DeviceArray(copied(array, placement))


def _differentiable(array: DeviceArray) -> Any:
    if array.tensor.requires_grad and torch.is_grad_enabled():
        raise DeviceProblem(
            "gradient lost",
            "a value that gradients flow through becomes a Python number, which ends them; "
            "keep it an array, or call the function under torch.no_grad()",
        )
    return value_of(array)


def _count_element() -> None:
    placement = current()
    if placement is None:
        return
    placement.transfers.elements += 1
    if placement.transfers.elements > MOST_ELEMENTS:
        raise DeviceProblem(
            "element by element",
            f"more than {MOST_ELEMENTS} elements are read one by one, expected array code",
        )
