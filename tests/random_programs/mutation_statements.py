"""Mistakes in statements, and in the headers of loops that run through steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutation_place import Edit, Operator, Place, binary, declared, expression, statement, stored


def trips_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """The last trip is missed, the first one, or those beyond a multiple of the chunk."""
    for trips in _over(node):
        text = ast.unparse(trips)
        for part in (f"{text}[:-1]", f"{text}[1:]", f"{text}[:len({text}) // 8 * 8]"):
            yield [(trips, expression(part))]


def _over(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "over":
        yield node.args[0]


def mutation_lost(place: Place, node: ast.AST) -> Iterator[Edit]:
    """A step stores into a copy of the array that it is given."""
    for _ in _over(node):
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Attribute)
        names = declared(place.steps[ast.unparse(node.func.value)], "state")
        for keyword in node.keywords:
            if keyword.arg in names:
                yield [(keyword.value, expression(f"{ast.unparse(keyword.value)}.copy()"))]


def counter_moved(place: Place, node: ast.AST) -> Iterator[Edit]:
    """Scalars are computed for the next trip."""
    if isinstance(node, ast.Lambda) and node.args.args:
        name = node.args.args[0].arg
        loads = [each for each in ast.walk(node.body) if isinstance(each, ast.Name) and each.id == name]
        if loads:
            yield [(each, expression(f"({name} + 1)")) for each in loads]


def dropped(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """A statement is left out that changes something which was there before."""
    earlier = {name for each in place.function.body if each.lineno < node.lineno for name in stored(each)}
    if stored(node) & (place.parameters | earlier):
        yield [(node, [])]


def neighbours_swapped(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """Two statements in the other order, of which the second reads what the first stores."""
    if not place.is_step or node not in place.function.body:
        return
    index = place.function.body.index(node)
    following = place.function.body[index + 1 : index + 2]
    for other in following:
        names = {each.id for each in ast.walk(other) if isinstance(each, ast.Name)} - stored(other)
        if not isinstance(other, ast.Return) and stored(node) & names & place.parameters:
            yield [(node, other), (other, node)]


def one_after_the_other(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """``x = ...`` and then ``y = f(x)``, for ``x, y = ..., f(x)``."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return
    target = node.targets[0]
    if not isinstance(target, ast.Tuple) or not isinstance(target.elts[0], ast.Name):
        return
    first = target.elts[0].id
    nodes = [each for value in node.value.elts[1:] for each in ast.walk(value) if each not in place.vanishing]
    later = {each.id for each in nodes if isinstance(each, ast.Name)}
    if first in later:
        pairs = zip(target.elts, node.value.elts, strict=True)
        yield [(node, [ast.Assign([name], value, lineno=0) for name, value in pairs])]


def results_swapped(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """Two values of one dtype of a step's result, or of the loop's, are exchanged."""
    if isinstance(node, ast.Return) and place.is_step and isinstance(node.value, ast.Tuple):
        dtypes = _dtypes(place.function)
        for first in range(len(dtypes) - 1):
            if dtypes[first] == dtypes[first + 1]:
                yield [(node.value, _exchanged(node.value, first))]
    if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith(".results"):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) > 1:
            yield [(target, _exchanged(target, 0))]


def _exchanged(node: ast.Tuple, first: int) -> ast.Tuple:
    elements = list(node.elts)
    elements[first : first + 2] = reversed(elements[first : first + 2])
    return ast.Tuple(elements, node.ctx)


def _dtypes(step: ast.FunctionDef) -> list[str]:
    """The dtypes of a step's results in their order; a pair makes two."""
    dtypes = [dtype for what in ("state", "carried", "out") for dtype in declared(step, what).values()]
    return [dtype for dtype in dtypes for _ in range(2 if "pair" in dtype else 1)]


def stopped_early(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """The mask of live lanes is empty from the start."""
    decorator = place.function.decorator_list[0] if place.is_step else None
    live = isinstance(decorator, ast.Call) and any(each.arg == "live" for each in decorator.keywords)
    if live and isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        last = node.value.elts[-1]
        yield [(last, expression(f"np.zeros_like({ast.unparse(last)})"))]


def rebound(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """``x = ...`` for ``x[...] = ...``, where ``x`` is or may be the caller's."""
    if place.is_step or not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return
    target = node.targets[0]
    made = "\n".join(ast.unparse(each) for each in place.function.body)
    if isinstance(target.value, ast.Name):
        name = target.value.id
        if name in place.parameters or f"{name} = np.asarray(" in made:
            yield [(target, ast.Name(name, ast.Store()))]


def results_widened(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """Results of another dtype, as a ``np.where`` with a float or complex operand would give them."""
    if not isinstance(node, ast.Assign) or "pair" in ast.unparse(place.tree):
        return
    if ast.unparse(node.value).endswith(".results"):
        wide = "np.zeros(1, 'f4' if each.dtype.kind in 'biu' else 'c8')"
        yield [(node.value, expression(f"[each + {wide} for each in {ast.unparse(node.value)}]"))]


def exception_swallowed(place: Place, node: ast.stmt) -> Iterator[Edit]:
    """A loop that raises gives no result instead."""
    if place.function.name in place.raising and isinstance(node, ast.For):
        handler = ast.ExceptHandler(expression("Exception"), None, statement("pass"))
        yield [(node, ast.Try([node], [handler], [], []))]


HEADERS: dict[str, Operator] = {
    "trips lost": trips_lost,
    "mutation lost": mutation_lost,
    "counter moved": counter_moved,
}
STATEMENTS: dict[str, Operator] = {
    "sign of an update": binary({ast.Add: ast.Sub, ast.Sub: ast.Add}),
    "statement dropped": dropped,
    "statements swapped": neighbours_swapped,
    "one after the other": one_after_the_other,
    "results swapped": results_swapped,
    "stopped early": stopped_early,
    "rebound": rebound,
    "results widened": results_widened,
    "exception swallowed": exception_swallowed,
}
