"""A store through a boolean mask as a full store of a select.

Why: the number of selected elements depends on the data, and torch.compile has no static shape for it.

    Z[I] = Z[I] ** 2 + C[I]      ->      Z[...] = np.where(I, Z**2 + C, Z)

Safety: the full store is in place, so that views and callers see it; the value is cast to the array's
dtype inside the select, so that the array is never widened. In a step, whose arrays are its own, the
name is bound to the select. Outside of a step the inactive lanes compute with 1, so that no
floating-point error is raised there that the original does not raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nprewrite.facts.expressions import MaskedAccess
from nprewrite.facts.function import Function
from nprewrite.facts.lanes import Problem, Store, masked_target, store_problem
from nprewrite.facts.numpy_table import ELEMENTWISE, OPERATORS, elementwise
from nprewrite.facts.values import Array, Scalar, Value
from nprewrite.passes.contract import Change, Deferral, Level, Reason, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.syntax.document import Edit


@dataclass(frozen=True)
class Site:
    """A statement that stores through a mask, or (in a step) binds a name to a selection."""

    statement: ast.stmt
    target: ast.Subscript | None
    loops: tuple[ast.stmt, ...]


@dataclass(frozen=True)
class Proof:
    """How the mask is spelt for all axes of the array, and whether lanes need neutral operands."""

    axes: int
    neutral: bool


@dataclass(frozen=True)
class MaskedStore(RewritePass[Site, Proof]):
    """NPR101."""

    code = "NPR101"
    name = "masked-store"
    summary = "a store through a boolean mask becomes a full store of a select"
    level = Level.EXACT
    refuses: tuple[Reason, ...] = reasons("NPR101")  # type: ignore[misc]

    def match(self, function: Function) -> Iterator[Site]:
        """Masked stores; in a step also the masked reads that its other statements bind to names."""
        for statement, outer in function.statements():
            loops = tuple(each for each in outer if isinstance(each, ast.For | ast.While))
            target = masked_target(statement, function)
            if target is not None:
                yield Site(statement, target, loops)
            elif function.step is not None and _masked_reads(statement, function):
                yield Site(statement, None, loops)

    def node(self, site: Site) -> ast.stmt:
        """The statement."""
        return site.statement

    def check(self, site: Site, function: Function) -> Proof | Refusal | Deferral:
        """The store is lanewise under one mask, the shapes fit, and nothing new can raise."""
        if site.target is None:
            return Proof(0, neutral=False)
        assert isinstance(site.statement, Store)
        problem = store_problem(site.statement, site.target, function)
        if problem is not None and problem.parameter is not None and function.can_defer:
            return Deferral(problem.message)
        if problem is not None:
            return Refusal(reason(problem.code), problem.message)
        access = function.facts.expressions.masked[site.target]
        if function.step is not None:
            return Proof(0, neutral=False)
        problem = _straight_line_problem(site, access, function)
        if problem is not None:
            return Refusal(reason(problem.code), problem.message)
        axes = (
            (access.array.rank or 0) - (access.mask.rank or 0)
            if access.array.shape != access.mask.shape
            else 0
        )
        return Proof(axes, neutral=_computes_floats(site.statement, function))

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The statement with its masked reads opened and its store as a select."""
        document = function.document
        reads = [read for read in _masked_reads(site.statement, function) if read is not site.target]
        if site.target is None:
            edits = [Edit(*document.span(read), _opened(read, site, function)) for read in reads]
            return Change(tuple(edits), message="the selection is read as a whole array")
        statement = site.statement
        assert isinstance(statement, Store)
        numpy = function.names.numpy_name(function.node)
        mask = document.segment(site.target.slice)
        spelt = f"{_operand(site.target.slice, mask)}[{', '.join(['...', *['None'] * proof.axes])}]" if proof.axes else mask  # fmt: skip
        name = document.segment(site.target.value)
        value = _value_text(statement, reads, proof, spelt, function, numpy)
        left = name if function.step is not None else f"{name}[...]"
        start, end = document.span(statement)
        text = f"{left} = {numpy}.where({spelt}, {value}, {name})"
        text = document.with_comments(statement, text)
        return Change((Edit(start, end, text),), message=f"`{name}` is stored whole, by a select")


def _masked_reads(statement: ast.stmt, function: Function) -> list[ast.Subscript]:
    masked = function.facts.expressions.masked
    inner = [each for each in ast.walk(statement) if isinstance(each, ast.Subscript) and each in masked]
    return [each for each in inner if isinstance(each.ctx, ast.Load)]


def _opened(read: ast.Subscript, site: Site, function: Function) -> str:
    """``x[m]`` as ``x``; a copy where a later statement of the step changes ``x`` in place."""
    text = function.document.segment(read.value)
    bare = getattr(site.statement, "value", None) is read
    assert not isinstance(function.node, ast.Module)
    changed = any(
        isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name) and each.target.id == text
        for each in ast.walk(function.node)
    )
    return f"{text}.copy()" if bare and changed else text


def _value_text(
    statement: Store, reads: list[ast.Subscript], proof: Proof, mask: str, function: Function, numpy: str
) -> str:
    """The stored value over all lanes, in the dtype of the array."""
    document = function.document
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    assert isinstance(target, ast.Subscript)
    access = function.facts.expressions.masked[target]
    replaced = []
    for read in reads:
        inner = document.segment(read.value)
        replaced.append(
            (document.span(read), f"{numpy}.where({mask}, {inner}, 1)" if proof.neutral else inner)
        )
    start, end = document.span(statement.value)
    text = _spliced(document.text, start, end, replaced)
    value = function.facts.value(statement.value)
    if isinstance(statement, ast.AugAssign):
        name = document.segment(target.value)
        left = f"{numpy}.where({mask}, {name}, 1)" if proof.neutral else name
        text = f"{left} {_SYMBOLS[type(statement.op).__name__]} {_operand(statement.value, text)}"
        selected = Array(access.array.dtype, under=access.key)
        value = function.facts.expressions.binary(type(statement.op).__name__, [selected, value])
        return _cast(text, value, access.array.dtype, numpy, compound=True)
    compound = not isinstance(statement.value, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
    return _cast(text, value, access.array.dtype, numpy, compound)


def _cast(text: str, value: Value, target: np.dtype[np.generic], numpy: str, compound: bool) -> str:
    if isinstance(value, Scalar) and value.dtype is None:
        return _number(text, value, target, numpy)
    dtype = value.dtype if isinstance(value, Array | Scalar) else target
    if dtype is None or np.result_type(dtype, target) == target:
        return text
    return f"({text}).astype({numpy}.{target.name})" if compound else f"{text}.astype({numpy}.{target.name})"


def _number(text: str, value: Scalar, target: np.dtype[np.generic], numpy: str) -> str:
    """A Python number that keeps the dtype of the array in a select, and raises where the store would."""
    if value.constant is None:
        return f"{numpy}.{target.name}({text})"
    order = ["bool", "int", "float", "complex"]
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    if order.index(value.kind) <= order.index(kinds[target.kind]):
        return text
    return repr(np.asarray(value.constant).astype(target).item())


_SYMBOLS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "Pow": "**",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
}


def _operand(node: ast.expr, text: str) -> str:
    simple = isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
    return text if simple else f"({text})"


def _spliced(text: str, start: int, end: int, replaced: list[tuple[tuple[int, int], str]]) -> str:
    pieces, position = [], start
    for (first, last), new in sorted(replaced):
        if first >= position and last <= end:
            pieces += [text[position:first], new]
            position = last
    return "".join([*pieces, text[position:end]])


def _straight_line_problem(site: Site, access: MaskedAccess, function: Function) -> Problem | None:
    """What a step's guards would check at run time has to be known here."""
    statement, target = site.statement, site.target
    assert target is not None
    name = ast.unparse(target.value)
    if access.array.assumed or access.mask.assumed:
        return Problem("not-plain-array", f"`{name}` or its mask may be a subclass of ndarray", statement)
    if site.loops:
        return Problem("loop-not-extracted", "the loop around it stays as it is", statement)
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` is not NumPy everywhere", statement)
    for read in [target, *_masked_reads(statement, function)]:
        problem = _shape_problem(read, access, function)
        if problem is not None:
            return problem
    unproved = next((each for each in _scalars(statement, function) if not _is_scalar(each, function)), None)
    if unproved is not None:
        text = f"nothing proves that `{ast.unparse(unproved)}` is a number and no array"
        return Problem("shape-unknown", text, statement)
    if _casts_floats(statement, access, function) or (
        _computes_floats(statement, function) and _may_set_flags(statement, function)
    ):
        return Problem(
            "floating-point-flags", "lanes that are not selected could raise under np.errstate", statement
        )
    return None


def _shape_problem(read: ast.Subscript, access: MaskedAccess, function: Function) -> Problem | None:
    array, mask = function.facts.expressions.masked[read].array, access.mask
    text = f"`{ast.unparse(read)}`"
    known = [each for each in (array.shape, mask.shape, access.array.shape) if isinstance(each, tuple)]
    numbers = all(isinstance(axis, int) for each in known for axis in each)
    if len(known) == 3 and (len({len(array.shape or ()), access.array.rank}) > 1 or numbers):
        fits = array.shape == access.array.shape and array.shape[: len(mask.shape)] == mask.shape  # type: ignore[index, arg-type]
        if not fits:
            return Problem(
                "shape-mismatch", f"{text}: a mask of shape {mask.shape} on shape {array.shape}", read
            )
    if array.shape is None or mask.shape is None or array.shape != access.array.shape:
        return Problem("shape-unknown", f"the shapes in {text} are not known to fit", read)
    if array.shape == mask.shape:
        return None
    if not isinstance(array.shape, tuple) or not isinstance(mask.shape, tuple):
        return Problem("shape-unknown", f"the shapes in {text} are not known to fit", read)
    if len(mask.shape) < len(array.shape) and array.shape[: len(mask.shape)] == mask.shape:
        return None
    return Problem("shape-mismatch", f"{text} has a mask of shape {mask.shape} on shape {array.shape}", read)


def _scalars(statement: ast.stmt, function: Function) -> list[ast.Name]:
    names = [
        each for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    ]
    return [each for each in names if isinstance(function.facts.expressions.values.get(each), Scalar)]


def _is_scalar(node: ast.Name, function: Function) -> bool:
    value = function.facts.value(node)
    return isinstance(value, Scalar) and value.proven


def _computes_floats(statement: ast.stmt, function: Function) -> bool:
    """Whether the stored value is computed with floating point from selected elements."""
    assert isinstance(statement, Store)
    computed = isinstance(statement, ast.AugAssign)
    arithmetic = [
        each for each in ast.walk(statement.value) if isinstance(each, ast.BinOp | ast.UnaryOp | ast.Call)
    ]
    values = [function.facts.expressions.values.get(each) for each in arithmetic]
    if computed:
        target = statement.target  # type: ignore[union-attr]
        assert isinstance(target, ast.Subscript)
        values.append(function.facts.expressions.masked[target].array)
    return any(isinstance(value, Array) and value.dtype.kind in "fc" for value in values)


def _casts_floats(statement: ast.stmt, access: MaskedAccess, function: Function) -> bool:
    """Whether floats become integers: nan and large values in lanes not selected set a flag."""
    assert isinstance(statement, Store)
    value = function.facts.value(statement.value)
    return isinstance(value, Array) and value.dtype.kind in "fc" and access.array.dtype.kind in "iub"


def _may_set_flags(statement: Store, function: Function) -> bool:
    """Whether the value, computed from ones, sets a floating-point flag."""
    try:
        with np.errstate(all="raise"):
            value = _of_ones(statement.value, function)
            if isinstance(statement, ast.AugAssign):
                assert isinstance(statement.target, ast.Subscript)
                array = function.facts.expressions.masked[statement.target].array
                ELEMENTWISE[OPERATORS[type(statement.op).__name__]].ufunc(np.ones(1, array.dtype), value)
    except (FloatingPointError, ValueError, TypeError, KeyError):
        return True
    return False


def _of_ones(node: ast.expr, function: Function) -> np.ndarray | complex:
    """The value of a lanewise expression where every element is 1; ``KeyError`` where it needs a variable."""
    value = function.facts.value(node)
    if isinstance(value, Scalar):
        if value.constant is None:
            raise KeyError(ast.unparse(node))
        return value.constant
    assert isinstance(value, Array)
    match node:
        case ast.BinOp():
            ufunc = ELEMENTWISE[OPERATORS[type(node.op).__name__]].ufunc
            return np.asarray(ufunc(_of_ones(node.left, function), _of_ones(node.right, function)))
        case ast.UnaryOp():
            return np.asarray(
                ELEMENTWISE[OPERATORS[type(node.op).__name__]].ufunc(_of_ones(node.operand, function))
            )
        case ast.Call():
            found = elementwise(function.dotted(node.func))
            if found is not None:
                return np.asarray(found[1].ufunc(*[_of_ones(each, function) for each in node.args]))
    return np.ones(1, value.dtype)
