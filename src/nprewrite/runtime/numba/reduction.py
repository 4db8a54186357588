"""The decorator for reductions of large arrays to numbers that a loop needs for many sets of scalars.

    for i, mean_i in _profile_reduction.over(range(n), lambda i: (lo[i], hi[i]), (data, r)):
        res[i] = mean_i

NumPy goes over the arrays once for each operation of each iteration. Here Numba computes many iterations
ahead in one pass over the arrays, a block of which stays in the cache for all sets of scalars. Exponentials
and the like are computed by torch where it is installed (``reduction_rows``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from nprewrite.base.syntax import parts_of
from nprewrite.lowering.arrays import ArrayArgument, NumberArgument
from nprewrite.lowering.numbers import Number, number_of, of_real_dtype
from nprewrite.lowering.reductions import BLOCK, EXTREMES, Reduced, reduced
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.refusal import Compilation, Compiling, Refused, Unusable
from nprewrite.runtime.api.runner import NotCompiled
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.device.devices import Placed
from nprewrite.runtime.numba.decorator import Native
from nprewrite.runtime.numba.followed import followed
from nprewrite.runtime.numba.names import resolver
from nprewrite.runtime.numba.reduction_kernel import Kernel
from nprewrite.runtime.numba.reduction_rows import Rows

AHEAD = 256
"""Iterations computed in one pass over the arrays."""

LEAST_SIZE = 1 << 14
"""Elements below which the calls of an iteration in NumPy are soon done."""

LEAST_WORK = 1 << 24
"""Elements times iterations, over all loops so far, below which Numba is not worth a second or two."""

Array = np.ndarray[Any, Any]
Scalars = Callable[[int], tuple[Any, ...]]


@overload
def reduction(function: Callable[..., Any], /) -> Reduction: ...


@overload
def reduction(*, on_fallback: str = "warn") -> Callable[[Callable[..., Any]], Reduction]: ...


def reduction(
    function: Callable[..., Any] | None = None, /, *, on_fallback: str = "warn"
) -> Reduction | Callable[[Callable[..., Any]], Reduction]:
    """Have Numba compute what a function returns for many sets of scalars in one pass over its arrays.

    The function takes scalars, then arrays of one shape, and returns a sum, a mean or a count over them, or a
    tuple of these. Where a loop has to run as written, ``on_fallback`` says whether to "warn" or to "raise"
    ``FallbackError``.
    """
    if function is None:
        return lambda made: Reduction(made, on_fallback)
    return Reduction(function, on_fallback)


class Reduction(Native):
    """Reductions of arrays with what was compiled of them; see ``Native``."""

    def __init__(self, function: Callable[..., Any], on_fallback: str = "warn") -> None:
        super().__init__(function, on_fallback)
        self._kernels: dict[tuple[Any, ...], Kernel] = {}
        self._work = 0
        self._rows_fit = True
        self._compilation: Compilation | None = None

    def over(
        self,
        trips: range,
        scalars: Scalars,
        arrays: tuple[Any, ...],
        stored: tuple[Any, ...] = (),
        read: tuple[Any, ...] = (),
    ) -> Iterator[tuple[int, Any]]:
        """Yield each number of the range with what the function returns for its scalars and the arrays.

        ``scalars`` must depend on nothing that the loop around changes. ``stored`` is what that loop stores
        into, ``read`` what ``scalars`` reads: where it stores into something that is read, or shares memory
        with it, each iteration is computed as written, when it is reached.
        """
        done, count, refusal = 0, _ahead(trips), None
        try:
            self._check(trips, arrays, stored, read)
        except Refused as refused:
            refusal = refused
        while refusal is None and done < len(trips):
            values, error = _evaluated(trips[done : done + count], scalars)
            try:
                found = self._computed(values, arrays, trips)
            except Refused as refused:
                refusal = refused
                break
            yield from zip(trips[done : done + len(values)], found, strict=True)
            if error is not None:
                raise error
            done += count
        if refusal is None:
            self.runs["compiled"] += 1
            return
        self._note(refusal)
        if not refusal.silent and self.on_fallback == "raise":
            self._tell(refusal)
        for number in trips[done:]:
            yield number, self.function(*scalars(number), *arrays)
        # An error of the user's own comes first, without another one in its context.
        if not refusal.silent:
            self._tell(refusal)

    def _note(self, refusal: Refused, seconds: float = 0.0) -> None:
        super()._note(refusal, seconds)
        if isinstance(refusal, Compiling):
            self._compilation = refusal.compilation

    def _check(
        self, trips: range, arrays: tuple[Any, ...], stored: tuple[Any, ...], read: tuple[Any, ...]
    ) -> None:
        """Refuse what cannot be computed ahead; see ``over``."""
        self._check_usable()
        if self._compilation is not None and not self._compilation.over:
            raise Compiling(self._compilation)
        if any(isinstance(each, Placed) for each in (*arrays, *stored, *read)):
            raise Refused("arrays on a device", silent=True)
        for each in arrays:
            _check_array(each)
        shapes = {each.shape for each in arrays}
        if len(shapes) > 1:
            raise Refused("shapes", f"arrays have shapes {sorted(shapes)}, expected one shape")
        self._work += arrays[0].size * len(trips)
        if not self._rows_take(trips, arrays):
            self._check_size(arrays)
        for one in stored:
            _check_stored(one, (*arrays, *read))
        guards.check_warnings()

    def _check_size(self, arrays: Sequence[Array]) -> None:
        little = arrays[0].size < LEAST_SIZE or self._work < LEAST_WORK
        if little or not EXTREMES.isdisjoint(self._rows.kinds):
            raise Refused("too little work to compile for", silent=True)

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.function, self._tree, resolver(self.function))

    def _rows_take(self, trips: range, arrays: Sequence[Array]) -> bool:
        return self._rows_fit and self._rows.takes(len(trips), arrays)

    def _computed(self, values: list[tuple[Any, ...]], arrays: tuple[Array, ...], trips: range) -> list[Any]:
        """What the function returns for each set of scalars, which belong to some of ``trips``."""
        if not values:
            return []
        waiting.step_asks.set(self.is_waited_for)
        results = self._by_rows(values, arrays, trips) or self._by_blocks(values, arrays)
        return results if isinstance(self._rows.returned, ast.Tuple) else [each for (each,) in results]

    def _by_rows(
        self, values: list[tuple[Any, ...]], arrays: tuple[Array, ...], trips: range
    ) -> list[tuple[Any, ...]] | None:
        """The results by torch; None where Numba has to compute them. Raises ``Compiling``."""
        if not self._rows_take(trips, arrays):
            return None
        try:
            return self._rows.run(values, _ahead(trips), _flat(arrays))
        except NotCompiled:
            self._rows_fit = False
        except Compiling:
            # Numba would be waited for.
            raise
        except Refused as refusal:
            self._rows_fit = not isinstance(refusal, Unusable)
        return None

    def _by_blocks(self, values: list[tuple[Any, ...]], arrays: tuple[Array, ...]) -> list[tuple[Any, ...]]:
        self._check_size(arrays)
        numbers = [_number_of_all([each[k] for each in values]) for k in range(len(values[0]))]
        key = (*numbers, *(each.dtype for each in arrays))
        if key not in self._kernels:
            self._kernels[key] = self._kernel(numbers, arrays)
        columns = [np.array([each[k] for each in values], number.dtype) for k, number in enumerate(numbers)]
        return self._kernels[key].run(values, columns, _flat(arrays))

    def _kernel(self, numbers: Sequence[Number], arrays: Sequence[Array]) -> Kernel:
        scalars, names = self._names[: len(numbers)], self._names[len(numbers) :]
        resolve = resolver(self.function)
        entry: dict[str, ArrayArgument | NumberArgument] = {
            name: NumberArgument(number) for name, number in zip(scalars, numbers, strict=True)
        }
        for name, array in zip(names, arrays, strict=True):
            element = of_real_dtype(array.dtype)
            assert element is not None
            entry[name] = ArrayArgument(element, 1, (BLOCK,))
        with followed(Unusable):
            parts: list[Reduced] = [reduced(each, names, resolve) for each in parts_of(self._rows.returned)]
            return Kernel(self.function, parts, scalars, entry, resolve)


def _ahead(trips: range) -> int:
    """How many iterations are computed in one pass: the same number in each but the last."""
    passes = -(-len(trips) // AHEAD)
    return -(-len(trips) // passes) if passes else 1


def _flat(arrays: Sequence[Array]) -> list[Array]:
    return [np.ascontiguousarray(each).reshape(-1) for each in arrays]


def _evaluated(trips: range, scalars: Scalars) -> tuple[list[tuple[Any, ...]], Exception | None]:
    """The scalars of the iterations up to the first for which evaluating them raises, and what it raises."""
    values: list[tuple[Any, ...]] = []
    for number in trips:
        try:
            values.append(scalars(number))
        except Exception as error:  # noqa: BLE001 (whatever it is, it is raised when its iteration is reached)
            return values, error
    return values, None


def _number_of_all(values: Sequence[Any]) -> Number:
    kinds = {number_of(each) for each in values}
    number = kinds.pop()
    if kinds or number is None or number.is_complex:
        text = "the scalars are complex or of several types, expected real numbers of one type"
        raise Refused("types of scalars", text)
    return number


def _check_array(array: Any) -> None:
    if type(array) is not np.ndarray or of_real_dtype(array.dtype) is None:
        kind = f"{type(array).__name__} of {getattr(array, 'dtype', 'no dtype')}"
        raise Refused(
            "type of an array",
            f"an array is {kind}, expected exactly numpy.ndarray of booleans, integers, float32 or float64",
        )


def _check_stored(stored: Any, others: Sequence[Any]) -> None:
    """Refuse a target of the loop's stores that may change the reductions."""
    if type(stored) not in (np.ndarray, list, dict):
        raise Refused(
            "type of what is stored into", f"the loop stores into {type(stored).__name__}, expected an array"
        )
    shared = any(
        stored is each
        or (isinstance(stored, np.ndarray) and isinstance(each, np.ndarray) and guards.share(stored, each))
        for each in others
    )
    if shared:
        raise Refused(
            "shared memory",
            "the loop stores into memory that it reduces, expected separate memory; copy one of them",
        )
