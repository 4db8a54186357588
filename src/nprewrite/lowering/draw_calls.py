"""Calls that draw random numbers: which generator they draw from, and what they pick."""

from __future__ import annotations

import ast

from nprewrite.lowering import array_ranks
from nprewrite.lowering.array_making import lengths_of
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.draws import Drawer, Source, as_elements
from nprewrite.lowering.elements import Elements, elements_of, materialised
from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import INT
from nprewrite.lowering.problems import not_followed
from nprewrite.lowering.values import Value, one_of


def drawn(walk: ArrayWalk, node: ast.Call) -> Value | Elements | None:
    """What a call draws; None for other calls, and where the iterations may run in another order."""
    found = walk.source(node)
    if walk.drawer is None or found is None:
        return None
    source, name = found
    if any(each.arg is None for each in node.keywords):
        raise not_followed(node)
    if walk.drawer.picks(name, source):
        return _picked(walk, walk.drawer, source, node)
    size = array_ranks.drawn_size(walk, node)
    arguments = node.args if size is None else array_ranks.before_size(node, *found)
    given = [("", walk.value(each)) for each in arguments]
    given += [(each.arg or "", walk.value(each.value)) for each in node.keywords if each.arg != "size"]
    if size is None:
        return walk.drawer.number(name, source, given, node)
    drawer, lengths = walk.drawer, tuple(lengths_of(walk, size))
    walk.account(lengths, 0.0)
    elements = Elements(lengths, lambda _: drawer.number(name, source, given, node))
    return elements_of(walk.code, materialised(walk.code, elements))


def _picked(walk: ArrayWalk, drawer: Drawer, source: Source, node: ast.Call) -> Value:
    """``choice`` of numbers that are written out, of an array's elements, or of the numbers below one."""
    if len(node.args) != 1 or node.keywords:
        raise not_followed(node)
    match node.args[0]:
        case ast.List(elts=[_, *_] as parts) | ast.Tuple(elts=[_, *_] as parts):
            values = [walk.value(each) for each in parts]
            if source.of != "python":
                values = as_elements(walk.code, values, node)
            size = Value({INT: f"np.int64({len(values)})"}, form=Form(len(values)))
            form = walk.code.symbols.one_of(each.form for each in values)
            return one_of(walk.code, drawer.position(size, source, node).code, values, form)
        case ast.Name(name) if (held := walk.held(name)) is not None:
            if held.array.rank != 1:
                raise not_followed(node)
            position = drawer.position(walk.axis(name, 0), source, node)
            text = walk.code.temporary(f"{walk.memory_of(name)}[{position.code}]")
            return Value({held.array.element: text}, form=walk.element_form(name, [position]))
        case given if source.of != "python":
            return drawer.position(walk.value(given), source, node)
    raise not_followed(node)
