"""Matrix products in the cheapest order, with vectors scaled instead of matrices, and loop invariants
computed once.

Why: ``@`` works from the left, so that a chain that ends in a vector multiplies whole matrices first, and
``alpha * A @ x`` makes a scaled copy of the matrix. A call shows the sizes, and whether another order is the
same function of the numbers. What is costly and the same in each iteration of a loop needs to be computed
only once.

    alpha * A @ x      ->  npr.matrix_product(A, x, scale=alpha)
    A @ B @ C @ x      ->  npr.matrix_product(A, B, C, x)
    -A @ x             ->  -(A @ x)

Safety: rounding, exact for integers and for what is computed before a loop. The runtime computes as written
where norms do not exclude an overflow, for stacks of matrices, for other types, and where floating-point
errors are watched; see ``passes/reassociate``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst as cst
import numpy as np

from nprewrite.analysis.matrix_products import MatrixProduct, matrix_products, products_inside
from nprewrite.analysis.memory import outputs
from nprewrite.base.syntax import walk
from nprewrite.emit.steps.invariant_text import asks_runtime, invariant_edits
from nprewrite.numpy_api.creation import creation
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.numpy_api.functions import array_function
from nprewrite.numpy_api.methods import only_reads
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import refused
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.regions.array_loops.invariants import LoopInvariants, loop_invariants
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import call, expression, with_keyword
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array, Scalar, Unknown

_DTYPES = "fdFDbBhHiIlLqQ"


Site = MatrixProduct | LoopInvariants | Problem


class Reassociate(RewritePass[Site, None]):
    """NPR304."""

    code = "NPR304"
    name = "reassociate"
    summary = "products of matrices in the cheapest order, and what a loop computes again computed once"
    level = Level.ROUNDING
    names_attributes = True
    waits = True
    repeats = True

    def match(self, function: Function) -> Iterator[Site]:
        """What loops compute again in each iteration; where nothing of that is left, the products."""
        if function.step is not None:
            return
        found = [*loop_invariants(function)]
        yield from found
        if not any(isinstance(each, LoopInvariants) for each in found):
            yield from self._products(function)

    def _products(self, function: Function) -> Iterator[MatrixProduct]:
        """Products of three factors, or of a scaled matrix, including those inside one that is refused."""
        for statement in function.statements():
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for site in products_inside(statement, function):
                    yield from self._with_inner(site, function)

    def _with_inner(self, site: MatrixProduct, function: Function) -> Iterator[MatrixProduct]:
        yield site
        if self.check(site, function) is not None:
            for part in site.operands:
                for inner in matrix_products(part, function):
                    yield from self._with_inner(inner, function)

    def level_of(self, site: Site, function: Function) -> Level:
        """Exact for integers, whose products wrap alike in every order, and for what is computed once."""
        if not isinstance(site, MatrixProduct):
            return Level.EXACT
        values = [function.facts.value(each) for each in site.factors]
        whole = all(isinstance(each, Array) and each.dtype.kind in "iu" for each in values)
        return Level.EXACT if whole else Level.ROUNDING

    def node(self, site: Site) -> ast.expr | ast.stmt:
        """The product, or the first expression that a loop computes again."""
        return site.expressions[0] if isinstance(site, LoopInvariants) else site.node

    def check(self, site: Site, function: Function) -> Refusal | Deferral | None:
        """The operands are arrays of one dtype and a number that keeps it, computed without side effects."""
        if isinstance(site, Problem):
            return refused(site)
        if isinstance(site, LoopInvariants):
            return None
        unknown = _unknown(site.operands, function)
        if unknown is not None:
            return unknown
        arrays = [each for each in map(function.facts.value, site.factors) if isinstance(each, Array)]
        problem = _of_dtypes(arrays) or _of_number(site, arrays[0].dtype, function)
        if problem is not None:
            return problem
        if any(each.rank is not None and each.rank > 2 for each in arrays):
            return Refusal("stacked-matrices", "a factor has more than two axes")
        called = next((each for part in site.operands if (each := _called(part, function))), None)
        if called is not None:
            text = f"`{ast.unparse(called)}` would be computed before the product on its left"
            return Refusal("unknown-call", text, called)
        return None

    def rewrite(self, site: Site, proof: None, function: Function) -> Change:
        """The call of the runtime, or the sign before the product, or the statements before the loop."""
        if isinstance(site, LoopInvariants):
            texts = ", ".join(f"`{ast.unparse(each)}`" for each in site.expressions)
            message = f"computed once, before the loop: {texts}"
            imports = (RUNTIME,) if asks_runtime(site) else ()
            return Change(tuple(invariant_edits(site, function)), message=message, imports=imports)
        assert isinstance(site, MatrixProduct)
        edit = Replace(site.node, (self._product(site, function),))
        message = "the product is computed in the cheapest order"
        if len(site.factors) == 2:
            message = "the vector is scaled, not the matrix"
        imports = (RUNTIME,) if site.number is not None or len(site.factors) > 2 else ()
        return Change((edit,), message=message, imports=imports)

    def _product(self, site: MatrixProduct, function: Function) -> cst.BaseExpression:
        factors = [self._operand(each, function) for each in site.factors]
        sign = "-" if site.negated else ""
        if site.number is None and len(factors) == 2:
            left, right = factors
            return expression(f"{sign}({{left}} @ {{right}})", left=left, right=right)
        names = function.names
        runtime = names.alias_of(RUNTIME) or names.free(RUNTIME_ALIAS)
        made = call(expression(f"{runtime}.matrix_product"), factors)
        if site.number is not None:
            word = "divisor" if site.divides else "scale"
            made = with_keyword(made, word, self._operand(site.number, function))
            if site.scaled > 1:
                made = with_keyword(made, "scaled", expression(str(site.scaled)))
        return expression(f"{sign}{{made}}", made=made)

    def _operand(self, node: ast.expr, function: Function) -> cst.BaseExpression:
        """An operand, with the products inside it rewritten."""
        inner = (site for site in matrix_products(node, function) if self.check(site, function) is None)
        return function.document.changed(
            node, [Replace(site.node, (self._product(site, function),)) for site in inner]
        )


def _unknown(operands: Sequence[ast.expr], function: Function) -> Refusal | Deferral | None:
    """The verdict on an operand that, as far as the text tells, is neither an array nor a number."""
    for node in operands:
        value = function.facts.value(node)
        if isinstance(value, Array | Scalar):
            continue
        because = value.because if isinstance(value, Unknown) else "it is not an array"
        message = f"the type of `{ast.unparse(node)}` is not known: {because}"
        waits = isinstance(value, Unknown) and value.parameter is not None and function.can_defer
        return Deferral(message) if waits else Refusal("dtype-unknown", message, node)
    return None


def _of_dtypes(arrays: Sequence[Array]) -> Refusal | None:
    for array in arrays:
        if array.dtype.char not in _DTYPES:
            return Refusal("dtype-unsupported", f"products of {array.dtype} depend on their order")
        if array.dtype != arrays[0].dtype:
            text = f"factors of {arrays[0].dtype} and {array.dtype} are rounded to different precisions"
            return Refusal("mixed-dtypes", text)
    return None


def _of_number(site: MatrixProduct, dtype: np.dtype[np.generic], function: Function) -> Refusal | None:
    if site.number is None:
        return None
    value, text = function.facts.value(site.number), ast.unparse(site.number)
    if isinstance(value, Array) and value.rank != 0:
        message = f"`{text}` is an array, which scales each column or element by another number"
        return Refusal("factor-not-scalar", message, site.number)
    assert isinstance(value, Array | Scalar)
    promoting = value.dtype if isinstance(value, Array) else value.promoting
    if np.result_type(promoting, dtype) != dtype or (site.divides and dtype.kind in "iu"):
        return Refusal("mixed-dtypes", f"`{text}` changes the dtype of the matrix", site.number)
    return None


def _called(node: ast.expr, function: Function) -> ast.expr | None:
    """The part of an operand that may have effects: a call of anything but NumPy's plain functions."""
    for each in walk(node):
        if isinstance(each, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | ast.Lambda):
            return each
        if isinstance(each, ast.Call) and not _is_plain(each, function):
            return each
    return None


def _is_plain(call: ast.Call, function: Function) -> bool:
    """Whether a call is of a NumPy function or method that only makes a value or view of its arguments."""
    dotted = function.dotted(call.func)
    if any(each.arg in ("where", None) for each in call.keywords) or outputs(call, dotted):
        return False
    if dotted is None and isinstance(call.func, ast.Attribute):
        return isinstance(function.facts.value(call.func.value), Array) and only_reads(call.func.attr)
    return _makes_value(dotted) or dotted in ("builtins.len", f"{RUNTIME}.matrix_product")


def _makes_value(dotted: str | None) -> bool:
    made, line = creation(dotted), array_function((dotted or "").removeprefix("numpy."))
    return (
        elementwise(dotted) is not None
        or (made is not None and made.pure)
        or (line is not None and line.compiled)
    )
