"""NumPy's functions for arrays on a device, as torch's implementation of NumPy computes them.

Functions and dtypes for which ``torch._numpy`` gives other values or dtypes than NumPy raise
``DeviceProblem``.
Import this module only where torch is wanted.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import torch
import torch._numpy as tnp

from nprewrite.runtime import corrected, pairs
from nprewrite.runtime.device import DeviceProblem
from nprewrite.runtime.device_array import DeviceArray, fetched, tensor_of, torch_dtype
from nprewrite.runtime.spec import DType
from nprewrite.runtime.torch_memory import dtype_name

Tensor = Any

_LISTED = """
all any amax amin angle append argmax argmin argsort argwhere array_equal array_split allclose atleast_1d
atleast_2d atleast_3d average bincount broadcast_arrays broadcast_to clip column_stack concatenate copy
copyto corrcoef count_nonzero cov cross cumprod cumsum diag diagonal diff dot dsplit dstack einsum
empty_like expand_dims fft.fft fft.fft2 fft.fftn fft.fftshift fft.ifft fft.ifft2 fft.ifftn fft.ifftshift
fft.irfft fft.rfft flatnonzero flip fliplr flipud full_like gradient hsplit hstack imag inner isclose
iscomplexobj isrealobj kron linalg.cholesky linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.norm
linalg.qr linalg.slogdet linalg.solve linalg.svd max mean median meshgrid min moveaxis nan_to_num
ndim nonzero ones_like outer pad prod ptp ravel real repeat reshape roll rollaxis rot90 round searchsorted
shape size sort split squeeze stack std sum swapaxes take tensordot tile trace transpose tril triu unique
var vdot vsplit vstack where zeros_like
"""
FUNCTIONS = frozenset(_LISTED.split())
"""Functions of ``torch._numpy`` that give NumPy's values and, with ``_typed``, NumPy's dtypes."""
_OTHER_VALUES = frozenset(["cbrt", "modf"])

_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}


def ufunc_result(ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a method of a ufunc gives: a call, ``reduce``, ``accumulate`` or ``outer``.

    ``inputs`` are its arrays and numbers. Raises ``DeviceProblem`` where torch has no counterpart.
    """
    name = ufunc.__name__
    if method == "__call__":
        return _elementwise(ufunc, inputs, kwargs)
    if method == "reduce" and name in _REDUCTIONS:
        return answer(getattr(np, _REDUCTIONS[name]), inputs, {"axis": 0, **kwargs})
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
        DeviceArray(each.tensor.to(torch_dtype(to)))
        for each, to in zip(results, wanted[ufunc.nin :], strict=True)
    ]
    return tuple(typed) if isinstance(result, tuple) else typed[0]


def _kind(value: Any) -> Any:
    """What decides the dtype of a ufunc's loop: a dtype, or the type of a Python number."""
    if isinstance(value, DeviceArray | np.ndarray | np.generic):
        return value.dtype
    return np.dtype(bool) if isinstance(value, bool) else type(value)


def _cast(value: Any, dtype: DType, device: Any) -> Tensor:
    to = torch_dtype(dtype)
    if isinstance(value, DeviceArray | np.ndarray | np.generic):
        return tensor_of(value, device).to(to)
    # In NumPy's memory, which torch takes numbers from without a copy.
    return torch.as_tensor(np.asarray(value, dtype))


def _function(name: str, kind: str, values: Sequence[Any]) -> Callable[..., Any]:
    if name in ("floor_divide", "remainder") and kind in "if":
        return _CORRECTED[f"int_{name}" if kind == "i" else name]
    if name == "sign" and kind == "f":
        return _CORRECTED[name]
    if name == "power" and kind == "c" and isinstance(values[1], int):
        return lambda base, _: _complex_power(base, values[1])
    _refuse(name, [np.dtype(bool)], name == "power" and _kind(values[0]) == np.dtype(bool))
    if kind in "iu" and name in ("power", "fmod", "divmod", "floor_divide", "remainder"):
        exponent = values[1]
        if name != "power" or not isinstance(exponent, int) or exponent < 0:
            raise DeviceProblem("integers", f"np.{name} of integer arrays differs between torch and NumPy")
    if not hasattr(tnp, name) or name in _OTHER_VALUES:
        raise DeviceProblem("no counterpart", f"np.{name} has no counterpart on a device")
    found: Callable[..., Any] = getattr(tnp, name)
    return found


def _on_tensors(module: types.ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions of a module, computing with ``torch._numpy`` where they say NumPy."""
    names: dict[str, Any] = {**vars(module), "np": tnp}
    for name, each in vars(module).items():
        if isinstance(each, types.FunctionType):
            names[name] = types.FunctionType(each.__code__, names, name)
    return names


_CORRECTED = _on_tensors(corrected)
_PAIRS = _on_tensors(pairs)


def _complex_power(base: Any, exponent: int) -> Any:
    """``z ** n`` by multiplications, as NumPy's; torch's goes through logarithms."""
    if abs(exponent) > pairs.LARGEST_POWER:
        return tnp.power(base, exponent)
    parts = _PAIRS["power"](base.real, base.imag, exponent)
    return tnp.ndarray(torch.complex(*[each.tensor for each in parts]))


def answer(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What one of NumPy's functions gives, as NumPy types it."""
    name = function.__name__
    whole = ".".join([*function.__module__.split(".")[1:], name])
    if whole not in FUNCTIONS:
        raise DeviceProblem("no counterpart", f"np.{whole} has no counterpart on a device")
    home = functools.reduce(getattr, whole.split(".")[:-1], tnp)
    return computed(getattr(home, name), typed(name, args, kwargs), kwargs)


def typed(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The arguments in the dtypes that NumPy computes in, where torch would choose others."""
    values = list(args)
    dtypes = {each.dtype for each in values if isinstance(each, DeviceArray)}
    kinds = {dtype.kind for dtype in dtypes}
    if name in ("any", "all"):
        return [each != 0 if isinstance(each, DeviceArray) else each for each in values]
    if name == "where" and len(values) == 3:
        dtype = np.result_type(*[_weak(each) for each in values[1:]])
        device = _device_of(values)
        return [values[0], *[DeviceArray(_cast(each, dtype, device).to(device)) for each in values[1:]]]
    if name in _SUMS and kinds & {"b", "u", "i"} and "dtype" not in kwargs:
        _refuse(name, dtypes, kinds & {"u"})
        return [each.astype(np.int64) if isinstance(each, DeviceArray) else each for each in values]
    _refuse(name, dtypes, name in ("angle", "gradient") and dtypes & _SMALL)
    if name in ("angle", "gradient", "median") and kinds & {"b", "u", "i"}:
        return [each.astype(np.float64) if isinstance(each, DeviceArray) else each for each in values]
    _refuse(name, dtypes, name in ("median", "pad") and kinds & {"c"})
    _refuse(name, dtypes, name in ("round", "around") and kinds & {"b"})
    _refuse(name, dtypes, name == "einsum" and kinds & {"b", "u", "i"})
    # torch computes these in double precision, NumPy in the precision of the array.
    _refuse(name, dtypes, name.endswith(("fft", "fft2", "fftn")) and dtypes & _SINGLE)
    return values


_SUMS = frozenset(["sum", "prod", "cumsum", "cumprod", "trace"])
_SMALL = frozenset(map(np.dtype, ["?", "i1", "u1", "i2"]))
_SINGLE = frozenset(map(np.dtype, ["f4", "c8"]))


def _refuse(name: str, dtypes: Collection[DType], refused: object) -> None:
    if refused:
        kinds = ", ".join(map(str, dtypes))
        text = f"np.{name} of {kinds} differs between torch and NumPy; convert it with astype"
        raise DeviceProblem("dtype", text)


def _weak(value: Any) -> Any:
    """A dtype, or a Python number, whose value does not decide the dtype of what it meets."""
    return value.dtype if isinstance(value, DeviceArray | np.ndarray | np.generic) else value


def computed(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of ``torch._numpy`` gives for the user's arguments."""
    device = _device_of((*args, *kwargs.values()))
    given = [_given(each, device) for each in args]
    named = {key: _given(each, device) for key, each in kwargs.items()}
    with torch.device(device):
        result = _taken(function(*given, **named))
    return kwargs.get("out", result)


def _device_of(values: Sequence[Any]) -> Any:
    for each in values:
        if isinstance(each, DeviceArray):
            return each._tensor.device
        if isinstance(each, list | tuple) and (found := _device_of(each)) is not None:
            return found
    return None


def _given(value: Any, device: Any) -> Any:
    """An argument as ``torch._numpy`` takes it."""
    if isinstance(value, list | tuple):
        return type(value)([_given(each, device) for each in value])
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return dtype_name(torch_dtype(np.dtype(value)))
    tensor = tensor_of(value, device)
    return tnp.ndarray(tensor) if isinstance(tensor, torch.Tensor) else value


def _taken(result: Any) -> Any:
    if isinstance(result, tnp.ndarray):
        return DeviceArray(result.tensor)
    if isinstance(result, list | tuple):
        return type(result)([_taken(each) for each in result])
    if isinstance(result, torch.Tensor):
        return DeviceArray(result)
    return result


def store_out(ufunc: np.ufunc, target: Any, result: Any) -> None:
    """Store what was computed where ``out=`` or an operator in place says, as NumPy casts it."""
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
