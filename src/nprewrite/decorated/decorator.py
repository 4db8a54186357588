"""``@nprewrite.jit``: the passes applied to one function, in memory."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar, overload

from nprewrite.config.settings import ACCUMULATE, PRECISIONS
from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.versions import Settings
from nprewrite.engine.outcomes import Options
from nprewrite.passes.level import Level
from nprewrite.types.precision import Precision

P = ParamSpec("P")
R = TypeVar("R")


@overload
def jit(function: Callable[P, R], /) -> Jitted[P, R]: ...


@overload
def jit(
    *,
    level: str = "rounding",
    tune: bool = False,
    wait: bool = False,
    verify: str | None = None,
    on_mismatch: str = "raise",
    on_fallback: str = "warn",
    device: str | None = None,
    mode: str | None = None,
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...


def jit(
    function: Callable[P, R] | None = None,
    /,
    *,
    level: str = "rounding",
    tune: bool = False,
    wait: bool = False,
    verify: str | None = None,
    on_mismatch: str = "raise",
    on_fallback: str = "warn",
    device: str | None = None,
    mode: str | None = None,
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Jitted[P, R] | Callable[[Callable[P, R]], Jitted[P, R]]:
    """Rewrite a function at import time, or at the first call where argument types are needed.

    - ``level``: "exact", "rounding" or "fast", as on the command line.
    - ``tune``: measure how many iterations a compiled call should run, and remember it for this machine.
    - ``wait``: let a call wait until its steps are compiled. Otherwise they run as written meanwhile; the
      environment variable ``NPREWRITE_WAIT=1`` lets all functions wait; ``tune`` and ``verify`` wait too.
    - ``verify="first-call"``: compare both versions on copies of the arguments of the first call of each
      class of calls, as ``nprewrite verify`` does; ``on_mismatch``: "raise" (``MismatchError``) or "warn".
    - ``on_fallback``: "warn" where the function, or a loop of it, has to run as written, or "raise"
      (``FallbackError``).
    - ``device``: where NumPy arrays are computed, as torch names it ("cuda", "cuda:1"); tensors are computed
      where they lie, and give tensors. Without it: torch's default device, then ``NPREWRITE_DEVICE``. Where
      there is no such device, ``on_fallback`` says what happens.
    - ``mode``: how torch.compile compiles for a device: "reduce-overhead" (CUDA graphs), "max-autotune", or
      "max-autotune-no-cudagraphs".
    - ``precision="float32"`` (with ``level="fast"``): compute in float32 and complex64; results have these
      dtypes, with ``keep_output_dtype`` those of NumPy. Sums, means and products of elements are accumulated
      in ``accumulate``, "float64" or "float32"; ``keep_float64`` are local names that stay as they are.

    Raises ``ValueError`` for another word and ``TypeError`` for something that is not a Python function.
    """
    _one_of("level", level.upper(), tuple(Level.__members__), level)
    _one_of("verify", verify, (None, "first-call"))
    _one_of("on_mismatch", on_mismatch, ("raise", "warn"))
    _one_of("on_fallback", on_fallback, ("warn", "raise"))
    _one_of("mode", mode, (None, "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"))
    options = options_of(level, precision, accumulate, keep_output_dtype, keep_float64)
    settings = Settings(options, tune, verify, on_mismatch, on_fallback, device, mode, wait)

    def decorate(target: Callable[P, R]) -> Jitted[P, R]:
        if type(target) is not types.FunctionType:
            raise TypeError(
                f"nprewrite.jit takes a Python function, not {target!r}; put it right above `def`"
            )
        return Jitted(target, settings)

    return decorate if function is None else decorate(function)


def options_of(
    level: str = "rounding",
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Options:
    """The options of the passes. Raises ``ValueError`` for other words, and for float32 at another level."""
    _one_of("precision", precision, (None, *PRECISIONS))
    _one_of("accumulate", accumulate, ACCUMULATE)
    names = (keep_float64,) if isinstance(keep_float64, str) else keep_float64
    asked = Precision(accumulate, keep_output_dtype, frozenset(names))
    if precision is None and asked != Precision():
        raise ValueError('accumulate, keep_output_dtype and keep_float64 need precision="float32"')
    if precision is not None and Level[level.upper()] is not Level.FAST:
        raise ValueError(f'precision="{precision}" needs level="fast": results have fewer digits')
    return Options(level=Level[level.upper()], precision=asked if precision is not None else None)


def _one_of(name: str, value: object, allowed: tuple[object, ...], seen: object = None) -> None:
    if value not in allowed:
        words = ", ".join(each.lower() if isinstance(each, str) else repr(each) for each in allowed)
        raise ValueError(f"{name} is one of {words}, not {seen or value!r}")
