"""Names that hold ``None``, or nothing, until an array is bound to them.

best = None                      where ``best`` is read as an array, its tag is compared first
for k in range(n):
    if best is None or f[k] < least: best, least = x.copy(), f[k]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nprewrite.base.syntax import children
from nprewrite.lowering.access import Access
from nprewrite.lowering.arrays import HOLDS_ARRAY, MaybeArray
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.environment import tag_storage
from nprewrite.lowering.numbers import NONE, TAGS, UNSET
from nprewrite.lowering.problems import Event, Unreachable
from nprewrite.lowering.values import Code


def require(walk: Access, *nodes: ast.AST) -> None:
    """Names that the nodes surely read as arrays hold these from here on, or the loop as written runs."""
    require_arrays(walk, *nodes)
    for name in (name for each in nodes for name in _read(each)):
        known = walk.environment.get(name)
        if known is not None and known.only == NONE:
            # What an iteration binds it to is found further on; a number in its place would hide that.
            walk.memory.none_read = name
            walk.code.end_if("True", Event.REPLAY)
            raise Unreachable


def require_arrays(walk: Access, *nodes: ast.AST) -> None:
    """The same, but names that surely hold ``None`` may be read."""
    for name in dict.fromkeys(name for each in nodes for name in _read(each)):
        known = walk.environment.get(name)
        if isinstance(known, MaybeArray):
            walk.code.end_if(f"{known.tag} != {HOLDS_ARRAY}", Event.REPLAY)
            walk.environment = {**walk.environment, name: known.array}


def require_bound(walk: Access, node: ast.expr) -> None:
    """The same for what names are bound to, which may be ``None``."""
    match node:
        case ast.Name() if _may_be_none(walk, node):
            return
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            require(walk, *(each for each in parts if not _may_be_none(walk, each)))
        case _:
            require(walk, node)


def _may_be_none(walk: Access, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and not isinstance(walk.environment.get(node.id), MaybeArray)


def is_none(walk: Access, known: MaybeArray, positive: bool) -> str:
    """The code of ``x is None``; of ``x is not None`` unless it is ``positive``."""
    require_set(walk, known)
    if NONE not in known.codes:
        return str(not positive)
    return walk.code.temporary(f"{known.tag} {'==' if positive else '!='} {TAGS[NONE]}")


def require_set(walk: Access, known: MaybeArray) -> None:
    """The name holds an array or ``None``: otherwise the loop as written runs, and raises."""
    if UNSET in known.codes:
        walk.code.end_if(f"{known.tag} == {TAGS[UNSET]}", Event.REPLAY)


def note_array(walk: Access, name: str) -> None:
    """Note in lowered code that an array has been bound to a name."""
    if name in walk.memory.tagged:
        walk.code.line(f"{tag_storage(name, walk.code)} = {HOLDS_ARRAY}")


def give_array(code: Code, position: int, place: int, value: Elements | MaybeArray) -> None:
    """Leave the tag of what is returned: that of the array with this number, or of ``None``."""
    tag = str(-place)
    if isinstance(value, MaybeArray):
        tag = f"{tag} if {value.tag} == {HOLDS_ARRAY} else {TAGS[NONE]}"
    code.line(f"r_tag[{position}] = {tag}")


def _read(node: ast.AST) -> Iterator[str]:
    """The names that evaluating a node reads on all paths, other than to see whether they are ``None``."""
    match node:
        case ast.Compare(ast.Name(), [ast.Is() | ast.IsNot()], [ast.Constant(value=None)]):
            return
        case ast.Name(name, ast.Load()):
            yield name
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
            yield from _read(first)
        case ast.Lambda():
            return
        case ast.ListComp() | ast.GeneratorExp():
            yield from _read(node.generators[0].iter)
        case _:
            for each in children(node):
                yield from _read(each)
