"""The walk over expressions with which functions of arrays are lowered, and the work that it has found."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence

from nprewrite.lowering import array_ranks, interrupts
from nprewrite.lowering.arrays import UNKNOWN, ArrayValue
from nprewrite.lowering.elements import Elements, Length, broadcast, in_memory
from nprewrite.lowering.expressions import Expressions
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.values import Value

_CALL_WORK = 8
"""The number of scalar statements that take as long as a call of NumPy's."""
_LOOKUP_WORK = 3
"""That of those that take as long as a lookup in a dictionary."""
_CALL_NS = 1000.0
"""What a call of NumPy's takes at least, whatever the number of elements."""


class ArrayWalk(Expressions):
    """Evaluates expressions, some of which are arrays."""

    _trips: float = 1
    _seen_trips: float = 1
    work: float = 0
    seen_work: float = 0
    saved: float = 0
    """An estimate of the nanoseconds by which the loops are faster than NumPy's calls."""

    def value(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to, which has to be a number."""
        made = self.evaluate(node)
        if isinstance(made, Elements):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is a whole array", node)
        return made

    def evaluate(self, node: ast.expr) -> Value | Elements:
        """What ``node`` evaluates to: a number, or the elements of an array."""
        return super().value(node)

    def elements(self, node: ast.expr) -> Elements:
        """The elements of what has to be an array."""
        made = self.evaluate(node)
        if not isinstance(made, Elements):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is not an array", node)
        return made

    def solid(self, node: ast.expr) -> ArrayValue:
        """What has to be an array, in memory."""
        elements = self.elements(node)
        return in_memory(self.code, elements)

    def is_array(self, node: ast.expr) -> bool:
        """Whether an expression is an array, as far as its parts tell."""
        return self.rank(node) > 0

    def rank(self, node: ast.expr) -> int:
        return array_ranks.rank(self, node)

    def elementwise(
        self,
        operands: Sequence[Value | Elements],
        function: Callable[..., Value],
        node: ast.expr,
        *,
        slower: float = 0.0,
    ) -> Elements:
        """A function of the elements of arrays and of numbers.

        ``slower`` says how many nanoseconds an element it takes more than NumPy's own, which is vectorised.
        """
        arrays = [each for each in operands if isinstance(each, Elements)]
        lengths, spread = broadcast(self.code, arrays)
        ready = iter(spread)
        parts = [next(ready) if isinstance(each, Elements) else each for each in operands]
        self.account(lengths, slower)

        def at(indices: Sequence[str]) -> Value:
            return function(*[each.at(indices) if isinstance(each, Elements) else each for each in parts])

        return Elements(lengths, at)

    def account(self, lengths: Sequence[Length], nanoseconds: float) -> None:
        """Take one call of NumPy's into account, and how many ``nanoseconds`` an element it is faster."""
        most = [self.code.symbols.upper(each.form) for each in lengths]
        # If nothing is known of a length, the arrays are assumed to be small.
        count = math.prod(each if each < UNKNOWN else 1 for each in most)
        interrupts.count_array(self.code)
        self.calls += 1
        self.work += self._trips * _CALL_WORK
        self.seen_work += self._seen_trips * _CALL_WORK
        self.saved += self._trips * (_CALL_NS - nanoseconds * count)

    def count_lookup(self) -> None:
        """Take one lookup in a dictionary or a set into account."""
        self.work += self._trips * _LOOKUP_WORK
        self.seen_work += self._seen_trips * _LOOKUP_WORK

    def place_on(self, base: ArrayValue, axis: int, index: Value) -> str:
        """The code of an index on an axis of an array, in range and counted from the start."""
        assert base.lengths is not None
        return self.in_range(f"{base.text}.shape[{axis}]", base.lengths[axis], index, axis)
