"""Operations that torch.compile computes differently from NumPy, in a form that means the same to both.

Every function gives edits for the statements of a step. Operations without such a form do not become part
of a step; see ``analysis.elementwise_steps`` and ``analysis.array_steps``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst as cst
import numpy as np

from nprewrite.analysis.array_steps import factors, function_name, is_outer, operands, widens_to_float
from nprewrite.analysis.elementwise_steps import DIVISIONS, integer_division
from nprewrite.analysis.made_arrays import is_position, made, takes_parameter
from nprewrite.base.syntax import name_nodes, parts_of
from nprewrite.numpy_api.elementwise import OPERATORS, elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.regions.array_loops.body import LoopBody
from nprewrite.source.edits import NodeEdit, Replace, Wrap
from nprewrite.source.nodes import call, expression, with_keyword
from nprewrite.types.array_functions import literal
from nprewrite.types.values import Array, DtypeValue, Scalar, Value, is_number


def corrections(body: LoopBody, nodes: Sequence[ast.AST]) -> list[NodeEdit]:
    """The edits of what the step computes, those of an expression before those of the one around it.

    ``nodes`` are in order from the outside in, without the parts that are parameters of the step.
    """
    around = [each for node in nodes for each in _around(node, body)]
    replaced = [each for node in nodes for each in _replaced(node, body)]
    return [*replaced, *reversed(around), *_snapshots(body)]


def _around(node: ast.AST, body: LoopBody) -> Iterator[Wrap]:
    match node:
        case ast.BinOp(op=ast.Div()):
            yield from _quotient([node.left, node.right], body)
        case ast.BinOp(op=ast.MatMult()):
            yield from _factors(node, body)
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod()) if named := _division(node, body):
            yield Wrap(node, lambda made: call(expression(named), [made.left, made.right]))
        case ast.BinOp(op=ast.Pow()) if _is_root(node.left, node.right, body):
            yield Wrap(node, lambda made: call(expression(f"{_numpy(body)}.sqrt"), [made.left]))
        case ast.Subscript(ctx=ast.Load()) if _is_at_size(node, body):
            # torch.compile takes `x[n]` of an array for a call on a tensor.
            yield Wrap(node, lambda made: made.with_deep_changes(made.slice[-1], comma=cst.Comma()))
        case ast.Call():
            yield from _call(node, body)


def _call(node: ast.Call, body: LoopBody) -> Iterator[Wrap]:
    dotted = body.view.dotted(node.func)
    named = elementwise(dotted)
    if named is not None and named[1].float64_of_integers:
        yield from _quotient([*node.args], body)
    if named is not None and named[0] == "power" and _is_root(node.args[0], node.args[1], body):
        yield Wrap(node, lambda made: call(expression(f"{_numpy(body)}.sqrt"), [made.args[0].value]))
    if dotted == "numpy.where" and len(node.args) == 3:
        yield from _chosen(node, body)
    yield from _widened(node, body)
    yield from _factors(node, body)
    if is_outer(node, body.view):
        # torch.compile traces no methods of ufuncs.
        yield Wrap(node, _of_column_and_row)
    if function_name(node, body.view) in ("cumsum", "cumprod") and _widens(node, body):
        yield Wrap(node, lambda made: with_keyword(made, "dtype", expression(f"{_numpy(body)}.int64")))
    if _takes_other_dtype(node, body):
        yield Wrap(node, lambda made: with_keyword(made, "dtype", expression(f"{_numpy(body)}.float64")))


def _factors(node: ast.expr, body: LoopBody) -> Iterator[Wrap]:
    """``mask @ x`` as ``mask.astype(np.float64) @ x``: torch multiplies matrices of one dtype."""
    result = body.view.facts.value(node)
    for each in factors(node, body.view):
        value = body.view.facts.value(each)
        assert isinstance(result, Array | Scalar)
        assert isinstance(value, Array)
        assert result.dtype is not None
        if value.dtype != result.dtype:
            yield _converted(each, _dtype(result.dtype, body))


def _of_column_and_row(made: cst.Call) -> cst.BaseExpression:
    """``np.add.outer(a, b)`` as ``np.add(a[:, None], b)``."""
    assert isinstance(made.func, cst.Attribute)
    column, row = (each.value for each in made.args)
    return expression("{ufunc}({column}[:, None], {row})", ufunc=made.func.value, column=column, row=row)


def _widened(node: ast.Call, body: LoopBody) -> Iterator[Wrap]:
    """``(x > 0).mean()`` as ``(x > 0).astype(np.float64).mean()``."""
    line = array_function(function_name(node, body.view))
    for operand in operands(node, body.view) if line is not None and line.in_float64 else ():
        value = body.view.facts.value(operand)
        if line is not None and isinstance(value, Array) and widens_to_float(value, node, line):
            yield _converted(operand, f"{_numpy(body)}.float64")


def _is_at_size(node: ast.Subscript, body: LoopBody) -> bool:
    """Whether an index is one integer that is given to the step."""
    return literal(node.slice) is None and is_position(node.slice, body.view)


def _takes_other_dtype(node: ast.Call, body: LoopBody) -> bool:
    """Whether torch makes an array of another dtype than NumPy, unless one is spelt out: ``np.tri(n)``."""
    record = made(node, body.view)
    given = [*node.args, *(each.value for each in node.keywords)]
    spelt = any(isinstance(body.view.facts.value(each), DtypeValue) for each in given)
    return record is not None and record.spelt and not spelt


def _replaced(node: ast.AST, body: LoopBody) -> Iterator[Replace]:
    match node:
        case ast.Call():
            function = _function(node, body)
            if function:
                yield Replace(node.func, (expression(function),))
        case ast.Attribute(attr="dtype") if isinstance(value := body.view.facts.value(node), DtypeValue):
            # torch.compile does not trace the attribute.
            yield Replace(node, (expression(_dtype(value.dtype, body)),))
        case ast.Name(id="complex") if body.view.dotted(node) == "builtins.complex":
            # Nor the builtin in a call that makes an array.
            yield Replace(node, (expression(f"{_numpy(body)}.complex128"),))


def _function(node: ast.Call, body: LoopBody) -> str:
    """The function to use instead of one for which torch gives other values; empty where it stays."""
    view = body.view
    dotted = view.dotted(node.func)
    named = elementwise(dotted)
    making, line = made(node, view), array_function(function_name(node, view))
    parametric = making is not None and takes_parameter(node, making, view)
    if parametric or (line is not None and line.corrected):
        return f"{_runtime(body)}.{function_name(node, view)}"
    if dotted == "builtins.abs" and isinstance(view.facts.value(node.args[0]), Array):
        # Under torch.compile the builtin does not give an array.
        return f"{_numpy(body)}.abs"
    if named is None or not dotted or not dotted.startswith("numpy."):
        return ""
    if named[0] in DIVISIONS:
        return _division(node, body)
    corrected = named[1].corrected and not _is_integer(view.facts.value(node))
    return f"{_runtime(body)}.{named[0]}" if corrected else ""


def _division(node: ast.BinOp | ast.Call, body: LoopBody) -> str:
    """The runtime's function for a quotient or remainder; empty where torch computes the same."""
    if isinstance(node, ast.BinOp):
        name, divisor = OPERATORS[type(node.op).__name__], node.right
    else:
        found = elementwise(body.view.dotted(node.func))
        name, divisor = found[0] if found else "", node.args[1]
    value = body.view.facts.value(node)
    if not isinstance(value, Array | Scalar) or is_number(value):
        return ""
    how = integer_division(node, divisor, body.view)
    return "" if how == "as written" else f"{_runtime(body)}.{'int_' if how == 'corrected' else ''}{name}"


def _is_root(base: ast.expr, exponent: ast.expr, body: LoopBody) -> bool:
    """Whether it is ``x ** 0.5`` of floats, for which NumPy takes the root: they differ for -inf."""
    value, known = body.view.facts.value(exponent), body.view.facts.value(base)
    number = value.constant if isinstance(value, Scalar) else None
    half = isinstance(exponent, ast.Constant) and type(number) is float and number == 0.5
    dtype = known.dtype if isinstance(known, Array | Scalar) and not is_number(known) else None
    return half and dtype is not None and dtype.kind == "f"


def _quotient(operands: list[ast.expr], body: LoopBody) -> Iterator[Wrap]:
    """``k / 3`` of integers as ``k.astype(np.float64) / 3``: torch would compute it in float32."""
    values = [body.view.facts.value(each) for each in operands]
    if all(map(_is_integer, values)):
        arrays = [each for each in operands if not is_number(body.view.facts.value(each))]
        yield from (_converted(each, f"{_numpy(body)}.float64") for each in arrays)


def _chosen(node: ast.Call, body: LoopBody) -> Iterator[Wrap]:
    """Cast the operands of ``np.where`` to its dtype: in torch 0.5 is float32, and scalars do not promote."""
    view = body.view
    result = view.facts.value(node)
    dtype = result.dtype if isinstance(result, Array | Scalar) else None
    values = [view.facts.value(each) for each in node.args[1:]]
    arrays = [each for each in values if isinstance(each, Array)]
    literal = all(isinstance(each, Scalar) and each.kind == "int" and each.dtype is None for each in values)
    if dtype is None or dtype.kind == "c" or literal or any(each.dtype == dtype for each in arrays):
        return
    for operand, value in zip(node.args[1:], values, strict=True):
        if isinstance(value, Array | Scalar) and not is_number(value):
            yield _converted(operand, _dtype(dtype, body))
        elif _is_literal(operand, body):
            yield Wrap(operand, lambda made: call(expression(_dtype(dtype, body)), [made]))


def _is_literal(node: ast.expr, body: LoopBody) -> bool:
    """Whether a number stays in the step's text, not becoming a parameter."""
    return all(body.view.dotted(each) is not None for each in name_nodes(node))


def _converted(node: ast.expr, dtype: str) -> Wrap:
    return Wrap(node, lambda made: expression("{made}.astype({dtype})", made=made, dtype=dtype))


def _widens(node: ast.Call, body: LoopBody) -> bool:
    """Whether NumPy sums narrow integers in int64, without a given dtype."""
    value = body.view.facts.value(node)
    asked = any(each.arg == "dtype" for each in node.keywords)
    return not asked and isinstance(value, Array) and value.dtype == np.int64


def _snapshots(body: LoopBody) -> list[Wrap]:
    """``first = x[0]`` as ``first = x[0].copy()``: in torch an element is a view, which sees later stores.

    The same for operations that return their operand in torch: ``+x``.
    """
    assigned = [each.value for each in body.statements if isinstance(each, ast.Assign)]
    values = [part for each in assigned for part in parts_of(each)]
    bare = [each for each in values if isinstance(each, ast.Subscript | ast.Attribute)]
    kept: list[ast.expr] = [each for each in bare if _is_element(body.view.facts.value(each))]
    kept += [each for each in values if _returns_itself(each, body)]
    return [Wrap(each, lambda made: expression("{made}.copy()", made=made)) for each in kept]


def _is_element(value: Value) -> bool:
    return isinstance(value, Scalar) and value.of_array


def _returns_itself(call: ast.expr, body: LoopBody) -> bool:
    """Whether torch gives the operand itself where NumPy gives a copy: ``x.astype`` of its own dtype."""
    view = body.view
    value = view.facts.value(call)
    if not isinstance(value, Array) or value.dtype.kind == "c":
        return False
    if isinstance(call, ast.UnaryOp):
        return isinstance(call.op, ast.UAdd)
    if not isinstance(call, ast.Call):
        return False
    named = elementwise(view.dotted(call.func))
    if named is not None:
        return named[0] in ("positive", "conjugate")
    method = call.func if isinstance(call.func, ast.Attribute) and view.dotted(call.func) is None else None
    if method is None or method.attr != "astype":
        return False
    before = view.facts.value(method.value)
    return isinstance(before, Array) and before.dtype == value.dtype


def _is_integer(value: Value) -> bool:
    if not isinstance(value, Array | Scalar):
        return False
    return value.dtype.kind in "iub" if value.dtype is not None else value.kind in ("int", "bool")


def _numpy(body: LoopBody) -> str:
    return body.view.names.numpy_name(body.view.document.tree)


def _runtime(body: LoopBody) -> str:
    names = body.view.names
    return names.alias_of(RUNTIME) or names.free(RUNTIME_ALIAS)


def _dtype(dtype: np.dtype[np.generic], body: LoopBody) -> str:
    return f"{_numpy(body)}.{'bool_' if dtype == np.bool_ else dtype.name}"
