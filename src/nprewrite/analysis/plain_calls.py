"""Calls of NumPy that can be written without ``out=``, ``where=``, an open bound or a list of arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nprewrite.base.syntax import is_none, items_of, walk
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.program.function import Function
from nprewrite.types.constructors import dtype_named
from nprewrite.types.indexing import is_basic
from nprewrite.types.values import Array, Items, Scalar, Value

Simple = ast.Expr | ast.Assign | ast.Return
_BOUNDS = ({"a_min", "min"}, {"a_max", "max"})


@dataclass(frozen=True)
class PlainCall:
    """An elementwise call: its new name in NumPy, if it gets one, its operands, and the rest."""

    call: ast.Call
    operands: tuple[ast.expr, ...]
    renamed: str | None = None
    out: ast.expr | None = None
    where: ast.expr | None = None


@dataclass(frozen=True)
class TypeCall:
    """A type of NumPy that is called with an array."""

    call: ast.Call


@dataclass(frozen=True)
class OutStore:
    """A statement whose call puts its result into an array: ``np.add(a, b, out=c)``."""

    statement: Simple
    plain: PlainCall
    out: ast.Name | ast.Subscript


@dataclass(frozen=True)
class OutMade:
    """A statement whose call puts its result into an array made there: ``z = np.exp(a, out=np.ones(n))``."""

    statement: ast.Assign
    name: str
    made: ast.Call


@dataclass(frozen=True)
class ListOfArrays:
    """``np.array([a, b])`` of arrays of the same rank, which NumPy stacks."""

    call: ast.Call
    rows: ast.List | ast.Tuple


def out_store(statement: ast.stmt, function: Function) -> OutStore | None:
    """The store of a statement that consists of one call with ``out``, if it can be written as one."""
    found = out_call(statement, function)
    return found if found is not None and _is_stored(found.plain, found.out, function) else None


def out_call(statement: ast.stmt, function: Function) -> OutStore | None:
    """The same for any array as ``out``, of which only a call may show that it can."""
    if not isinstance(statement, Simple) or not isinstance(statement.value, ast.Call):
        return None
    if isinstance(statement, ast.Assign) and not _is_one_name(statement.targets):
        return None
    plain = plain_call(statement.value, function)
    if plain is None or not isinstance(plain.out, ast.Name | ast.Subscript):
        return None
    if isinstance(plain.out, ast.Subscript) and not isinstance(statement, ast.Expr):
        return None
    known = isinstance(function.facts.value(plain.out), Array)
    return OutStore(statement, plain, plain.out) if known else None


def out_made(statement: ast.stmt, function: Function) -> OutMade | None:
    """The array that a statement makes for the result of its call; its name may have it before the call.

    Unless a handler or another scope would see the name, should the call raise.
    """
    seen = any(isinstance(each, ast.Try | ast.With) for each in function.outer(statement))
    if seen or not isinstance(statement, ast.Assign):
        return None
    name, call = statement.targets[0], statement.value
    plain = plain_call(call, function) if isinstance(call, ast.Call) else None
    if plain is None or not isinstance(plain.out, ast.Call) or not _is_one_name(statement.targets):
        return None
    assert isinstance(name, ast.Name)
    if not function.is_local(name.id) or function.is_shared(name.id):
        return None
    parts = [*walk(call)]
    called = [function.dotted(each.func) or "" for each in parts if isinstance(each, ast.Call)]
    read = any(isinstance(each, ast.Name) and each.id == name.id for each in parts)
    record = creation(function.dotted(plain.out.func))
    if read or record is None or not all(each.startswith("numpy.") for each in called):
        return None
    return OutMade(statement, name.id, plain.out) if record.rule in ("filled", "like") else None


def _is_one_name(targets: Sequence[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name)


def plain_call(call: ast.Call, function: Function) -> PlainCall | None:
    """The parts of a call of an elementwise function; None where it has others."""
    found = elementwise(function.dotted(call.func))
    keywords = {each.arg: each.value for each in call.keywords}
    if found is None or None in keywords or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    name, entry = found
    out, where = keywords.pop("out", None), keywords.pop("where", None)
    arguments = [*call.args]
    if len(arguments) > entry.ufunc.nin and out is None:
        out = arguments.pop(entry.ufunc.nin)
    if name == "clip":
        return _clipped(PlainCall(call, (), None, out, where), arguments, keywords, function)
    if keywords or len(arguments) != entry.ufunc.nin:
        return None
    return PlainCall(call, tuple(arguments), None, out, where)


def _clipped(
    plain: PlainCall, arguments: list[ast.expr], keywords: dict[str | None, ast.expr], function: Function
) -> PlainCall | None:
    """``np.clip`` with both bounds by position, or, with one bound, a maximum or minimum."""
    if not arguments or len(arguments) > 3:
        return None
    bounds: list[ast.expr | None] = [*arguments[1:], None, None][:2]
    for number, names in enumerate(_BOUNDS):
        for name in names & keywords.keys():
            bounds[number] = keywords.pop(name)
    if keywords:
        return None
    given = [each for each in bounds if each is not None and not is_none(each)]
    clipped = replace(plain, operands=(arguments[0], *given))
    if len(given) == 2:
        return clipped
    # NumPy ignores a bound outside the range of the integers.
    array = function.facts.value(arguments[0])
    if len(given) != 1 or not isinstance(array, Array) or array.dtype.kind != "f":
        return None
    return replace(clipped, renamed="maximum" if given[0] is bounds[0] else "minimum")


def _is_stored(plain: PlainCall, out: ast.Name | ast.Subscript, function: Function) -> bool:
    """Whether ``out[...] = call`` stores the same as the call, or raises as it does."""
    target = function.facts.value(out)
    if not isinstance(target, Array) or target.assumed or target.under is not None:
        return False
    if isinstance(out, ast.Subscript) and not _is_plain_view(out, function):
        return False
    values = [function.facts.value(each) for each in plain.operands]
    called = f"numpy.{plain.renamed}" if plain.renamed else function.dotted(plain.call.func) or ""
    result = function.facts.expressions.apply(called, values)
    if not isinstance(result, Array) or not np.can_cast(result.dtype, target.dtype, "same_kind"):
        return False
    # A store drops leading axes of length one, where the call raises.
    if result.shape != target.shape and not _reaches(result, target):
        return False
    return plain.where is None or _is_masked(plain, plain.where, values, result, target, function)


def _is_plain_view(node: ast.Subscript, function: Function) -> bool:
    items = items_of(node)
    basic = all(is_basic(each, function.facts.expressions.values) for each in items)
    return basic and isinstance(node.value, ast.Name)


def _reaches(small: Array, large: Array) -> bool:
    return small.rank is not None and large.rank is not None and small.rank <= large.rank


def _is_masked(
    plain: PlainCall,
    where: ast.expr,
    values: Sequence[Value],
    result: Array,
    target: Array,
    function: Function,
) -> bool:
    """Whether a select computes the same, which does not warn with ones in masked-out places."""
    mask = function.facts.value(where)
    if not isinstance(mask, Array) or mask.dtype != np.bool_ or mask.assumed:
        return False
    if any(isinstance(each, ast.Call | ast.NamedExpr) for each in walk(where)):
        return False
    if mask.shape != target.shape and not _reaches(mask, target):
        return False
    arrays = [each for each in values if isinstance(each, Array)]
    called = function.dotted(plain.call.func) or ""
    plain_quotient = called.endswith("divide") and isinstance(values[-1], Array)
    if len(arrays) < len(values) and not plain_quotient:
        return False
    return result.dtype == target.dtype and all(each.dtype.kind in "iufc" for each in arrays)


def list_of_arrays(call: ast.expr, function: Function) -> ListOfArrays | None:
    """``np.array([a, b])`` and ``np.asarray([a, b])`` of exact arrays of the same rank."""
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    rows = call.args[0]
    if not isinstance(rows, ast.List | ast.Tuple) or not isinstance(function.facts.value(rows), Items):
        return None
    if function.dotted(call.func) not in ("numpy.array", "numpy.asarray"):
        return None
    # The value is known only for arrays of the same rank.
    made = function.facts.value(call)
    of_arrays = any(isinstance(function.facts.value(each), Array) for each in rows.elts)
    if not of_arrays or not isinstance(made, Array) or made.assumed:
        return None
    return ListOfArrays(call, rows)


def type_call(call: ast.Call, function: Function) -> TypeCall | None:
    """``np.float32(x)`` of an array; of a number, and of an array without axes, it is a number."""
    dotted = function.dotted(call.func) or ""
    dtype = dtype_named(dotted) if dotted.startswith("numpy.") else None
    if dtype is None or len(call.args) != 1 or call.keywords:
        return None
    value = function.facts.value(call.args[0])
    # Of an array that has this type already it gives the array itself.
    makes_one = isinstance(value, Array) and value.rank and value.dtype != dtype
    return TypeCall(call) if makes_one else None


def one_sided_clip(call: ast.expr, function: Function) -> PlainCall | None:
    """``np.clip(x, 0, None)`` and ``np.clip(x, a_min=0, a_max=1)``, with no ``out``."""
    if not isinstance(call, ast.Call):
        return None
    plain = plain_call(call, function)
    if plain is None or plain.out is not None or plain.where is not None:
        return None
    numbers = [function.facts.value(each) for each in plain.operands]
    known = all(isinstance(each, Array | Scalar) for each in numbers)
    changes = plain.renamed is not None or bool(call.keywords)
    return plain if known and changes else None
