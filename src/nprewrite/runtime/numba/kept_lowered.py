"""What loops were lowered to, in the cache directory: lowering takes as long as thousands of trips."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from nprewrite.base import notes
from nprewrite.base.syntax import expression_tree, walk
from nprewrite.lowering.arrays import Argument, ArrayArgument, Entry
from nprewrite.lowering.draws import Draws, Source
from nprewrite.lowering.held_lists import HeldList
from nprewrite.lowering.list_items import Column, Items
from nprewrite.lowering.lower import Looks, Resolve, lower
from nprewrite.lowering.lowered import Layout, Lowered, OrNone
from nprewrite.lowering.numbers import NUMBERS, TAGS, Number
from nprewrite.lowering.problems import Fault

_FOLDER = "lowered"
_PLAIN = ("text", "replays", "stops", "rounds", "work", "seen_work", "saved", "calls")
"""Fields that JSON keeps as they are."""


def lowered_once(
    function: ast.FunctionDef,
    entry: Entry,
    resolve: Resolve,
    looks: Looks,
    *,
    draws: bool,
    kept: Sequence[str],
    spent: Collection[str],
) -> Lowered:
    """As ``lower``; what another process was given for the same text and arguments is read from disk."""
    name = _name(function, entry, looks, draws=draws, kept=kept, spent=spent)
    found = notes.read(_FOLDER, "loop", name)
    if found is not None and all(resolve(expression_tree(text)) == full for text, full in found["names"]):
        return _of_notes(found)
    names, asked = dict[str, str | None](), list[str]()

    def resolved(node: ast.expr) -> str | None:
        full = resolve(node)
        if isinstance(node, ast.Name | ast.Attribute):
            names[node.id if isinstance(node, ast.Name) else ast.unparse(node)] = full
        return full

    given = {each: _watched(argument, each, asked) for each, argument in entry.items()}
    made = lower(function, given, resolved, looks, draws=draws, kept=kept, spent=spent)
    # What index arrays hold is for this process.
    if not asked:
        with contextlib.suppress(OSError):
            notes.write(_FOLDER, "loop", name, {**_as_notes(made), "names": sorted(names.items())})
    return made


def _name(
    function: ast.FunctionDef,
    entry: Entry,
    looks: Looks,
    *,
    draws: bool,
    kept: Sequence[str],
    spent: Collection[str],
) -> str:
    """The name of what the text, the arguments, and the loops that look for signals decide."""
    loops = [looks(each) for each in walk(function) if isinstance(each, ast.For | ast.While)]
    given = {name: repr(_without_contents(each)) for name, each in entry.items()}
    text = ast.dump(function, include_attributes=True)
    return notes.name_of([text, given, loops, draws, list(kept), sorted(spent), __debug__])


def _without_contents(argument: Argument) -> Any:
    if not isinstance(argument, ArrayArgument):
        return argument
    return argument.element, argument.rank, argument.shape, argument.contents is not None


def _watched(argument: Argument, name: str, asked: list[str]) -> Argument:
    """The argument, which notes that its contents are asked for."""
    if not isinstance(argument, ArrayArgument) or argument.contents is None:
        return argument
    contents = argument.contents

    def noting() -> Any:
        asked.append(name)
        return contents()

    return replace(argument, contents=noting)


def _as_notes(made: Lowered) -> dict[str, Any]:
    return {
        **{each: getattr(made, each) for each in _PLAIN},
        "returns": [None if each is None else _layout_notes(each) for each in made.returns],
        "kept": [*map(_layout_notes, made.kept)],
        "faults": [(each.operation, _tags(each.operands), each.place) for each in made.faults],
        "stores": sorted(made.stores),
        "draws": [
            (each.source.name, each.source.of, each.keeps_normal, sorted(each.functions))
            for each in made.draws
        ],
        "lists": {name: (vars(held), _items_notes(items)) for name, (held, items) in made.lists.items()},
        "made": made.made,
        "prints": made.prints,
        "arrays": [(TAGS[number], rank) for number, rank in made.arrays],
    }


def _of_notes(found: dict[str, Any]) -> Lowered:
    return Lowered(
        **{each: found[each] for each in _PLAIN},
        returns=tuple(None if each is None else _layout(each) for each in found["returns"]),
        kept=tuple(map(_layout, found["kept"])),
        faults=tuple(
            Fault(operation, _numbers(operands), None if place is None else tuple(place))
            for operation, operands, place in found["faults"]
        ),
        stores=frozenset(found["stores"]),
        draws=tuple(
            Draws(Source(name, of), keeps_normal, frozenset(functions))
            for name, of, keeps_normal, functions in found["draws"]
        ),
        lists={name: (HeldList(**held), _items(items)) for name, (held, items) in found["lists"].items()},
        made=tuple(found["made"]),
        prints=tuple((text, name) for text, name in found["prints"]),
        arrays=tuple((NUMBERS[tag], rank) for tag, rank in found["arrays"]),
    )


def _items_notes(items: Items) -> list[Any]:
    columns, rows = [_tags(each.numbers) for each in items.columns], items.rows
    return [items.kind, columns, items.keys, items.made, rows and _items_notes(rows), items.nested]


def _items(found: list[Any]) -> Items:
    kind, numbers, keys, made, rows, nested = found
    columns = tuple(Column(_numbers(each)) for each in numbers)
    return Items(kind, columns, keys, made, rows=rows and _items(rows), nested=nested)


def _layout_notes(layout: Layout) -> list[Any]:
    return [isinstance(layout, OrNone), *map(_layout_notes, layout)]


def _layout(found: list[Any]) -> Layout:
    or_none, *parts = found
    made = tuple(map(_layout, parts))
    return OrNone(made) if or_none else made


def _tags(numbers: Sequence[Number]) -> list[int]:
    return [TAGS[each] for each in numbers]


def _numbers(tags: Sequence[int]) -> tuple[Number, ...]:
    return tuple(NUMBERS[each] for each in tags)
