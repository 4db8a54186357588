"""Searches for the smallest or largest element and its place."""

from __future__ import annotations

import ast
from dataclasses import replace

from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.scene import Scene, Vec
from nprewrite.emit.array_code.stores import check_size
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.carried_numbers import exposed, mentions
from nprewrite.regions.nests.tree import Bind, Branch, Loop, expressions, nodes
from nprewrite.types.loop_numbers import Type


def search(writer: Writer, node: Branch, scene: Scene, mask: Vec | None, indent: str) -> bool:
    """Write ``if a[i] < m: m = a[i]; k = i``, which finds the first of the smallest elements other than nan.

    Returns whether the branch is such a search.
    """
    names = _searched(node)
    if names is None or not scene.lanes or scene.triangles or mask is not None:
        return False
    best, value, least, places = names
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
    _write_search(writer, node, scene, found, best, least, places, indent)
    return True


def _write_search(
    writer: Writer,
    node: Branch,
    scene: Scene,
    found: Vec,
    best: str,
    least: bool,
    places: dict[str, str],
    indent: str,
) -> None:
    numpy = scene.numpy
    for lane in scene.order:
        span = scene.span(lane)
        run = span.highs[0] - span.lows[0] - 1
        scene.require(run, node.node, "the loop may run no trip")
    candidates, at = writer.fresh("candidates"), writer.fresh("at")
    writer.lines.append(f"{indent}{candidates} = {ast.unparse(found.node)}")
    compared = candidates
    if found.type.kind == "float":
        worst = f"{numpy}.inf" if least else f"-{numpy}.inf"
        compared = f"{numpy}.where({numpy}.isnan({candidates}), {worst}, {candidates})"
    function = "argmin" if least else "argmax"
    writer.lines.append(f"{indent}{at} = {numpy}.{function}({compared})")
    element = f"{candidates}[{at}]"
    if len(scene.order) > 1:
        writer.lines[-1] = (
            f"{indent}{at} = {numpy}.unravel_index({numpy}.{function}({compared}), {candidates}.shape)"
        )
    sign = "<" if least else ">"
    writer.lines.append(f"{indent}if {element} {sign} {best}:")
    writer.lines.append(f"{indent}    {best} = {element}")
    kind = found.type
    known = scene.temporaries[best]
    scene.temporaries[best] = replace(known, type=kind)
    writer.types[best] = kind
    texts = scene.texts
    for name, variable in places.items():
        symbol_ = next((loop.symbol for loop in reversed(scene.loops) if loop.name == variable), "")
        axis = scene.order.index(symbol_) if symbol_ in scene.order else None
        if axis is None:
            raise NotVectorizedError("scalar-carried", f"`{name}` is not a loop variable", node.node)
        low = scene.span(symbol_).lows[0]
        position = f"int({at})" if len(scene.order) == 1 else f"int({at}[{axis}])"
        start = "" if not low.terms and not low.constant else f"{low.text(texts)} + "
        writer.lines.append(f"{indent}    {name} = {start}{position}")
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
        if id(each) in own:
            continue
        if isinstance(each, Bind) and each.name == name:
            return True
        if any(mentions(name, part) for part in expressions(each)):
            return True
    return False
