"""Scalar loops that Numba could run in a function of their own: what goes in and what comes out."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nprewrite.analysis.liveness import live_after, surely_set
from nprewrite.base.syntax import names_bound, parts_of
from nprewrite.lowering import FLOAT, INT, Entry, Lowered, NotNative, lower, tuple_lengths
from nprewrite.lowering.draws import source_of_module
from nprewrite.lowering.iterables import elements_of
from nprewrite.lowering.problems import word_of
from nprewrite.program.exposed_names import exposed
from nprewrite.program.function import Function, blocks
from nprewrite.regions.array_loops.step_names import shows_its_names, unclear_names
from nprewrite.regions.native.entry import arguments_of, is_container, values_before
from nprewrite.regions.native.small_arrays import computes_with_rows
from nprewrite.source.kept import names_declared, names_in_scope
from nprewrite.source.names import SCOPES
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Generator, Unknown, Value

_in_order = functools.partial(lower, draws=True)
QUIET = {"not-scalar", "little-work"}
"""Problems of loops that are not scalar loops over arrays: nobody expects them to be compiled."""
_OF_ROWS = {"unknown-call", "loop-control", "unsupported-operation", "dtype-unsupported"}
"""Problems of loops over rows that the user can do something about."""
_LEAST_WORK = 2**10
_LAZY = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.comprehension)
Lowering = Callable[[ast.FunctionDef, Entry, Callable[[ast.expr], str | None]], Lowered]
Find = Callable[[ast.For | ast.While, tuple[ast.stmt, ...], Function], "NativeRegion | Problem"]


@dataclass(frozen=True)
class NativeRegion:
    """A loop; if it contains a ``return``, also what follows it to the end of the function.

    ``inputs`` are the names that it reads or keeps from before, ``results`` those that are read after it.
    """

    statements: tuple[ast.stmt, ...]
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    returns: bool
    lowered: Lowered


def array_regions(function: Function) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    """The outermost loops over rows or parts of arrays that can be compiled, and why others cannot."""
    yield from regions(function, array_region)


def native_regions(function: Function) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    """The outermost loops that can be compiled, and why loops over elements of arrays cannot."""
    yield from regions(function, native_region)


def regions(function: Function, find: Find) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    """The outermost loops for which ``find`` gives a region, and why it gives none for others."""
    if function.step is None:
        yield from _in_block(function.node.body, (), function, find)


def _in_block(
    block: Sequence[ast.stmt], outer: tuple[ast.stmt, ...], function: Function, find: Find
) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not isinstance(statement, ast.For | ast.While) or not function.is_as_written(statement):
            for inner in function.blocks(statement) if function.is_as_written(statement) else []:
                yield from _in_block(inner, (*outer, statement), function, find)
            continue
        found = find(statement, outer, function)
        if isinstance(found, NativeRegion) or found.parameter is not None:
            yield statement, found
            if isinstance(found, NativeRegion) and found.returns:
                return
            continue
        inside = [
            each
            for inner in function.blocks(statement)
            for each in _in_block(inner, (*outer, statement), function, find)
            if isinstance(each[1], NativeRegion)
        ]
        if not inside and found.code not in QUIET:
            yield statement, found
        yield from inside


def native_region(
    loop: ast.For | ast.While, outer: tuple[ast.stmt, ...], function: Function
) -> NativeRegion | Problem:
    """The region of a loop, or why it has none."""
    if not _reads_elements(loop, function) and not _draws(loop, function):
        return Problem("not-scalar", "no element of an array is read or stored", loop)
    if _makes_arrays(loop, function):
        return Problem("not-scalar", "the loop computes with whole arrays", loop)
    found = region_of(loop, outer, function, _in_order)
    rows = isinstance(found, NativeRegion) and found.lowered.calls
    if rows and not computes_with_rows(loop, function):
        return Problem("not-scalar", "the loop computes with whole arrays", loop)
    return found


def array_region(
    loop: ast.For | ast.While, outer: tuple[ast.stmt, ...], function: Function
) -> NativeRegion | Problem:
    """The region of a loop that computes with rows or parts of arrays, or why it has none."""
    quiet = Problem("not-scalar", "no row of an array is computed with", loop)
    if not _reads_elements(loop, function) or not _makes_arrays(loop, function):
        return quiet
    if not computes_with_rows(loop, function):
        return quiet
    found = region_of(loop, outer, function, _in_order)
    if isinstance(found, Problem):
        if found.code == "not-scalar":
            found = replace(found, code="unsupported-operation")
        return found if found.parameter is not None or found.code in _OF_ROWS else quiet
    return found if found.lowered.calls else quiet


def region_of(
    loop: ast.For | ast.While, outer: tuple[ast.stmt, ...], function: Function, lowering: Lowering
) -> NativeRegion | Problem:
    """The region of a loop that ``lowering`` follows, or why it has none."""
    statements = _with_tail(loop, outer, function)
    problem = _problem_of_names(loop, function)
    if problem is not None:
        return problem
    names = _inputs(statements, outer, function)
    results = names if isinstance(names, Problem) else _results(statements, names, outer, function)
    if isinstance(names, Problem):
        return names
    if isinstance(results, Problem):
        return results
    surely = exposed(statements).surely_set or frozenset()
    kept = [each for each in results if each not in names and each not in surely]
    # A name that the loop may not set keeps the value that it has before.
    inputs = (*names, *(each for each in kept if surely_set(each, loop, outer, function)))
    entry = values_before(loop, inputs, function)
    if isinstance(entry, Problem):
        return entry
    lowered = _lowered(statements, inputs, results, entry, function, lowering)
    if isinstance(lowered, Problem):
        return lowered
    if lowered.work < _LEAST_WORK:
        return Problem("little-work", "the loop makes a few trips", loop)
    returns = any(isinstance(each, ast.Return) for each in ast.walk(loop))
    return NativeRegion(statements, inputs, results, returns, lowered)


def _reads_elements(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether an element of what may be an array is picked by a number that the loop sets."""
    values = function.facts.expressions.values
    nodes = [*ast.walk(loop)]
    stored = {*names_bound(loop)}
    subscripts = [each for each in nodes if isinstance(each, ast.Subscript)]
    if any(
        _is_picked(each.slice, stored, function) and _may_be_array(each.value, function)
        for each in subscripts
    ):
        return True
    taken = elements_of(loop, function.dotted) if isinstance(loop, ast.For) else None
    names = (
        (each for each in ast.walk(loop.iter) if isinstance(each, ast.Name))
        if isinstance(loop, ast.For)
        else ()
    )
    return taken is not None and any(isinstance(values.get(each), Array) for each in names)


def _draws(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether a random number is drawn in the loop."""
    calls = [each.func for each in ast.walk(loop) if isinstance(each, ast.Call)]
    return any(source_of_module(function.dotted(each) or "") is not None for each in calls) or any(
        isinstance(each, ast.Attribute) and isinstance(function.facts.value(each.value), Generator)
        for each in calls
    )


def _makes_arrays(loop: ast.stmt, function: Function) -> bool:
    """Whether a value in the loop is an array that the loop computes or makes."""
    nodes = [each for each in ast.walk(loop) if isinstance(each, ast.BinOp | ast.Call)]
    values = (function.facts.expressions.values.get(each) for each in nodes)
    # An element of an array of unknown rank may be a row, and what is computed from it too.
    return any(isinstance(each, Array) and each.rank for each in values)


def _is_picked(index: ast.expr, stored: set[str], function: Function) -> bool:
    parts = parts_of(index)
    values = [function.facts.expressions.values.get(each) for each in parts]
    if any(isinstance(each, ast.Slice) for each in parts) or any(map(_is_mask, values)):
        return False
    return any(isinstance(each, ast.Name) and each.id in stored for each in ast.walk(index))


def _is_mask(value: Value | None) -> bool:
    return isinstance(value, Array) or (isinstance(value, Unknown) and value.comparison)


def _may_be_array(node: ast.expr, function: Function) -> bool:
    value = function.facts.expressions.values.get(node)
    if isinstance(value, Unknown):
        named = isinstance(node, ast.Name | ast.Subscript | ast.Attribute)
        return named and not is_container(node, function)
    return isinstance(value, Array)


def _with_tail(
    loop: ast.For | ast.While, outer: tuple[ast.stmt, ...], function: Function
) -> tuple[ast.stmt, ...]:
    """The loop, and what follows it in the function where the loop returns."""
    body = function.node.body
    if outer or not any(isinstance(each, ast.Return) for each in ast.walk(loop)):
        return (loop,)
    return tuple(body[body.index(loop) :])


def _problem_of_names(loop: ast.stmt, function: Function) -> Problem | None:
    problem = unclear_names(loop, function)
    if problem is not None:
        return problem
    for each in ast.walk(loop):
        if isinstance(each, SCOPES):
            return Problem("closure", "a function or class is defined in the loop", each)
        if isinstance(each, ast.Name):
            if each.id.startswith("__") and not each.id.endswith("__"):
                return Problem("dynamic-scope", f"`{each.id}` is mangled in a class", each)
            attribute = each.id in function.module.spelling
            if isinstance(each.ctx, ast.Store) and (attribute or not function.is_local(each.id)):
                return Problem(
                    "not-local", f"`{each.id}` belongs to the module or to an enclosing function", each
                )
    return None


def _inputs(
    statements: Sequence[ast.stmt], outer: tuple[ast.stmt, ...], function: Function
) -> tuple[str, ...] | Problem:
    """The names that the statements read from before them, except modules and functions."""
    found = []
    for name, node in exposed(statements).read.items():
        dotted = function.dotted(node)
        if dotted is not None:
            # The new function is at module level, where a local import is not visible.
            if function.names.dotted(ast.Name(name, ast.Load()), function.document.tree) != dotted:
                return Problem("name-unclear", f"`{name}` is imported inside of the function", node)
            continue
        attribute = name in function.module.spelling
        if not attribute and not surely_set(name, statements[0], outer, function):
            return Problem("name-unset", f"`{name}` is not set on every path to the loop", node)
        found.append(name)
    return tuple(found)


def _results(
    statements: Sequence[ast.stmt], inputs: Sequence[str], outer: tuple[ast.stmt, ...], function: Function
) -> tuple[str, ...] | Problem:
    """The names that are read after the statements."""
    loop = statements[0]
    if any(isinstance(each, ast.Return) for each in ast.walk(loop)):
        return ()
    surely = exposed(statements).surely_set or frozenset()
    # Whoever imports a module reads what it has.
    seen = surely if isinstance(function.node, ast.Module) else ()
    live = [
        name for name in names_bound(*statements) if name in seen or _is_live(name, loop, outer, function)
    ]
    for name in live:
        known = name in surely or name in inputs or surely_set(name, loop, outer, function)
        raises = _read_at_once(name, loop, outer, function) and not _set_elsewhere(name, loop, function)
        if not known and not raises:
            text = f"`{name}` may be unset after the loop, where it may be read"
            return Problem("name-unset", text, loop)
    stopping = (each for each in outer if isinstance(each, ast.Try | ast.With))
    caught = next((each for each in stopping if not _is_quiet(each, function)), None)
    if live and caught is not None:
        word = word_of(caught)
        text = f"after an exception that a `{word}` catches, `{live[0]}` is a value from inside the loop"
        return Problem("loop-control", text, loop)
    # Python raises for the first of them that is read without a value.
    read = [each.id for each in names_read_after(loop, outer, function)]
    return tuple(sorted(live, key=lambda name: read.index(name) if name in read else len(read)))


def _is_quiet(node: ast.stmt, function: Function) -> bool:
    """Whether a ``with`` statement lets every exception pass."""
    if not isinstance(node, ast.With):
        return False
    calls = [each.context_expr for each in node.items]
    known = {"numpy.errstate", "numpy.printoptions", "builtins.open", "warnings.catch_warnings"}
    return all(isinstance(each, ast.Call) and function.dotted(each.func) in known for each in calls)


def _is_live(name: str, loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> bool:
    if not isinstance(function.node, ast.Module):
        return live_after(name, loop, outer, function)
    if shows_its_names(function) or surely_set(name, loop, outer, function):
        return True
    others = {id(each) for part in (loop, *_with_own(name, function)) for each in ast.walk(part)}
    names = names_in_scope(function.node).get(name, ())
    return any(isinstance(each.ctx, ast.Load) and id(each) not in others for each in names)


def _with_own(name: str, function: Function) -> Iterator[ast.AST]:
    """The parts of a module in which a name is that of a function or of a comprehension."""
    for each in ast.walk(function.node):
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if function.names.is_local(name, each) and name not in names_declared(each):
                    yield from each.body
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                if name in names_bound(*each.generators):
                    yield from (each.elt, *each.generators[1:], *each.generators[0].ifs)


def _read_at_once(name: str, loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> bool:
    """Whether the statement after the loop always reads the name, and raises where it has no value."""
    following = _statement_after(loop, outer, function)
    if not isinstance(following, ast.Return | ast.Assign | ast.Expr | ast.AugAssign):
        return False
    lazy = any(isinstance(each, _LAZY) for each in ast.walk(following))
    return not lazy and any(each.id == name for each in names_read_after(loop, outer, function))


def names_read_after(loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> list[ast.Name]:
    """The names in the statement after a loop, in the order of the text."""
    following = _statement_after(loop, outer, function)
    nodes = ast.walk(following) if following is not None else ()
    names = (each for each in nodes if isinstance(each, ast.Name))
    return sorted(names, key=lambda each: (each.lineno, each.col_offset))


def _statement_after(loop: ast.stmt, outer: tuple[ast.stmt, ...], function: Function) -> ast.stmt | None:
    parent = outer[-1] if outer else function.node
    for block in [parent.body] if isinstance(parent, ast.Module) else blocks(parent):
        if loop in block[:-1]:
            return block[block.index(loop) + 1]
    return None


def _set_elsewhere(name: str, loop: ast.stmt, function: Function) -> bool:
    """Whether something else in the function sets the name; that value stays where the loop sets none."""
    inside = {id(each) for each in ast.walk(loop)}
    names = (each for each in ast.walk(function.node) if isinstance(each, ast.Name) and each.id == name)
    return any(isinstance(each.ctx, ast.Store) and id(each) not in inside for each in names)


def _lowered(
    statements: Sequence[ast.stmt],
    inputs: Sequence[str],
    results: Sequence[str],
    values: Mapping[str, Value],
    function: Function,
    lowering: Lowering,
) -> Lowered | Problem:
    """Lower the statements for the known types; other numbers are tried as floats, then as ints."""
    node = ast.FunctionDef("loop", _parameters(inputs), [*statements], [], None)
    if results:
        names: list[ast.expr] = [ast.Name(each, ast.Load()) for each in results]
        node.body.append(ast.Return(ast.Tuple(names, ast.Load())))
    problem: Problem | None = None
    for guess in (FLOAT, INT):
        entry = arguments_of(values, guess, statements[0], tuple_lengths(node))
        if isinstance(entry, Problem):
            return entry
        try:
            return lowering(node, entry, lambda each: _resolved(each, function))
        except NotNative as error:
            problem = problem or Problem(error.code, error.message, error.place(statements[0]))
    assert problem is not None
    return problem


def _resolved(node: ast.expr, function: Function) -> str | None:
    dotted = function.dotted(node)
    return None if dotted is None or dotted.startswith(".") else dotted


def _parameters(names: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
