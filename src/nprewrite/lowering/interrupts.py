"""Where a loop looks for signals: Python runs their handlers between iterations, as in the loop as written.

The work that is done is counted down, and Python is asked when the count is used up. Inside an innermost loop
over a range nothing is counted: its trips, which may be vectorised, run in strips.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Protocol

from nprewrite.lowering.forms import Bound
from nprewrite.lowering.values import Code

WORK = 2**22
"""Nodes of the syntax tree between two looks: some milliseconds, less than half a second in any case."""
_STRIP = 2**18
"""Nodes in a strip."""
_SHORT = 2**27
"""Nodes of a loop that runs in one strip; so many that the code for most numbers is the same."""
_SHORTEST = 2**10
"""Trips in a strip."""
_ARRAY = 2**10
"""What an expression of small arrays counts as."""
_CALL = 32
"""What a function of numbers counts as."""
Span = tuple[str, str, str]
"""The codes of start, stop and step of a range."""
Body = Callable[[], bool]
"""Writes an iteration; whether it may break off the loop."""


class Walk(Protocol):
    """A walk over statements that knows which loops look for signals."""

    code: Code
    looks: Callable[[ast.For | ast.While], bool]


@contextmanager
def endless(walk: Walk, loop: ast.While) -> Iterator[None]:
    """What is written here is an iteration, after which comes the next.

    The look for signals stands outside of the loop over iterations: LLVM keeps what it has read there.
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
    """A loop over a range, of at most ``trips``: in strips, or with a look before it where it is short.

    Where it holds a loop that must not be left, as one over lanes is, each iteration begins with a look.
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
    """The loops inside of a loop."""
    found = (each for part in loop.body for each in ast.walk(part))
    return [each for each in found if isinstance(each, ast.For | ast.While)]


def _few_trips(loop: ast.For) -> int | None:
    """The number of trips where these are written out, and fewer than a strip has."""
    if isinstance(loop.iter, ast.Tuple | ast.List):
        return len(loop.iter.elts)
    try:
        trips = len(range(*map(ast.literal_eval, getattr(loop.iter, "args", ()))))
    except (TypeError, ValueError):
        return None
    return trips if trips < _SHORTEST else None


def _strips(walk: Walk, loop: ast.For, counter: str, span: Span, body: Body) -> None:
    """Strips one after the other, with a look for signals between them.

    The last one is up to twice as long: the number of trips may be off by 2**10.
    """
    code, weight = walk.code, _weight(loop.body)
    # The loops in it count.
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
    """Count work, and look for signals where the loop may be left here."""
    walk.code.line(f"work -= {work}")
    if walk.looks(loop):
        _look(walk, loop)


def _look(walk: Walk, loop: ast.For | ast.While) -> None:
    """Have Python handle signals where the work is used up, and end the function where a handler raises."""
    code = walk.code
    code.signals = True
    code.declared["work"] = f"np.int64({WORK})"
    code.node = loop
    with code.block("if work < 0:"):
        with code.block("if has_raised(r_int):"):
            code.end_in_fault(None)
        code.line(f"work = np.int64({WORK})")


def _weight(nodes: Sequence[ast.AST]) -> int:
    """The nodes of the tree that an iteration goes through, without those of loops that are counted."""
    count = 1
    for node in nodes:
        if isinstance(node, ast.While):
            continue
        times = _few_trips(node) if isinstance(node, ast.For) else 1
        count += _CALL if isinstance(node, ast.Call | ast.MatMult) else 1
        count += (times or 0) * _weight([*ast.iter_child_nodes(node)])
    return count
