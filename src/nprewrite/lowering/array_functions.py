"""Calls in lowered code that take, make or draw arrays: which function one means, and the elementwise ones.

Draws of single numbers are among them: which generator they draw from, and what they pick.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from nprewrite.lowering import array_ranks, array_reductions, functions, lists
from nprewrite.lowering.array_making import MAKERS, lengths_of, number_of
from nprewrite.lowering.array_products import PRODUCTS
from nprewrite.lowering.array_rearranging import REARRANGERS
from nprewrite.lowering.array_searches import SEARCHES
from nprewrite.lowering.array_walk import ArrayWalk
from nprewrite.lowering.draws import Drawer, Source, as_elements
from nprewrite.lowering.elements import Elements, elements_of, materialised
from nprewrite.lowering.forms import Form
from nprewrite.lowering.held_lists import held_by, length
from nprewrite.lowering.numbers import INT, NUMPY
from nprewrite.lowering.problems import Event, not_followed
from nprewrite.lowering.scipy_functions import arguments_of
from nprewrite.lowering.values import Value, converted, one_of, truth
from nprewrite.numpy_api.elementwise import elementwise

_MAKING = {**MAKERS, **PRODUCTS, **REARRANGERS, **SEARCHES}


def call(walk: ArrayWalk, node: ast.Call) -> Value | Elements | None:
    """The value of a call that takes or makes arrays, or draws; None for a function of numbers."""
    number = _drawn(walk, node)
    if number is not None:
        return number
    if array_ranks.is_of_scipy(walk, node):
        return _of_scipy(walk, node)
    name, arguments = array_ranks.named(walk, node)
    if name is None or not (walk.is_array(node) or any(map(walk.is_array, arguments))):
        return None
    if any(isinstance(each, ast.Starred) for each in arguments):
        raise not_followed(node)
    kind = array_ranks.native(name)
    if kind in array_ranks.REDUCTIONS:
        return array_reductions.reduction(walk, kind, name, arguments, node)
    making = _MAKING.get(kind)
    if making is not None:
        return making(walk, name, arguments, node)
    if node.keywords or "." in name:
        raise not_followed(node)
    values = [walk.evaluate(each) for each in arguments]
    if kind == "chosen" and len(values) == 3:
        return walk.elementwise(values, lambda *each: _where(walk, each, node), node)
    if kind == "nearest" and len(values) == 1:
        return walk.elementwise(values, lambda each: functions.nearest(walk.code, each, node), node)
    found = elementwise(f"numpy.{name}")
    return walk.elementwise(
        values,
        lambda *each: functions.call(walk.code, f"numpy.{name}", each, node),
        node,
        slower=0.0 if found is not None and found[1].quick else 3.0,
    )


def _of_scipy(walk: ArrayWalk, node: ast.Call) -> Elements:
    """A function of SciPy, element by element."""
    dotted = walk.resolve(node.func) or ""
    values = [walk.evaluate(each) for each in arguments_of(dotted, node)]
    return walk.elementwise(
        values, lambda *each: functions.call(walk.code, dotted, each, node), node, slower=5.0
    )


def _where(walk: ArrayWalk, values: Sequence[Value], node: ast.Call) -> Value:
    """One of two elements, in the dtype that both promote to."""
    condition, *chosen = values
    kinds = [each.only for each in chosen]
    if None in kinds:
        raise not_followed(node)
    operands = [each.dtype.type(0).item() if each.weak else each.dtype for each in kinds if each]
    number = number_of(np.result_type(*operands), node)
    first, second = (converted(walk.code, each, number.dtype) for each in chosen)
    test = truth(walk.code, condition)
    return Value({number: walk.code.temporary(f"{first} if {test} else {second}")})


def _drawn(walk: ArrayWalk, node: ast.Call) -> Value | Elements | None:
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
    parameters = [("", each) for each in arguments]
    parameters += [(each.arg or "", each.value) for each in node.keywords if each.arg != "size"]
    if size is None and walk.is_array(node):
        return _drawn_for_each(walk, walk.drawer, found, parameters, node)
    given = [(parameter, walk.value(each)) for parameter, each in parameters]
    if size is None:
        return walk.drawer.number(name, source, given, node)
    drawer, lengths = walk.drawer, tuple(lengths_of(walk, size))
    walk.account(lengths, 0.0)
    elements = Elements(lengths, lambda _: drawer.number(name, source, given, node))
    return elements_of(walk.code, materialised(walk.code, elements))


def _drawn_for_each(
    walk: ArrayWalk,
    drawer: Drawer,
    drawn: tuple[Source, str],
    parameters: Sequence[tuple[str, ast.expr]],
    node: ast.Call,
) -> Elements:
    """A number for each element of the parameters, drawn in the order of the elements."""
    source, name = drawn
    names = [parameter for parameter, _ in parameters]

    def number(*values: Value) -> Value:
        return drawer.number(name, source, [*zip(names, values, strict=True)], node)

    elements = walk.elementwise([walk.evaluate(each) for _, each in parameters], number, node)
    return elements_of(walk.code, materialised(walk.code, elements))


def _picked(walk: ArrayWalk, drawer: Drawer, source: Source, node: ast.Call) -> Value:
    """``choice`` of numbers that are written out, of an array's elements, or of the numbers below one."""
    if len(node.args) != 1 or [each.arg for each in node.keywords] not in ([], ["p"]):
        raise not_followed(node)
    if node.keywords and source.of == "python":
        raise not_followed(node)
    chances = _chances(walk, node.keywords[0].value, node) if node.keywords else None

    def position(size: Value) -> Value:
        if chances is None:
            return drawer.position(size, source, node)
        return drawer.weighted_position(size, chances, source, node)

    match node.args[0]:
        case ast.List(elts=[_, *_] as parts) | ast.Tuple(elts=[_, *_] as parts):
            values = [walk.value(each) for each in parts]
            if source.of != "python":
                values = as_elements(walk.code, values, node)
            size = Value({INT: f"np.int64({len(values)})"}, form=Form(len(values)))
            form = walk.code.symbols.one_of(each.form for each in values)
            return one_of(walk.code, position(size).code, values, form)
        case ast.Name(name) if (held := walk.held(name)) is not None:
            if held.array.rank != 1:
                raise not_followed(node)
            place = position(walk.axis(name, 0))
            text = walk.code.temporary(f"{walk.memory_of(name)}[{place.code}]")
            return Value({held.array.element: text}, form=walk.element_form(name, [place]))
        case given if source.of == "python" and (listed := held_by(walk, given)) is not None:
            if listed.is_queue:
                raise not_followed(node)
            walk.code.end_if(f"{listed.present} == 0", Event.REPLAY)
            return lists.number_at(walk, listed, position(length(walk.code, listed)).code, node)
        case given if source.of != "python" and (listed := held_by(walk, given)) is not None:
            items = lists.as_array(walk, listed, node)
            size = Value({INT: items.lengths[0].text}, form=items.lengths[0].form)
            return items.at([position(size).code])
        case given if source.of != "python":
            return position(walk.value(given))
    raise not_followed(node)


def _chances(walk: ArrayWalk, given: ast.expr, node: ast.Call) -> str:
    """The name of the vector of chances, which may be written out."""
    if isinstance(given, ast.List | ast.Tuple) and given.elts:
        values = [walk.value(each) for each in given.elts]
        parts = ", ".join(converted(walk.code, each, NUMPY["float64"].dtype) for each in values)
        return walk.code.temporary(f"np.array([{parts}])")
    chances = walk.solid(given)
    if chances.array.rank != 1 or chances.array.element != NUMPY["float64"]:
        raise not_followed(node)
    return chances.text
