"""A function of numbers with branches, called through np.vectorize, as array code with selects.

Why: np.vectorize calls the function once for every element; array code computes all elements at once.

    @np.vectorize                          def _ramp_lanes(x):
    def ramp(x):                               raises = np.any((x > 1) & (x == 2))
        if x > 1:                    ->        return np.where(x > 1, 1 / (x - 2), x), raises
            return 1 / (x - 2)
        return x                           npr.vectorized(ramp, _ramp_lanes)(X)

Safety: exact, or rounding where the function computes powers, exponentials and the like. The dtype of the
result comes from the first elements, as in np.vectorize. Where an element would raise, and for arguments for
which the array code is not made, np.vectorize's own function runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nprewrite.emit.branches.if_conversion import ArrayForm, array_form
from nprewrite.emit.branches.values import Kinds, free_name
from nprewrite.emit.branches.vectorized_calls import VectorizedCall, vectorized_calls
from nprewrite.emit.steps.text import tuple_text
from nprewrite.passes.contract import AddedFunction, Change, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function
from nprewrite.program.steps import RUNTIME, RUNTIME_ALIAS, Box, StepSpec
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import expression, statements
from nprewrite.types.problems import Problem

_USUAL_BITS = 31


@dataclass(frozen=True)
class Site:
    """A call, the name of the step for all calls of its function, and the first statement with one of them.

    ``adds`` is set for the call with which the step is added.
    """

    call: VectorizedCall
    step: str
    before: ast.stmt
    adds: bool


class Branchless(RewritePass[Site, ArrayForm]):
    """NPR301."""

    code = "NPR301"
    name = "branchless"
    summary = "a function of numbers, called through np.vectorize, becomes array code with selects"
    level = Level.EXACT

    def match(self, function: Function) -> Iterator[Site]:
        """All calls of the module at once, so that those of one function share a step."""
        module = function.module
        if function.name != (module.jitted or "<module>"):
            return
        calls = [*vectorized_calls(module)]
        steps: dict[int, tuple[str, ast.stmt]] = {}
        for call in sorted(calls, key=lambda call: call.top.lineno):
            key = id(call.made.scalar)
            adds = key not in steps
            if adds:
                steps[key] = function.names.fresh(f"_{call.made.name.strip('_')}_lanes"), call.top
            yield Site(call, *steps[key], adds=adds)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where NumPy rounds differently from Python."""
        form = _form(site, function)
        return Level.ROUNDING if isinstance(form, ArrayForm) and not form.exact else Level.EXACT

    def node(self, site: Site) -> ast.expr:
        return site.call.call

    def check(self, site: Site, function: Function) -> ArrayForm | Refusal:
        """The function has an array form; what only a call can tell is guarded at run time."""
        form = _form(site, function)
        if isinstance(form, ArrayForm):
            return form
        return Refusal(form.code, f"`{site.call.made.name}`: {form.message}")

    def rewrite(self, site: Site, proof: ArrayForm, function: Function) -> Change:
        """The called expression wrapped with its array form, which is added before the first call."""
        document, names = function.document, function.names
        runtime = names.alias_of(RUNTIME) or names.free(RUNTIME_ALIAS)
        called = document.expression(site.call.call.func)
        limits = f", bits={proof.bits}" if proof.bits != _USUAL_BITS else ""
        limits += ", bools=False" if proof.bits and not proof.bools else ""
        made = expression(f"{runtime}.vectorized({{called}}, {site.step}{limits})", called=called)
        edit = Replace(site.call.call.func, (made,))
        step = _step(site, proof) if site.adds else None
        return Change(
            (edit,), step, message=f"computed for all elements by `{site.step}`", imports=(RUNTIME,)
        )


def _form(site: Site, function: Function) -> ArrayForm | Problem:
    made, call = site.call.made, site.call.call
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` may not be NumPy here", call)
    if made.maker != "numpy.vectorize":
        return Problem("dtype-unsupported", "np.frompyfunc gives arrays of objects", call)
    if made.scalar is None:
        return Problem("unknown-call", "it is not a function that the module defines exactly once", call)
    around = tuple(each for each in made.around if not isinstance(each, ast.Module))
    return array_form(made.scalar, function.names, around, function.names.numpy_name(function.document.tree))


def _step(site: Site, form: ArrayForm) -> AddedFunction:
    """The step function, which returns the results and whether an element would raise."""
    several = len(form.results) > 1
    stems = [f"result_{number + 1}" if several else "result" for number in range(len(form.results))]
    taken = {*form.parameters, *form.free, *(name for name, _ in form.assignments)}
    names = [free_name(stem, taken) for stem in stems]
    out = {name: Box(_dtype(kinds)) for name, kinds in zip(names, form.kinds, strict=True)}
    lines = [f"{name} = {ast.unparse(node)}" for name, node in form.assignments]
    values = [ast.unparse(each) for each in form.results]
    if form.raises:
        raises = free_name("raises", taken)
        first, *others = [ast.unparse(each) for each in form.raises]
        lines += [f"{raises} = {first}", *(f"{raises} = {raises} | {each}" for each in others)]
        values.append(raises)
        out[raises] = Box("bool")
    numbers = {name: Box("float64") for name in form.free}
    spec = StepSpec(
        constants=numbers, inputs={name: Box("float64") for name in form.parameters}, out=out, once=True
    )
    docstring = f'"""`{site.call.made.name}` for all elements at once."""'
    returned = ", ".join(values) if len(values) > 1 else tuple_text(values)
    body = [docstring, *lines, f"return {returned}"]
    made = statements("\n".join(body))
    return AddedFunction(site.step, spec, spec.signature(), made, site.before, site.call.statement)


def _dtype(kinds: Kinds) -> str:
    """The dtype of an array that holds Python numbers of these types, for arguments of float64."""
    if "float" in kinds:
        return "float64"
    return "int64" if "int" in kinds else "bool"
