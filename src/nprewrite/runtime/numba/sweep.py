"""The decorator for a loop whose statements compute rows or columns of arrays from others: a sweep.

Numba runs the loop, with one pass over the lanes for consecutive statements. The fallback is the loop as
written: array code, which NumPy runs.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from nprewrite.lowering.arrays import ArrayArgument, Entry, NumberArgument
from nprewrite.lowering.lane_pass import Pass
from nprewrite.lowering.lanewise_loops import LaneNest, lane_nest
from nprewrite.lowering.numbers import number_of, of_real_dtype
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.numbers import SCALAR_ERRORS
from nprewrite.runtime.api.refusal import Refused, refused_by
from nprewrite.runtime.numba.decorator import Native
from nprewrite.runtime.numba.followed import followed
from nprewrite.runtime.numba.names import resolver
from nprewrite.runtime.numba.plans import Plan


@overload
def sweep(function: Callable[..., Any], /) -> Sweep: ...


@overload
def sweep(*, on_fallback: str = "warn") -> Callable[[Callable[..., Any]], Sweep]: ...


def sweep(
    function: Callable[..., Any] | None = None, /, *, on_fallback: str = "warn"
) -> Sweep | Callable[[Callable[..., Any]], Sweep]:
    """Have Numba run a function of loops over rows or columns of arrays, with the results of NumPy.

    The function takes positional arguments and returns numbers, a tuple of numbers, or None. Where it has to
    run as written, ``on_fallback`` says whether to "warn" or to "raise" ``FallbackError``.
    """
    if function is None:
        return lambda made: Sweep(made, on_fallback)
    return Sweep(function, on_fallback)


class Sweep(Native):
    """A function of loops over rows or columns with what was compiled of it; see ``Native``."""

    looks = True
    """Whether its loops check for signals."""

    def __init__(self, function: Callable[..., Any], on_fallback: str = "warn") -> None:
        super().__init__(function, on_fallback)
        self._nests: dict[tuple[Any, ...], _Scalars] = {}

    def _ran(self, arguments: Sequence[Any]) -> Any:
        if len(arguments) != len(self._names):
            raise Refused("arguments", silent=True)
        types = tuple([argument_type(each) for each in arguments])
        if types not in self._nests:
            self._nests[types] = self._nest(types)
        return self._nests[types]._ran(arguments)

    def _nest(self, types: tuple[ArrayArgument | NumberArgument | None, ...]) -> _Scalars:
        entry = {name: each for name, each in zip(self._names, types, strict=True) if each is not None}
        with followed(Refused):
            return _Scalars(self, self._lanes(entry))

    def _lanes(self, entry: Entry) -> LaneNest:
        """The loops over scalars for arguments of these types; raises ``NotNative``."""
        return lane_nest(self._tree, entry, resolver(self.function))


class _Scalars(Native):
    """A sweep as loops over scalars, for arguments of given types."""

    # Half of a pass has stored other elements than half of the statements as written.
    in_order = False

    def __init__(self, sweep: Sweep, made: LaneNest) -> None:
        super().__init__(sweep.function, sweep.on_fallback)
        self.runs, self.code = sweep.runs, sweep.code
        self.waits, self.counts = sweep.waits, sweep.counts
        self._sweep, self._made = sweep, made
        parts = ast.Tuple([each.node for each in made.views], ast.Load())
        self._views = compile(ast.fix_missing_locations(ast.Expression(parts)), "<slices>", "eval")

    @functools.cached_property
    def _tree(self) -> ast.FunctionDef:
        return self._made.function

    def _is_awaited(self, plan: Plan) -> bool:
        return self._sweep._is_awaited(plan)

    def _looks(self, loop: ast.For | ast.While) -> bool:
        # A pass over lanes is only a part of one of the user's iterations.
        return self._sweep.looks and not (isinstance(loop, ast.For) and self._made.over_lanes(loop))

    def _ran(self, arguments: Sequence[Any]) -> Any:
        """Run compiled; raises ``Refused`` where lanes do not fit together, or arrays share memory."""
        known = dict(zip(self._sweep._names, arguments, strict=True))
        try:
            parts = eval(self._views, getattr(self.function, "__globals__", {}), known)
        except SCALAR_ERRORS as error:
            raise refused_by(error, f"{type(error).__name__} in a slice", silent=True) from error
        known |= zip([each.name for each in self._made.views], parts, strict=True)
        for one in self._made.passes:
            _check_lengths(one, known)
            _check_rows(one, known)
            _check_memory(one, known)
        return super()._ran([*arguments, *parts])


def argument_type(argument: Any) -> ArrayArgument | NumberArgument | None:
    """The type of an argument as far as the loops depend on it; None for what is not followed."""
    if isinstance(argument, np.ndarray):
        element = of_real_dtype(argument.dtype)
        return None if element is None else ArrayArgument(element, argument.ndim)
    number = number_of(argument)
    return None if number is None else NumberArgument(number)


def _check_lengths(one: Pass, known: dict[str, Any]) -> None:
    """Refuse unequal numbers of lanes, and no lanes: an index out of range would raise there too."""
    first, *others = one.alike
    lengths = [known[first.view].shape[axis] for axis in first.axes]
    if 0 in lengths:
        raise Refused("no elements", silent=True)
    for each in others:
        found = [known[each.view].shape[axis] for axis in each.axes]
        if found != lengths[len(lengths) - len(found) :]:
            raise Refused(
                f"shape of {each.array}",
                f"`{each.array}[{each.index}]` has lengths {found} beside `{first.array}[{first.index}]` "
                f"of lengths {lengths}, expected the same",
            )


def _check_rows(one: Pass, known: dict[str, Any]) -> None:
    """Silently refuse an axis so short that a row counted from its end may be the one that is stored."""
    for name, axis, distance in one.distances():
        if known[name].shape[axis] <= distance:
            raise Refused("too few rows", silent=True)


def _check_memory(one: Pass, known: dict[str, Any]) -> None:
    """Refuse a stored array that shares memory with another array of the pass, or within itself."""
    for name in sorted(one.stored):
        if guards.may_overlap_itself(known[name]):
            raise Refused(f"{name} overlaps itself", f"{name!r} overlaps itself; copy it")
        shared = next(
            (each for each in sorted(one.met - {name}) if guards.share(known[name], known[each])), None
        )
        if shared is not None:
            raise guards.shared_memory(name, shared)
