"""Searches for the smallest or largest element and its place."""

from __future__ import annotations

import ast
from dataclasses import replace

from nprewrite.base.syntax import names_in
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.stores import check_size, check_trips
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.carried_numbers import exposed
from nprewrite.regions.nests.tree import Bind, Branch, Loop, expressions, nodes
from nprewrite.types.loop_numbers import Type


def search(writer: Writer, node: Branch, scene: Scene) -> bool:
    """Write ``if a[i] < m: m = a[i]; k = i``, which finds the first of the smallest elements other than nan.

    Returns whether the branch is such a search.
    """
    names = _searched(node)
    if names is None or not scene.lanes or scene.triangles or scene.mask is not None:
        return False
    best, value, _, places = names
    loops = [loop for loop in scene.loops if loop.symbol in scene.lanes]
    carried = all(exposed(best, loop.body) for loop in loops)
    if not carried or any(_touched(each, node, loops[0]) for each in (best, *places)):
        return False
    if any(loop.descending for loop in loops) or any(loop.stride != 1 for loop in loops):
        raise NotVectorizedError("scalar-carried", f"`{best}` is searched for backwards", node.node)
    known = scene.temporaries.get(best)
    values = Values(scene, scene.order)
    found = values.value(value)
    if (
        known is None
        or found.lanes != scene.lanes
        or found.type.weak
        or found.type.mixed
        or found.type.kind not in {"int", "float"}
    ):
        raise NotVectorizedError(
            "scalar-carried", f"`{best}` is carried from one iteration to the next", node.node
        )
    check_size(node.node, found.lanes, scene)
    _write_search(writer, node, scene, found, names)
    return True


def _write_search(
    writer: Writer, node: Branch, scene: Scene, found: Vec, names: tuple[str, ast.expr, bool, dict[str, str]]
) -> None:
    numpy, (best, _, least, places) = scene.numpy, names
    check_trips(node.node, scene.order, scene)
    candidates, at = writer.fresh("candidates"), writer.fresh("at")
    writer.line(scene, f"{candidates} = {ast.unparse(found.node)}")
    compared = candidates
    if found.type.kind == "float":
        worst = f"{numpy}.inf" if least else f"-{numpy}.inf"
        compared = f"{numpy}.where({numpy}.isnan({candidates}), {worst}, {candidates})"
    place = f"{numpy}.{'argmin' if least else 'argmax'}({compared})"
    if len(scene.order) > 1:
        place = f"{numpy}.unravel_index({place}, {candidates}.shape)"
    writer.line(scene, f"{at} = {place}")
    writer.line(scene, f"if {candidates}[{at}] {'<' if least else '>'} {best}:")
    writer.line(scene.inside, f"{best} = {candidates}[{at}]")
    scene.temporaries[best] = replace(scene.temporaries[best], type=found.type)
    writer.types[best] = found.type
    for name, variable in places.items():
        symbol_ = next((loop.symbol for loop in reversed(scene.loops) if loop.name == variable), "")
        axis = scene.order.index(symbol_) if symbol_ in scene.order else None
        if axis is None:
            raise NotVectorizedError("scalar-carried", f"`{name}` is not a loop variable", node.node)
        low = scene.span(symbol_).lows[0]
        position = f"int({at})" if len(scene.order) == 1 else f"int({at}[{axis}])"
        start = "" if not low.terms and not low.constant else f"{low.text(scene.texts)} + "
        writer.line(scene.inside, f"{name} = {start}{position}")
        writer.types[name] = Type("int")


def _searched(node: Branch) -> tuple[str, ast.expr, bool, dict[str, str]] | None:
    """The name and the value of a search, whether it is for the least, and the names that keep its place."""
    match node.node.test:
        case ast.Compare(left=value, ops=[ast.Lt() | ast.Gt() as op], comparators=[ast.Name(id=best)]):
            least = isinstance(op, ast.Lt)
        case ast.Compare(left=ast.Name(id=best), ops=[ast.Lt() | ast.Gt() as op], comparators=[value]):
            least = isinstance(op, ast.Gt)
        case _:
            return None
    places: dict[str, str] = {}
    stored = False
    for each in node.body:
        if not isinstance(each, Bind) or each.operator is not None:
            return None
        if each.name == best and ast.dump(each.value) == ast.dump(value):
            stored = True
        elif isinstance(each.value, ast.Name):
            places[each.name] = each.value.id
        else:
            return None
    return (best, value, least, places) if stored and not node.orelse else None


def _touched(name: str, search_: Branch, loop: Loop) -> bool:
    """Whether anything but the search reads or sets a name in a loop."""
    own = {id(each) for each in (search_, *search_.body)}
    for each in nodes(loop.body):
        sets = isinstance(each, Bind) and each.name == name
        if id(each) not in own and (sets or name in names_in(*expressions(each))):
            return True
    return False
