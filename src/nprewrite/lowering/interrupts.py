"""Where a loop checks for signals: Python runs their handlers between iterations, as in the loop as written.

The work that is done is counted down, and Python is asked when the count is used up. Inside an innermost loop
over a range nothing is counted, so that it can be vectorised: its trips run in strips.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Protocol

from nprewrite.lowering.forms import Bound
from nprewrite.lowering.values import Code

WORK = 2**22
"""Nodes of the syntax tree between two checks: some milliseconds, never more than half a second."""
_STRIP = 2**18
"""Nodes in a strip."""
_SHORT = 2**27
"""Nodes of a loop that runs in one strip: so many that most numbers of trips give the same code."""
_SHORTEST = 2**10
"""The fewest trips in a strip."""
_ARRAY = 2**10
"""What an expression of small arrays counts as."""
_CALL = 32
"""What a function of numbers counts as."""
Span = tuple[str, str, str]
"""The code of start, stop and step of a range."""
Body = Callable[[], bool]
"""Writes an iteration; returns whether it may break off the loop."""


class Walk(Protocol):
    """A walk over statements that knows which loops check for signals."""

    code: Code
    looks: Callable[[ast.For | ast.While], bool]


@contextmanager
def endless(walk: Walk, loop: ast.While) -> Iterator[None]:
    """A loop without end; the code written in this context is an iteration.

    The check for signals stands outside the loop over iterations, where LLVM then keeps what it has read.
    """
    code = walk.code
    if not walk.looks(loop):
        with code.block("while True:"):
            yield
        return
    code.signals = True
    with code.block("while True:"):
        with code.block("while work >= 0:"):
            code.line(f"work -= {_weight([loop.test, *loop.body])}")
            yield
        with code.block("else:"):
            _look(walk, loop)
            code.line("continue")
        code.line("break")


def over_range(walk: Walk, loop: ast.For, counter: str, span: Span, trips: Bound, body: Body) -> None:
    """A loop over a range of at most ``trips``: in strips, or with a check before it if it is short.

    If it holds a loop that must not be left, such as one over lanes, each iteration begins with a check.
    """
    code, weight = walk.code, _weight(loop.body)
    header = f"for {counter} in range({', '.join(span)}):"
    if walk.looks(loop) and not all(map(walk.looks, _loops_in(loop))):
        with code.block(header):
            _count(walk, loop, str(weight))
            body()
        return
    if _few_trips(loop) is None and walk.looks(loop) and not (code.signals and trips * weight <= _SHORT):
        _strips(walk, loop, counter, span, body)
        return
    if _few_trips(loop) is None and code.signals:
        _count(walk, loop, f"{weight} * trips_of({', '.join(span)})")
    with code.block(header):
        body()


def _loops_in(loop: ast.For) -> list[ast.For | ast.While]:
    found = (each for part in loop.body for each in ast.walk(part))
    return [each for each in found if isinstance(each, ast.For | ast.While)]


def _few_trips(loop: ast.For) -> int | None:
    """The number of trips if the text states it and it is smaller than that of a strip."""
    if isinstance(loop.iter, ast.Tuple | ast.List):
        return len(loop.iter.elts)
    try:
        trips = len(range(*map(ast.literal_eval, getattr(loop.iter, "args", ()))))
    except (TypeError, ValueError):
        return None
    return trips if trips < _SHORTEST else None


def _strips(walk: Walk, loop: ast.For, counter: str, span: Span, body: Body) -> None:
    """Consecutive strips, with a check for signals between them.

    The last one is up to twice as long, because the number of trips may be off by 2**10.
    """
    code, weight = walk.code, _weight(loop.body)
    # The loops inside it count their work.
    code.signals = True
    length = max(_STRIP // weight, _SHORTEST)
    start, stop, step = span
    first, more = code.temporary(start), code.temporary("True")
    with code.block(f"while {more}:"):
        trips = code.temporary(f"trips_of({first}, {stop}, {step})")
        code.line(f"{more} = {trips} > {2 * length}")
        end = code.temporary(f"{first} + {length} * {step} if {more} else {stop}")
        code.line(f"work -= {weight} * min({trips}, {2 * length})")
        with code.block(f"for {counter} in range({first}, {end}, {step}):"):
            breaks = body()
        with code.block("else:") if breaks else nullcontext():
            with code.block(f"if {more}:"):
                code.line(f"{first} = {end}")
                _look(walk, loop)
            if breaks:
                code.line("continue")
        if breaks:
            code.line("break")


def count_array(code: Code) -> None:
    """Count an expression of arrays."""
    if code.signals:
        code.line(f"work -= {_ARRAY}")


def _count(walk: Walk, loop: ast.For | ast.While, work: str) -> None:
    """Count work, and check for signals if the loop may be left here."""
    walk.code.line(f"work -= {work}")
    if walk.looks(loop):
        _look(walk, loop)


def _look(walk: Walk, loop: ast.For | ast.While) -> None:
    """Have Python handle signals when the work is used up, and end the function if a handler raises."""
    code = walk.code
    code.signals = True
    code.declared["work"] = f"np.int64({WORK})"
    code.node = loop
    with code.block("if work < 0:"):
        with code.block("if has_raised(r_int):"):
            code.end_in_fault(None)
        code.line(f"work = np.int64({WORK})")


def _weight(nodes: Sequence[ast.AST]) -> int:
    """The nodes of the tree that an iteration runs through, without those of loops that count themselves."""
    count = 1
    for node in nodes:
        if isinstance(node, ast.While):
            continue
        times = _few_trips(node) if isinstance(node, ast.For) else 1
        count += _CALL if isinstance(node, ast.Call | ast.MatMult) else 1
        count += (times or 0) * _weight([*ast.iter_child_nodes(node)])
    return count
