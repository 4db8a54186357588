"""Loops whose bounds depend on lanes: the rectangle around a triangle, and the mask of the triangle."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from nprewrite.emit.array_code.guards import NotVectorizedError, comparison
from nprewrite.emit.array_code.scene import Scene, Temporary, Vec
from nprewrite.emit.array_code.syntax import expression
from nprewrite.emit.array_code.values import Values
from nprewrite.emit.array_code.writer import Writer
from nprewrite.regions.nests.tree import Loop
from nprewrite.types.affine import Affine, Span, symbol


def rectangle(loop: Loop, scene: Scene) -> tuple[Span, list[Affine]]:
    """The bounds of a loop over all lanes, and the forms that are not negative where it runs.

    There are no forms where the bounds are the same in all lanes. Raises ``NotVectorizedError`` where loops
    start at different places with a step, and where both bounds move: a band may be a small part of its
    rectangle.
    """
    low, high, lane = loop.low, loop.high, symbol(loop.symbol)
    forms = []
    if low.symbols & scene.lanes:
        forms.append(lane - low)
    if high.symbols & scene.lanes:
        forms.append(high - 1 - lane)
    if not forms:
        return loop.span, []
    if loop.stride != 1 or len(forms) > 1:
        steps = " in steps" if loop.stride != 1 else ""
        text = f"the bounds of the loop over `{loop.name}`{steps} depend on an outer loop"
        raise NotVectorizedError("lanes-unfit", text, loop.node)
    return replace(loop.span, lows=(_extreme(low, scene, 1),), highs=(_extreme(high, scene, -1),)), forms


def _extreme(form: Affine, scene: Scene, sign: int) -> Affine:
    """The smallest value of a form in all lanes (``sign`` 1), or the largest (-1)."""
    for span in reversed(scene.spans):
        if span.name in scene.lanes:
            first = sign * form.coefficient(span.name) > 0
            form = form.replaced(span.name, span.lows[0] if first else span.highs[0] - 1)
    return form


def within(forms: Sequence[Affine], scene: Scene, writer: Writer) -> Scene:
    """The scene with a named mask of the lanes in which no form is negative: ``j <= i``."""
    tests = [expression(comparison(each, scene.texts)) for each in forms]
    order = tuple(each for each in scene.order if any(each in form.symbols for form in forms))
    own = Values(scene, order).test(tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))
    text = ast.unparse(own.node)
    name = writer.triangles.get(text)
    if name is None or any(ast.unparse(each.node) == name for each in scene.triangles):
        name = writer.fresh("mask")
        writer.triangles[text] = name
        writer.line(scene, f"{name} = {text}")
    home = tuple(span for span in scene.spans if span.name in own.lanes)
    scene.temporaries[name] = Temporary(name, home, own.lanes, own.type, full=True)
    mask = Vec(ast.Name(name, ast.Load()), own.lanes, own.type)
    return replace(scene, triangles=(*scene.triangles, mask))


def check_rectangular(node: ast.stmt, reduced: Collection[str], scene: Scene) -> None:
    """Check that reduced lanes all start and end at the same place, so that no other element takes part."""
    if any(each.lanes & set(reduced) for each in scene.triangles):
        text = f"`{ast.unparse(node)}` runs over a range that depends on an outer loop"
        raise NotVectorizedError("lanes-unfit", text, node)
