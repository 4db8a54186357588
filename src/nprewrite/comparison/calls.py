"""What a widened program calls: NumPy's functions and methods, ``math``, builtins, and everything else.

Where no argument is a widened array, NumPy computes what the program itself would, and the result is widened:
constructors, grids and random numbers hold the same values as in the program. Otherwise the dtypes that the
call names are widened, and NumPy computes in higher precision. ``Unwidened`` is raised where NumPy cannot,
and for functions of other libraries.
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nprewrite.comparison.arithmetic import Arithmetic, Rounding, weak
from nprewrite.comparison.reductions import ADDED, Sums, error_of, size_of_rounding
from nprewrite.comparison.widths import (
    Unwidened,
    is_array,
    is_floating,
    is_floating_class,
    is_wide,
    narrow,
    own_dtype,
    wide,
    wide_dtype,
    widened,
)
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.python import math_function

_DTYPE_METHODS = frozenset(["astype", "view"])


class Calls(Arithmetic):
    """Operators and calls of one run of a widened program, whose functions live in ``namespace``."""

    def __init__(self, rounding: Rounding, namespace: dict[str, Any]) -> None:
        super().__init__(rounding)
        self.sums = Sums()
        self._namespace = namespace

    def binary(self, name: str, left: Any, right: Any) -> Any:
        """``left <op> right``; a product of matrices counts as a sum."""
        if name == "MatMult" and is_array(left) and is_array(right):
            return self.call(np.matmul, left, right)
        return super().binary(name, left, right)

    def call(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """``function(*args, **kwargs)``."""
        owner = getattr(function, "__self__", None)
        if isinstance(function, np.ufunc):
            return self._ufunc(function, args, kwargs)
        if isinstance(owner, np.ufunc):
            return self._numpy(f"{owner.__name__}.{function.__name__}", function, args, kwargs)
        if is_array(owner):
            return self._method(function.__name__, owner, args, kwargs)
        if function is np.dtype:
            return wide_dtype(args[0]) if len(args) == 1 and not kwargs else function(*args, **kwargs)
        if function in (np.finfo, np.iinfo):
            return function(*map(own_dtype, args))
        if isinstance(function, type) and issubclass(function, np.generic):
            return self._scalar(function, args)
        if _module(function).startswith("numpy"):
            return self._numpy(_name(function), function, args, kwargs)
        if _module(function) == "math":
            return self._math(function, args, kwargs)
        if _module(function) == "builtins":
            return self._builtin(function, args, kwargs)
        if _is_jit(function):
            return _itself if not args else args[0]
        if self._is_foreign(function):
            return self._foreign(function, args, kwargs)
        return function(*args, **kwargs)

    def inplace_item(self, name: str, container: Any, index: Any, value: Any) -> None:
        """``container[index] <op>= value``."""
        container[index] = self.inplace(name, container[index], value)

    def inplace_attribute(self, name: str, owner: Any, attribute: str, value: Any) -> None:
        """``owner.attribute <op>= value``."""
        setattr(owner, attribute, self.inplace(name, getattr(owner, attribute), value))

    slice = staticmethod(builtins.slice)

    def stored(self, target: Any, value: Any) -> Any:
        """A Python number that is stored into an array, as the program's own dtype would hold it."""
        return weak(value, narrow(target.dtype)) if is_wide(target) else value

    def decorator(self, function: Any) -> Any:
        """A decorator of the program; ``nprewrite.jit`` leaves the function as it is."""
        return _itself if _is_jit(function) else function

    def _ufunc(self, function: np.ufunc, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if function.signature is not None:
            return self._numpy(function.__name__, function, args, kwargs)
        if "dtype" in kwargs:
            kwargs["dtype"] = wide_dtype(kwargs["dtype"])
        return self.ufunc(function, args, kwargs)

    def _scalar(self, kind: type[np.generic], args: tuple[Any, ...]) -> Any:
        """``np.float32(x)``: higher precision for a widened value, the program's own for a Python number."""
        if not _wide_in(args) or not is_floating(np.dtype(kind)):
            return widened(kind(*args))
        target = wide(np.dtype(kind))
        return self.rounding(np.asarray(args[0]).astype(target)[()])

    def _method(self, name: str, array: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if name in _DTYPE_METHODS and args:
            args = (wide_dtype(args[0]), *args[1:])
        if name == "view" and (args or "dtype" in kwargs):
            dtype = np.dtype(args[0] if args else wide_dtype(kwargs["dtype"]))
            if is_floating(array.dtype) != is_floating(dtype):
                raise Unwidened(f"the program reads the bytes of {narrow(array.dtype)} as {dtype}")
        function = getattr(type(array), name)
        return self._numpy(name, function, (array, *args), kwargs)

    def _numpy(
        self, name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        args, kwargs = _floats_to_reduce(function, name, args, kwargs)
        if not _wide_in((*args, *kwargs.values())):
            made = [own_dtype(each) for each in args]
            return widened(function(*made, **{key: own_dtype(each) for key, each in kwargs.items()}))
        args = self._widened_arguments(name, args)
        if "dtype" in kwargs:
            kwargs["dtype"] = wide_dtype(kwargs["dtype"])
        result = _called(name, function, args, kwargs)
        return self._rounded(name, function, result, args, kwargs)

    def _widened_arguments(self, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        dtypes = [narrow(each.dtype) for each in args if is_wide(each)]
        own = np.result_type(*dtypes) if dtypes else np.dtype(float)
        made = [wide_dtype(each) if is_floating_class(each) else weak(each, own) for each in args]
        if creation(f"numpy.{name}") is not None and isinstance(made[-1], str):
            made[-1] = wide_dtype(made[-1])
        return tuple(made)

    def _rounded(
        self,
        name: str,
        function: Callable[..., Any],
        result: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        error = error_of(function, name)
        if not is_wide(result):
            return tuple(map(self.rounding, result)) if type(result) is tuple and error else result
        if error and (self.rounding.active or error in ADDED):
            size = size_of_rounding(function, error, result, args, kwargs)
            if error in ADDED:
                self.sums.record(result, size)
            return self.rounding(result, size)
        if any(np.may_share_memory(result, each) for each in args if is_array(each)):
            return result
        return self.rounding(result)

    def _math(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        known = math_function(f"math.{function.__name__}")
        long = any(isinstance(each, np.longdouble) for each in args)
        if not long or (known is not None and known.gives != "float"):
            return function(*args, **kwargs)
        if known is None or not known.twin:
            raise Unwidened(f"math.{function.__name__} has no long double")
        # Only ``math`` raises the program's own errors, such as that of the root of a negative number.
        function(*args, **kwargs)
        return self.rounding(getattr(np, known.twin)(*args))

    def _builtin(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if function is builtins.print:
            return None
        if function is builtins.abs and len(args) == 1 and is_array(args[0]):
            return self._ufunc(np.absolute, args, kwargs)
        if function is builtins.pow and len(args) == 2:
            return self.binary("Pow", *args)
        if function in (float, complex) and len(args) == 1 and isinstance(args[0], np.longdouble):
            return args[0] if function is float else np.clongdouble(args[0])
        if function is complex and any(isinstance(each, np.longdouble) for each in args):
            raise Unwidened("complex(re, im) has no long double")
        if function is builtins.isinstance and len(args) == 2 and is_wide(args[0]):
            own = args[0].astype(narrow(args[0].dtype))
            return isinstance(own, args[1])
        return function(*args, **kwargs)

    def _is_foreign(self, function: Any) -> bool:
        """Whether it is a function of neither the program's own module nor the standard library."""
        if not isinstance(function, _FUNCTIONS):
            return False
        inner = getattr(function, "__func__", function)
        if getattr(inner, "__globals__", None) is self._namespace:
            return False
        return _module(function).split(".")[0] not in ("", *sys.stdlib_module_names)

    def _foreign(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call into another library, whose result is widened; with widened arguments it is refused."""
        owner = getattr(getattr(function, "__self__", None), "__dict__", {})
        if _wide_in((*args, *kwargs.values(), *owner.values())):
            raise Unwidened(f"{_module(function)}.{_name(function)} computes in another module")
        return widened(function(*args, **kwargs))


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def _is_jit(function: Any) -> bool:
    """Whether it is ``nprewrite.jit``, which lies above this package and cannot be imported here."""
    return _module(function) == "nprewrite.decorated.decorator" and _name(function) == "jit"


def _itself(function: Any) -> Any:
    return function


def _name(function: Any) -> str:
    """The name of a function, or the class of a callable object such as a polynomial."""
    return str(getattr(function, "__name__", type(function).__name__))


def _module(function: Any) -> str:
    if isinstance(function, types.MethodDescriptorType):
        return "numpy"
    return str(getattr(function, "__module__", None) or "")


def _wide_in(values: Iterable[Any]) -> bool:
    """Whether a widened array or scalar is among the values, or in lists and tuples of them."""
    return any(_wide_in(each) if isinstance(each, list | tuple) else is_wide(each) for each in values)


def _floats_to_reduce(
    function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments; means and variances take integers as floats, which must be wide ones."""
    integers = args and is_array(args[0]) and args[0].dtype.kind in "iub"
    if integers and "dtype" not in kwargs and error_of(function, name) in ("mean", "spread"):
        return (args[0].astype(wide(np.dtype(float))), *args[1:]), kwargs
    return args, kwargs


def _called(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call in higher precision; raises ``Unwidened`` where NumPy has only the lower one."""
    long = _long_in((*args, *kwargs.values()))
    try:
        result = function(*args, **kwargs)
    except TypeError as error:
        if long and ("float128" in str(error) or "longdouble" in str(error) or "unsupported" in str(error)):
            raise Unwidened(f"np.{name} has no long double") from error
        raise
    doubles = (np.dtype("float64"), np.dtype("complex128"))
    named = name in _DTYPE_METHODS or "dtype" in kwargs
    if long and is_array(result) and result.dtype in doubles and not named:
        raise Unwidened(f"np.{name} gives {result.dtype} for long double")
    return result


def _long_in(values: Iterable[Any]) -> bool:
    long = (np.dtype("longdouble"), np.dtype("clongdouble"))
    return any(
        _long_in(each) if isinstance(each, list | tuple) else is_array(each) and each.dtype in long
        for each in values
    )
