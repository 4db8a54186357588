"""What the step of some statements declares: its scalars, arrays, results, and their relations."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection

import numpy as np

from nprewrite.analysis.array_steps import needs_rank
from nprewrite.analysis.scalar_leaves import widening_numbers
from nprewrite.base.syntax import items_of, names_in, stored_names, walk
from nprewrite.emit.steps.text import Leaf
from nprewrite.program.steps import Box, StepSpec
from nprewrite.regions.array_loops.alignment import aligned
from nprewrite.regions.array_loops.loop import Flow
from nprewrite.types.problems import Problem
from nprewrite.types.python_functions import is_position
from nprewrite.types.values import Array, Scalar, Value

_SHOWN = re.compile(r"@\d|#")
"""What symbols have in them that name a place in the text; a digest, which begins with ``#``, may hide it."""


def scalar_parts(flow: Flow) -> tuple[Leaf, ...] | Problem:
    """A parameter for each scalar part and the dtype it is needed in, or why one has none.

    Arithmetic, which may raise, is left to each iteration, if there is any.
    """
    found: dict[tuple[str, str, bool, bool], Leaf] = {}
    widening = widening_numbers(flow.body.statements, flow.body.view)
    for node, dtype in flow.leaves:
        value = flow.body.view.facts.value(node)
        own = value.dtype if isinstance(value, Scalar) else None
        if own is not None and promotes_alike(own, dtype):
            dtype = own
        if own is not None and own != dtype:
            text = f"`{ast.unparse(node)}` is a NumPy scalar of {own} among arrays of {dtype}"
            return Problem("dtype-unsupported", text, node)
        text = flow.substituted(node)
        exact = own is None and id(node) in widening
        key = (text, dtype.name, own is not None, exact)
        nodes = (*found[key].nodes, node) if key in found else (node,)
        constant = text.isidentifier() and text not in flow.body.varying
        found[key] = Leaf(text, dtype, nodes, constant, typed=own is not None, exact=exact)
    return tuple(found.values())


def promotes_alike(own: np.dtype[np.generic], dtype: np.dtype[np.generic]) -> bool:
    """Whether a NumPy scalar is promoted with arrays in torch as it is in NumPy.

    The quotient of a pair distinguishes real from complex divisors. An int64 widens float32 in NumPy, not in
    torch.
    """
    if own.kind == "f":
        return dtype.kind in "fc"
    return own.kind in "iu" and dtype.kind == "f" and np.result_type(own, dtype) == dtype


def step_spec(
    flow: Flow,
    leaves: tuple[Leaf, ...],
    out: tuple[str, ...],
    *,
    once: bool = False,
    renewed: tuple[str, ...] = (),
) -> StepSpec:
    """What the step of these statements declares; ``out`` names what is used after them.

    ``renewed`` are arrays that go in and come out as others, where no further iteration reads them.
    """
    body = flow.body
    parameters = _parameters(leaves, flow)
    boxes = {
        name: Box(leaf.dtype.name, typed=leaf.typed, exact=leaf.exact) for name, leaf in parameters.items()
    }
    constant = [name for name, leaf in parameters.items() if leaf.constant]
    arrays = {name: Box(dtype.name) for name, dtype in flow.dtypes.items()}
    carried = [name for name in flow.carried if name not in renewed]
    changed = {*flow.state, *carried}
    return StepSpec(
        counter=body.counter,
        scalars={name: box for name, box in boxes.items() if name not in constant},
        constants={name: boxes[name] for name in constant},
        sizes=tuple(flow.sizes),
        inputs={name: arrays[name] for name in flow.read if name not in changed},
        state={name: arrays[name] for name in flow.state},
        carried={name: arrays[name] for name in carried},
        out={name: arrays[name] for name in (*renewed, *out)},
        calls=body.calls,
        apart=tuple(name for name in dict.fromkeys(flow.looked_up) if name not in flow.read),
        aligned=tuple(dict.fromkeys([*aligned(flow), *body.rotates])) if flow.whole else (),
        rotates=body.rotates,
        received=body.control.received if body.control is not None else (),
        ranks=_ranks(flow) if flow.whole else {},
        lanewise=not flow.whole,
        once=once,
        grows=flow.whole and any(_grows(statement) for statement in body.statements),
        picks=flow.whole and _picks(flow),
        read_first=_read_first(flow) if once else (),
    )


def renewed(flow: Flow) -> tuple[str, ...]:
    """The arrays that may get another shape, as ``x`` does in ``x = np.tanh(x @ w + b)``.

    What goes from one iteration of a step to the next keeps its shape.
    """
    facts, statements = flow.body.view.facts, flow.body.statements
    before = facts.at(statements[0])
    after = {
        name: facts.value(statement.value)
        for statement in statements
        if isinstance(statement, ast.Assign)
        for name in stored_names(*statement.targets)
    }
    return tuple(name for name in flow.carried if _changes_shape(before.get(name), after.get(name)))


def _changes_shape(before: Value | None, after: Value | None) -> bool:
    """Whether two arrays may have different shapes.

    In a loop, what a run has shown at a place (``w@5.1``) may be another shape in each iteration.
    """
    if not isinstance(before, Array) or not isinstance(after, Array) or None in (before.shape, after.shape):
        return False
    return before.shape != after.shape or _SHOWN.search(str(after.shape)) is not None


def _read_first(flow: Flow) -> tuple[str, ...]:
    """The inputs that are read only before any state is stored into: they may share its memory."""
    if not flow.state or flow.aliases or not {*flow.state}.isdisjoint(flow.looked_up):
        return ()
    statements = flow.body.statements
    after = itertools.dropwhile(lambda each: not _may_store(each, flow.state), statements)
    # A statement that stores has read all that it needs, unless it holds others.
    rest = [each for k, each in enumerate(after) if k or not isinstance(each, ast.Assign | ast.AugAssign)]
    changed = {*flow.state, *flow.carried, *names_in(*rest)}
    read = dict.fromkeys([*flow.read, *flow.looked_up])
    return tuple(name for name in read if name not in changed)


def _may_store(statement: ast.stmt, state: Collection[str]) -> bool:
    match statement:
        case ast.Assign(targets=targets):
            return not names_in(*targets).isdisjoint(state)
        case ast.AugAssign(target=target):
            return not names_in(target).isdisjoint(state)
    return True


def _grows(statement: ast.stmt) -> bool:
    """Whether ``x[:, None] - y``, ``x.T - x`` or ``A @ B`` makes more elements or work than its operands."""
    return any(_is_outer(each) for each in walk(statement))


def _picks(flow: Flow) -> bool:
    """Whether a statement picks elements of an array by positions."""
    values = flow.body.view.facts.expressions.values
    nodes = (node for statement in flow.body.statements for node in walk(statement))
    parts = (each for each in nodes if isinstance(each, ast.Subscript))
    return any(is_position(values.get(each)) for part in parts for each in items_of(part))


def _is_outer(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.BinOp(left, _, right):
            return any(isinstance(each, ast.Attribute) and each.attr == "T" for each in (left, right))
        case ast.Call(func=ast.Attribute(attr="outer")):
            return True
        case ast.Subscript(slice=ast.Tuple(elts=items)):
            return any(isinstance(each, ast.Constant) and each.value is None for each in items) or any(
                isinstance(each, ast.Attribute) and each.attr == "newaxis" for each in items
            )
    return False


def _ranks(flow: Flow) -> dict[str, int]:
    """The numbers of dimensions that are known, where the step depends on them."""
    nodes = (node for statement in flow.body.statements for node in walk(statement))
    masked = flow.body.view.facts.expressions.masked
    # The shapes of slices, which a mask must fit, are known where ranks are.
    if not any(node in masked or needs_rank(node, flow.body.view) for node in nodes):
        return {}
    return {name: rank for name in flow.read if (rank := flow.ranks[name]) is not None}


def _parameters(leaves: tuple[Leaf, ...], flow: Flow) -> dict[str, Leaf]:
    """A name for each leaf: its own where it is a name used in one dtype."""
    texts = [leaf.text for leaf in leaves]
    named: dict[str, Leaf] = {}
    for leaf in leaves:
        named_already = leaf.text.isidentifier()
        own = named_already and texts.count(leaf.text) == 1 and leaf.text not in flow.sizes
        stem = leaf.text if named_already else "scalar"
        name = leaf.text if own else flow.body.view.names.fresh(f"{stem}_{leaf.dtype.name}")
        named[name] = leaf
        leaf.names.append(name)
    return named
