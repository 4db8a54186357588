"""Where a loop checks for signals: Python runs their handlers between iterations, as in the loop as written.

The work that is done is counted down, and Python is asked when the count is used up. Inside an innermost loop
over a range nothing is counted, so that it can be vectorised: its trips run in strips. Nothing is counted in
short rows either, the few trips of a loop inside another one: the loop around them counts the most that they
can have done.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Protocol

from nprewrite.base import syntax
from nprewrite.lowering.environment import Memory
from nprewrite.lowering.forms import Bound
from nprewrite.lowering.values import Code

WORK = 2**22
"""Nodes of the syntax tree between two checks: some milliseconds, never more than half a second."""
UNCOUNTED = 2**26
"""Nodes that the short rows of one loop run through between two checks, at most."""
_STRIP = 2**18
"""Nodes in a strip."""
_SHORTEST = 2**10
"""The fewest trips in a strip, and the number of rows in one."""
_ITERATIONS = 2**14
"""Iterations that are counted one by one take this part of ``UNCOUNTED`` each."""
_FEW_ROWS = 2**4
"""The most rows, each a loop by itself, that are not counted."""
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
    memory: Memory
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
        with code.block("while work >= 0:"), _count(code, _weight([loop.test, *loop.body])) as iteration:
            code.line(f"work -= {iteration}")
            yield
        with code.block("else:"):
            _look(walk, loop)
            code.line("continue")
        code.line("break")


def over_range(walk: Walk, loop: ast.For, counter: str, span: Span, trips: Bound, body: Body) -> None:
    """A loop over a range of at most ``trips``: in strips, or without a check if these are few.

    If it holds a loop that must not be left, such as one over lanes, each iteration begins with a check.
    """
    code, few = walk.code, _few_trips(loop)
    header = f"for {counter} in range({', '.join(span)}):"
    if walk.looks(loop) and not all(map(walk.looks, _loops_in(loop))):
        with code.block(header), _count(code, _weight(loop.body)) as iteration:
            code.line(f"work -= {iteration}")
            _look(walk, loop)
            body()
    elif few is not None:
        with code.block(header), _reached(code, code.reach * max(few, 1)):
            body()
    elif not walk.looks(loop):
        if code.signals:
            code.line(f"work -= {_weight(loop.body)} * trips_of({', '.join(span)})")
        with code.block(header):
            body()
    elif code.signals and trips <= _uncounted_trips(walk, loop):
        code.uncounted += 1
        with code.block(header), _reached(code, code.reach * _rows(loop)), _arrays_noted(walk, loop):
            body()
    else:
        _strips(walk, loop, counter, span, body)


def _loops_in(loop: ast.For) -> list[ast.For | ast.While]:
    found = (each for part in loop.body for each in syntax.walk(part))
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


def _uncounted_trips(walk: Walk, loop: ast.For) -> int:
    """The most trips of a loop inside another one that nothing counts."""
    weight = _weight(loop.body) + walk.memory.array_work.get(id(loop), 0)
    trips = UNCOUNTED // walk.code.reach // weight
    return min(trips, _FEW_ROWS) if _has_rows(loop) else trips


def _rows(loop: ast.For) -> int:
    """How often what it holds runs, at most, while its trips are not counted, where that matters there."""
    return _FEW_ROWS if _has_rows(loop) else 1


def _has_rows(loop: ast.For) -> bool:
    """Whether it holds a loop that may have many trips."""
    return any(isinstance(each, ast.For) and _few_trips(each) is None for each in _loops_in(loop))


def _strips(walk: Walk, loop: ast.For, counter: str, span: Span, body: Body) -> None:
    """Consecutive strips, with a check for signals before each.

    The last one is up to twice as long, because the number of trips may be off by 2**10. Inside another loop
    a short row is one strip without a check.
    """
    code, weight = walk.code, _weight(loop.body)
    inside, short = code.signals, _uncounted_trips(walk, loop)
    # The loops inside it count their work.
    code.signals = True
    length = _SHORTEST if _has_rows(loop) else max(_STRIP // weight, _SHORTEST)
    code.uncounted += inside
    reach = max(2 * length, code.reach * _rows(loop) if inside else 1)
    start, stop, step = span
    first, more = code.temporary(start), code.temporary("True")
    with code.block(f"while {more}:"):
        trips = code.temporary(f"trips_of({first}, {stop}, {step})")
        code.line(f"{more} = {trips} > {2 * length}")
        end = code.temporary(f"{first} + {length} * {step} if {more} else {stop}")
        with _count(code, weight, reach) as iteration, _arrays_noted(walk, loop):
            with code.block(f"if {trips} > {short}:") if inside else nullcontext():
                code.line(f"work -= {iteration} * min({trips}, {2 * length})")
                _look(walk, loop)
            with code.block(f"for {counter} in range({first}, {end}, {step}):"):
                breaks = body()
        with code.block("else:") if breaks else nullcontext():
            code.line(f"{first} = {end}")
            if breaks:
                code.line("continue")
        if breaks:
            code.line("break")


@contextmanager
def _count(code: Code, weight: int, reach: int = _ITERATIONS) -> Iterator[str]:
    """The count of an iteration, which is written in this context, with the short rows in it.

    It runs at most ``reach`` times between two checks.
    """
    name, before, code.uncounted = code.fresh(), code.uncounted, 0
    with _reached(code, reach):
        yield name
    code.declared[name] = f"np.int64({weight + code.uncounted * (UNCOUNTED // reach)})"
    code.uncounted = before


@contextmanager
def _reached(code: Code, reach: int) -> Iterator[None]:
    """What is written in this context runs at most ``reach`` times between two checks."""
    before, code.reach = code.reach, reach
    yield
    code.reach = before


@contextmanager
def _arrays_noted(walk: Walk, loop: ast.For) -> Iterator[None]:
    """Note the expressions of arrays in an iteration of the loop: its weight in the next walk."""
    before = walk.code.array_work
    yield
    walk.memory.array_work[id(loop)] = walk.code.array_work - before


def count_array(code: Code) -> None:
    """Count an expression of arrays."""
    code.array_work += _ARRAY
    if code.signals:
        code.line(f"work -= {_ARRAY}")


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
