"""A run of a function that notes what its text does not tell: the types of some of its expressions."""

from __future__ import annotations

import ast
import copy
import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from nprewrite.base.syntax import expression_tree, text_tree
from nprewrite.decorated.building import built, standing_in
from nprewrite.decorated.module_state import ModuleState, leaving_no_trace
from nprewrite.decorated.own_attributes import is_plain, own
from nprewrite.engine.outcomes import Watched
from nprewrite.types.observed import Observed, Place
from nprewrite.types.values import Value, suggested, value_of

P = ParamSpec("P")
R = TypeVar("R")
_Loop = TypeVar("_Loop", ast.For, ast.While)

_MOST_SHOWN = 100_000
"""Values that a loop shows in one call: each takes as long as a scalar statement of the loop."""


class Observer:
    """Notes the types of the values that it is given, by the number of their place.

    ``stand_in`` replaces a value that is not NumPy's by one that is, to take its type from. ``left`` is the
    number of values that each loop of the function still shows.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        self.stand_in: Callable[[Any], Any] | None = None
        self.left: list[int] = []
        self._places = places
        self._seen: list[dict[Any, Value | None]] = [{} for _ in places]

    def __call__(self, number: int, value: Any) -> Any:
        """The value itself, once its type is noted."""
        shown = value if self.stand_in is None else self.stand_in(value)
        kind = (shown.dtype, shown.ndim) if type(shown) is np.ndarray else type(shown)
        seen = self._seen[number]
        if kind not in seen:
            line, text = self._places[number]
            seen[kind] = value_of(shown, f"{text}@{line}")
        return value

    def observed(self) -> Observed:
        """What is known of each place at which all values had the same type."""
        known: dict[Place, Value | None] = {}
        for place, kinds in zip(self._places, self._seen, strict=True):
            for each in kinds.values():
                known[place] = each if known.get(place, each) == each else None
        return {place: suggested(value) for place, value in known.items() if value is not None}


def observing(original: Callable[P, R], watched: Watched, observer: Observer) -> Callable[P, R]:
    """The function as written, with its unknown expressions shown to ``observer``."""
    loops = _Loops(watched.name)
    names = {watched.name: observer}
    function, _, _ = built(original, watched.text, names, watched.lines, change=loops.visit)
    observer.left = [_MOST_SHOWN] * loops.count
    return standing_in(function, original)


class _Loops(ast.NodeTransformer):
    """Has each loop go on as written once it has shown enough: what it runs stands there a second time."""

    def __init__(self, name: str) -> None:
        self.count = 0
        self._name = name

    def _limited(self, node: _Loop) -> _Loop:
        written = _AsWritten(self._name)
        plain = written.visit(copy.deepcopy(node))
        if not written.places:
            return node
        number, self.count = self.count, self.count + 1
        self.generic_visit(node)
        left = f"{self._name}.left[{number}]"
        chosen = text_tree(f"if {left} > 0: {left} -= {written.places}").body[0]
        assert isinstance(chosen, ast.If)
        chosen.body += node.body
        chosen.orelse = plain.body
        node.body = [ast.copy_location(chosen, node)]
        if isinstance(node, ast.While):
            node.test = ast.IfExp(copy.deepcopy(chosen.test), node.test, plain.test)
        return node

    visit_For = visit_While = _limited


class _AsWritten(ast.NodeTransformer):
    """Takes out what shows expressions, and counts its ``places``."""

    def __init__(self, name: str) -> None:
        self.places = 0
        self._name = name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name(name), [_, shown]) if name == self._name:
                self.places += 1
                return shown
        return node


def on_copies(
    function: Callable[..., Any],
    variables: dict[str, Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> None:
    """Call a function on copies of its arguments.

    The ``variables`` of its module, and the random generators, are left as they were.
    """
    # Imported where they are needed: they come with the oracle, which takes a while to import.
    from nprewrite.comparison.memory import copy_arguments
    from nprewrite.comparison.observe import RandomState

    before = RandomState.now()
    try:
        copied, named = copy_arguments(args, kwargs)
        leaving_no_trace(function, ModuleState(variables))(*copied, **named)
    finally:
        before.restore()


def without_a_run(
    original: Callable[..., Any], places: Sequence[Place], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Observed:
    """The types at those places that a look at arguments, cells and globals tells before the call runs."""
    code, own = original.__code__, inspect.signature(original).bind(*args, **kwargs)
    own.apply_defaults()
    local = dict.fromkeys((*code.co_varnames, *code.co_cellvars))
    cells = zip(code.co_freevars, map(content, original.__closure__ or ()), strict=True)
    values = {**original.__globals__, **local, **dict(cells), **own.arguments}
    found: dict[Place, Value] = {}
    for place in places:
        line, text = place
        known = value_of(held(expression_tree(text), values), f"{text}@{line}")
        if known is not None:
            found[place] = suggested(known)
    return found


def content(cell: types.CellType) -> Any:
    """What a variable of the surrounding function is bound to; None before it is bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def held(node: ast.expr, values: Mapping[str, Any]) -> object:
    """What a name, ``a.b`` or ``a["b"]`` is, where finding out runs no code of the user's; else None."""
    match node:
        case ast.Name(id=name):
            return values.get(name)
        case ast.Attribute(value=inner, attr=name):
            found = held(inner, values)
            if is_plain(found):
                return own(found, [name]).get(name)
            return getattr(found, "__dict__", {}).get(name)
        case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
            match held(inner, values):
                case dict() as items if type(items) is dict:
                    return items.get(key)
                case list() | tuple() as items if type(items) in (list, tuple) and type(key) is int:
                    return items[key] if -len(items) <= key < len(items) else None
    return None
