"""Is a statement lanewise: does each element of its result depend only on the elements at its place?

Asked for the bodies of loops that become steps and for single masked stores. With ``whole`` the statement may
also take other elements, in ways that torch.compile supports. Each answer is either None or a ``Problem``
with the code of the reason.
"""

from __future__ import annotations

import ast

from nprewrite.analysis import array_steps
from nprewrite.analysis.elementwise_steps import comparison_problem, elementwise_problem
from nprewrite.analysis.scalar_leaves import is_looked_up
from nprewrite.base.syntax import is_everything, items_of, walk
from nprewrite.numpy_api.attributes import is_part
from nprewrite.numpy_api.elementwise import COMPILED_DTYPES, OPERATORS, elementwise
from nprewrite.numpy_api.methods import METHODS
from nprewrite.numpy_api.python import number_of, python_function
from nprewrite.program.function import Function
from nprewrite.types.constructors import dtype_named
from nprewrite.types.expressions import RUNTIME_PRODUCT
from nprewrite.types.problems import Problem
from nprewrite.types.python_functions import is_position
from nprewrite.types.values import Array, Generator, Scalar, Unknown


def expression_problem(
    node: ast.expr, function: Function, key: str | None, whole: bool = False
) -> Problem | None:
    """Why an expression is not lanewise under the mask ``key`` (None: over all lanes)."""
    value = function.facts.value(node)
    if isinstance(value, Scalar) and (not value.of_array or is_looked_up(node, function)):
        return scalar_problem(node, function)
    if isinstance(value, Unknown):
        return _unknown(node, value, function)
    if not isinstance(value, Array | Scalar) or (isinstance(value, Scalar) and not whole):
        what = "reduces an array" if isinstance(value, Scalar) else "gives something else than one array"
        return Problem("not-lanewise", f"`{ast.unparse(node)}` {what}", node)
    if value.dtype is None:
        # What statements before these took out of an array is a number to them.
        taken = Problem("unknown-call", f"`{ast.unparse(node)}` takes a number out of an array", node)
        return None if all(isinstance(each, _ARITHMETIC) for each in walk(node)) else taken
    if value.dtype.name not in COMPILED_DTYPES:
        return Problem("dtype-unsupported", f"`{ast.unparse(node)}` has dtype {value.dtype}", node)
    if isinstance(value, Array) and value.under != key:
        return _other_selection(node, value, key)
    return _operation_problem(node, function, key, whole)


_ARITHMETIC = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)


def _other_selection(node: ast.expr, value: Array, key: str | None) -> Problem:
    """The problem that an operand is not selected by the mask ``key``."""
    text = ast.unparse(node)
    if key is None:
        return Problem("selection-escapes", f"`{text}` holds the selected elements only", node)
    what = "selects with another mask" if value.under else "is not selected by the mask"
    return Problem("other-mask" if value.under else "not-lanewise", f"`{text}` {what}", node)


def _operation_problem(node: ast.expr, function: Function, key: str | None, whole: bool) -> Problem | None:
    match node:
        case ast.Name():
            return None
        case ast.Subscript():
            return _subscript_problem(node, function, whole)
        case ast.Attribute(attr="real" | "imag"):
            return expression_problem(node.value, function, key, whole)
        case ast.Attribute(attr="T"):
            moved = None if whole else Problem("not-lanewise", f"`{ast.unparse(node)}` moves elements", node)
            return moved or expression_problem(node.value, function, key, whole)
        case ast.Call() if whole and array_steps.takes_whole_arrays(node, function):
            return array_steps.call_problem(node, function) or _of_whole_arrays(node, function)
        case ast.Call():
            problem = _call_problem(node, function)
            operands = [*node.args]
            if isinstance(node.func, ast.Attribute) and function.dotted(node.func) is None:
                operands = [node.func.value, *(node.args if node.func.attr == "clip" else [])]
            return problem or _first(operands, function, key, whole)
        case ast.BinOp():
            problem = _operator_problem(node, function, whole)
            return problem or _first([node.left, node.right], function, key, whole)
        case ast.UnaryOp():
            return expression_problem(node.operand, function, key, whole)
        case ast.Compare():
            operands = [node.left, *node.comparators]
            return comparison_problem(node, operands, function) or _first(operands, function, key, whole)
    return Problem("stays-in-numpy", f"`{ast.unparse(node)}` is not an elementwise operation", node)


def _subscript_problem(node: ast.Subscript, function: Function, whole: bool) -> Problem | None:
    if node in function.facts.expressions.masked:
        return _first([node.value, node.slice], function, None, whole)
    if is_everything(node.slice):
        return expression_problem(node.value, function, None, whole)
    items = items_of(node)
    values = [function.facts.expressions.values.get(each) for each in items]
    if any(map(is_position, values)):
        if not array_steps.picks(node, values, function):
            text = f"`{ast.unparse(node)}`: the index picks positions, which may be out of range"
            return Problem("may-raise", text, node)
        if whole:
            return _first([node.value, *items], function, None, whole)
    if not whole:
        return Problem("not-lanewise", f"`{ast.unparse(node)}` takes elements from other positions", node)
    return array_steps.index_problem(node, function) or expression_problem(node.value, function, None, whole)


def _of_whole_arrays(call: ast.Call, function: Function) -> Problem | None:
    """What is wrong with the operands of a function of whole arrays; a reduction may take a selection."""
    for operand in array_steps.operands(call, function):
        value = function.facts.value(operand)
        key = value.under if isinstance(value, Array) else None
        problem = expression_problem(operand, function, key, whole=True)
        if problem is not None:
            return problem
    return None


def _first(nodes: list[ast.expr], function: Function, key: str | None, whole: bool) -> Problem | None:
    return next(filter(None, (expression_problem(node, function, key, whole) for node in nodes)), None)


def _call_problem(node: ast.Call, function: Function) -> Problem | None:
    dotted = function.dotted(node.func)
    found = elementwise(dotted)
    if found is not None:
        return _of_more(node, found[1].ufunc.nin) or elementwise_problem(found[0], node, node.args, function)
    if dotted == "numpy.where" or is_part(dotted):
        return None
    if dotted == RUNTIME_PRODUCT:
        return Problem("stays-in-numpy", "NumPy multiplies matrices in the order that costs least", node)
    method = node.func.attr if isinstance(node.func, ast.Attribute) and dotted is None else ""
    if method == "clip" and isinstance(node.func, ast.Attribute):
        operands = [node.func.value, *node.args]
        return _of_more(node, 2) or elementwise_problem("clip", node, operands, function)
    gives = METHODS[method].gives if method in METHODS else None
    if gives in ("conjugate", "copy") or (gives == "dtype" and not node.keywords):
        return None
    if _draws(node, function):
        return Problem("random-numbers", f"`{ast.unparse(node)}` draws random numbers", node)
    known = dotted is None or dotted.startswith(("numpy.", "builtins."))
    code = "not-lanewise" if known else "unknown-call"
    return Problem(code, f"`{ast.unparse(node.func)}` is not an elementwise function", node)


def _of_more(node: ast.Call, count: int) -> Problem | None:
    """Why a call does more than compute from ``count`` arguments, though a run has shown what it gives."""
    if len(node.args) == count and not node.keywords:
        return None
    return Problem("stays-in-numpy", f"`{ast.unparse(node)}` takes more than its operands", node)


def _operator_problem(node: ast.BinOp, function: Function, whole: bool) -> Problem | None:
    if isinstance(node.op, ast.MatMult):
        if whole:
            return array_steps.product_problem(node, function)
        return Problem("not-lanewise", f"`{ast.unparse(node)}` takes elements from other positions", node)
    name = OPERATORS[type(node.op).__name__]
    return elementwise_problem(name, node, [node.left, node.right], function)


def _unknown(node: ast.expr, value: Unknown, function: Function) -> Problem:
    """The reason that fits best where nothing is known of an expression."""
    text = f"`{ast.unparse(node)}`: {value.because}"
    called = _unknown_call(node, function) if value.parameter is None else None
    if called is not None:
        return called
    if any(isinstance(each, ast.IfExp | ast.BoolOp | ast.Not) for each in walk(node)):
        return Problem("branch-in-body", f"`{ast.unparse(node)}` branches on values", node)
    for words, code in UNKNOWN_CODES.items():
        if words in value.because:
            return Problem(code, text, node)
    return Problem("dtype-unknown", text, node, value.parameter)


UNKNOWN_CODES = {
    "raises TypeError": "cast-raises",
    "selected by": "other-mask",
    "type changes": "dtype-changes",
    "of different types": "dtype-changes",
    "picks positions": "may-raise",
    "subclass": "not-plain-array",
    "is not numeric": "dtype-unsupported",
}


def _unknown_call(node: ast.expr, function: Function) -> Problem | None:
    """The first call in ``node`` of which nothing is known."""
    calls = (each for each in walk(node) if isinstance(each, ast.Call))
    return next(filter(None, (_call_unknown(call, function) for call in calls)), None)


def _call_unknown(call: ast.Call, function: Function) -> Problem | None:
    """Why nothing is known of a call; None when its value is known, or its operands are the reason."""
    value, dotted = function.facts.value(call), function.dotted(call.func) or ""
    if not isinstance(value, Unknown):
        return None
    receivers = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    known = [function.facts.value(each) for each in receivers]
    unknown = [each for each in known if isinstance(each, Unknown)]
    if _draws(call, function):
        return Problem("random-numbers", f"`{ast.unparse(call)}` draws random numbers", call)
    operands = [*map(function.facts.value, call.args), *unknown]
    if elementwise(dotted) and any(isinstance(each, Unknown) for each in operands):
        return None
    python = python_function(dotted)
    if python is not None and python.folds and "of different types" in value.because:
        return Problem("dtype-changes", f"`{ast.unparse(call)}`: {value.because}", call)
    own = any(isinstance(each, Array) for each in known) or dotted.startswith(("numpy.", "builtins."))
    code = "not-lanewise" if own else "unknown-call"
    if isinstance(call.func, ast.Name) and call.func.id == "super":
        code = "dynamic-scope"
    return Problem(code, f"`{ast.unparse(call.func)}(...)`: {value.because}", call)


def _draws(call: ast.Call, function: Function) -> bool:
    """Whether a call draws random numbers, which advances their generator."""
    if (function.dotted(call.func) or "").startswith(("numpy.random", "random.")):
        return True
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    return receiver is not None and isinstance(function.facts.value(receiver), Generator)


def scalar_problem(node: ast.expr, function: Function) -> Problem | None:
    """Why a scalar expression may not be evaluated ahead of the loop's iterations."""
    for each in walk(node):
        if isinstance(each, ast.Call) and _is_pure(each, function):
            continue
        if isinstance(each, ast.Call | ast.NamedExpr | ast.Lambda | ast.Await | ast.Yield):
            return Problem("unknown-call", f"`{ast.unparse(each)}` is called for a scalar", each)
        if isinstance(each, ast.Attribute) and function.dotted(each) is None and not _is_size(each, function):
            return Problem("not-local", f"`{ast.unparse(each)}` is an attribute", each)
    return None


def _is_size(node: ast.Attribute, function: Function) -> bool:
    """``x.size`` and ``x.ndim`` of an array, which are the same in every iteration."""
    return node.attr in ("size", "ndim") and isinstance(function.facts.value(node.value), Array)


def _is_pure(call: ast.Call, function: Function) -> bool:
    """``float("inf")``, ``math.sin(n * dt)``: numbers in, a number out, and nothing else happens."""
    dotted = function.dotted(call.func) or ""
    if dtype_named(dotted) is not None:
        # float(x) of an object of an unexpected type may do anything.
        return all(isinstance(each, ast.Constant) for each in call.args)
    if dotted == "builtins.len":
        return all(isinstance(function.facts.value(each), Array) for each in call.args)
    numbers = all(isinstance(function.facts.value(each), Scalar) for each in call.args)
    python = python_function(dotted)
    known = number_of(dotted) is not None or (python is not None and python.numbers)
    return numbers and not call.keywords and (known or elementwise(dotted) is not None)
