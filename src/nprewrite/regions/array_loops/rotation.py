"""Names of arrays that change places at the end of each iteration: ``A, B = B, A``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from nprewrite.program.function import Function
from nprewrite.types.values import Array


def rotation(statements: Sequence[ast.stmt], function: Function) -> Mapping[str, str]:
    """For each name the one whose array it takes, if the last of the statements exchanges arrays.

    Empty where it does not. The names must be local, so that nobody else sees what they stand for.
    """
    match statements[-1]:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case _:
            return {}
    names = {
        target.id: value.id
        for target, value in pairs
        if isinstance(target, ast.Name) and isinstance(value, ast.Name)
    }
    exchanged = len(names) == len(targets) == len(values) and names.keys() == set(names.values())
    arrays = all(isinstance(function.facts.value(each), Array) for each in values)
    local = all(function.is_local(name) and not function.is_shared(name) for name in names)
    return names if exchanged and arrays and local else {}
