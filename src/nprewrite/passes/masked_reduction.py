"""A reduction over the selected elements as a reduction over the whole array.

Why: ``x[m]`` has as many elements as the mask selects, and torch.compile has no static shape for it.

    x[m].sum()     ->  np.where(m, x, 0).sum()
    x[m].mean()    ->  npr.masked_mean(x, m)
    x[m].min()     ->  npr.masked_min(x, m)
    x[m].size      ->  int(np.count_nonzero(m))

In a step a mean is np.where(m, x, 0).sum() / np.sum(m): the count stays an array's.

Never ``(x * m).sum()``: ``inf * 0`` is nan.

Safety: rounding (floating-point sums are added in another order). An empty selection gives 0, nan, False,
True or raises, as NumPy's does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nprewrite.facts.expressions import MaskedAccess
from nprewrite.facts.function import Function
from nprewrite.facts.lanes import expression_problem
from nprewrite.facts.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.facts.values import Array, Shape, Unknown
from nprewrite.facts.whole_steps import MASKED_REDUCTIONS
from nprewrite.passes.contract import Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import expression

_FORMS = {
    "sum": "{np}.where({m}, {x}, 0).sum()",
    "mean": "{npr}.masked_mean({x}, {m})",
    "min": "{npr}.masked_min({x}, {m})",
    "max": "{npr}.masked_max({x}, {m})",
    "any": "{np}.where({m}, {x}, 0).any()",
    "all": "{np}.where({m}, {x}, 1).all()",
    "count_nonzero": "{np}.count_nonzero({np}.where({m}, {x}, 0))",
    "size": "int({np}.count_nonzero({m}))",
}
# In a step an empty selection cannot raise, and int(...) would end the graph.
_STEP_FORMS = {
    **{name: _FORMS[name] for name in MASKED_REDUCTIONS - {"mean"}},
    "mean": "{np}.where({m}, {x}, 0).sum({dtype}) / {np}.sum({m}){cast}",
}
_ALIASES = {"amin": "min", "amax": "max"}


@dataclass(frozen=True)
class Site:
    """A masked read, the reduction around it (None: it escapes), and whether a loop is around both."""

    read: ast.Subscript
    whole: ast.Call | ast.Attribute | None
    form: str
    in_loop: bool


@dataclass(frozen=True)
class MaskedReduction(RewritePass[Site, None]):
    """NPR102."""

    code = "NPR102"
    name = "masked-reduction"
    summary = "a reduction over selected elements becomes one over the whole array"
    level = Level.ROUNDING
    refuses = reasons("NPR102")

    def match(self, function: Function) -> Iterator[Site]:
        """Masked reads outside of masked stores; in a step those reductions that never raise."""
        for statement, outer in function.statements():
            in_loop = any(isinstance(each, ast.For | ast.While) for each in outer)
            found = (
                site
                for expression in _own_expressions(statement)
                for site in _sites(expression, in_loop, function)
            )
            yield from (site for site in found if function.step is None or site.form in _STEP_FORMS)

    def node(self, site: Site) -> ast.expr:
        """The reduction, or the read."""
        return site.whole or site.read

    def check(self, site: Site, function: Function) -> Refusal | Deferral | None:
        """The shapes fit, the read is consumed by the reduction at once, and its operands are plain."""
        access = function.facts.expressions.masked.get(site.read)
        if access is None:
            return _not_a_mask(site.read, function)
        if site.in_loop:
            return Refusal(reason("loop-not-extracted"), "the loop around it stays as it is")
        if site.whole is None:
            return Refusal(reason("selection-escapes"), f"`{ast.unparse(site.read)}` is kept as it is")
        unclear = function.names.unclear_numpy(function.node)
        if unclear is not None:
            return Refusal(reason("name-unclear"), f"`{unclear}` is not NumPy everywhere")
        if isinstance(site.whole, ast.Call) and (site.whole.keywords or _extra_arguments(site.whole)):
            return Refusal(reason("reduction-argument"), "the reduction has arguments")
        problems = (expression_problem(each, function, None) for each in (site.read.value, site.read.slice))
        problem = next((each for each in problems if each is not None), None)
        if problem is not None:
            known = {each.code for each in self.refuses}
            code = problem.code if problem.code in known else "unknown-call"
            return Refusal(reason(code), problem.message)
        base = site.read.value
        if not isinstance(base, ast.Name) or not function.is_local(base.id):
            return Refusal(reason("not-local"), f"`{ast.unparse(base)}` is not local to the function")
        return _unequal(site.read, access)

    def rewrite(self, site: Site, proof: None, function: Function) -> Change:
        """The whole-array form."""
        document = function.document
        numpy = function.names.numpy_name(function.node)
        runtime = function.names.alias_of(RUNTIME) or function.names.free(RUNTIME_ALIAS)
        access = function.facts.expressions.masked[site.read]
        dtype = f"dtype={numpy}.float64" if access.array.dtype.kind in "iub" else ""
        # The count is an int64 scalar, which would widen the sum.
        cast = f".astype({numpy}.{access.array.dtype})" if access.array.dtype == np.float32 else ""
        form = (_FORMS if function.step is None else _STEP_FORMS)[site.form]
        made = expression(
            form,
            np=numpy,
            npr=runtime,
            m=document.expression(site.read.slice),
            x=document.expression(site.read.value),
            dtype=dtype,
            cast=cast,
        )
        edit = Replace(self.node(site), (made,))
        imports = (RUNTIME,) if "{npr}" in form else ()
        return Change((edit,), message="reduced over the whole array", imports=imports)


def _unequal(read: ast.Subscript, access: MaskedAccess) -> Refusal | None:
    """Why the array and its mask are not known to be plain arrays of one shape."""
    if access.array.assumed or access.mask.assumed:
        return Refusal(reason("not-plain-array"), "the array or its mask may be a subclass of ndarray")
    shape, mask_shape = access.array.shape, access.mask.shape
    if shape is not None and shape == mask_shape:
        return None
    if _is_numeric(shape) and _is_numeric(mask_shape):
        return Refusal(reason("shape-mismatch"), f"a mask of shape {mask_shape} on shape {shape}")
    text = f"the shapes in `{ast.unparse(read)}` are not known to be equal"
    return Refusal(reason("shape-unknown"), text)


def _is_numeric(shape: Shape | None) -> bool:
    return isinstance(shape, tuple) and all(isinstance(axis, int) for axis in shape)


def _not_a_mask(read: ast.Subscript, function: Function) -> Refusal | Deferral:
    """Why an index that looks like a mask is none, or is not known to be one."""
    base = function.facts.value(read.value)
    if isinstance(read.slice, ast.Tuple):
        return Refusal(reason("second-index"), f"`{ast.unparse(read)}` is more than one mask")
    if isinstance(base, Array):
        return Refusal(reason("mask-not-bool"), f"`{ast.unparse(read.slice)}` picks positions")
    text = f"the type of `{ast.unparse(read.value)}` is not known"
    if not isinstance(base, Unknown):
        return Refusal(reason("dtype-unknown"), text)
    waits = base.parameter is not None and function.can_defer
    text = f"{text}: {base.because}"
    return Deferral(text) if waits else Refusal(reason("dtype-unknown"), text)


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def _sites(node: ast.expr, in_loop: bool, function: Function) -> Iterator[Site]:
    consumed = _consumed(node, function) if isinstance(node, ast.Call | ast.Attribute) else None
    if consumed is not None and isinstance(node, ast.Call | ast.Attribute):
        read, form = consumed
        yield Site(read, node, form, in_loop)
        return
    if isinstance(node, ast.Subscript) and _escapes(node, function):
        yield Site(node, None, "", in_loop)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _sites(child, in_loop, function)


def _consumed(node: ast.Call | ast.Attribute, function: Function) -> tuple[ast.Subscript, str] | None:
    """The masked read that a reduction consumes, and the reduction's name."""
    name, operand = _operation(node, function)
    name = _ALIASES.get(name, name)
    if name not in _FORMS or not isinstance(operand, ast.Subscript):
        return None
    if (name == "size") is not isinstance(node, ast.Attribute):
        return None
    return (operand, name) if _is_masked_read(operand, function) else None


def _operation(node: ast.Call | ast.Attribute, function: Function) -> tuple[str, ast.expr | None]:
    """The name and the operand of ``x.size``, ``x.sum()`` or ``np.sum(x)``; no name for other calls."""
    if isinstance(node, ast.Attribute):
        return node.attr, node.value
    dotted = function.dotted(node.func)
    if dotted is None and isinstance(node.func, ast.Attribute):
        return node.func.attr, node.func.value
    if dotted is not None and dotted.startswith("numpy.") and node.args:
        return dotted.removeprefix("numpy."), node.args[0]
    return "", None


def _escapes(node: ast.Subscript, function: Function) -> bool:
    """Whether a node is a masked read that neither a reduction nor a masked store takes."""
    masked = node in function.facts.expressions.masked
    return masked and isinstance(node.ctx, ast.Load) and not _in_masked_store(node, function)


def _is_masked_read(node: ast.Subscript, function: Function) -> bool:
    if node in function.facts.expressions.masked:
        return True
    if isinstance(node.slice, ast.Slice):
        return False
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    known = [function.facts.value(each) for each in indices if not isinstance(each, ast.Slice)]
    if any(isinstance(each, Array) for each in known):
        return True
    base, index = function.facts.value(node.value), function.facts.value(node.slice)
    return isinstance(base, Unknown) and isinstance(index, Unknown) and index.comparison


def _extra_arguments(call: ast.Call) -> bool:
    method = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Subscript)
    return len(call.args) > (0 if method else 1)


def _in_masked_store(read: ast.Subscript, function: Function) -> bool:
    """Whether a masked store of the same mask takes the read: NPR101 reports the store."""
    masked = function.facts.expressions.masked
    key = masked[read].key
    stores = [each for each in masked if isinstance(each.ctx, ast.Store) and masked[each].key == key]
    return any(each.lineno <= read.lineno <= (each.end_lineno or each.lineno) for each in stores)
