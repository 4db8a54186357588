"""What a loop of array code reads, changes and carries from one iteration to the next."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeGuard

import numpy as np

from nprewrite.analysis.array_steps import (
    call_problem,
    changes_shape,
    gives_several,
    index_problem,
    operands,
)
from nprewrite.analysis.lanewise import expression_problem, scalar_problem
from nprewrite.analysis.made_arrays import is_known_in_step, sizes
from nprewrite.analysis.scalar_leaves import looked_up, scalar_leaves
from nprewrite.analysis.stores import (
    assignment_problem,
    augmented_problem,
    masked_target,
    number_problem,
    store_problem,
)
from nprewrite.base.syntax import is_everything, name_nodes, names_in, walk, with_names
from nprewrite.program.loop_syntax import syntax_problem
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.regions.array_loops.computed_anew import is_computed_anew
from nprewrite.types.array_functions import literal
from nprewrite.types.problems import Problem
from nprewrite.types.values import PARTS, Array, Scalar, Unknown


@dataclass
class Flow:
    """The data flow of arrays and scalars through the statements of one iteration, in order.

    With ``whole`` the elements of an array may depend on each other.
    """

    body: LoopBody
    whole: bool = False
    read: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    rebound: list[str] = field(default_factory=list)
    dtypes: dict[str, np.dtype[np.generic]] = field(default_factory=dict)
    ranks: dict[str, int | None] = field(default_factory=dict)
    scalars: dict[str, ast.expr] = field(default_factory=dict)
    leaves: list[tuple[ast.expr, np.dtype[np.generic]]] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    """Integers that say how long arrays are, and where slices end."""
    aliases: list[tuple[str, str, ast.stmt]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    """Arrays in which Python looks up elements."""
    copied: list[str] = field(default_factory=list)
    """Arrays that are changed in place before their name is bound again, and that nobody else sees."""

    @property
    def state(self) -> list[str]:
        """Arrays that the iteration changes in place."""
        return [name for name in self.read if name in self.changed]

    @property
    def carried(self) -> list[str]:
        """Arrays whose name the iteration binds again after reading it."""
        return [name for name in self.alike if name not in self.changed]

    @property
    def alike(self) -> list[str]:
        """The same, with those that are changed in place before: each has the same shape after it."""
        names = [name for name in self.read if name in self.rebound]
        return names if self.body.passed is None else [name for name in names if name in self.body.returned]

    @property
    def looked_at_first(self) -> set[str]:
        """The names of numbers that are read before the first statement runs."""
        return self.names_in_leaves() - {*self.scalars} - self.body.varying

    def names_in_leaves(self) -> set[str]:
        """Every name that is read by a scalar part, or by a scalar that one is computed from."""
        read = [*(leaf for leaf, _ in self.leaves), *self.scalars.values()]
        names = names_in(*read)
        return names.union(self.sizes)

    def substituted(self, node: ast.expr) -> str:
        """The expression with the iteration's scalar names replaced by what they were bound to."""

        def bound(name: ast.Name) -> ast.expr | None:
            value = self.scalars.get(name.id)
            return None if value is None else with_names(value, bound)

        return ast.unparse(with_names(node, bound))


def follow(body: LoopBody) -> Flow | Problem:
    """Follow the statements of one iteration: lanewise, or else over whole arrays."""
    flow = _follow(Flow(body))
    if isinstance(flow, Problem) and flow.code == "not-lanewise":
        return _follow(Flow(body, whole=True))
    return flow


def follow_whole(body: LoopBody) -> Flow | Problem:
    """Follow the statements over whole arrays."""
    return _follow(Flow(body, whole=True))


def _follow(flow: Flow) -> Flow | Problem:
    """Follow all statements; the first one that is not followed is the problem."""
    body = flow.body
    for name, view in body.views:
        at = ast.copy_location(ast.Expr(view), view)
        problem = _read(view, flow) or _bound(at, name, view, flow)
        if problem is not None:
            return problem
    for statement in body.statements:
        problem = follow_further(statement, flow)
        if problem is not None:
            return problem
    return _rotated(flow) or _unlike(flow) or flow


def _unlike(flow: Flow) -> Problem | None:
    """Why arrays are not lanes of each other: their ranks differ, so one is broadcast against the other."""
    known = {name: rank for name, rank in flow.ranks.items() if rank is not None}
    if flow.whole or len({*known.values()}) < 2:
        return None
    names = " and ".join(f"`{name}`" for name in known)
    return Problem("not-lanewise", f"{names} have different numbers of axes", flow.body.statements[0])


def _rotated(flow: Flow) -> Problem | None:
    """Note arrays that swap places as changed: each of them is read and written in turn."""
    view = flow.body.view
    for name, taken in flow.body.rotates.items():
        array = view.facts.at(flow.body.loop).get(name) if flow.body.loop is not None else None
        if not flow.whole:
            return Problem("not-lanewise", f"`{name}` and `{taken}` swap places", flow.body.statements[0])
        if name in flow.rebound or not isinstance(array, Array):
            text = f"`{name}` swaps places with `{taken}` after it was assigned"
            return Problem("aliased-arrays", text, flow.body.statements[0])
        _note_read(name, array, flow)
        if name not in flow.changed:
            flow.changed.append(name)
    if len({flow.dtypes[name] for name in flow.body.rotates}) > 1:
        text = "arrays of different dtypes swap places"
        return Problem("dtype-changes", text, flow.body.statements[0])
    return None


def follow_further(node: ast.stmt, flow: Flow) -> Problem | None:
    """Follow one more statement, or say why not, after which the flow cannot be used."""
    refused = syntax_problem(node, flow.body.counter)
    if refused is not None:
        return refused
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return None
        case ast.Assign(
            targets=[ast.Name() as target],
            value=ast.Subscript(value=ast.Attribute(value=ast.Name() as array, attr="shape")) as length,
        ) if _is_axis(length, array, flow):
            return _note(array, flow) or _number_bound(node, target.id, length, flow)
        case ast.Assign(targets=[ast.Name() as target]):
            return _bind(node, [target], [node.value], flow)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(
            targets
        ) == len(values) and all(isinstance(each, ast.Name) for each in targets):
            return _bind(node, targets, values, flow)
        case ast.Assign(targets=[ast.Tuple(elts=targets)]) if all(
            _is_array_name(each, flow) for each in targets
        ):
            return _unpack(node, targets, flow)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Attribute(attr="shape") as shape) if all(
            isinstance(each, ast.Name) for each in targets
        ):
            return _lengths(node, targets, shape, flow)
        case ast.Assign(targets=[ast.Subscript() as part]) | ast.AugAssign(target=ast.Subscript() as part):
            return _store(node, part, flow)
        case ast.AugAssign(target=ast.Name() as target):
            return _change(node, target, flow)
        case ast.Expr(value=ast.Call() as call):
            return _call_statement(node, call, flow)
    return Problem("not-array-code", f"`{ast.unparse(node).splitlines()[0]}` is not an array operation", node)


def _call_statement(node: ast.stmt, call: ast.Call, flow: Flow) -> Problem:
    dotted = flow.body.view.dotted(call.func) or ""
    if dotted.startswith(("numpy.random", "random.")):
        return Problem("random-numbers", f"`{ast.unparse(node)}` draws random numbers", node)
    if isinstance(call.func, ast.Attribute) and not dotted:
        return Problem("not-array-code", f"`{ast.unparse(node)}` is not an array operation", node)
    text = f"`{ast.unparse(node)}` is called for its effect"
    return Problem("unknown-call", text, node, help="keep such calls apart from array code")


def _bind(
    node: ast.stmt, targets: Sequence[ast.expr], values: Sequence[ast.expr], flow: Flow
) -> Problem | None:
    """Follow ``x = e`` and ``x, y = e, f``, whose values are all read before a name is bound."""
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    problems = chain(
        (_read(value, flow, under=True) for value in values),
        (_bound(node, name, value, flow) for name, value in zip(names, values, strict=True)),
    )
    return next((problem for problem in problems if problem is not None), None)


def _unpack(node: ast.Assign, targets: Sequence[ast.expr], flow: Flow) -> Problem | None:
    """``x, y = u``: the rows of an array; ``X, Y = np.meshgrid(x, y)``: new arrays."""
    if not flow.whole:
        return Problem("not-lanewise", f"`{ast.unparse(node)}` takes rows of an array", node)
    view = flow.body.view
    if isinstance(node.value, ast.Call) and gives_several(node.value, view):
        problems = chain(
            [call_problem(node.value, view)],
            (_read(each, flow) for each in operands(node.value, view)),
            (_leaf(leaf, dtype, flow) for leaf, dtype in scalar_leaves(node.value, None, view)),
            (_bound(node, each.id, each, flow) for each in targets if isinstance(each, ast.Name)),
        )
        return next((each for each in problems if each is not None), None)
    problem = _read(node.value, flow)
    for target in targets:
        if problem is None and isinstance(target, ast.Name):
            problem = _bound(node, target.id, target, flow)
            root = next((each.id for each in name_nodes(node.value)), target.id)
            flow.aliases[-1:] = [(target.id, root, node)]
    return problem


def _lengths(
    node: ast.Assign, targets: Sequence[ast.expr], shape: ast.Attribute, flow: Flow
) -> Problem | None:
    """``n, m = x.shape``: numbers, where ``x`` surely has so many axes."""
    array = flow.body.view.facts.value(shape.value)
    if not isinstance(shape.value, ast.Name) or not isinstance(array, Array) or array.rank != len(targets):
        text = f"`{ast.unparse(shape.value)}` is not known to have {len(targets)} axes"
        return Problem("stays-in-numpy", text, node)
    problem = _note(shape.value, flow)
    for axis, target in enumerate(targets):
        assert isinstance(target, ast.Name)
        length = ast.copy_location(ast.Subscript(shape, ast.Constant(axis), ast.Load()), target)
        problem = problem or _number_bound(node, target.id, length, flow)
    return problem


def _is_axis(length: ast.Subscript, name: ast.Name, flow: Flow) -> bool:
    """Whether ``x.shape[k]`` is the length of an axis that ``x`` surely has."""
    array, axis = flow.body.view.facts.value(name), literal(length.slice)
    if not isinstance(array, Array) or array.rank is None or type(axis) is not int:
        return False
    return -array.rank <= axis < array.rank


def _number_bound(node: ast.stmt, name: str, value: ast.expr, flow: Flow) -> Problem | None:
    known = {*flow.scalars, *flow.names_in_leaves(), *flow.read, *flow.rebound, *flow.looked_at_first}
    if name in known or name in names_in(value):
        # What was computed before with another value of the name would be computed with this one.
        return Problem("scalar-carried", f"`{name}` is carried from one iteration to the next", node)
    flow.scalars[name] = value
    return _made_here(value, flow)


def _bound(node: ast.stmt, name: str, value: ast.expr, flow: Flow) -> Problem | None:
    known = flow.body.view.facts.value(value)
    if isinstance(known, Scalar) and not known.of_array:
        return _number_bound(node, name, value, flow)
    assert isinstance(known, Array | Scalar)
    if known.dtype is None:
        text = f"`{ast.unparse(value)}` is computed from a number that the iteration takes out of an array"
        return Problem("unknown-call", text, node)
    if isinstance(known, Array) and not known.fresh:
        root = next((each.id for each in walk(value) if _is_array_name(each, flow)), name)
        flow.aliases.append((name, root, node))
    if name in flow.read and name in flow.dtypes and flow.dtypes[name] != known.dtype:
        text = f"`{name}` is {flow.dtypes[name]} before the iteration and {known.dtype} after it"
        return Problem("dtype-changes", text, node)
    if not flow.body.view.is_local(name) and name not in flow.body.new:
        return Problem("dynamic-scope", f"`{name}` is declared global or nonlocal", node)
    if name in flow.read and isinstance(known, Array) and _takes_part_of(name, value, known):
        return Problem("shape-changes", f"`{name}` is replaced by a part of itself", node)
    if name in flow.read and changes_shape(value, name, flow.body.view):
        return Problem("shape-changes", f"`{name}` is replaced by an array of another shape", node)
    flow.dtypes[name] = known.dtype
    flow.rebound.append(name)
    return None


def _is_array_name(node: ast.AST, flow: Flow) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(flow.body.view.facts.value(node), Array)


def _takes_part_of(name: str, value: ast.expr, known: Array) -> bool:
    """Whether a value of another shape is computed from slices of ``name``: ``x = x[1:] - x[:-1]``."""
    sliced = [
        each
        for each in walk(value)
        if isinstance(each, ast.Subscript)
        and ast.unparse(each.value) == name
        and not is_everything(each.slice)
    ]
    return bool(sliced) and any(word in str(known.shape) for word in PARTS)


def _store(node: ast.Assign | ast.AugAssign, target: ast.Subscript, flow: Flow) -> Problem | None:
    view = flow.body.view
    if masked_target(node, view) is not None:
        problem = store_problem(node, target, view, flow.whole)
    else:
        problem = _plain_store_problem(node, target, flow)
    if problem is not None:
        return problem
    assert isinstance(target.value, ast.Name)
    array = view.facts.value(target.value)
    assert isinstance(array, Array)
    problem = _read(
        node.value, flow, under=True, wanted=array.dtype if isinstance(node, ast.Assign) else None
    )
    if problem is None and target in view.facts.expressions.masked:
        problem = _read(target.slice, flow)
    problem = problem or _sized(target.slice, flow)
    if problem is None and isinstance(node, ast.AugAssign):
        problem = _augmented_leaf(node, array, flow)
    return problem or _changed(target.value, flow)


def _plain_store_problem(
    node: ast.Assign | ast.AugAssign, target: ast.Subscript, flow: Flow
) -> Problem | None:
    """Why ``A[...] = v`` or ``A[1:-1] op= v`` is not followed."""
    view = flow.body.view
    if not isinstance(target.value, ast.Name):
        return Problem("not-local", f"`{ast.unparse(target)}` does not store into a local variable", target)
    array = view.facts.value(target.value)
    if isinstance(array, Unknown):
        text = f"the type of `{target.value.id}` is not known: {array.because}"
        return Problem("dtype-unknown", text, target, array.parameter)
    if not isinstance(array, Array):
        return Problem("not-array-code", f"`{target.value.id}` is not an array", target)
    if not flow.whole and not is_everything(target.slice):
        return Problem("not-lanewise", f"`{ast.unparse(target)}` stores into some positions only", target)
    problem = index_problem(target, view) or expression_problem(node.value, view, None, flow.whole)
    if problem is None and isinstance(stored := view.facts.value(target), Unknown):
        return Problem("may-raise", f"`{ast.unparse(target)}`: {stored.because}", target)
    if isinstance(node, ast.AugAssign):
        problem = problem or augmented_problem(node, array.dtype, None, view)
    else:
        problem = problem or assignment_problem(view.facts.value(node.value), array.dtype, node.value)
    return problem or number_problem(node, target, view, flow.rebound)


def _from_the_counter(node: ast.AugAssign, target: ast.Name, flow: Flow) -> str | None:
    """What gives a number that grows by the same amount in each iteration."""
    counter = flow.body.counter
    if (
        counter is None
        or not isinstance(node.op, ast.Add)
        or not isinstance(node.value, ast.Name | ast.Constant)
    ):
        return None
    return f"compute it from the loop variable: `{target.id} = {counter} * {ast.unparse(node.value)}`"


def _change(node: ast.AugAssign, target: ast.Name, flow: Flow) -> Problem | None:
    """Follow ``x += e``, which changes an array in place and carries a number."""
    view = flow.body.view
    array = view.facts.value(target)
    if isinstance(array, Unknown):
        text = f"the type of `{target.id}` is not known: {array.because}"
        return Problem("dtype-unknown", text, node, array.parameter)
    if not isinstance(array, Array) or target not in view.facts.expressions.loops:
        text = f"`{target.id}` is carried from one iteration to the next"
        return Problem("scalar-carried", text, node, help=_from_the_counter(node, target, flow))
    problem = expression_problem(node.value, view, None, flow.whole)
    problem = problem or augmented_problem(node, array.dtype, None, view) or _read(node.value, flow)
    return problem or _augmented_leaf(node, array, flow) or _changed(target, flow)


def _augmented_leaf(node: ast.AugAssign, array: Array, flow: Flow) -> Problem | None:
    """The scalar operand of ``x op= s`` takes the dtype of the operation."""
    value = flow.body.view.facts.value(node.value)
    if not isinstance(value, Scalar) or value.of_array:
        return None
    probe = ast.copy_location(ast.Constant(0), node.value)
    flow.body.view.facts.expressions.binary(
        type(node.op).__name__, [replace(array, under=None), value], probe
    )
    loop = flow.body.view.facts.expressions.loops[probe]
    return _leaf(node.value, loop[1], flow)


def _changed(target: ast.Name, flow: Flow) -> Problem | None:
    array = flow.body.view.facts.value(target)
    assert isinstance(array, Array)
    if target.id in flow.rebound:
        return None
    if not flow.body.view.is_local(target.id):
        return Problem("not-local", f"`{target.id}` is not local to the function", target)
    _note_read(target.id, array, flow)
    if target.id not in flow.changed:
        flow.changed.append(target.id)
    return None


def _note_read(name: str, array: Array, flow: Flow) -> None:
    flow.dtypes.setdefault(name, array.dtype)
    flow.ranks.setdefault(name, array.rank)
    if name not in flow.read and name not in flow.rebound:
        flow.read.append(name)


def _read(
    node: ast.expr, flow: Flow, under: bool = False, wanted: np.dtype[np.generic] | None = None
) -> Problem | None:
    """Note what an expression reads, and its scalar parts with the dtype each is converted to."""
    view = flow.body.view
    value = view.facts.value(node)
    key = value.under if under and isinstance(value, Array) else None
    problem = expression_problem(node, view, key, flow.whole)
    if problem is not None:
        return problem
    leaves = list(scalar_leaves(node, wanted, view))
    by_python = {id(each) for leaf, _ in leaves for each in walk(leaf)}
    for each in walk(node):
        if isinstance(each, ast.Name) and id(each) not in by_python:
            problem = problem or _note(each, flow)
    if problem is not None:
        return problem
    number = isinstance(value, Scalar) and not value.of_array
    problem = None if number else _sized(node, flow, by_python)
    for leaf, dtype in leaves:
        problem = problem or _leaf(leaf, dtype, flow)
        flow.looked_up += looked_up(leaf, view)
    if problem is not None:
        return problem
    if number and wanted is None:
        return scalar_problem(node, view)
    return None


def _sized(node: ast.expr, flow: Flow, by_python: Collection[int] = ()) -> Problem | None:
    """Note the integers that an expression has as lengths and as bounds of slices."""
    nodes = (each for part in sizes(node, flow.body.view) for each in walk(part))
    names = (each for each in nodes if isinstance(each, ast.Name) and id(each) not in by_python)
    problems = (_size(each, flow) for each in names)
    return next((each for each in problems if each is not None), None)


def _size(node: ast.Name, flow: Flow) -> Problem | None:
    """Note one integer, or those that it was computed from; or why a step does not know it."""
    view = flow.body.view
    bound = flow.scalars.get(node.id)
    if bound is None and not isinstance(view.facts.value(node), Scalar):
        return _note(node, flow)
    if bound is None and node.id not in flow.body.varying:
        flow.sizes += [node.id] if node.id not in flow.sizes else []
        return None
    text = f"`{node.id}` is not an integer that is known before the iteration"
    if bound is None or not is_known_in_step(bound, view):
        return Problem("index-not-literal", text, node)
    names = [*name_nodes(bound)]
    if any(_is_array_name(each, flow) and each.id in flow.rebound for each in names):
        return Problem("index-not-literal", text, node)
    problems = (_size(each, flow) for each in names)
    return next((each for each in problems if each is not None), None)


def known_after(name: str, flow: Flow) -> bool:
    """Whether a number of the iteration can be computed after it as well; notes what it is computed from."""
    if name not in flow.scalars or name in flow.rebound:
        return False
    return _size(ast.Name(name, ast.Load()), flow) is None or is_computed_anew(name, flow)


def _note(node: ast.Name, flow: Flow) -> Problem | None:
    """Note a name that the step reads."""
    known = flow.body.view.facts.value(node)
    if isinstance(known, Array):
        _note_read(node.id, known, flow)
    if not isinstance(known, Scalar) or not known.of_array or node.id in flow.rebound:
        return None
    # This iteration has not computed the number of an array before.
    return Problem("scalar-carried", f"`{node.id}` is carried from one iteration to the next", node)


def _leaf(node: ast.expr, dtype: np.dtype[np.generic], flow: Flow) -> Problem | None:
    """Note a number that Python computes before the iteration; or why it cannot."""
    value, view = flow.body.view.facts.value(node), flow.body.view
    literal = not any(isinstance(each, ast.Name) and view.dotted(each) is None for each in walk(node))
    if isinstance(value, Scalar) and not literal and all(node is not leaf for leaf, _ in flow.leaves):
        flow.leaves.append((node, dtype))
    return _made_here(node, flow)


def _made_here(node: ast.expr, flow: Flow) -> Problem | None:
    """Why a number cannot be known before the iteration: it is one of an array that the iteration makes."""
    names = [each for each in walk(node) if _is_array_name(each, flow)]
    if all(each.id not in flow.rebound or each.id in flow.alike for each in names):
        return None
    text = f"`{ast.unparse(node)}` is known only where the iteration has made the array"
    return Problem("stays-in-numpy", text, node)
