"""Heaps in lowered code: lists that ``heapq.heappush`` and ``heapq.heappop`` keep in their order.

Items are compared as Python compares numbers and tuples of numbers. Where that depends on more than their
values, as with not-a-number, the loop as written runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from nprewrite.base.syntax import walk as walk_of
from nprewrite.lowering.held_lists import HeldList, Walk
from nprewrite.lowering.list_items import Column
from nprewrite.lowering.numbers import NONE
from nprewrite.lowering.problems import Event, NotNative, Operation

Resolve = Callable[[ast.expr], str | None]
OF_INTEGERS, OF_FLOATS, OF_BOTH = 1, 2, 3
_COMPARED = ("f8", "i8", "i4", "i2", "i1", "b1")
BITS = 2
"""What a kernel is told of each number of an item takes so many bits of an integer."""


def pushed(node: ast.AST, resolve: Resolve) -> tuple[str, ast.expr] | None:
    """The heap into which a call puts an item, and that item; None for all else."""
    match node:
        case ast.Call(func, [ast.Name(heap), item], []) if resolve(func) == "heapq.heappush":
            return heap, item
    return None


def popped(node: ast.AST, resolve: Resolve) -> str | None:
    """The heap of which a call takes the least item; None for all else."""
    match node:
        case ast.Call(func, [ast.Name(heap)], []) if resolve(func) == "heapq.heappop":
            return heap
    return None


def heaps_in(tree: ast.AST, resolve: Resolve) -> Iterator[str]:
    """The names of the heaps that statements use."""
    for each in walk_of(tree):
        found = pushed(each, resolve)
        heap = found[0] if found is not None else popped(each, resolve)
        if heap is not None:
            yield heap


def sift_in(walk: Walk, held: HeldList, node: ast.AST) -> None:
    """Bring the last item to its place."""
    walk.code.end_if(f"not heap_took({_described(walk, held, node)})", Event.REPLAY)


def sift_out(walk: Walk, held: HeldList, node: ast.AST) -> None:
    """Take the first item away, which the next one follows."""
    walk.code.end_if(f"not heap_gave({_described(walk, held, node)})", Event.REPLAY)


def check_not_empty(walk: Walk, held: HeldList) -> None:
    """Raise what ``heappop`` raises."""
    walk.code.end_if(f"{held.text}[1] == 0", Operation("raise IndexError('index out of range')"))


def _described(walk: Walk, held: HeldList, node: ast.AST) -> str:
    items = walk.memory.lists[held.name]
    if held.is_queue or items.kind not in ("number", "tuple"):
        raise NotNative("not-scalar", f"`{held.name}` is a heap of other items", node)
    kinds = sum(_kind(each, held, node) << BITS * k for k, each in enumerate(items.columns))
    return f"{held.text}, {items.width}, {kinds}"


def _kind(column: Column, held: HeldList, node: ast.AST) -> int:
    # Numbers of other types are not compared as they are: a float is rounded to float32 first.
    if any(each == NONE or each.dtype.str[1:] not in _COMPARED for each in column.numbers):
        raise NotNative("not-scalar", f"`{held.name}` is a heap of numbers of other types", node)
    if column.is_tagged:
        return OF_BOTH
    return OF_FLOATS if column.numbers[0].dtype.kind == "f" else OF_INTEGERS
