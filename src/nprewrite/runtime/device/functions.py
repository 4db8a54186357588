"""NumPy's functions for arrays on a device, as torch's implementation of NumPy computes them.

Functions and dtypes for which ``torch._numpy`` gives other values or dtypes than NumPy raise
``DeviceProblem``. Import this module only where torch is wanted.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import torch

from nprewrite.numpy_api.attributes import ATTRIBUTES
from nprewrite.numpy_api.creation import CREATION
from nprewrite.numpy_api.effects import EFFECTS
from nprewrite.numpy_api.elementwise import ALIASES, ELEMENTWISE
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import METHODS
from nprewrite.runtime.api import pairs
from nprewrite.runtime.api.spec import DType
from nprewrite.runtime.device.devices import DeviceProblem
from nprewrite.runtime.device.private import numpy as tnp
from nprewrite.runtime.device.values import DeviceValue, fetched, tensor_of, torch_dtype
from nprewrite.runtime.torch import corrected
from nprewrite.runtime.torch.tensors import dtype_name

Tensor = Any

_MISSING = "it is not followed there"


def problem_of(name: str) -> str:
    """Why a device does not compute one of NumPy's functions; empty if it does."""
    record = array_function(name) or ELEMENTWISE.get(ALIASES.get(name, name))
    if record is not None:
        return record.device
    made, effect = CREATION.get(name), EFFECTS.get(name)
    known = name in ATTRIBUTES or (made is not None and made.device == "function")
    return "" if known or (effect is not None and effect.device) else _MISSING


def is_method(name: str) -> bool:
    """Whether a device computes a method of arrays."""
    record = METHODS.get(name) or EFFECTS.get(name)
    there = record.device if record is not None else not problem_of(name)
    return there and callable(getattr(np.ndarray, name, None)) and hasattr(tnp.ndarray, name)


def ufunc_result(ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a ufunc gives when called, or its ``reduce``, ``accumulate`` or ``outer``.

    ``inputs`` are its arrays and numbers. Raises ``DeviceProblem`` where torch has no counterpart.
    """
    name = ufunc.__name__
    if method == "__call__":
        return _elementwise(ufunc, inputs, kwargs)
    record = ELEMENTWISE.get(name)
    if method == "reduce" and record is not None and record.reduction:
        return answer(getattr(np, record.reduction), inputs, {"axis": 0, **kwargs})
    if method == "accumulate" and name in ("add", "multiply"):
        cumulative = np.cumsum if name == "add" else np.cumprod
        return answer(cumulative, inputs, {"axis": 0, **kwargs})
    if method == "outer":
        left, right = inputs
        column = left[(..., *(np.newaxis,) * np.ndim(right))] if np.ndim(left) else left
        return ufunc(column, right, **kwargs)
    raise DeviceProblem("ufunc method", f"np.{name}.{method} has no counterpart on a device")


def _elementwise(ufunc: np.ufunc, inputs: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A ufunc's results, computed in the dtype that NumPy computes them in."""
    dtype = kwargs.pop("dtype", None)
    if kwargs.keys() - {"casting", "order", "subok"}:
        raise DeviceProblem(
            "ufunc arguments", f"np.{ufunc.__name__} with {', '.join(kwargs)} has no counterpart"
        )
    values = [np.asarray(each) if isinstance(each, list | tuple) else each for each in inputs]
    signature: dict[str, Any] = (
        {} if dtype is None else {"signature": (*(None,) * ufunc.nin, *(np.dtype(dtype),) * ufunc.nout)}
    )
    kinds = [_kind(each) for each in values]
    wanted = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout), **signature)
    device = _device_of(values)
    given = [
        tnp.ndarray(_cast(each, to, device)) for each, to in zip(values, wanted[: ufunc.nin], strict=True)
    ]
    with torch.device(device):
        result = _function(ufunc.__name__, wanted[0].kind, values)(*given)
    results = result if isinstance(result, tuple) else (result,)
    typed = [
        tnp.ndarray(each.tensor.to(torch_dtype(to)))
        for each, to in zip(results, wanted[ufunc.nin :], strict=True)
    ]
    return tuple(typed) if isinstance(result, tuple) else typed[0]


def _kind(value: Any) -> Any:
    """What decides the dtype of a ufunc's loop: a dtype, or the type of a Python number."""
    if isinstance(value, DeviceValue | np.ndarray | np.generic):
        return value.dtype
    return np.dtype(bool) if isinstance(value, bool) else type(value)


def _cast(value: Any, dtype: DType, device: Any) -> Tensor:
    to = torch_dtype(dtype)
    if isinstance(value, DeviceValue | np.ndarray | np.generic):
        return tensor_of(value, device).to(to)
    # torch takes a number from NumPy's memory without a copy.
    return torch.as_tensor(np.asarray(value, dtype))


def _function(name: str, kind: str, values: Sequence[Any]) -> Callable[..., Any]:
    record = ELEMENTWISE.get(ALIASES.get(name, name))
    own = f"int_{name}" if kind == "i" else name
    if record is not None and record.corrected and kind in "if" and own in _CORRECTED:
        return _CORRECTED[own]
    if name == "power" and kind == "c" and isinstance(values[1], int):
        return lambda base, _: _complex_power(base, values[1])
    _refuse(name, [np.dtype(bool)], name == "power" and _kind(values[0]) == np.dtype(bool))
    is_product = name == "power" and isinstance(values[1], int) and values[1] >= 0
    if record is not None and kind in record.device_refuses.split() and not is_product:
        raise DeviceProblem("integers", f"np.{name} of integer arrays differs between torch and NumPy")
    because = problem_of(name)
    if because or not hasattr(tnp, name):
        raise _no_counterpart(name, because)
    found: Callable[..., Any] = getattr(tnp, name)
    return found


def _on_tensors(module: types.ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions of a module, with ``torch._numpy`` in the place of NumPy."""
    names: dict[str, Any] = {**vars(module), "np": tnp}
    for name, each in vars(module).items():
        if isinstance(each, types.FunctionType):
            names[name] = types.FunctionType(each.__code__, names, name)
    return names


_CORRECTED = _on_tensors(corrected)
_PAIRS = _on_tensors(pairs)


def _complex_power(base: Any, exponent: int) -> Any:
    """``z ** n`` by multiplications, as in NumPy; torch uses logarithms."""
    if abs(exponent) > pairs.LARGEST_POWER:
        return tnp.power(base, exponent)
    parts = _PAIRS["power"](base.real, base.imag, exponent)
    return tnp.ndarray(torch.complex(*[each.tensor for each in parts]))


def answer(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What one of NumPy's functions gives, in the dtype that NumPy gives it."""
    name = function.__name__
    whole = ".".join([*function.__module__.split(".")[1:], name])
    found = functools.reduce(lambda owner, each: getattr(owner, each, None), whole.split("."), tnp)
    because = problem_of(whole)
    if because or found is None:
        raise _no_counterpart(whole, because)
    result = computed(found, typed(whole, args, kwargs), kwargs)
    record = array_function(whole)
    if type(result) in (list, tuple) and record is not None:
        return list(result) if record.lists else tuple(result)
    return result


def _no_counterpart(name: str, because: str) -> DeviceProblem:
    text = f"np.{name} has no counterpart on a device"
    return DeviceProblem("no counterpart", f"{text}: {because}" if because else text)


def typed(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The arguments in the dtypes that NumPy computes in, where torch would choose others."""
    values = list(args)
    dtypes = {each.dtype for each in values if isinstance(each, DeviceValue)}
    kinds = {dtype.kind for dtype in dtypes}
    record = array_function(name)
    if record is None:
        return values
    if record.native in ("some", "every"):
        return [tnp.ndarray(each.tensor != 0) if isinstance(each, DeviceValue) else each for each in values]
    if name == "where" and len(values) == 3:
        dtype = np.result_type(*[_weak(each) for each in values[1:]])
        device = _device_of(values)
        return [values[0], *[tnp.ndarray(_cast(each, dtype, device).to(device)) for each in values[1:]]]
    if any(record.has_too_many(each.ndim) for each in values if isinstance(each, DeviceValue)):
        text = f"np.{name} of more than {record.most_axes} axes differs between torch and NumPy"
        raise DeviceProblem("axes", text)
    integers = kinds & {"b", "u", "i"}
    if record.widens and integers and "dtype" not in kwargs:
        _refuse(name, dtypes, kinds & {"u"})
        return _in(np.int64, values)
    several = {each.dtype for each in values if isinstance(each, DeviceValue | np.ndarray)}
    if record.arrays != 1 and not record.view and len(several) > 1:
        return _in(np.result_type(*several), values)
    # torch's median of all elements keeps an axis.
    if name == "median" and len(values) == 1 and not (kwargs.get("keepdims") or "axis" in kwargs):
        values, kwargs["axis"] = [values[0].ravel()], 0
    exact = {f"{dtype.kind}{dtype.itemsize}" for dtype in dtypes}
    _refuse(name, dtypes, (kinds | exact) & {*record.device_refuses.split()})
    return _in(np.float64, values) if record.device_floats and integers else values


def _in(dtype: type | DType, values: Sequence[Any]) -> list[Any]:
    device, to = _device_of(values), np.dtype(dtype)
    return [
        tnp.ndarray(_cast(each, to, device)) if isinstance(each, DeviceValue | np.ndarray) else each
        for each in values
    ]


def _refuse(name: str, dtypes: Collection[DType], refused: object) -> None:
    if refused:
        kinds = ", ".join(map(str, dtypes))
        text = f"np.{name} of {kinds} differs between torch and NumPy; convert it with astype"
        raise DeviceProblem("dtype", text)


def _weak(value: Any) -> Any:
    """What decides dtypes: that of an array or a NumPy scalar, whatever its value, or a Python number."""
    return value.dtype if isinstance(value, DeviceValue | np.ndarray | np.generic) else value


def computed(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of ``torch._numpy`` gives for the user's arguments."""
    device = _device_of((*args, *kwargs.values()))
    given = [_given(each, device) for each in args]
    named = {key: _given(each, device) for key, each in kwargs.items()}
    with torch.device(device):
        result = function(*given, **named)
    return kwargs.get("out", result)


def _device_of(values: Sequence[Any]) -> Any:
    for each in values:
        if isinstance(each, DeviceValue | tnp.ndarray):
            return each.tensor.device
        if isinstance(each, list | tuple) and (found := _device_of(each)) is not None:
            return found
    return None


def _given(value: Any, device: Any) -> Any:
    """An argument in the form that ``torch._numpy`` takes."""
    if isinstance(value, list | tuple):
        return type(value)([_given(each, device) for each in value])
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return dtype_name(torch_dtype(np.dtype(value)))
    tensor = tensor_of(value, device)
    return tnp.ndarray(tensor) if isinstance(tensor, torch.Tensor) else value


def store_out(ufunc: np.ufunc, target: Any, result: Any) -> None:
    """Store a result into the target of ``out=`` or an in-place operator, cast as NumPy casts it."""
    if isinstance(target, np.ndarray):
        np.copyto(target, fetched(result), casting="same_kind")
        return
    target.check_writeable()
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc.__name__}' output from {result.dtype!r} to {target.dtype!r} "
            "with casting rule 'same_kind'"
        )
    if np.broadcast_shapes(result.shape, target.shape) != target.shape:
        raise ValueError(f"non-broadcastable output operand with shape {target.shape}")
    target.tensor.copy_(result.tensor)
