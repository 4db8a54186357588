"""A store through a boolean mask as a full store of a select.

Why: the number of selected elements depends on the data, and torch.compile has no static shape for it.

    Z[I] = Z[I] ** 2 + C[I]      ->      Z[...] = np.where(I, Z**2 + C, Z)

Safety: the full store is in place, so that views and callers see it; the value is cast to the array's dtype
inside the select, so that the array is never widened. In a step, whose arrays are private, the name is bound
to the select; where nothing proves that a mask has the shape of the array, as of `d @ W.T` and a mask of
`x @ V`, the step compares them when it is traced, and what fails there runs as written. Outside a step the
inactive lanes compute with 1, so that they raise no floating-point error that the original does not raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
import numpy as np

from nprewrite.analysis.rounding import rounds
from nprewrite.analysis.stated_dtypes import dtype_code
from nprewrite.analysis.stores import Store, masked_target, masked_targets, store_problem
from nprewrite.base.syntax import walk
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import refused
from nprewrite.program.function import Function
from nprewrite.regions.straight_line import computes_floats, masked_reads, straight_line_problem
from nprewrite.source.document import Document
from nprewrite.source.edits import Beside, NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression, statements
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar, Value


@dataclass(frozen=True)
class Site:
    """A statement that stores through a mask, or (in a step) binds a name to a selection."""

    statement: ast.stmt
    target: ast.Subscript | None
    loops: tuple[ast.stmt, ...]


@dataclass(frozen=True)
class Proof:
    """How the mask is written for all axes of the array, and whether lanes need neutral operands.

    ``compared`` are the selections whose shapes the step compares.
    """

    axes: int
    neutral: bool
    compared: tuple[ast.Subscript, ...] = ()


class MaskedStore(RewritePass[Site, Proof]):
    """NPR101."""

    code = "NPR101"
    name = "masked-store"
    summary = "a store through a boolean mask becomes a full store of a select"
    level = Level.EXACT

    def match(self, function: Function) -> Iterator[Site]:
        """Masked stores; in a step also the masked reads that its other statements bind to names."""
        for statement in function.statements():
            loops = function.loops_around(statement)
            target = next(masked_targets(statement, function), None)
            if target is not None:
                yield Site(statement, target, loops)
            elif function.step is not None and masked_reads(statement, function):
                yield Site(statement, None, loops)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where a contiguous whole array gives other last bits than the selected elements."""
        return Level.ROUNDING if rounds(site.statement, function) else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        return site.statement

    def check(self, site: Site, function: Function) -> Proof | Refusal | Deferral:
        """The store is lanewise under one mask, the shapes fit, and nothing new can raise."""
        statement, target = site.statement, site.target
        if target is not None and masked_target(statement, function) is None:
            text = f"`{ast.unparse(target)}` is one of several targets"
            return Refusal("second-index", text, help="write a statement for each store")
        if function.step is not None:
            problem = _step_problem(statement, target, function)
            if problem is not None:
                return refused(problem)
            return Proof(0, neutral=False, compared=tuple(_uncertain(statement, target, function)))
        assert target is not None
        assert isinstance(statement, Store)
        problem = store_problem(statement, target, function)
        if problem is not None and problem.parameter is not None and function.can_defer:
            return Deferral.of(problem, function)
        problem = problem or straight_line_problem(statement, target, site.loops, function)
        if problem is not None:
            return refused(problem)
        access = function.facts.expressions.masked[target]
        same = access.array.shape == access.mask.shape
        axes = 0 if same else (access.array.rank or 0) - (access.mask.rank or 0)
        return Proof(axes, neutral=computes_floats(statement, access, function))

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The statement with its masked reads over all lanes and its store as a select."""
        document = function.document
        statement, target = site.statement, site.target
        before = tuple(line for each in proof.compared for line in _comparison(each, document))
        if target is None or not isinstance(statement, Store):
            reads = masked_reads(statement, function)
            edits: list[NodeEdit] = [Replace(read, (_opened(read, statement, function),)) for read in reads]
            edits += [Beside(statement, before=before)] if before else []
            return Change(tuple(edits), message="the selection is read as a whole array")
        numpy = function.names.numpy_name(function.node)
        select = _Select(statement, target, _mask(target.slice, proof.axes, document), numpy, proof.neutral)
        name = document.code(target.value)
        # In a lanewise step no other name stands for the array's memory.
        left = name if function.step is not None and function.step.lanewise else f"{name}[...]"
        stored = statements(
            "{left} = {np}.where({mask}, {value}, {name})",
            left=left,
            np=numpy,
            mask=select.mask,
            value=_value(select, function),
            name=name,
        )
        edit = Replace(statement, (*before, *document.with_comments_of(statement, stored)))
        return Change((edit,), message=f"`{name}` is stored whole, by a select")


@dataclass(frozen=True)
class _Select:
    """A store, with what is needed to write its select."""

    statement: Store
    target: ast.Subscript
    mask: cst.BaseExpression
    numpy: str
    neutral: bool

    def read(self, array: cst.BaseExpression) -> cst.BaseExpression:
        """The array as read in every lane, with 1 where an unselected lane could raise."""
        if not self.neutral:
            return array
        return expression("{np}.where({mask}, {array}, 1)", np=self.numpy, mask=self.mask, array=array)


def _step_problem(statement: ast.stmt, target: ast.Subscript | None, function: Function) -> Problem | None:
    """Why a step's statement stays; in a lanewise step the guards have checked the shapes."""
    _, step = function.as_step()
    if target is not None and isinstance(statement, Store):
        problem = store_problem(statement, target, function, whole=not step.lanewise)
        if problem is not None:
            return problem
    for read in _uncertain(statement, target, function):
        if not _may_be_compared(read, function):
            text = f"the shapes in `{ast.unparse(read)}` are not known to be equal"
            return Problem("shape-unknown", text, read)
    return None


def _uncertain(
    statement: ast.stmt, target: ast.Subscript | None, function: Function
) -> Iterator[ast.Subscript]:
    """The selections in which nothing proves that array and mask have one shape."""
    masked = function.facts.expressions.masked
    for read in [*([target] if target is not None else []), *masked_reads(statement, function)]:
        if masked[read].array.shape != masked[read].mask.shape:
            yield read


def _may_be_compared(read: ast.Subscript, function: Function) -> bool:
    """Whether equal shapes are possible; complex arrays are to be held as pairs, which have none."""
    access = function.facts.expressions.masked[read]
    if not access.array.rank or access.array.rank != access.mask.rank:
        return False
    values = (
        function.facts.expressions.values.get(each) for each in walk(read) if isinstance(each, ast.expr)
    )
    return not any(isinstance(each, Array) and each.dtype.kind == "c" for each in values)


def _comparison(read: ast.Subscript, document: Document) -> tuple[Statement, ...]:
    """What raises where a mask has another shape; an assertion would not under ``python -O``."""
    mask, array = document.expression(read.slice), document.expression(read.value)
    template = 'if {mask}.shape != {array}.shape:\n    raise IndexError("the mask has another shape")'
    return statements(template, mask=mask, array=array)


def _mask(node: ast.expr, axes: int, document: Document) -> cst.BaseExpression:
    """The mask with ``axes`` further axes, for an array with that many more dimensions."""
    mask = document.expression(node)
    return (
        expression("{mask}[{axes}]", mask=mask, axes=", ".join(["...", *["None"] * axes])) if axes else mask
    )


def _opened(read: ast.Subscript, statement: ast.stmt, function: Function) -> cst.BaseExpression:
    """``x[m]`` as ``x``; a copy where a later statement of the step changes ``x`` in place."""
    array = function.document.expression(read.value)
    bare = getattr(statement, "value", None) is read
    changed = any(_changes(each, ast.unparse(read.value), function) for each in walk(function.node))
    return expression("{array}.copy()", array=array) if bare and changed else array


def _changes(node: ast.AST, name: str, function: Function) -> bool:
    """Whether a statement of a step changes the array ``name`` in place."""
    if isinstance(node, ast.Subscript):
        masked = node in function.facts.expressions.masked
        return isinstance(node.ctx, ast.Store) and not masked and ast.unparse(node.value) == name
    return isinstance(node, ast.AugAssign) and ast.unparse(node.target) == name


def _value(select: _Select, function: Function) -> cst.BaseExpression:
    """The stored value over all lanes, in the dtype of the array."""
    document, statement, target = function.document, select.statement, select.target
    access = function.facts.expressions.masked[target]
    reads = [read for read in masked_reads(statement, function) if read is not target]
    edits = [Replace(read, (select.read(document.expression(read.value)),)) for read in reads]
    made = document.changed(statement.value, edits)
    value = function.facts.value(statement.value)
    if isinstance(statement, ast.AugAssign):
        left = select.read(document.expression(target.value))
        operation = ast.unparse(ast.BinOp(ast.Name("{left}"), statement.op, ast.Name("{right}")))
        made = expression(operation, left=left, right=made)
        selected = Array(access.array.dtype, under=access.key)
        value = function.facts.expressions.binary(type(statement.op).__name__, [selected, value])
    dtype = dtype_code(target.value, access.array.dtype, function)
    return _cast(made, value, access.array.dtype, dtype)


def _cast(
    made: cst.BaseExpression, value: Value, target: np.dtype[np.generic], dtype: str
) -> cst.BaseExpression:
    if isinstance(value, Scalar) and value.dtype is None:
        return _number(made, value, target, dtype)
    own = value.dtype if isinstance(value, Array | Scalar) else target
    if own is None or np.result_type(own, target) == target:
        return made
    return expression("{made}.astype({dtype})", made=made, dtype=dtype)


def _number(
    made: cst.BaseExpression, value: Scalar, target: np.dtype[np.generic], dtype: str
) -> cst.BaseExpression:
    """A Python number that keeps the dtype of the array in a select, and raises where the store would."""
    if value.constant is None:
        make = f"{dtype}.type" if dtype.endswith(".dtype") else dtype
        return expression(f"{make}({{made}})", made=made)
    order = ["bool", "int", "float", "complex"]
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    if order.index(value.kind) <= order.index(kinds[target.kind]):
        return made
    return expression(repr(np.asarray(value.constant).astype(target).item()))
