"""The body of a loop of array operations as a step function over explicit state.

Why: torch.compile unrolls a loop inside a function, but compiles a separate step only once.

The loop stays where it is, with its body as written, and runs through the step:

    for n in _mandelbrot_step.over(range(maxiter), horizon=horizon, C=C, N=N, Z=Z):

Safety: the step sees private copies, which are stored into the user's arrays when the loop has ended. Where a
guard (types, shapes, shared memory, ``np.geterr()``) refuses, the body as written runs instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nprewrite.analysis.liveness import live_after, surely_set
from nprewrite.analysis.mask_syntax import maybe_mask
from nprewrite.analysis.named_views import kept_views
from nprewrite.analysis.plain_calls import Simple, out_call
from nprewrite.analysis.rounding import rounds
from nprewrite.base.syntax import walk
from nprewrite.emit.steps.control_text import control_edits, control_function
from nprewrite.emit.steps.spec import scalar_parts, step_spec
from nprewrite.emit.steps.text import Leaf, loop_call, results_bound, step_body
from nprewrite.passes.contract import AddedFunction, Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import refused
from nprewrite.program.array_syntax import array_parameters, shows_arrays
from nprewrite.program.function import Function
from nprewrite.program.steps import StepSpec
from nprewrite.regions.array_loops.body import LoopBody, awaited_function, called_body, giving, rotation
from nprewrite.regions.array_loops.control import LoopControl, array_problem, loop_control, with_numbers
from nprewrite.regions.array_loops.leading_numbers import LeadingNumbers, leading_numbers
from nprewrite.regions.array_loops.loop import Flow, follow
from nprewrite.regions.array_loops.sharing import escaping_problem, handed_on, sharing_problem
from nprewrite.regions.array_loops.step_names import foreign_name, hidden_global, unclear_names
from nprewrite.source.edits import NodeEdit, Replace
from nprewrite.source.nodes import Statement, expression
from nprewrite.types.attributes import awaited_object
from nprewrite.types.problems import Problem, unset_problem
from nprewrite.types.values import Unknown, Value, may_be_array

_OF_THE_LOOP = {"nested-loop", "aliased-arrays", "not-a-range", "while-loop"}
"""Reasons that are reported at the loop; others are reported at their statement."""

_OF_NUMBERS = {"while-loop", "scalar-carried", "branch-in-body", "loop-control"}
"""Reasons that may no longer hold if a generator computes the loop's numbers."""

_OF_LEADING = {"scalar-carried", "dtype-changes", "unknown-call", "not-array-code", "dtype-unknown"}
"""Reasons that may no longer hold if each iteration gives the next one its first numbers."""


Loop = ast.For | ast.While


@dataclass(frozen=True)
class Proof:
    """Everything that the step's text needs."""

    loop: Loop
    body: LoopBody
    flow: Flow
    leaves: tuple[Leaf, ...]
    out: tuple[str, ...]
    counter_live: bool
    name: str
    renamed: Mapping[str, str]
    """Names that after the loop stand for the array of another."""


class ExtractStep(RewritePass[Loop, Proof]):
    """NPR401."""

    code = "NPR401"
    name = "extract-step"
    summary = "the body of a loop of array operations becomes a step function"
    level = Level.EXACT
    extracts = True
    names_attributes = True
    waits = True

    def match(self, function: Function) -> Iterator[Loop]:
        """Loops whose body computes with arrays."""
        if function.step is not None:
            return
        for statement in function.statements():
            if isinstance(statement, ast.For | ast.While) and _computes_arrays(statement, function):
                yield statement

    def level_of(self, site: Loop, function: Function) -> Level:
        """Rounding where contiguous copies give other last bits than the user's arrays."""
        called = called_body(site, function) if isinstance(site, ast.For) else None
        view = called.view if called is not None else function
        statements = called.statements if called is not None else site.body
        return Level.ROUNDING if any(rounds(each, view) for each in statements) else Level.EXACT

    def node(self, site: Loop) -> ast.stmt:
        """The loop."""
        return site

    def check(self, site: Loop, function: Function) -> Proof | Refusal | Deferral:
        """Follow what the loop carries; the first statement that is not followed is the reason."""
        result = self._counted(site, function)
        if isinstance(result, Problem) and result.code in _OF_NUMBERS:
            controlled = _controlled(site, function)
            if not isinstance(controlled, Problem) or isinstance(site, ast.While):
                result = controlled
        return _refused(result, site, function) if isinstance(result, Problem) else result

    def _counted(self, site: Loop, function: Function) -> Proof | Problem | Refusal | Deferral:
        """The proof for a loop over a range, all of whose statements go into a step."""
        counted = _counted(site, function)
        if isinstance(counted, Problem):
            return counted
        loop, target = counted
        awaited = awaited_function(loop, function)
        if awaited is not None and function.can_defer:
            return Deferral(f"the parameter `{awaited}` is only known at a call")
        body = called_body(loop, function) or _own_body(site, loop.body, function, target)
        return _proof(site, body, function)

    def rewrite(self, site: Loop, proof: Proof, function: Function) -> Change:
        """The step's text, the loop's new header, and the names bound after the loop."""
        loop, control = proof.loop, proof.body.control
        name = function.names.fresh(f"{proof.name}_step")
        spec = step_spec(proof.flow, proof.leaves, proof.out)
        where = "the module" if function.name == "<module>" else f"`{function.name}`"
        names = [
            proof.body.returned.get(each) or proof.body.spelling.get(each, each)
            for each in (*spec.carried, *spec.out, *spec.rotates)
        ]
        generator: tuple[Statement, ...] = ()
        if control is None:
            assert isinstance(loop, ast.For)
            edits = _header_edits(loop, name, names, spec, proof, function)
            what = f"One iteration of the loop over `{proof.body.counter}` in {where}."
        else:
            trips = function.names.fresh(f"{proof.name}_trips")
            edits = control_edits(proof.body, (name, trips), names, spec, proof.leaves)
            by_name = {leaf.names[-1]: leaf.text for leaf in proof.leaves}
            numbers = [by_name[each] for each in spec.scalars]
            generator = control_function(trips, control, numbers, where)
            what = f"One iteration of the loop in {where}."
        body = step_body(proof.flow, proof.leaves, spec, what)
        before = function.top_level_statement(loop)
        step = AddedFunction(name, spec, spec.signature(), body, before, loop, generator)
        return Change(tuple(edits), step, message=f"the loop runs through `{name}`")


def _header_edits(
    loop: ast.For, name: str, names: list[str], spec: StepSpec, proof: Proof, function: Function
) -> list[NodeEdit]:
    """``for n in (loop := _step.over(range(k), ...)):``, and the names bound after the loop."""
    iterable, target = function.document.expression(loop.iter), ast.unparse(loop.target)
    made = loop_call(name, iterable, target, spec, proof.leaves, proof.body, loop)
    counter = target if proof.counter_live else None
    if not names and counter is None:
        return [Replace(loop.iter, (made,))]
    loop_name = function.names.fresh("loop")
    named = expression("({loop} := {made})", loop=loop_name, made=made)
    return [Replace(loop.iter, (named,)), results_bound(loop, loop_name, names, counter, proof.renamed)]


def _own_body(
    loop: Loop,
    statements: Sequence[ast.stmt],
    function: Function,
    counter: str | None,
    control: LoopControl | None = None,
) -> LoopBody:
    """The loop's own statements, the last of which may swap buffers."""
    views = kept_views(loop.body, loop, function)
    rotates = rotation(statements, function)
    kept = [*statements[:-1]] if rotates and len(statements) > 1 else [*statements]
    return LoopBody(function, kept, counter, views=views, loop=loop, rotates=rotates, control=control)


def _controlled(loop: Loop, function: Function) -> Proof | Problem:
    """The proof for a loop whose numbers a generator computes, and whose other statements go into a step."""
    problem = unclear_names(loop, function)
    if problem is not None:
        return problem
    found = _with_control(loop, function)
    if not isinstance(found, Problem) or found.code not in _OF_LEADING:
        return found
    leading = leading_numbers(loop, function)
    ahead = _with_control(loop, leading.view, leading) if leading is not None else found
    return found if isinstance(ahead, Problem) else ahead


def _with_control(loop: Loop, function: Function, leading: LeadingNumbers | None = None) -> Proof | Problem:
    """The same with ``leading``, numbers that each iteration gives to the next one."""
    control = loop_control(loop, function, leading)
    if isinstance(control, Problem):
        return control
    own = _own_body(loop, control.arrays, function, None, control)
    body = own if leading is None else giving(own, leading)
    if isinstance(body, Problem):
        return body
    proof = _proof(loop, body, function)
    if isinstance(proof, Problem):
        return proof
    if proof.flow.scalars:
        name = next(iter(proof.flow.scalars))
        return Problem("scalar-carried", f"`{name}` is carried from one iteration to the next", loop)
    if (problem := array_problem(control, proof.flow.carried)) is not None:
        return problem
    if control.received and not proof.flow.whole:
        return Problem("not-array-code", "the numbers that decide come from single elements", loop)
    proof.flow.looked_up += control.looked_up
    leaves = [node for leaf in proof.leaves if not leaf.constant for node in leaf.nodes]
    control = with_numbers(control, leaves, function)
    if isinstance(control, Problem):
        return control
    return replace(proof, body=replace(body, control=control))


def _proof(loop: Loop, body: LoopBody, function: Function) -> Proof | Problem:
    """Follow what the statements of an iteration carry to the next one."""
    flow = follow(body)
    if isinstance(flow, Problem):
        return flow
    bound = dict.fromkeys([*flow.rebound, *flow.scalars])
    kept = {name for name, _ in body.views}
    received = body.control.received if body.control is not None else ()
    live = [
        name
        for name in bound
        if name not in kept and (name in received or _is_live(name, body, loop, function))
    ]
    given = handed_on(flow) if body.control is None and body.passed is None else {}
    renamed = {name: alias for name, alias in given.items() if name in live}
    live = [name for name in live if name not in renamed]
    problem = sharing_problem(flow, live) or _nothing_carried(flow, loop)
    problem = problem or escaping_problem(live, flow, loop)
    problem = problem or foreign_name(flow) or hidden_global(flow, function)
    leaves = problem or scalar_parts(flow)
    if isinstance(leaves, Problem):
        return leaves
    passed = [*flow.read, *flow.sizes, *(leaf.text for leaf in leaves if leaf.constant)]
    unset = next((each for each in passed if not surely_set(each, loop, function)), None)
    if body.passed is None and unset is not None:
        return unset_problem(unset, loop)
    out = tuple(name for name in live if name not in flow.carried)
    counter_live = body.counter is not None and live_after(
        ast.unparse(loop.target) if isinstance(loop, ast.For) else body.counter, loop, function
    )
    base = "module" if isinstance(function.node, ast.Module) else function.node.name
    return Proof(loop, body, flow, leaves, out, counter_live, f"_{base.strip('_')}", renamed)


def _computes_arrays(loop: ast.For | ast.While, function: Function) -> bool:
    """Whether the loop's statements compute with arrays, or with parameters that may be arrays."""
    before = function.facts.before(loop)
    known = array_parameters(function)
    return any(_is_of_arrays(node, before, function) or shows_arrays(node, known) for node in walk(loop))


def _is_of_arrays(node: ast.AST, before: Mapping[str, Value], function: Function) -> bool:
    values = function.facts.expressions.values
    match node:
        case ast.Name():
            return any(may_be_array(value) for value in (values.get(node), before.get(node.id)))
        case ast.Call():
            return (function.dotted(node.func) or "").startswith("numpy.")
        case ast.Subscript(value=ast.Attribute(), ctx=ast.Store()) if _is_array_index(node.slice):
            return True
        case ast.Subscript():
            return maybe_mask(node, function)
        case ast.BinOp() | ast.AugAssign() if function.name == function.module.jitted:
            inner = [values.get(each) for each in walk(node) if isinstance(each, ast.expr)]
            return any(isinstance(value, Unknown) and value.parameter for value in inner)
    return False


def _is_array_index(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.Tuple | ast.Compare) or (
        isinstance(node, ast.Constant) and node.value is Ellipsis
    )


def _counted(loop: ast.For | ast.While, function: Function) -> tuple[ast.For, str] | Problem:
    """The loop and the name of its variable, when it is a plain loop over a range."""
    problem = unclear_names(loop, function)
    if problem is not None:
        return problem
    if isinstance(loop, ast.While):
        return Problem("while-loop", "the loop is a `while`", loop)
    if loop.orelse:
        return Problem("loop-control", "the loop has an `else`", loop)
    if not _is_range(loop.iter, function):
        return Problem("not-a-range", f"the loop runs over `{ast.unparse(loop.iter)}`", loop)
    if not isinstance(loop.target, ast.Name):
        return Problem("loop-variable-rebound", "the loop variable is not a plain name", loop)
    return loop, loop.target.id


def _is_range(node: ast.expr, function: Function) -> bool:
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    return not starred and function.dotted(node.func) == "builtins.range"


def _is_live(name: str, body: LoopBody, loop: Loop, function: Function) -> bool:
    """Whether a name of the iteration may be read after the loop; in a called function, if it is returned."""
    if body.passed is not None:
        return name in body.returned
    return live_after(name, loop, function)


def _nothing_carried(flow: Flow, loop: ast.stmt) -> Problem | None:
    if flow.state or flow.carried:
        return None
    text = "the loop carries no array from one iteration to the next"
    return Problem("not-array-code", text, (flow.body.statements or [loop])[0])


def _refused(problem: Problem, loop: ast.stmt, function: Function) -> Refusal | Deferral:
    before = function.facts.before(loop)
    owner = awaited_object(loop, function.facts.expressions.values, before)
    if owner is not None and function.can_defer:
        return Deferral(f"the attributes of `{owner}` are only known at a call", help=None)
    if problem.parameter is not None and function.can_defer:
        return Deferral.of(problem, function)
    if function.module.jitted is None and function.can_defer and _puts(problem.node, loop, function):
        text = f"`{ast.unparse(problem.node)}` becomes a store at the first call of the function"
        return Deferral(text, help=None)
    at = None if problem.code in _OF_THE_LOOP else problem.node
    return refused(problem, at=at)


def _puts(node: ast.AST, loop: ast.stmt, function: Function) -> bool:
    """Whether a statement of a loop, or its value, is a call that puts its result into an array."""
    calls = (each for each in walk(loop) if isinstance(each, Simple) and node in (each, each.value))
    return any(out_call(each, function) is not None for each in calls)
