"""Elementwise arithmetic of a widened program, and the roundings that a perturbed run puts into it.

Every operation runs in the wider form of the dtype that NumPy would use for it: mixed operands, integers that
become floats and Python scalars are converted as NumPy converts them. A Python scalar beside a float32 array
becomes float32 first, because that is the number with which the program computes.

A perturbed run rounds each inexact result to the program's own dtype, after adding a random error of up to
some units in the last place; exact results stay as they are, and parts of complex results that overflow
become nan at random. This is the random rounding of CESTAC (J. Vignes, A stochastic arithmetic for reliable
scientific computation, Mathematics and Computers in Simulation 35, 1993) and of Monte Carlo arithmetic (D. S.
Parker, UCLA CSD-970002, 1997), with a larger amplitude.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nprewrite.comparison.widths import is_array, is_floating, is_wide, narrow, wide, wide_dtype, widened
from nprewrite.numpy_api.elementwise import ELEMENTWISE, OPERATORS

AMPLITUDE = 8.0
"""Units in the last place. A rewritten operation may round a few times more than NumPy's."""

_WEAK = (bool, int, float, complex)

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "MatMult": operator.matmul,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}

_INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, f"i{function.__name__.strip('_')}")
    for name, function in _OPERATORS.items()
    if name not in ("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq")
}


class Rounding:
    """How inexact results are rounded: not at all, or, with a seed, randomly by up to ``amplitude`` units.

    ``single`` rounds everything to single precision, operands too: arguments and what NumPy made have more
    digits than that.
    """

    def __init__(
        self, seed: int | None = None, amplitude: float = AMPLITUDE, *, single: bool = False
    ) -> None:
        self._generator = None if seed is None else np.random.default_rng(seed)
        self._amplitude = amplitude
        self._single = single

    @property
    def active(self) -> bool:
        """Whether results are rounded."""
        return self._generator is not None

    def __call__(self, result: Any, scale: Any = None) -> Any:
        """A wide result rounded; the perturbation is relative to ``scale``, by default the result's size."""
        if self._generator is None or not is_wide(result):
            return result
        with np.errstate(all="ignore"):
            made = self._rounded(np.asarray(result), np.abs(result) if scale is None else scale)
        return made[()] if isinstance(result, np.generic) else made

    def operands(self, values: list[Any]) -> list[Any]:
        """What an operation computes with."""
        return [self(each) for each in values] if self._single else values

    def into(self, target: NDArray[Any]) -> None:
        """Round an array in place."""
        if self.active and is_wide(target) and target.size:
            target[...] = self(target)

    def _rounded(self, result: NDArray[Any], scale: Any) -> NDArray[Any]:
        if result.dtype.kind == "c":
            made = np.empty_like(result)
            made.real, made.imag = self._rounded(result.real, scale), self._rounded(result.imag, scale)
            return self._overflowed(made)
        assert self._generator is not None
        own = np.dtype(np.float32) if self._single else narrow(result.dtype)
        nearest = result.astype(own)
        noise = (
            self._generator.uniform(-self._amplitude, self._amplitude, result.shape)
            * np.finfo(own).eps
            * scale
        )
        inexact = np.isfinite(result) & (nearest.astype(result.dtype) != result)
        made = np.where(inexact, (result + noise).astype(own), nearest).astype(result.dtype)
        return np.asarray(made)

    def _overflowed(self, result: NDArray[Any]) -> NDArray[Any]:
        """Make parts of overflowing products nan at random: it depends on fused operations which are."""
        assert self._generator is not None
        places = ~np.isfinite(result)
        if np.any(places):
            for part in (result.real, result.imag):
                lost = places & (self._generator.random(result.shape) < 0.5)
                part[...] = np.where(lost, np.nan, part)
        return result


def weak(value: Any, dtype: np.dtype[Any]) -> Any:
    """A Python float or complex as NumPy converts it beside an array of ``dtype``, still a Python number."""
    if type(value) not in (float, complex) or not is_floating(dtype):
        return value
    part = np.empty(0, dtype).real.dtype.type
    with np.errstate(all="ignore"):
        if type(value) is float:
            return float(part(value))
        return complex(part(value.real), part(value.imag))


def cast(value: Any, dtype: np.dtype[Any]) -> Any:
    """An operand in the wider form of the loop's dtype."""
    if not is_floating(dtype):
        return value
    if type(value) in _WEAK:
        return weak(value, dtype)
    target = wide(dtype)
    if value.dtype == target:
        return value
    return target.type(value) if isinstance(value, np.generic) else value.astype(target)


def operands(function: np.ufunc, values: Sequence[Any]) -> list[Any] | None:
    """The operands cast for the loop that NumPy would choose; None for operands that are not widened."""
    values = [widened(np.asarray(value)) if isinstance(value, list | tuple) else value for value in values]
    if not all(is_array(value) or type(value) in _WEAK for value in values):
        return None
    if not any(is_array(value) for value in values):
        values = [widened(np.asarray(value)[()]) for value in values]
    try:
        kinds = [type(each) if type(each) in _WEAK else narrow(each.dtype) for each in values]
        loop = function.resolve_dtypes((*kinds, *(None,) * function.nout))
    except TypeError:
        # There is no such loop: the call itself raises what the program would see.
        return None
    return [cast(value, dtype) for value, dtype in zip(values, loop, strict=False)]


class Arithmetic:
    """Operators and ufuncs under one rounding."""

    def __init__(self, rounding: Rounding) -> None:
        self.rounding = rounding

    def binary(self, name: str, left: Any, right: Any) -> Any:
        """``left <op> right``."""
        if not (is_array(left) or is_array(right)):
            return self._other(name, left, right)
        made = operands(_meant(name), (left, right))
        if made is None:
            return self._other(name, left, right)
        return self.rounding(_OPERATORS[name](*self.rounding.operands(made)))

    def inplace(self, name: str, target: Any, value: Any) -> Any:
        """``target <op>= value``; the new target."""
        if not is_array(target):
            return self.binary(name, target, value) if is_array(value) else _INPLACE[name](target, value)
        if isinstance(target, np.generic):
            return self.binary(name, target, value)
        made = operands(_meant(name), (target, value))
        if made is None:
            return _INPLACE[name](target, value)
        _meant(name)(*self.rounding.operands(made), out=target, casting="same_kind")
        self.rounding.into(target)
        return target

    def ufunc(self, function: np.ufunc, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """A ufunc called by name; ``out`` and ``where`` as in NumPy."""
        made = operands(function, args[: function.nin])
        if made is None or len(made) < function.nin:
            return function(*args, **kwargs)
        result = function(*self.rounding.operands(made), *args[function.nin :], **kwargs)
        outs = [each for each in (*args[function.nin :], *_outs(kwargs)) if each is not None]
        for out in outs:
            self.rounding.into(out)
        if outs:
            return result
        return tuple(map(self.rounding, result)) if isinstance(result, tuple) else self.rounding(result)

    def _other(self, name: str, left: Any, right: Any) -> Any:
        if name in ("Eq", "NotEq") and isinstance(left, np.dtype) and not isinstance(right, np.dtype):
            right = wide_dtype(right)
        return _OPERATORS[name](left, right)


def _meant(operator: str) -> np.ufunc:
    """The ufunc of an operator on arrays."""
    return np.matmul if operator == "MatMult" else ELEMENTWISE[OPERATORS[operator]].ufunc


def _outs(kwargs: dict[str, Any]) -> Sequence[Any]:
    out = kwargs.get("out")
    return out if isinstance(out, tuple) else (out,)
