"""The statement right before a loop that makes an array for it: ``d = omega.copy()``, ``np.zeros_like(u)``.

Conditions on the new array can be tested on the one after which it is modelled, before it is made.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from nprewrite.base.syntax import blocks
from nprewrite.emit.guarded_text import Version
from nprewrite.numpy_api.creation import creation
from nprewrite.program.function import Function
from nprewrite.types.values import Array


@dataclass(frozen=True)
class Making:
    """``name = ...``: a new array, with the dtype and shape of the array ``model`` if that is a name."""

    statement: ast.Assign
    name: str
    model: str

    def without_name(self, version: Version) -> Version | None:
        """The version with conditions that can be tested before the statement; None where one cannot."""
        lines, conditions = version
        changed = [each for each in conditions if re.search(rf"\b{self.name}\b", each)]
        if not conditions or (changed and not self.model) or any(".apart(" in each for each in changed):
            return None
        model = self.model
        named = [re.sub(rf"\b{self.name}\b", model, each) for each in conditions]
        return lines, [re.sub(rf"\b{model}, {model}\b", model, each) if model else each for each in named]


def making(loop: ast.stmt, function: Function) -> Making | None:
    """The statement right before a loop, if it makes an array and does nothing else."""
    parent = function.around(loop)
    block = next(each for each in blocks(parent) if any(part is loop for part in each))
    position = next(number for number, each in enumerate(block) if each is loop)
    match block[position - 1] if position else None:
        case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Call() as call) as statement:
            pass
        case _:
            return None
    array = function.facts.value(target)
    if not isinstance(array, Array) or not array.fresh or name in function.module.spelling:
        return None
    dotted = function.dotted(call.func)
    made = creation(dotted)
    rule = made.rule if made is not None else None
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name() as model, attr="copy"), args=[], keywords=[]) if (
            dotted is None
        ):
            pass
        case ast.Call(args=[ast.Name() as model], keywords=[]) if rule == "like" or dotted == "numpy.copy":
            pass
        case ast.Call() if rule == "filled":
            return Making(statement, name, "")
        case _:
            return None
    known = isinstance(function.facts.value(model), Array) and model.id != name
    return Making(statement, name, model.id) if known else None
