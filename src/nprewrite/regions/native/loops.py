"""Scalar loops that Numba could run in a function of their own: what goes in and what comes out."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard
from weakref import WeakKeyDictionary

from nprewrite.analysis.liveness import surely_set
from nprewrite.base.syntax import (
    blocks,
    expression_tree,
    is_none,
    name_nodes,
    names_bound,
    names_in,
    parts_of,
    walk,
)
from nprewrite.lowering.arrays import Argument, Entry, NumberArgument
from nprewrite.lowering.iterables import elements_of
from nprewrite.lowering.lower import lower
from nprewrite.lowering.lowered import Lowered
from nprewrite.lowering.numbers import FLOAT, INT, NONE
from nprewrite.lowering.object_columns import with_columns
from nprewrite.lowering.object_lists import Member
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.tuples import tuple_lengths
from nprewrite.numpy_api.python import python_function
from nprewrite.program.exposed_names import exposed
from nprewrite.program.function import Definition, Function
from nprewrite.regions.array_loops.step_names import unclear_names
from nprewrite.regions.native.bare_numbers import are_numbers, is_of_numbers
from nprewrite.regions.native.entry import arguments_of, draws, is_container, values_before
from nprewrite.regions.native.lists import lists_of, spent_after
from nprewrite.regions.native.objects import another_name, columns_given, members_of, named_objects
from nprewrite.regions.native.results import (
    may_stay_unset,
    problem_of_attributes,
    results_of,
    set_elsewhere,
)
from nprewrite.regions.native.small_arrays import computes_with_rows, computes_with_vectors
from nprewrite.regions.native.tables import tables_for
from nprewrite.source.names import SCOPES
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Unknown, Value

QUIET = {"not-scalar", "little-work"}
"""Problems of loops that are not scalar loops over arrays: nobody expects them to be compiled."""
_OF_ROWS = {"unknown-call", "loop-control", "unsupported-operation", "dtype-unsupported"}
"""Problems of loops over rows that the user can do something about."""
_LEAST_WORK = 2**7
Lowering = Callable[[ast.FunctionDef, Entry, Callable[[ast.expr], str | None]], Lowered]
Find = Callable[[ast.For | ast.While, Function], "NativeRegion | Problem"]


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
    spent: Mapping[str, str]
    """Lists of which it gives arrays, because nothing else is made of them, and the functions that do it."""
    unset: tuple[str, ...] = ()
    """The results that it may leave as they are, and that may have no value then: it gets and gives None."""
    attributes: tuple[str, ...] = ()
    """The names of the attributes of objects that it sets: it gets the objects."""
    tables: tuple[str, ...] = ()
    """The inputs that it only runs over, small tables of numbers: it is compiled for what they hold."""
    objects: tuple[str, ...] = ()
    """What it uses of the objects in lists: it gets the lists, or what holds them."""
    imports: tuple[ast.stmt, ...] = ()
    """The imports of its function that it repeats."""


def regions(function: Function, find: Find) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    """The outermost loops for which ``find`` gives a region, and why it gives none for others."""
    if function.step is None:
        yield from _in_block(function.node.body, function, find)


def _in_block(
    block: Sequence[ast.stmt], function: Function, find: Find
) -> Iterator[tuple[ast.stmt, NativeRegion | Problem]]:
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not isinstance(statement, ast.For | ast.While) or not function.is_as_written(statement):
            for inner in function.blocks(statement) if function.is_as_written(statement) else []:
                yield from _in_block(inner, function, find)
            continue
        found = find(statement, function)
        awaited = isinstance(found, Problem) and found.parameter is not None
        # Where the decorator rewrites, a call may have shown all that it can.
        if isinstance(found, NativeRegion) or (awaited and function.module.jitted is None):
            yield statement, found
            if isinstance(found, NativeRegion) and found.returns:
                return
            continue
        inside = [
            each
            for inner in function.blocks(statement)
            for each in _in_block(inner, function, find)
            if isinstance(each[1], NativeRegion)
        ]
        if awaited or (not inside and found.code not in QUIET):
            yield statement, found
        yield from inside


def _once(find: Find) -> Find:
    """``find`` that looks at each loop of a function once: several passes ask, and to lower it takes long."""
    known: WeakKeyDictionary[Function, dict[ast.stmt, NativeRegion | Problem]] = WeakKeyDictionary()

    @functools.wraps(find)
    def found(loop: ast.For | ast.While, function: Function) -> NativeRegion | Problem:
        answers = known.setdefault(function, {})
        if loop not in answers:
            answers[loop] = find(loop, function)
        return answers[loop]

    return found


@_once
def native_region(loop: ast.For | ast.While, function: Function) -> NativeRegion | Problem:
    """The region of a loop, or why it has none."""
    members = members_of(loop, function)
    if members:
        return region_of(loop, function, members=members)
    reads = _reads_elements(loop, function) or _takes_numbers(loop, function) or any(draws(loop, function))
    if not reads and not is_of_numbers(loop, function):
        return Problem("not-scalar", "no element of an array is read or stored", loop)
    if _makes_arrays(loop, function):
        return Problem("not-scalar", "the loop computes with whole arrays", loop)
    found = _whole_region(loop, function)
    if isinstance(found, Problem) and found.parameter is not None and (reads or lists_of(loop, function)):
        return found
    if not reads and not (isinstance(found, NativeRegion) and are_numbers(found.inputs, loop, function)):
        return Problem("not-scalar", "what the loop computes with need not be numbers", loop)
    rows = isinstance(found, NativeRegion) and found.lowered.calls
    if rows and not computes_with_rows(loop, function):
        return Problem("not-scalar", "the loop computes with whole arrays", loop)
    return found


def array_region(loop: ast.For | ast.While, function: Function) -> NativeRegion | Problem:
    """The region of a loop that computes with rows or parts of arrays, or why it has none."""
    quiet = Problem("not-scalar", "no row of an array is computed with", loop)
    if not _makes_arrays(loop, function):
        return quiet
    picks = _reads_elements(loop, function) or _takes_windows(loop)
    rows = picks and computes_with_rows(loop, function)
    if not rows and not computes_with_vectors(loop, function):
        return quiet
    found = _whole_region(loop, function)
    if isinstance(found, Problem):
        if found.code == "not-scalar":
            found = replace(found, code="unsupported-operation")
        return found if found.parameter is not None or found.code in _OF_ROWS else quiet
    return found if found.lowered.calls else quiet


@_once
def _whole_region(loop: ast.For | ast.While, function: Function) -> NativeRegion | Problem:
    return region_of(loop, function)


def region_of(
    loop: ast.For | ast.While,
    function: Function,
    lowering: Lowering | None = None,
    members: Sequence[Member] = (),
) -> NativeRegion | Problem:
    """The region of a loop that ``lowering`` follows, or why it has none.

    Without it the loop moves as it is; then it may set attributes, and leave names as they are. It uses
    ``members`` of objects in lists.
    """
    moves = lowering is None
    keeps_unset = moves and not any(is_none(each) for each in walk(loop) if isinstance(each, ast.Constant))
    given_back = next((each for each in walk(loop) if isinstance(each, ast.Return)), None)
    if given_back is not None and function.outer(loop) and not _is_last(loop, function):
        text = "what comes after the loop runs where its `return` does not"
        return Problem("loop-control", text, given_back)
    statements = (loop,) if given_back is None else _with_tail(loop, function)
    spelling = function.module.spelling
    attributes = tuple(each for each in names_bound(*statements) if each in spelling)
    problem = _problem_of_names(loop, function) or problem_of_attributes(attributes, loop, function, moves)
    if problem is not None:
        return problem
    imports = _imports_before(statements[0], function) if moves else {}
    read = _inputs(statements, function, imports)
    if isinstance(read, Problem):
        return read
    names = tuple(each for each in read if each not in attributes)
    results = results_of(statements, read, function, keeps_unset=keeps_unset)
    if isinstance(results, Problem):
        return results
    results = tuple(each for each in results if each not in attributes)
    objects = named_objects(loop, members)
    if not objects.isdisjoint(results):
        return Problem("not-scalar", "an object of a list has a name after the loop", loop)
    other = another_name((*read, *attributes), members, function)
    if other is not None:
        return Problem("not-scalar", f"`{other}` may be of one of the objects in a list", loop)
    deleted = (each for each in name_nodes(*statements) if isinstance(each.ctx, ast.Del))
    missing = next((each for each in deleted if each.id in results), None)
    if missing is not None:
        return Problem("name-unset", f"`{missing.id}` has no value after `del`, and is read later", missing)
    surely = exposed(statements).surely_set or frozenset()
    kept = [each for each in results if each not in names and each not in surely]
    # A name that the loop may not set keeps the value that it has before.
    inputs = (*names, *(each for each in kept if surely_set(each, loop, function)))
    spent = spent_after(loop, function)
    known = surely.union(inputs)
    unset = tuple(each for each in results if may_stay_unset(each, loop, known, function))
    given: Mapping[str, Argument] = dict.fromkeys(unset, NumberArgument(NONE))
    tables = tables_for(statements, inputs, function) if moves else {}
    lowering = lowering or functools.partial(lower, draws=True, kept=attributes, spent=spent)
    called = (*inputs, *unset, *attributes)
    lowered = _lowered(statements, called, results, spent, {**tables, **given}, function, lowering, members)
    if isinstance(lowered, Problem) and tables:
        tables = {}
        lowered = _lowered(statements, called, results, spent, given, function, lowering, members)
    if isinstance(lowered, Problem):
        return lowered
    inputs += unset
    if lowered.work < _LEAST_WORK:
        return Problem("little-work", "the loop makes a few trips", loop)
    returns = given_back is not None
    used = tuple(map(str, members))
    repeated = {imports[name]: None for name in exposed(statements).read if name in imports}
    return NativeRegion(
        statements,
        inputs,
        results,
        returns,
        lowered,
        spent,
        unset,
        attributes,
        (*tables,),
        used,
        tuple(repeated),
    )


def _reads_elements(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether an element of what may be an array is picked by a number that the loop sets."""
    values = function.facts.expressions.values
    nodes = [*walk(loop)]
    stored = {*names_bound(loop)}
    subscripts = [each for each in nodes if isinstance(each, ast.Subscript)]
    if any(
        _is_picked(each.slice, stored, function) and _may_be_array(each.value, function)
        for each in subscripts
    ):
        return True
    taken = elements_of(loop, function.dotted) if isinstance(loop, ast.For) else None
    names, lists = name_nodes(loop.iter) if isinstance(loop, ast.For) else (), lists_of(loop, function)
    return taken is not None and any(
        isinstance(values.get(each), Array) or each.id in lists for each in names
    )


def _parameters_without_annotation(function: Function) -> set[str]:
    arguments = getattr(function.node, "args", None)
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if arguments is not None else []
    return {each.arg for each in every if each.annotation is None}


def _takes_numbers(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether it runs over a parameter, and computes with the elements as no string would bear it.

    Where the parameter has an annotation, that says what it is.
    """
    taken = elements_of(loop, function.dotted) if isinstance(loop, ast.For) else None
    if taken is None or not isinstance(loop, ast.For):
        return False
    found = [function.facts.expressions.values.get(each) for each in name_nodes(loop.iter)]
    given = {each.parameter for each in found if isinstance(each, Unknown)}
    if given.isdisjoint(_parameters_without_annotation(function)):
        return False
    names = names_in(*taken.targets)
    return any(
        isinstance(each.op, ast.Sub | ast.Mult | ast.Div | ast.Pow)
        and any(isinstance(part, ast.Name) and part.id in names for part in (each.left, each.right))
        for statement in loop.body
        for each in walk(statement)
        if isinstance(each, ast.BinOp)
    )


def _makes_arrays(loop: ast.stmt, function: Function) -> bool:
    """Whether a value in the loop is an array that the loop computes or makes, other than to take numbers of
    it: to run over it, to bind several names, ``x, y = rng.normal(size=2)``, or for ``max(abs(x))``."""
    over = [each.iter for each in walk(loop) if isinstance(each, ast.For)]
    over += [each.args[0] for each in walk(loop) if _folds(each, function)]
    iterated = {part for each in over for part in walk(each)}
    iterated |= {
        each.value
        for each in walk(loop)
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Tuple)
    }
    nodes = [each for each in walk(loop) if isinstance(each, ast.BinOp | ast.Call)]
    values = (function.facts.expressions.values.get(each) for each in nodes if each not in iterated)
    # An element of an array of unknown rank may be a row, and what is computed from it too.
    return any(isinstance(each, Array) and each.rank for each in values)


def _folds(node: ast.AST, function: Function) -> TypeGuard[ast.Call]:
    """Whether it is a call of a function of Python's that takes the elements of an array one by one."""
    known = python_function(function.dotted(node.func)) if isinstance(node, ast.Call) and node.args else None
    return known is not None and known.folds != ""


def _takes_windows(loop: ast.For | ast.While) -> bool:
    """Whether the loop reads parts of arrays whose bounds its variables give: ``x[i : i + 3, j : j + 3]``."""
    stored = {*names_bound(loop)}
    reads = (each for each in walk(loop) if isinstance(each, ast.Subscript))
    parts = (part for each in reads if isinstance(each.ctx, ast.Load) for part in parts_of(each.slice))
    return any(isinstance(each, ast.Slice) and not stored.isdisjoint(names_in(each)) for each in parts)


def _is_picked(index: ast.expr, stored: set[str], function: Function) -> bool:
    parts = parts_of(index)
    values = [function.facts.expressions.values.get(each) for each in parts]
    if any(isinstance(each, ast.Slice) for each in parts) or any(map(_is_mask, values)):
        return False
    return not stored.isdisjoint(names_in(index))


def _is_mask(value: Value | None) -> bool:
    return isinstance(value, Array) or (isinstance(value, Unknown) and value.comparison)


def _may_be_array(node: ast.expr, function: Function) -> bool:
    value = function.facts.expressions.values.get(node)
    if isinstance(value, Unknown):
        named = isinstance(node, ast.Name | ast.Subscript | ast.Attribute)
        return named and not is_container(node, function)
    return isinstance(value, Array)


def _is_last(loop: ast.stmt, function: Function) -> bool:
    """Whether the function ends where a loop in a branch does."""
    inner = loop
    for each in reversed(function.outer(loop)):
        if not isinstance(each, ast.If) or all(block[-1] is not inner for block in blocks(each)):
            return False
        inner = each
    return function.node.body[-1] is inner


def _with_tail(loop: ast.For | ast.While, function: Function) -> tuple[ast.stmt, ...]:
    """A loop that returns, and what follows it in the function."""
    body = function.node.body
    return (loop,) if function.outer(loop) else tuple(body[body.index(loop) :])


def _problem_of_names(loop: ast.stmt, function: Function) -> Problem | None:
    problem = unclear_names(loop, function)
    if problem is not None:
        return problem
    for each in walk(loop):
        if isinstance(each, SCOPES):
            return Problem("closure", "a function or class is defined in the loop", each)
        if isinstance(each, ast.Name):
            if each.id.startswith("__") and not each.id.endswith("__"):
                return Problem("dynamic-scope", f"`{each.id}` is mangled in a class", each)
            local = each.id in function.module.spelling or function.is_local(each.id)
            if isinstance(each.ctx, ast.Store) and not local:
                return Problem(
                    "not-local", f"`{each.id}` belongs to the module or to an enclosing function", each
                )
    return None


def _imports_before(loop: ast.stmt, function: Function) -> dict[str, ast.stmt]:
    """The names that imports bind among the statements of a function, above one of its loops, and nothing
    else there; by name the import."""
    found: dict[str, ast.stmt] = {}
    for each in function.node.body if isinstance(function.node, Definition) else ():
        if not isinstance(each, ast.Import | ast.ImportFrom) or each.lineno >= loop.lineno:
            continue
        names = [alias.asname or alias.name.partition(".")[0] for alias in each.names]
        if getattr(each, "level", 0) == 0 and all(
            function.names.is_bound_once(name, function.node) for name in names
        ):
            found |= dict.fromkeys(names, each)
    return found


def _inputs(
    statements: Sequence[ast.stmt], function: Function, imports: Container[str]
) -> tuple[str, ...] | Problem:
    """The names that the statements read from before them, except modules and functions.

    The new function has ``imports`` of its own.
    """
    found = []
    raised = _exceptions_of_module(statements, function)
    for name, node in exposed(statements).read.items():
        if name in raised or name in imports:
            continue
        dotted = function.dotted(node)
        if dotted is not None:
            # The new function is at module level, where a local import is not visible.
            if function.names.dotted(ast.Name(name, ast.Load()), function.document.tree) != dotted:
                # The decorator inlines calls of functions that are defined there.
                kind = "defined" if dotted.startswith(".") else "imported"
                awaited = name if kind == "defined" and function.module.jitted is None else None
                because = f"`{name}` is {kind} inside of the function"
                return Problem("name-unclear", because, node, awaited)
            continue
        attribute = name in function.module.spelling
        if not attribute and not surely_set(name, statements[0], function):
            if _is_unset(name, statements, function):
                continue
            return Problem("name-unset", f"`{name}` is not set on every path to the loop", node)
        found.append(name)
    return tuple(found)


def _exceptions_of_module(statements: Sequence[ast.stmt], function: Function) -> set[str]:
    """The names of classes of the module that statements do nothing with but raise them."""
    raised = (each.exc for statement in statements for each in walk(statement) if isinstance(each, ast.Raise))
    ways = [
        way
        for each in raised
        for way in ((each.body, each.orelse) if isinstance(each, ast.IfExp) else (each,))
    ]
    kinds = [each.func if isinstance(each, ast.Call) else each for each in ways]
    others = {each.id for each in name_nodes(*statements) if each not in kinds}
    classes = {each.name for each in function.document.tree.body if isinstance(each, ast.ClassDef)}
    names = {each.id for each in kinds if isinstance(each, ast.Name)} & classes - others
    inner = not isinstance(function.node, ast.Module)
    return {
        each
        for each in names
        if not inner or not (function.is_local(each) or function.names.is_captured(each, function.node))
    }


def _is_unset(name: str, statements: Sequence[ast.stmt], function: Function) -> bool:
    """Whether a name has no value before the statements, which alone bind it and run once.

    Reading it before it is set then raises in lowered code as it does in Python.
    """
    if isinstance(function.node, ast.Module):
        if function.names.unknown_star or hasattr(builtins, name):
            return False
    elif not function.is_local(name) or function.is_shared(name):
        return False
    return not function.loops_around(statements[0]) and not set_elsewhere(name, statements, function)


def _lowered(
    statements: Sequence[ast.stmt],
    inputs: Sequence[str],
    results: Sequence[str],
    spent: Mapping[str, str],
    given: Mapping[str, Argument],
    function: Function,
    lowering: Lowering,
    members: Sequence[Member],
) -> Lowered | Problem:
    """Lower the statements for the known types; other numbers are tried as floats, then as ints.

    Of the inputs ``given`` it is known what they are.
    """
    node = ast.FunctionDef("loop", _parameters(inputs), [*statements], [], None)
    if results or spent:
        made: list[ast.expr] = [ast.Name(each, ast.Load()) for each in results]
        made += [expression_tree(f"{maker}({each})") for each, maker in spent.items()]
        node.body.append(ast.Return(ast.Tuple(made, ast.Load())))

    def resolved(node: ast.expr) -> str | None:
        dotted = function.dotted(node)
        return None if dotted is None or dotted.startswith(".") else dotted

    if members:
        try:
            columned = with_columns(node, members, resolved)
        except NotNative as error:
            return Problem(error.code, error.message, error.place(statements[0]))
        node = columned.function
        given = {**given, **dict(columns_given(columned.columns, function))}
        inputs = [each.arg for each in node.args.args]
    values = values_before(statements[0], [each for each in inputs if each not in given], function)
    if isinstance(values, Problem):
        return values
    problem: Problem | None = None
    lists = lists_of(statements[0], function)
    for guess in (FLOAT, INT):
        entry = arguments_of(values, guess, statements[0], tuple_lengths(node), lists, function)
        if isinstance(entry, Problem):
            return entry
        try:
            return lowering(node, {**entry, **given}, resolved)
        except NotNative as error:
            problem = problem or Problem(error.code, error.message, error.place(statements[0]))
    assert problem is not None
    return problem


def _parameters(names: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
