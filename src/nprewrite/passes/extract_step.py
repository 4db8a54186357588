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

from nprewrite.facts.alignment import aligned
from nprewrite.facts.function import Definition, Function
from nprewrite.facts.liveness import live_after
from nprewrite.facts.loop_body import LoopBody, awaited_function, called_body
from nprewrite.facts.loops import Flow, follow
from nprewrite.facts.problems import Problem
from nprewrite.facts.sharing import sharing_problem
from nprewrite.facts.step_names import foreign_name, hidden_global
from nprewrite.facts.steps import Box, StepSpec
from nprewrite.facts.values import Array, Scalar, Unknown, Value
from nprewrite.facts.whole_steps import needs_rank
from nprewrite.passes.contract import AddedStep, Change, Deferral, Level, Refusal, RewritePass
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
        """Follow what the loop carries; the first statement that is not followed is the reason."""
        counted = _counted(site.loop, function)
        if isinstance(counted, Problem):
            return _refused(counted, function)
        loop, target = counted
        awaited = awaited_function(loop, function)
        if awaited is not None and function.can_defer:
            return Deferral(f"what the parameter `{awaited}` is, is known at a call only")
        body = called_body(loop, function) or LoopBody(function, loop.body, target)
        flow = follow(body)
        if isinstance(flow, Problem):
            return _refused(flow, function)
        live = [
            name
            for name in dict.fromkeys([*flow.rebound, *flow.scalars])
            if body.passed is None and live_after(name, loop, site.outer, function)
        ]
        problem = sharing_problem(flow, live) or _nothing_carried(flow)
        problem = problem or _escaping_problem(live, flow, site)
        problem = problem or foreign_name(flow) or hidden_global(flow, function)
        leaves = problem or _boxed(flow, body)
        if isinstance(leaves, Problem):
            return _refused(leaves, function)
        out = tuple(name for name in live if name not in flow.carried)
        counter_live = live_after(target, loop, site.outer, function)
        base = "module" if isinstance(function.node, ast.Module) else function.node.name
        return Proof(loop, target, body, flow, leaves, out, counter_live, f"_{base.strip('_')}_step")

    def rewrite(self, site: Site, proof: Proof, function: Function) -> Change:
        """The step's text, the loop's new header, and the names bound anew after the loop."""
        loop = proof.loop
        name = function.names.fresh(proof.name)
        spec = _spec(proof)
        header = loop_header(loop, name, spec, proof.leaves, proof.body, function)
        names = [proof.body.returned.get(each, each) for each in (*spec.carried, *spec.out)]
        counter = proof.target if proof.counter_live else None
        start, end = function.document.span(loop.iter)
        edits = [Edit(start, end, header)]
        if names or counter:
            loop_name = function.names.fresh("loop")
            edits = [Edit(start, end, f"({loop_name} := {header})")]
            edits.append(store_results(loop, loop_name, names, counter, function.document))
        lines, copied, shift = step_lines(proof.body, proof.leaves, spec, proof.target, function.name)
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
            return isinstance(values.get(node), Array) or isinstance(before.get(node.id), Array)
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
    dynamic = next(_dynamic_calls(function), None)
    if dynamic is not None:
        return Problem("dynamic-scope", f"`{ast.unparse(dynamic.func)}()` sees every name", loop)
    return loop, loop.target.id


def _dynamic_calls(function: Function) -> Iterator[ast.Call]:
    """Calls in a function that can read or bind its names without naming them."""
    if not isinstance(function.node, Definition):
        return
    for node in ast.walk(function.node):
        if isinstance(node, ast.Call) and function.dotted(node.func) in _DYNAMIC:
            yield node


def _is_range(node: ast.expr, function: Function) -> bool:
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    return not starred and function.dotted(node.func) == "builtins.range"


def _nothing_carried(flow: Flow) -> Problem | None:
    if flow.state or flow.carried:
        return None
    text = "the loop carries no array from one iteration to the next"
    return Problem("not-array-code", text, flow.body.statements[0])


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


def _arrays_named(name: str, flow: Flow) -> list[Array]:
    """What the name is wherever the iteration reads or binds it as an array."""
    values = flow.body.view.facts.expressions.values
    nodes = [node for each in flow.body.statements for node in ast.walk(each) if isinstance(node, ast.Name)]
    found = [values.get(node) for node in nodes if node.id == name]
    return [value for value in found if isinstance(value, Array)]


def _is_selection(name: str, flow: Flow) -> bool:
    return any(array.under is not None for array in _arrays_named(name, flow))


def _one_dtype(name: str, flow: Flow) -> bool:
    return all(array.dtype == flow.dtypes[name] for array in _arrays_named(name, flow))


def _boxed(flow: Flow, body: LoopBody) -> tuple[Leaf, ...] | Problem:
    """A parameter for each scalar part and the dtype it is needed in.

    Arithmetic is left to each iteration, if there is one: it may raise.
    """
    found: dict[tuple[str, str, bool], Leaf] = {}
    for node, dtype in flow.leaves:
        value = body.view.facts.value(node)
        own = value.dtype if isinstance(value, Scalar) else None
        if own is not None and own != dtype:
            text = f"`{ast.unparse(node)}` is a NumPy scalar of {own} among arrays of {dtype}"
            return Problem("dtype-unsupported", text, node)
        text = _substituted(node, flow)
        key = (text, dtype.name, own is not None)
        nodes = (*found[key].nodes, node) if key in found else (node,)
        constant = text.isidentifier() and text != body.counter
        found[key] = Leaf(text, dtype, nodes, constant, typed=own is not None)
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
    parameters = _parameters(proof.leaves, body)
    boxes = {name: Box(leaf.dtype.name, typed=leaf.typed) for name, leaf in parameters.items()}
    constant = [name for name, leaf in parameters.items() if leaf.constant]
    arrays = {name: Box(dtype.name) for name, dtype in flow.dtypes.items()}
    changed = {*flow.state, *flow.carried}
    return StepSpec(
        counter=body.counter,
        scalars={name: box for name, box in boxes.items() if name not in constant},
        constants={name: boxes[name] for name in constant},
        inputs={name: arrays[name] for name in flow.read if name not in changed},
        state={name: arrays[name] for name in flow.state},
        carried={name: arrays[name] for name in flow.carried},
        out={name: arrays[name] for name in proof.out},
        calls=body.calls,
        aligned=tuple(aligned(flow)) if flow.whole else (),
        ranks=_ranks(flow) if flow.whole else {},
        lanewise=not flow.whole,
    )


def _ranks(flow: Flow) -> dict[str, int]:
    """The numbers of dimensions that are known, where the step depends on them."""
    nodes = (node for statement in flow.body.statements for node in ast.walk(statement))
    if not any(needs_rank(node, flow.body.view) for node in nodes):
        return {}
    return {name: rank for name in flow.read if (rank := flow.ranks[name]) is not None}


def _parameters(leaves: tuple[Leaf, ...], body: LoopBody) -> dict[str, Leaf]:
    """A name for each leaf: its own where it is a name used in one dtype."""
    texts = [leaf.text for leaf in leaves]
    named: dict[str, Leaf] = {}
    for leaf in leaves:
        named_already = leaf.text.isidentifier()
        own = named_already and texts.count(leaf.text) == 1
        stem = leaf.text if named_already else "scalar"
        name = leaf.text if own else body.view.names.fresh(f"{stem}_{leaf.dtype.name}")
        named[name] = leaf
        leaf.names.append(name)
    return named


def _refused(problem: Problem, function: Function) -> Refusal | Deferral:
    if problem.parameter is not None and function.can_defer:
        return Deferral(problem.message)
    at = None if problem.code in _OF_THE_LOOP else problem.node
    return Refusal(reason(problem.code), problem.message, at)
