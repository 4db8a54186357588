"""The trips of a ``for`` loop over a range: its numbers, and what is known of them."""

from __future__ import annotations

import ast
import math

from nprewrite.lowering.forms import Bound, Form, Symbols
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import NotNative, Operation
from nprewrite.lowering.trip_elements import Trips
from nprewrite.lowering.values import Value


def over_range(walk: Trips, node: ast.For, arguments: list[Value]) -> None:
    """``for i in range(*arguments)``."""
    call, target = node.iter, node.target
    if not isinstance(target, ast.Name) or not 1 <= len(arguments) <= 3:
        raise NotNative("not-a-range", f"`{ast.unparse(call)}` with this loop variable", node)
    zero, one = (Value({INT: f"np.int64({each})"}, form=Form(each)) for each in (0, 1))
    start, stop, step = [zero, *arguments, one] if len(arguments) == 1 else [*arguments, one][:3]
    if not all(number.dtype.kind in "iub" for each in (start, stop, step) for number in each.codes):
        raise NotNative("not-a-range", f"`{ast.unparse(call)}` is not a range of integers", node)
    texts = [walk.code.temporary(walk.integer(each)) for each in (start, stop)]
    low, high, trips, least = _span(start, stop, step, walk.code.symbols)
    if step.form is None or step.form.terms:
        texts.append(walk.code.temporary(walk.integer(step)))
        walk.code.node = call
        walk.code.end_if(f"{texts[-1]} == 0", Operation("range(0, 1, _0)", ((INT, texts[-1]),)))
    else:
        if step.form.constant == 0:
            raise NotNative("not-a-range", f"`{ast.unparse(call)}` has a step of 0", node)
        texts.append(str(step.form.constant))
    counter = walk.code.fresh()

    def count() -> None:
        walk.take(target, Value({INT: counter}, form=walk.code.symbols.new(low, high)))

    walk.counted(node, counter, (texts[0], texts[1], texts[2]), trips, least, count)


def _span(
    start: Value, stop: Value, step: Value, symbols: Symbols
) -> tuple[Form | None, Form | None, Bound, Bound]:
    """The least and greatest value of the loop variable, and the most and fewest trips."""
    first, last = start.form, stop.form
    if first is None or last is None or step.form is None:
        return None, None, math.inf, 0
    if step.form.terms or not step.form.constant:
        low = symbols.between(min(symbols.lower(first), symbols.lower(last)), math.inf)
        high = symbols.between(-math.inf, max(symbols.upper(first), symbols.upper(last)))
        return low, high, max(symbols.upper(last.minus(first)), symbols.upper(first.minus(last)), 0), 0
    by = step.form.constant
    distance = last.minus(first) if by > 0 else first.minus(last)
    most, least = (_ceiling(each, abs(by)) for each in (symbols.upper(distance), symbols.lower(distance)))
    if by > 0:
        return first, last.plus(Form(-1)), max(0, most), least
    return last.plus(Form(1)), first, max(0, most), least


def _ceiling(length: Bound, step: int) -> Bound:
    return -(-int(length) // step) if math.isfinite(length) else length
