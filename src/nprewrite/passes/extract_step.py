"""The body of a loop of array operations as a step function over explicit state.

Why: torch.compile unrolls a loop that it meets inside a function; a step of its own is compiled once.

The loop stays where it is, with its body as written, and runs through the step:

    for n in _mandelbrot_step.over(range(maxiter), horizon=horizon, C=C, N=N, Z=Z):

Safety: the step sees private copies; the user's arrays are stored into when the loop has ended, and when
a guard (types, shapes, shared memory, ``np.geterr()``) refuses, the body as written runs instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nprewrite.facts.attributes import awaited_object
from nprewrite.facts.function import Function
from nprewrite.facts.kept_views import kept_views
from nprewrite.facts.liveness import live_after, surely_set
from nprewrite.facts.loop_body import LoopBody, awaited_function, called_body
from nprewrite.facts.loops import Flow, follow
from nprewrite.facts.problems import Problem
from nprewrite.facts.rotation import rotation
from nprewrite.facts.rounding import rounds
from nprewrite.facts.sharing import escaping_problem, sharing_problem
from nprewrite.facts.step_names import dynamic_call, foreign_name, hidden_global
from nprewrite.facts.values import Array, Unknown, Value
from nprewrite.passes.contract import AddedStep, Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.reasons import reason, reasons
from nprewrite.passes.step_spec import scalar_parts, step_spec
from nprewrite.passes.step_text import Leaf, loop_header, step_lines, store_results
from nprewrite.syntax.document import Edit

_OF_THE_LOOP = {"nested-loop", "aliased-arrays", "not-a-range", "while-loop"}
"""Reasons that are reported at the loop; the others at their statement."""


@dataclass(frozen=True)
class Site:
    """A loop and the statements around it."""

    loop: ast.For | ast.While
    outer: tuple[ast.stmt, ...]


@dataclass(frozen=True)
class Proof:
    """Everything the step's text needs."""

    loop: ast.For
    target: str
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
    refuses = reasons("NPR401")
    extracts = True
    names_attributes = True
    waits = True

    def match(self, function: Function) -> Iterator[Site]:
        """Loops whose body computes with arrays."""
        if function.step is not None:
            return
        for statement, outer in function.statements():
            if isinstance(statement, ast.For | ast.While) and _computes_arrays(statement, function):
                yield Site(statement, outer)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where the step's contiguous copies give other last bits than the user's arrays."""
        called = called_body(site.loop, function) if isinstance(site.loop, ast.For) else None
        view = called.view if called is not None else function
        statements = called.statements if called is not None else site.loop.body
        return Level.ROUNDING if any(rounds(each, view) for each in statements) else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> Proof | Refusal | Deferral:
        """Follow what the loop carries; the first statement that is not followed is the reason."""
        counted = _counted(site.loop, function)
        if isinstance(counted, Problem):
            return _refused(counted, function)
        loop, target = counted
        awaited = awaited_function(loop, function)
        if awaited is not None and function.can_defer:
            return Deferral(f"what the parameter `{awaited}` is, is known at a call only")
        before = function.facts.before.get(loop, {})
        owner = awaited_object(loop, function.facts.expressions.values, before)
        if owner is not None and function.can_defer:
            return Deferral(f"what the attributes of `{owner}` are, is known at a call only")
        views = kept_views(loop.body, loop, site.outer, function)
        rotates = rotation(loop.body, function)
        statements = loop.body[:-1] if rotates and len(loop.body) > 1 else loop.body
        own = LoopBody(function, statements, target, views=views, loop=loop, rotates=rotates)
        body = called_body(loop, function) or own
        flow = follow(body)
        if isinstance(flow, Problem):
            return _refused(flow, function)
        bound = dict.fromkeys([*flow.rebound, *flow.scalars])
        kept = {name for name, _ in body.views}
        live = [name for name in bound if name not in kept and _is_live(name, body, site, function)]
        problem = sharing_problem(flow, live) or _nothing_carried(flow, loop)
        problem = problem or escaping_problem(live, flow, loop)
        problem = problem or foreign_name(flow) or hidden_global(flow, function)
        leaves = problem or scalar_parts(flow)
        if isinstance(leaves, Problem):
            return _refused(leaves, function)
        passed = [*flow.read, *(leaf.text for leaf in leaves if leaf.constant)]
        unset = next((each for each in passed if not surely_set(each, loop, site.outer, function)), None)
        if body.passed is None and unset is not None:
            text = f"`{unset}` is not set on every path to the loop"
            return Refusal(reason("dtype-unknown"), text)
        out = tuple(name for name in live if name not in flow.carried)
        counter_live = live_after(target, loop, site.outer, function)
        base = "module" if isinstance(function.node, ast.Module) else function.node.name
        return Proof(loop, target, body, flow, leaves, out, counter_live, f"_{base.strip('_')}_step")

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The step's text, the loop's new header, and the names bound anew after the loop."""
        loop = proof.loop
        name = function.names.fresh(proof.name)
        spec = step_spec(proof.flow, proof.leaves, proof.out)
        document = function.document
        iterable, indent = document.segment(loop.iter), document.indentation(loop)
        header = loop_header(name, iterable, proof.target, indent, spec, proof.leaves, proof.body)
        names = [
            proof.body.returned.get(each) or proof.body.spelling.get(each, each)
            for each in (*spec.carried, *spec.out, *spec.rotates)
        ]
        counter = proof.target if proof.counter_live else None
        start, end = document.span(loop.iter)
        edits = [Edit(start, end, header)]
        if names or counter:
            loop_name = function.names.fresh("loop")
            edits = [Edit(start, end, f"({loop_name} := {header})")]
            edits.append(store_results(loop, loop_name, names, counter, document))
        where = "the module" if function.name == "<module>" else f"`{function.name}`"
        what = f"One iteration of the loop over `{proof.target}` in {where}."
        lines, copied, shift = step_lines(proof.body, proof.leaves, spec, what)
        before = function.top_level_statement() or (*site.outer, loop)[0]
        step = AddedStep(name, spec, lines, copied, shift, before, loop)
        return Change(tuple(edits), step, message=f"the loop runs through `{name}`")


def _computes_arrays(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the loop's statements compute with arrays, or with parameters that may be arrays."""
    before = function.facts.before.get(loop, {})
    return any(_shows_arrays(node, before, function) for node in ast.walk(loop))


def _shows_arrays(node: ast.AST, before: Mapping[str, Value], function: Function) -> bool:
    values = function.facts.expressions.values
    match node:
        case ast.Name():
            return any(_is_array(value) for value in (values.get(node), before.get(node.id)))
        case ast.Call():
            return (function.dotted(node.func) or "").startswith("numpy.")
        case ast.Subscript(value=ast.Attribute(), ctx=ast.Store()) if _is_array_index(node.slice):
            return True
        case ast.Subscript():
            return _maybe_mask(node.slice, function)
        case ast.BinOp() | ast.AugAssign() if function.name == function.module.jitted:
            inner = [values.get(each) for each in ast.walk(node) if isinstance(each, ast.expr)]
            return any(isinstance(value, Unknown) and value.parameter for value in inner)
    return False


def _is_array(value: Value | None) -> bool:
    return isinstance(value, Array) or (isinstance(value, Unknown) and value.array)


def _maybe_mask(node: ast.expr, function: Function) -> bool:
    value = function.facts.expressions.values.get(node)
    return isinstance(value, Unknown) and value.comparison


def _is_array_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.Tuple | ast.Compare) or (
        isinstance(node, ast.Constant) and node.value is Ellipsis
    )


def _counted(loop: ast.For | ast.While, function: Function) -> tuple[ast.For, str] | Problem:
    """The loop and the name of its variable, when it is a plain loop over a range."""
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` is not NumPy everywhere", loop)
    if isinstance(loop, ast.While):
        return Problem("while-loop", "the number of trips depends on what the loop computes", loop)
    if loop.orelse:
        return Problem("loop-control", "`else` of the loop", loop)
    if not _is_range(loop.iter, function):
        return Problem("not-a-range", f"the loop runs over `{ast.unparse(loop.iter)}`", loop)
    if not isinstance(loop.target, ast.Name):
        return Problem("loop-variable-rebound", "the loop variable is no plain name", loop)
    dynamic = dynamic_call(function)
    if dynamic is not None:
        return Problem("dynamic-scope", f"`{ast.unparse(dynamic.func)}()` sees every name", loop)
    return loop, loop.target.id


def _is_range(node: ast.expr, function: Function) -> bool:
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    return not starred and function.dotted(node.func) == "builtins.range"


def _is_live(name: str, body: LoopBody, site: Site, function: Function) -> bool:
    """Whether a name of the iteration may be read after the loop; of a called function, what it returns."""
    if body.passed is not None:
        return name in body.returned
    return live_after(name, site.loop, site.outer, function)


def _nothing_carried(flow: Flow, loop: ast.For) -> Problem | None:
    if flow.state or flow.carried:
        return None
    text = "the loop carries no array from one iteration to the next"
    return Problem("not-array-code", text, (flow.body.statements or [loop])[0])


def _refused(problem: Problem, function: Function) -> Refusal | Deferral:
    if problem.parameter is not None and function.can_defer:
        return Deferral(problem.message)
    at = None if problem.code in _OF_THE_LOOP else problem.node
    return Refusal(reason(problem.code), problem.message, at)
