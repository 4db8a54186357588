"""Reductions compiled by torch, one row of elements for each set of scalars: extremes, sums of exponentials.

Inductor computes elementary functions for a vector of elements at once, Numba one by one. The rows are fused
with their sums and extremes, so that none of their elements is kept.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nprewrite.base.syntax import parts_of
from nprewrite.lowering.reductions import EXTREMES, of_rows
from nprewrite.runtime.api.guards import check_threads
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.runner import Runner, compiled_runner
from nprewrite.runtime.api.step import step
from nprewrite.runtime.api.step_runs import MINIMUM_WORK
from nprewrite.runtime.choosing import cost

Array = np.ndarray[Any, Any]
Resolve = Callable[[ast.expr], str | None]

_WHOLE = 1 << 53
"""Integers below this are exact as float64."""


class Rows:
    """The reductions of a function of float64 arrays and numbers.

    ``tree`` is its definition, ``resolve`` gives what the names in it stand for.
    """

    def __init__(self, function: Callable[..., Any], tree: ast.FunctionDef, resolve: Resolve) -> None:
        self._function = function
        self._tree = tree
        self._resolve = resolve
        self._weight = cost.weight(function)

    @property
    def returned(self) -> ast.expr:
        """The reduction that the function returns, or a tuple of reductions."""
        last = self._tree.body[-1]
        assert isinstance(last, ast.Return)
        assert last.value is not None
        return last.value

    @cached_property
    def kinds(self) -> list[str | None]:
        """The kinds of the reductions that the function returns, None for what torch does not compute."""
        return [of_rows(each, self._resolve) for each in parts_of(self.returned)]

    @cached_property
    def _follows(self) -> bool:
        """Whether torch computes all reductions, and Numba does not or is slower."""
        slow = self._weight > 1 or not EXTREMES.isdisjoint(self.kinds)
        return slow and None not in self.kinds

    def takes(self, trips: int, arrays: Sequence[Array]) -> bool:
        """Whether ``trips`` rows are of float64 and worth compiling for."""
        if arrays[0].size * trips * self._weight < MINIMUM_WORK or not self._follows:
            return False
        return all(each.dtype == np.float64 for each in arrays)

    def run(self, values: list[tuple[Any, ...]], rows: int, arrays: Sequence[Array]) -> list[tuple[Any, ...]]:
        """What the function returns for each of ``values``, at most ``rows`` of them.

        ``arrays`` have one axis and lie without gaps. Raises ``Refused``, and ``NotCompiled`` where torch is
        missing.
        """
        check_threads()
        if not all(_is_float(each) for one in values for each in one):
            raise Refused("types of scalars", silent=True)
        # Padded to one number of rows, for which there is one graph.
        padded = values + values[-1:] * (rows - len(values))
        columns = np.array(padded, np.float64).reshape(rows, -1, 1).swapaxes(0, 1).copy()
        named = dict(zip(self._names, [*columns, *arrays], strict=True))
        found = self._runner.run(named, range(1), None, [], tune=False)
        return [*zip(*(np.broadcast_to(each, rows)[: len(values)] for each in found), strict=True)]

    @property
    def _names(self) -> list[str]:
        return [each.arg for each in self._tree.args.args]

    @cached_property
    def _runner(self) -> Runner:
        inputs = dict.fromkeys(self._names, "float64")
        places = ("argmin", "argmax")
        out = {f"value_{k}": "int64" if kind in places else "float64" for k, kind in enumerate(self.kinds)}
        made = step(inputs=inputs, out=out, once=True, compile=True)(self._of_columns())
        return compiled_runner(made.function, made.signature)

    def _of_columns(self) -> Callable[..., tuple[Any, ...]]:
        """The function with a column in the place of each number; returns a tuple of arrays."""
        tree = copy.deepcopy(self._tree)
        reductions = parts_of(copy.deepcopy(self.returned))
        for each in reductions:
            # ``x.sum()`` or ``np.sum(x)`` becomes a reduction of each row.
            assert isinstance(each, ast.Call)
            each.keywords = [ast.keyword("axis", ast.Constant(-1))]
        tree.body = [ast.Return(ast.Tuple(reductions, ast.Load()))]
        tree.decorator_list = []
        module = ast.fix_missing_locations(ast.Module([tree], []))
        names: dict[str, Any] = dict(getattr(self._function, "__globals__", {}))
        exec(compile(module, "<rows>", "exec"), names)
        made: Callable[..., tuple[Any, ...]] = names[tree.name]
        return made


def _is_float(value: Any) -> bool:
    """Whether a number is exact as a float64."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, float | int | np.floating | np.integer):
        return False
    return isinstance(value, float | np.floating) or abs(int(value)) <= _WHOLE
