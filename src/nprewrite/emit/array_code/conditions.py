"""The conditions under which whole-array statements run in place of a nest."""

from __future__ import annotations

import ast

from nprewrite.emit.array_code.guards import Guards
from nprewrite.program.function import Definition, Function
from nprewrite.regions.nests.nest import Nest
from nprewrite.types.values import Array


def conditions(guards: Guards) -> tuple[str, ...]:
    """All that the text does not prove; ``npr.quiet()`` first, by which guarded versions are recognized."""
    nest = guards.nest
    arrays = dict.fromkeys(access.array for access in nest.accesses())
    asked = []
    for name in arrays:
        if name not in nest.stored:
            continue
        others = [each for each in arrays if each != name and not _apart(name, each, nest)]
        stored = nest.array(name)
        if others or stored is None or not stored.fresh:
            asked.append(f"npr.apart({', '.join([name, *others])})")
    equal = [
        f"{form.text(nest.names)} == {nest.names[name]}"
        for name, form in nest.equal.items()
        if name in nest.names
    ]
    found = [*guards.texts_of_types(), *equal, *asked, *guards.conditions()]
    return ("npr.quiet()", *found) if found or guards.computes else ()


def _apart(name: str, other: str, nest: Nest) -> bool:
    """Whether two arrays cannot share memory: both made here, or one made here and one passed in."""
    one, two = nest.array(name), nest.array(other)
    return _is_new(one) and (_is_new(two) or _is_only_passed(other, nest.function))


def _is_new(array: Array | None) -> bool:
    return array is not None and array.fresh


def _is_only_passed(name: str, function: Function) -> bool:
    if not isinstance(function.node, Definition):
        return False
    arguments = function.node.args
    parameters = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound = any(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        for each in ast.walk(function.node)
    )
    return name in parameters and not bound
