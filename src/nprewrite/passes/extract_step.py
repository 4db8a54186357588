"""The body of a loop of array operations as a step function over explicit state.

Why: torch.compile unrolls a loop that it meets inside a function; a step of its own is compiled once.

The loop stays where it is, with its body as written, and runs through the step:

    for n in _mandelbrot_step.over(range(maxiter), horizon=horizon, C=C, N=N, Z=Z):

Safety: the step sees private copies; the user's arrays are stored into when the loop has ended, and when
a guard (types, shapes, shared memory, ``np.geterr()``) refuses, the body as written runs instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nprewrite.facts.function import Definition, Function
from nprewrite.facts.lanes import Problem
from nprewrite.facts.liveness import live_after
from nprewrite.facts.loops import Flow, LoopBody, called_body, follow, foreign_name, hidden_global
from nprewrite.facts.steps import Box, StepSpec
from nprewrite.facts.values import Array, Scalar, Unknown
from nprewrite.passes.contract import AddedStep, Change, Deferral, Level, Reason, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.passes.step_text import Leaf, loop_header, step_lines, store_results
from nprewrite.syntax.document import Edit

_OF_THE_LOOP = {"nested-loop", "aliased-arrays", "not-a-range", "while-loop"}
"""Reasons that are reported at the loop; the others at their statement."""

_DYNAMIC = {
    "builtins.locals",
    "builtins.vars",
    "builtins.globals",
    "builtins.exec",
    "builtins.eval",
    "builtins.dir",
}


@dataclass(frozen=True)
class Site:
    """A loop and the statements around it."""

    loop: ast.For | ast.While
    outer: tuple[ast.stmt, ...]


@dataclass(frozen=True)
class Proof:
    """Everything the step's text needs."""

    body: LoopBody
    flow: Flow
    leaves: tuple[Leaf, ...]
    out: tuple[str, ...]
    counter_live: bool
    name: str


@dataclass(frozen=True)
class ExtractStep(RewritePass[Site, Proof]):
    """NPR401."""

    code = "NPR401"
    name = "extract-step"
    summary = "the body of a loop of array operations becomes a step function"
    level = Level.EXACT
    refuses: tuple[Reason, ...] = reasons("NPR401")  # type: ignore[misc]

    def match(self, function: Function) -> Iterator[Site]:
        """Loops whose body computes with arrays."""
        if function.step is not None:
            return
        for statement, outer in function.statements():
            if isinstance(statement, ast.For | ast.While) and _computes_arrays(statement, function):
                yield Site(statement, outer)

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> Proof | Refusal | Deferral:
        """Follow what the loop carries; the first statement that is not lanewise is the reason."""
        problem = _loop_problem(site, function)
        if problem is not None:
            return _refused(problem, function)
        assert isinstance(site.loop, ast.For)
        assert isinstance(site.loop.target, ast.Name)
        own = LoopBody(function, site.loop.body, site.loop.target.id)
        body = called_body(site.loop, function) or own
        flow = follow(body)
        if isinstance(flow, Problem):
            return _refused(flow, function)
        return self._proved(site, body, flow, function)

    def _proved(
        self, site: Site, body: LoopBody, flow: Flow, function: Function
    ) -> Proof | Refusal | Deferral:
        live = [
            name
            for name in dict.fromkeys([*flow.rebound, *flow.scalars])
            if body.passed is None and live_after(name, site.loop, site.outer, function)
        ]
        problem = _escaping_problem(live, flow, site) or foreign_name(flow) or hidden_global(flow, function)
        if problem is not None:
            return _refused(problem, function)
        out = tuple(name for name in live if name not in flow.carried)
        leaves = _boxed(flow, body)
        if isinstance(leaves, Problem):
            return _refused(leaves, function)
        assert isinstance(site.loop, ast.For)
        counter_live = live_after(ast.unparse(site.loop.target), site.loop, site.outer, function)
        base = "module" if isinstance(function.node, ast.Module) else function.node.name
        return Proof(body, flow, leaves, out, counter_live, f"_{base.strip('_')}_step")

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The step's text, the loop's new header, and the names bound anew after the loop."""
        assert isinstance(site.loop, ast.For)
        name = function.names.fresh(proof.name)
        spec = _spec(proof)
        header = loop_header(site.loop, name, spec, proof.leaves, proof.body, function)
        rebound = [*spec.carried, *spec.out]
        names = [proof.body.returned.get(each, each) for each in rebound]
        counter = ast.unparse(site.loop.target) if proof.counter_live else None
        start, end = function.document.span(site.loop.iter)
        edits = [Edit(start, end, header)]
        if names or counter:
            loop_name = function.names.fresh("loop")
            edits = [Edit(start, end, f"({loop_name} := {header})")]
            edits.append(store_results(site.loop, loop_name, names, counter, function.document))
        lines, copied, shift = step_lines(
            proof.body, proof.leaves, spec, ast.unparse(site.loop.target), function.name
        )
        top = function.top_level_statement()
        before = top or _top_level(site)
        step = AddedStep(name, spec, lines, copied, shift, before, site.loop)
        return Change(tuple(edits), step, message=f"the loop runs through `{name}`")


def _top_level(site: Site) -> ast.stmt:
    return site.outer[0] if site.outer else site.loop


def _computes_arrays(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the loop's statements compute with arrays, or with parameters that may be arrays."""
    values, before = function.facts.expressions.values, function.facts.before.get(loop, {})
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and (
            isinstance(values.get(node), Array) or isinstance(before.get(node.id), Array)
        ):
            return True
        if isinstance(node, ast.Call) and (function.dotted(node.func) or "").startswith("numpy."):
            return True
        if isinstance(node, ast.Subscript) and _maybe_mask(node.slice, function):
            return True
        if isinstance(node, ast.BinOp | ast.AugAssign) and function.name == function.module.jitted:
            waits = [values.get(each) for each in ast.walk(node) if isinstance(each, ast.expr)]
            if any(isinstance(value, Unknown) and value.parameter for value in waits):
                return True
        stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        if stored and isinstance(node.value, ast.Attribute) and _is_array_index(node.slice):  # type: ignore[attr-defined]
            return True
    return False


def _maybe_mask(node: ast.expr, function: Function) -> bool:
    value = function.facts.expressions.values.get(node)
    return isinstance(value, Unknown) and value.comparison


def _is_array_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.Tuple | ast.Compare) or (
        isinstance(node, ast.Constant) and node.value is Ellipsis
    )


def _loop_problem(site: Site, function: Function) -> Problem | None:
    loop = site.loop
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem(
            "name-unclear", f"`{unclear}` is not NumPy everywhere", loop
        )
    if isinstance(loop, ast.While):
        return Problem("while-loop", "the number of trips depends on what the loop computes", loop)
    if loop.orelse:
        return Problem("loop-control", "`else` of the loop", loop)
    if not _is_range(loop.iter, function):
        return Problem("not-a-range", f"the loop runs over `{ast.unparse(loop.iter)}`", loop)
    if not isinstance(loop.target, ast.Name):
        return Problem("loop-variable-rebound", "the loop variable is no plain name", loop)
    if isinstance(function.node, Definition):
        for node in ast.walk(function.node):
            if isinstance(node, ast.Call) and function.dotted(node.func) in _DYNAMIC:
                return Problem("dynamic-scope", f"`{ast.unparse(node.func)}()` sees every name", loop)
    return None


def _is_range(node: ast.expr, function: Function) -> bool:
    plain = isinstance(node, ast.Call) and not node.keywords
    if not plain or any(isinstance(each, ast.Starred) for each in node.args):  # type: ignore[attr-defined]
        return False
    return function.dotted(node.func) == "builtins.range"  # type: ignore[attr-defined]


def _escaping_problem(live: list[str], flow: Flow, site: Site) -> Problem | None:
    """What is wrong with the names that are used after the loop."""
    mixed = next((name for name in flow.dtypes if not _one_dtype(name, flow)), None)
    if mixed is not None:
        return Problem("dtype-changes", f"`{mixed}` has several dtypes", site.loop)
    selected = {name for name in {*live, *flow.carried} if _is_selection(name, flow)}
    aliases = {alias for alias, _, _ in flow.aliases}
    for name in live:
        if name in flow.scalars:
            return Problem("scalar-carried", f"`{name}` is used after the loop", site.loop)
        if name in selected:
            return Problem("not-lanewise", f"`{name}` holds the selected elements only", site.loop)
        if name in aliases and name not in flow.carried:
            text = f"`{name}` is used after the loop and is the memory of another array"
            return Problem("aliased-arrays", text, site.loop)
    return None


def _is_selection(name: str, flow: Flow) -> bool:
    values = flow.body.view.facts.expressions.values
    names = [node for each in flow.body.statements for node in ast.walk(each) if isinstance(node, ast.Name)]
    found = [values.get(node) for node in names if node.id == name]
    return any(isinstance(value, Array) and value.under is not None for value in found)


def _one_dtype(name: str, flow: Flow) -> bool:
    """Whether the name has the same dtype wherever the iteration reads or binds it."""
    values = flow.body.view.facts.expressions.values
    for statement in flow.body.statements:
        for node in ast.walk(statement):
            value = values.get(node) if isinstance(node, ast.Name) and node.id == name else None
            if isinstance(value, Array) and value.dtype != flow.dtypes[name]:
                return False
    return True


def _boxed(flow: Flow, body: LoopBody) -> tuple[Leaf, ...] | Problem:
    """A parameter for each scalar part and the dtype it is needed in."""
    found: dict[tuple[str, str], Leaf] = {}
    for node, dtype in flow.leaves:
        value = body.view.facts.value(node)
        assert isinstance(value, Scalar)
        if value.dtype is not None:
            text = f"`{ast.unparse(node)}` is a NumPy scalar, which promotes arrays; a Python number does not"
            return Problem("dtype-unsupported", text, node)
        text = _substituted(node, flow)
        key = (text, dtype.name)
        nodes = (*found[key].nodes, node) if key in found else (node,)
        found[key] = Leaf(text, dtype, nodes, isinstance(node, ast.Name) and node.id not in flow.scalars)
    return tuple(found.values())


def _substituted(node: ast.expr, flow: Flow) -> str:
    """The expression with the iteration's scalar names replaced by what they were bound to."""

    class Substitute(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            inner = flow.scalars.get(name.id)
            return self.visit(ast.parse(ast.unparse(inner), mode="eval").body) if inner is not None else name

    copied = ast.parse(ast.unparse(node), mode="eval").body
    return ast.unparse(Substitute().visit(copied))


def _spec(proof: Proof) -> StepSpec:
    flow, body = proof.flow, proof.body
    scalars, constants = {}, {}
    for name, leaf in _parameters(proof.leaves, body).items():
        group = constants if leaf.plain and leaf.text != body.counter else scalars
        group[name] = _box(leaf.dtype)
    arrays = {name: _box(flow.dtypes[name]) for name in flow.dtypes}
    changed = {*flow.state, *flow.carried}
    return StepSpec(
        counter=body.counter,
        scalars=scalars,
        constants=constants,
        inputs={name: arrays[name] for name in flow.read if name not in changed},
        state={name: arrays[name] for name in flow.state},
        carried={name: arrays[name] for name in flow.carried},
        out={name: arrays[name] for name in proof.out},
        lanewise=True,
    )


def _parameters(leaves: tuple[Leaf, ...], body: LoopBody) -> dict[str, Leaf]:
    """A name for each leaf: its own where it is a name used in one dtype."""
    texts = [leaf.text for leaf in leaves]
    named: dict[str, Leaf] = {}
    for leaf in leaves:
        own = leaf.plain and texts.count(leaf.text) == 1
        stem = leaf.text if leaf.plain else "scalar"
        name = leaf.text if own else body.view.names.fresh(f"{stem}_{leaf.dtype.name}")
        named[name] = leaf
        leaf.names.append(name)
    return named


def _box(dtype: np.dtype[np.generic]) -> Box:
    return Box(dtype.name)


def _refused(problem: Problem, function: Function) -> Refusal | Deferral:
    if problem.parameter is not None and function.can_defer:
        return Deferral(problem.message)
    return Refusal(
        reason(problem.code), problem.message, None if problem.code in _OF_THE_LOOP else problem.node
    )
