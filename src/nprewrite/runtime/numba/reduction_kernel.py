"""Reductions compiled by Numba: many sets of scalars in one pass over blocks of arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from nprewrite.lowering.arrays import ArrayArgument, Entry, NumberArgument
from nprewrite.lowering.lower import lower
from nprewrite.lowering.numbers import of_real_dtype
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.reductions import BLOCK, Reduced, block_loop
from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.api.refusal import Refused, refused_by
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.numba import build
from nprewrite.runtime.torch import machine

Array = np.ndarray[Any, Any]

SPAN = 4096
"""Blocks whose sums are kept apart until NumPy adds them, in pairs."""

LEAST_WORK = 1 << 22
"""Elements times iterations below which a further thread is not worth starting."""

# The elements of a block may be added in any order, which is faster and errs less than one by one.
_TEXT = """\
def lowered({parameters}, blocks, counts, r_int, r_float, r_tag):
    for b in range(blocks):
        first = b * {block}
        for i in range(counts.shape[1]):
            event = block({arguments}, r_int, r_float, r_tag)
            if event != 0:
                return event
            for k in range(counts.shape[0]):
                counts[k, i] += r_int[k]
{sums}
    return 0


@njit(error_model="numpy", fastmath={{"reassoc", "nsz"}})
def total(values, zero):
    found = zero
    for k in range(values.size):
        found += values[k]
    return found


@njit(error_model="numpy")
{inner}"""


class Kernel:
    """The reductions of one function for arguments of given types."""

    def __init__(
        self,
        function: Callable[..., Any],
        parts: Sequence[Reduced],
        scalars: Sequence[str],
        entry: Entry,
        resolve: Callable[[ast.expr], str | None],
    ) -> None:
        """``entry`` has the types of all arguments, those of ``scalars`` first.

        Raises ``NotNative`` for expressions that are not followed, ``Refused`` for types that are not.
        """
        self._parts = parts
        self._names = tuple(entry)
        self._globals = getattr(function, "__globals__", {})
        self._operands = [_code(each.operand) for each in parts]
        self._masks = [_code(each.mask) if each.mask is not None else None for each in parts]
        self._dtypes = self._types(entry)
        self._added = [_added(each, dtype) for each, dtype in zip(parts, self._dtypes, strict=True)]
        arrays = [each for each in entry if each not in scalars]
        loop = block_loop(parts, scalars, arrays)
        picked = {}
        added = [each.arg for each in loop.args.args][len(entry) :]
        for name, dtype in zip(added, self._kept(), strict=True):
            element = of_real_dtype(dtype)
            assert element is not None
            picked[name] = ArrayArgument(element, 1, (BLOCK,))
        lowered = lower(loop, {**entry, **picked}, resolve)
        if lowered.stops:
            raise NotNative("may-raise", "an operation may stop in the middle of the arrays")
        self._width = lowered.width
        self._loop = build.Loop(
            function.__name__, _text(lowered.text, scalars, arrays, [*picked]), nogil=True
        )

    def run(
        self, values: Sequence[tuple[Any, ...]], columns: Sequence[Array], arrays: Sequence[Array]
    ) -> list[tuple[Any, ...]]:
        """What the function returns for each of ``values``, which ``columns`` holds as one array per scalar.

        ``arrays`` have one axis and lie without gaps. Threads share the iterations; each iteration is
        computed as by a single thread.
        """
        whole = arrays[0].size // BLOCK * BLOCK
        tails = [each[whole:] for each in arrays]
        ends = [self._of_tail(each, tails) for each in values]
        counts = np.array([[count for count, _ in each] for each in ends], np.int64).T.copy()
        sums: list[list[Array]] = [
            [np.array([each[k][1] for each in ends], kept)] for k, kept in enumerate(self._added)
        ]
        masked = [k for k, part in enumerate(self._parts) if part.mask is not None]
        summed = [k for k, part in enumerate(self._parts) if part.sums]
        for first in range(0, whole, SPAN * BLOCK):
            here, totals = self._shared(
                columns, [each[first : min(first + SPAN * BLOCK, whole)] for each in arrays]
            )
            for k, each in zip(masked, here, strict=True):
                counts[k] += each
            for k, each in zip(summed, totals, strict=True):
                sums[k].append(each)
        for k in set(range(len(counts))) - {*masked}:
            counts[k] += whole
        columns_of_results = [self._results(k, counts[k], np.sum(sums[k], axis=0)) for k in range(len(sums))]
        return [*zip(*columns_of_results, strict=True)]

    def _shared(self, columns: Sequence[Array], arrays: Sequence[Array]) -> tuple[Array, list[Array]]:
        """What ``_of_blocks`` gives, computed by several threads where that is worth it."""
        shares = _shares(len(columns[0]), arrays[0].size)
        if len(shares) == 1:
            return self._of_blocks(columns, arrays)

        def part(share: slice) -> tuple[Array, list[Array]]:
            return self._of_blocks([each[share] for each in columns], arrays)

        try:
            with ThreadPoolExecutor(len(shares)) as threads:
                found = [*threads.map(part, shares)]
        except RuntimeError:
            # No thread starts while Python shuts down, or beyond a limit of the system.
            return self._of_blocks(columns, arrays)
        counts = np.concatenate([each for each, _ in found], axis=1)
        return counts, [np.concatenate(each) for each in zip(*(sums for _, sums in found), strict=True)]

    def _of_blocks(self, columns: Sequence[Array], arrays: Sequence[Array]) -> tuple[Array, list[Array]]:
        """How many elements each reduction with a mask takes, and the sums of each that adds elements."""
        trips, blocks = len(columns[0]), arrays[0].size // BLOCK
        counts = np.zeros((sum(each.mask is not None for each in self._parts), trips), np.int64)
        added = [dtype for part, dtype in zip(self._parts, self._added, strict=True) if part.sums]
        totals = [np.empty((trips, blocks), dtype) for dtype in added]
        buffers = [np.zeros(BLOCK, dtype) for dtype in self._kept()]
        results = (
            np.zeros(self._width, np.int64),
            np.zeros(2 * self._width),
            np.zeros(self._width + 1, np.int64),
        )
        given = (*columns, *arrays, *buffers, *totals, blocks, counts, *results)
        self._loop.run_for(given, waits=waiting.is_wanted())(*given)
        return counts, [each.sum(axis=1) for each in totals]

    def _results(self, k: int, counts: Array, sums: Array) -> Iterator[Any]:
        """The values that NumPy would return, in its types."""
        part, dtype = self._parts[k], self._dtypes[k]
        if not part.sums:
            kind = int if part.kind == "count" else type(np.count_nonzero(np.zeros(1)))
            return map(kind, counts.tolist())
        if part.kind == "sum":
            return iter(sums.astype(np.zeros(1, dtype).sum().dtype))
        means = np.zeros(1, dtype).mean().dtype
        with np.errstate(all="ignore"):
            return iter((sums.astype(means) / counts).astype(means))

    def _kept(self) -> list[np.dtype[Any]]:
        """The dtypes in which the elements of a block are kept before they are added."""
        found = zip(self._parts, self._dtypes, self._added, strict=True)
        return [dtype if dtype.kind == "f" else added for part, dtype, added in found if part.sums]

    def _types(self, entry: Entry) -> list[np.dtype[Any]]:
        """The dtypes of the operands, as NumPy finds them for arguments of these types."""
        known: dict[str, Any] = {}
        for name, each in entry.items():
            if isinstance(each, ArrayArgument):
                known[name] = np.ones(1, each.element.dtype)
            elif isinstance(each, NumberArgument):
                one = each.number.dtype.type(1)
                known[name] = one.item() if each.number.weak else one
        dtypes = []
        for part, operand, mask in zip(self._parts, self._operands, self._masks, strict=True):
            value = self._value(operand, known)
            selects = mask is not None and part.kind != "nonzero"
            if selects and self._value(mask, known).dtype != bool:
                raise Refused(
                    "an index that is not a mask", "an array is indexed by integers, expected a mask"
                )
            if of_real_dtype(value.dtype) is None:
                raise Refused("dtype", f"the reduced values have dtype {value.dtype}")
            dtypes.append(value.dtype)
        return dtypes

    def _of_tail(self, values: Sequence[Any], tails: Sequence[Array]) -> list[tuple[int, Any]]:
        """How many elements of the last, incomplete, block each reduction takes, and their sum."""
        known = dict(zip(self._names, (*values, *tails), strict=True))
        found = []
        for part, operand, mask, added in zip(
            self._parts, self._operands, self._masks, self._added, strict=True
        ):
            taken = self._value(operand, known)
            if mask is not None:
                taken = taken[self._value(mask, known).astype(bool)]
            found.append((taken.size, taken.sum(dtype=added) if part.sums else 0))
        return found

    def _value(self, code: Any, known: dict[str, Any]) -> Any:
        try:
            with np.errstate(all="ignore"):
                return np.asarray(eval(code, self._globals, known))
        except STEP_ERRORS as error:
            raise refused_by(error, f"{type(error).__name__} in a reduction", silent=True) from error


def _shares(trips: int, size: int) -> list[slice]:
    """The iterations of each thread, for at most as many threads as kernels take."""
    threads = max(1, min(machine.threads(), trips, trips * size // LEAST_WORK))
    bounds = [trips * each // threads for each in range(threads + 1)]
    return [slice(*each) for each in pairwise(bounds)]


def _code(node: ast.expr) -> Any:
    return compile(ast.fix_missing_locations(ast.Expression(node)), "<reduction>", "eval")


def _added(part: Reduced, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which sums are kept: float64 for floats, which errs no more than NumPy's pairwise sums."""
    if dtype.kind == "f" or part.kind == "mean":
        return np.dtype(np.float64)
    return np.zeros(1, dtype).sum().dtype if part.sums else np.dtype(np.int64)


def _text(inner: str, scalars: Sequence[str], arrays: Sequence[str], picked: Sequence[str]) -> str:
    """The text of a pass over blocks as ``lowered``; ``inner`` is the text for one block."""
    totals = [f"totals{name}" for name in picked]
    slices = [f"p_{name}[first : first + {BLOCK}]" for name in arrays]
    sums = [
        f"            {kept}[i, b] = total({name}, {name}.dtype.type(0))"
        for kept, name in zip(totals, picked, strict=True)
    ]
    return _TEXT.format(
        parameters=", ".join([*(f"p_{name}" for name in (*scalars, *arrays)), *picked, *totals]),
        block=BLOCK,
        arguments=", ".join([*(f"p_{name}[i]" for name in scalars), *slices, *picked]),
        sums="\n".join(sums),
        inner=inner.replace("def lowered(", "def block(", 1),
    )
