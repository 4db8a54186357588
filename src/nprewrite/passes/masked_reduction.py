"""A reduction over the selected elements as a reduction over the whole array.

Why: ``x[m]`` has as many elements as the mask selects, and torch.compile has no static shape for it.

    x[m].sum()     ->  np.where(m, x, 0).sum()
    x[m].mean()    ->  npr.masked_mean(x, m)
    x[m].min()     ->  npr.masked_min(x, m)
    x[m].size      ->  int(np.count_nonzero(m))

In a step a mean is np.where(m, x, 0).sum() / np.sum(m), whose count stays an array.

Not ``(x * m).sum()``, because ``inf * 0`` is nan.

Safety: rounding (floating-point sums are added in another order). An empty selection gives 0, nan, False,
True or raises, as NumPy's does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nprewrite.analysis.lanewise import expression_problem
from nprewrite.analysis.mask_syntax import maybe_mask
from nprewrite.analysis.stores import masked_target
from nprewrite.base.syntax import children, items_of
from nprewrite.numpy_api.functions import array_function
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import declared, refused
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS
from nprewrite.source.edits import Replace
from nprewrite.source.names import own_expressions
from nprewrite.source.nodes import expression
from nprewrite.types.expressions import MaskedAccess
from nprewrite.types.values import Array, Shape, Unknown

_SIZE = "int({np}.count_nonzero({m}))"


@dataclass(frozen=True)
class Site:
    """A masked read, the reduction around it (None: it escapes), and whether a loop is around both.

    ``form`` is the text of the whole-array form.
    """

    read: ast.Subscript
    whole: ast.Call | ast.Attribute | None
    form: str
    in_loop: bool


class MaskedReduction(RewritePass[Site, None]):
    """NPR102."""

    code = "NPR102"
    name = "masked-reduction"
    summary = "a reduction over selected elements becomes one over the whole array"
    level = Level.ROUNDING

    def match(self, function: Function) -> Iterator[Site]:
        """Masked reads outside masked stores; in a step only reductions that never raise."""
        for statement in function.statements():
            in_loop = bool(function.loops_around(statement))
            stored = masked_target(statement, function)
            found = (
                site
                for expression in own_expressions(statement)
                for site in _sites(expression, in_loop, function)
                if site.whole is not None or stored is None or not _is_of(stored, site.read, function)
            )
            yield from (site for site in found if function.step is None or site.form)

    def node(self, site: Site) -> ast.expr:
        """The reduction, or the read."""
        return site.whole or site.read

    def check(self, site: Site, function: Function) -> Refusal | Deferral | None:
        """The shapes fit, the read is only an operand of the reduction, and its operands are plain."""
        access = function.facts.expressions.masked.get(site.read)
        if access is None:
            return _not_a_mask(site, function)
        if site.in_loop:
            return Refusal("loop-not-extracted", "the loop around it is not rewritten")
        if site.whole is None:
            text = f"the size of `{ast.unparse(site.read)}` depends on the data"
            return Refusal("selection-escapes", text)
        unclear = function.names.unclear_numpy(function.node)
        if unclear is not None:
            return Refusal("name-unclear", f"`{unclear}` may not be NumPy here")
        if isinstance(site.whole, ast.Call) and (site.whole.keywords or _extra_arguments(site.whole)):
            return Refusal("reduction-argument", "the reduction has arguments")
        problems = (expression_problem(each, function, None) for each in (site.read.value, site.read.slice))
        problem = next((each for each in problems if each is not None), None)
        if problem is not None:
            return refused(declared(problem, self.code, "unknown-call"))
        base = site.read.value
        if not isinstance(base, ast.Name) or not function.is_local(base.id):
            return Refusal("not-local", f"`{ast.unparse(base)}` is not local to the function")
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
        made = expression(
            site.form,
            np=numpy,
            npr=runtime,
            m=document.expression(site.read.slice),
            x=document.expression(site.read.value),
            dtype=dtype,
            cast=cast,
        )
        edit = Replace(self.node(site), (made,))
        imports = (RUNTIME,) if "{npr}" in site.form else ()
        return Change((edit,), message="reduced over the whole array", imports=imports)


def _unequal(read: ast.Subscript, access: MaskedAccess) -> Refusal | None:
    """Why the array and its mask are not known to be plain arrays of the same shape."""
    if access.array.assumed or access.mask.assumed:
        return Refusal("not-plain-array", "the array or its mask may be of a subclass of ndarray")
    shape, mask_shape = access.array.shape, access.mask.shape
    if shape is not None and shape == mask_shape:
        return None
    if _is_numeric(shape) and _is_numeric(mask_shape):
        return Refusal("shape-mismatch", f"a mask of shape {mask_shape} on an array of shape {shape}")
    text = f"the shapes in `{ast.unparse(read)}` are not known to be equal"
    return Refusal("shape-unknown", text)


def _is_numeric(shape: Shape | None) -> bool:
    return isinstance(shape, tuple) and all(isinstance(axis, int) for axis in shape)


def _not_a_mask(site: Site, function: Function) -> Refusal | Deferral:
    """Why an index that looks like a mask is not one, or is not known to be one."""
    read, text, mask = site.read, ast.unparse(site.read), ast.unparse(site.read.slice)
    base, index = function.facts.value(read.value), function.facts.value(read.slice)
    if isinstance(read.slice, ast.Tuple):
        return Refusal("second-index", f"`{text}` is indexed by more than a mask")
    unknown = base if isinstance(base, Unknown) else index
    if not isinstance(unknown, Unknown):
        return Refusal("mask-not-bool", f"`{mask}` picks positions")
    if site.whole is None and not site.in_loop:
        words = f"`{mask}` may be a mask: the size of `{text}` would depend on the data"
        return Refusal("selection-escapes", words)
    what = f"`{mask}` may be a mask"
    if unknown is base:
        what = f"the type of `{ast.unparse(read.value)}` is not known"
    message = f"{what}: {unknown.because}"
    waits = unknown.parameter is not None and function.can_defer
    return Deferral(message) if waits else Refusal("dtype-unknown", message)


def _sites(node: ast.expr, in_loop: bool, function: Function) -> Iterator[Site]:
    consumed = _consumed(node, function) if isinstance(node, ast.Call | ast.Attribute) else None
    if consumed is not None and isinstance(node, ast.Call | ast.Attribute):
        read, form = consumed
        yield Site(read, node, form, in_loop)
        return
    seen = node if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) else None
    if seen is not None and (seen in function.facts.expressions.masked or maybe_mask(seen, function)):
        yield Site(seen, None, "", in_loop)
    for child in children(node):
        inner = child.value if isinstance(child, ast.keyword) else child
        if isinstance(inner, ast.expr):
            yield from _sites(inner, in_loop, function)


def _consumed(node: ast.Call | ast.Attribute, function: Function) -> tuple[ast.Subscript, str] | None:
    """The masked read that a reduction consumes, and the whole-array form of the reduction."""
    name, operand = _operation(node, function)
    form = _form(node, name, in_step=function.step is not None)
    if not form or not isinstance(operand, ast.Subscript) or not _is_masked_read(operand, function):
        return None
    return operand, form


def _form(node: ast.Call | ast.Attribute, name: str, *, in_step: bool) -> str:
    """The whole-array form of a reduction of selected elements; empty where there is none."""
    if isinstance(node, ast.Attribute):
        # In a step int(...) would end the graph.
        return _SIZE if name == "size" and not in_step else ""
    line = array_function(name)
    if line is None:
        return ""
    return line.masked_in_step if in_step else line.masked


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


def _is_masked_read(node: ast.Subscript, function: Function) -> bool:
    if node in function.facts.expressions.masked:
        return True
    if isinstance(node.slice, ast.Slice):
        return False
    indices = items_of(node)
    known = [function.facts.value(each) for each in indices if not isinstance(each, ast.Slice)]
    return any(isinstance(each, Array) for each in known) or maybe_mask(node, function)


def _extra_arguments(call: ast.Call) -> bool:
    method = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Subscript)
    return len(call.args) > (0 if method else 1)


def _is_of(stored: ast.Subscript, read: ast.Subscript, function: Function) -> bool:
    """Whether a store reads by its own mask, which NPR101 reports."""
    masked = function.facts.expressions.masked
    if stored in masked and read in masked:
        return masked[stored].key == masked[read].key
    return ast.unparse(stored.slice) == ast.unparse(read.slice)
