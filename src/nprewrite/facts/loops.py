"""What a loop of array code reads, changes and carries from one iteration to the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from nprewrite.facts.function import Block, Function, Module
from nprewrite.facts.lanes import (
    Problem,
    assignment_problem,
    expression_problem,
    masked_target,
    scalar_problem,
    store_problem,
)
from nprewrite.facts.values import Array, Scalar, Unknown, Value

_CONTROL = (
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Raise,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.Assert,
    ast.Delete,
)
_NESTED = (ast.For, ast.While, ast.AsyncFor)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class LoopBody:
    """The statements of one iteration and the view that knows their types.

    Usually the loop's own body; when that is one call ``Z, N = step(n, C, Z, N)`` of a function of
    the module, that function's body, with ``passed`` giving the caller's expression for each name.
    """

    view: Function
    statements: Block
    counter: str | None
    passed: dict[str, str] | None = None
    returned: dict[str, str] = field(default_factory=dict)


@dataclass
class Flow:
    """How arrays and scalars move through the statements of one iteration, in order."""

    body: LoopBody
    read: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    rebound: list[str] = field(default_factory=list)
    dtypes: dict[str, np.dtype[np.generic]] = field(default_factory=dict)
    scalars: dict[str, ast.expr] = field(default_factory=dict)
    leaves: list[tuple[ast.expr, np.dtype[np.generic]]] = field(default_factory=list)
    aliases: list[tuple[str, str, ast.stmt]] = field(default_factory=list)

    @property
    def state(self) -> list[str]:
        """Arrays that the iteration changes in place."""
        return [name for name in self.read if name in self.changed]

    @property
    def carried(self) -> list[str]:
        """Arrays whose name the iteration binds anew after reading it."""
        names = [name for name in self.read if name in self.rebound and name not in self.changed]
        return names if self.body.passed is None else [name for name in names if name in self.body.returned]


def follow(body: LoopBody) -> Flow | Problem:
    """Follow the statements of one iteration; the first that is not lanewise is the problem."""
    flow = Flow(body)
    for statement in body.statements:
        problem = _statement(statement, flow)
        if problem is not None:
            return problem
    for alias, original, statement in flow.aliases:
        if (
            alias in flow.changed
            or original in flow.changed
            or alias in _stored(body)
            or original in _stored(body)
        ):
            return Problem("aliased-arrays", f"`{alias}` and `{original}` are the same memory", statement)
        if alias in flow.carried:
            return Problem("aliased-arrays", f"`{alias}` is `{original}` after the iteration", statement)
    both = [name for name in flow.changed if name in flow.rebound]
    if both:
        text = f"`{both[0]}` is changed in place and then bound to another array"
        return Problem("aliased-arrays", text, body.statements[0])
    if not flow.changed and not flow.rebound:
        return Problem("not-array-code", "the loop changes no array", body.statements[0])
    return flow


def _stored(body: LoopBody) -> set[str]:
    """Every name that is stored into in place, whatever it is bound to."""
    stored = set()
    for statement in body.statements:
        target = (
            statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        )
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            stored.add(target.value.id)
        if isinstance(statement, ast.AugAssign) and isinstance(target, ast.Name):
            stored.add(target.id)
    return stored


def _statement(node: ast.stmt, flow: Flow) -> Problem | None:
    refused = _not_followed(node, flow)
    if refused is not None:
        return refused
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return None
        case ast.Assign(targets=[ast.Name() as target]):
            return _bind(node, target, node.value, flow)
        case ast.Assign(targets=[ast.Tuple() as target], value=ast.Tuple() as value) if len(
            target.elts
        ) == len(value.elts) and all(isinstance(each, ast.Name) for each in target.elts):
            return _bind_together(node, target.elts, value.elts, flow)
        case ast.Assign(targets=[ast.Subscript() as target]):
            return _store(node, target, flow)
        case ast.AugAssign(target=ast.Subscript() as target):
            return _store(node, target, flow)
        case ast.AugAssign(target=ast.Name() as target):
            return _change(node, target, flow)
        case ast.Expr(value=ast.Call()):
            return _call_statement(node, flow)
    return Problem("not-array-code", f"`{ast.unparse(node).splitlines()[0]}` is no array operation", node)


def _not_followed(node: ast.stmt, flow: Flow) -> Problem | None:
    """Control flow and definitions inside the loop."""
    if isinstance(node, _CONTROL):
        return Problem("loop-control", f"`{type(node).__name__.lower()}` in the loop", node)
    if isinstance(node, _NESTED):
        return Problem("nested-loop", "the loop holds another loop", node)
    if isinstance(node, ast.If | ast.Match):
        inner = next((each for each in ast.walk(node) if isinstance(each, _CONTROL)), None)
        if inner is not None:
            return Problem("loop-control", f"`{type(inner).__name__.lower()}` in the loop", inner)
        return Problem("branch-in-body", "the loop branches on a value", node)
    for each in ast.walk(node):
        if isinstance(each, _DEFINITIONS + _COMPREHENSIONS):
            return Problem("closure", "a function, class or comprehension is made in the loop", node)
        if isinstance(each, ast.Global | ast.Nonlocal | ast.NamedExpr):
            return Problem("dynamic-scope", "`global`, `nonlocal` or `:=` in the loop", node)
        if isinstance(each, ast.Name) and each.id.startswith("__") and not each.id.endswith("__"):
            return Problem("dynamic-scope", f"`{each.id}` is mangled in a class", node)
        if isinstance(each, ast.Yield | ast.YieldFrom | ast.Await):
            return Problem("loop-control", f"`{type(each).__name__.lower()}` in the loop", node)
        if isinstance(each, ast.IfExp | ast.BoolOp | ast.Not):
            return Problem("branch-in-body", "the loop branches on a value", node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == flow.body.counter:
            return Problem(
                "loop-variable-rebound", f"the loop variable `{each.id}` is assigned in the loop", node
            )
    return None


def _call_statement(node: ast.Expr, flow: Flow) -> Problem:
    assert isinstance(node.value, ast.Call)
    dotted = flow.body.view.dotted(node.value.func) or ""
    if dotted.startswith(("numpy.random", "random.")):
        return Problem("random-numbers", f"`{ast.unparse(node)}` draws random numbers", node)
    if isinstance(node.value.func, ast.Attribute) and not dotted:
        return Problem("not-array-code", f"`{ast.unparse(node)}` is no array operation", node)
    return Problem("unknown-call", f"`{ast.unparse(node)}` is called for its effect", node)


def _bind(node: ast.stmt, target: ast.Name, value: ast.expr, flow: Flow) -> Problem | None:
    problem = _bind_together(node, [target], [value], flow)
    return problem


def _bind_together(
    node: ast.stmt, targets: list[ast.expr], values: list[ast.expr], flow: Flow
) -> Problem | None:
    for value in values:
        problem = _read(value, flow, under=True)
        if problem is not None:
            return problem
    for target, value in zip(targets, values, strict=True):
        assert isinstance(target, ast.Name)
        problem = _bound(node, target.id, value, flow)
        if problem is not None:
            return problem
    return None


def _bound(node: ast.stmt, name: str, value: ast.expr, flow: Flow) -> Problem | None:
    known = flow.body.view.facts.value(value)
    if isinstance(known, Scalar):
        if name in flow.scalars or name in _names_read(flow):
            return Problem("scalar-carried", f"`{name}` goes from one iteration to the next", node)
        flow.scalars[name] = value
        return None
    assert isinstance(known, Array)
    if not known.fresh:
        root = next((each.id for each in ast.walk(value) if isinstance(each, ast.Name)), name)
        flow.aliases.append((name, root, node))
    if name in flow.read and name in flow.dtypes and flow.dtypes[name] != known.dtype:
        text = f"`{name}` is {flow.dtypes[name]} before the iteration and {known.dtype} after it"
        return Problem("dtype-changes", text, node)
    if not flow.body.view.is_local(name):
        return Problem("dynamic-scope", f"`{name}` is declared global or nonlocal", node)
    flow.dtypes[name] = known.dtype
    flow.rebound.append(name)
    return None


def _names_read(flow: Flow) -> set[str]:
    return {each.id for leaf, _ in flow.leaves for each in ast.walk(leaf) if isinstance(each, ast.Name)}


def _store(node: ast.Assign | ast.AugAssign, target: ast.Subscript, flow: Flow) -> Problem | None:
    view = flow.body.view
    if masked_target(node, view) is not None:
        problem = store_problem(node, target, view)
    else:
        problem = _full_store_problem(node, target, view)
    if problem is not None:
        return problem
    assert isinstance(target.value, ast.Name)
    array = view.facts.value(target.value)
    assert isinstance(array, Array)
    problem = _read(
        node.value, flow, under=True, wanted=array.dtype if isinstance(node, ast.Assign) else None
    )
    if problem is None and target in view.facts.expressions.masked:
        problem = _read(target.slice, flow)
    if problem is None and isinstance(node, ast.AugAssign):
        _augmented_leaf(node, array, flow)
    return problem or _changed(target.value, flow)


def _full_store_problem(
    node: ast.Assign | ast.AugAssign, target: ast.Subscript, view: Function
) -> Problem | None:
    if not isinstance(target.value, ast.Name):
        return Problem("not-local", f"`{ast.unparse(target)}` does not store into a local name", target)
    array = view.facts.value(target.value)
    if isinstance(array, Unknown):
        text = f"the type of `{target.value.id}` is not known: {array.because}"
        return Problem("dtype-unknown", text, target, array.parameter)
    if not isinstance(array, Array):
        return Problem("not-array-code", f"`{target.value.id}` is no array", target)
    if not (isinstance(target.slice, ast.Constant) and target.slice.value is Ellipsis):
        return Problem("not-lanewise", f"`{ast.unparse(target)}` stores into some positions only", target)
    if isinstance(node, ast.AugAssign):
        return Problem("not-array-code", f"`{ast.unparse(target)}` with an operator", target)
    problem = expression_problem(node.value, view, None)
    return problem or assignment_problem(view.facts.value(node.value), array.dtype, node.value)


def _change(node: ast.AugAssign, target: ast.Name, flow: Flow) -> Problem | None:
    """``x += e``: in place on an array, a carried value on a number."""
    view = flow.body.view
    array = view.facts.value(target)
    if isinstance(array, Unknown):
        text = f"the type of `{target.id}` is not known: {array.because}"
        return Problem("dtype-unknown", text, node, array.parameter)
    if not isinstance(array, Array):
        return Problem("scalar-carried", f"`{target.id}` goes from one iteration to the next", node)
    problem = expression_problem(node.value, view, None)
    loop = view.facts.expressions.loops.get(target)
    if problem is None and (loop is None or not np.can_cast(loop[-1], array.dtype, "same_kind")):
        problem = Problem("cast-raises", "NumPy cannot put the result back into the array", node)
    if problem is None and isinstance(
        node.op, ast.FloorDiv | ast.Mod | ast.LShift | ast.RShift | ast.Pow | ast.MatMult
    ):
        problem = Problem("may-raise", "the operation means something else when compiled", node)
    problem = problem or _read(node.value, flow)
    if problem is None:
        _augmented_leaf(node, array, flow)
    return problem or _changed(target, flow)


def _augmented_leaf(node: ast.AugAssign, array: Array, flow: Flow) -> None:
    """The scalar operand of ``x op= s`` takes the dtype of the operation."""
    value = flow.body.view.facts.value(node.value)
    if not isinstance(value, Scalar):
        return
    probe = ast.copy_location(ast.Constant(0), node.value)
    flow.body.view.facts.expressions.binary(
        type(node.op).__name__, [replace(array, under=None), value], probe
    )
    loop = flow.body.view.facts.expressions.loops[probe]
    _leaf(node.value, loop[1], flow)


def _changed(target: ast.Name, flow: Flow) -> Problem | None:
    array = flow.body.view.facts.value(target)
    assert isinstance(array, Array)
    if target.id in flow.rebound:
        return None
    if not flow.body.view.is_local(target.id):
        return Problem("not-local", f"`{target.id}` is not local to the function", target)
    _note_read(target.id, array, flow)
    if target.id not in flow.changed:
        flow.changed.append(target.id)
    return None


def _note_read(name: str, array: Array, flow: Flow) -> None:
    flow.dtypes.setdefault(name, array.dtype)
    if name not in flow.read and name not in flow.rebound:
        flow.read.append(name)


def _read(
    node: ast.expr, flow: Flow, under: bool = False, wanted: np.dtype[np.generic] | None = None
) -> Problem | None:
    """Note what an expression reads, and its scalar parts with the dtype each is converted to."""
    view = flow.body.view
    value = view.facts.value(node)
    key = value.under if under and isinstance(value, Array) else None
    problem = expression_problem(node, view, key)
    if problem is not None:
        return problem
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(view.facts.expressions.values.get(each), Array):
            array = view.facts.value(each)
            assert isinstance(array, Array)
            _note_read(each.id, array, flow)
    for leaf, dtype in scalar_leaves(node, wanted, view):
        _leaf(leaf, dtype, flow)
    if isinstance(value, Scalar) and wanted is None:
        return scalar_problem(node, view)
    return None


def _leaf(node: ast.expr, dtype: np.dtype[np.generic], flow: Flow) -> None:
    value, view = flow.body.view.facts.value(node), flow.body.view
    literal = not any(isinstance(each, ast.Name) and view.dotted(each) is None for each in ast.walk(node))
    if isinstance(value, Scalar) and not literal and all(node is not leaf for leaf, _ in flow.leaves):
        flow.leaves.append((node, dtype))


def scalar_leaves(
    node: ast.expr, wanted: np.dtype[np.generic] | None, view: Function
) -> Iterator[tuple[ast.expr, np.dtype[np.generic]]]:
    """The largest scalar parts of an array expression, each with the dtype NumPy converts it to."""
    values, loops = view.facts.expressions.values, view.facts.expressions.loops
    value: Value | None = values.get(node)
    if isinstance(value, Scalar):
        if wanted is not None:
            yield node, wanted
        return
    operands: list[ast.expr] = []
    match node:
        case ast.BinOp():
            operands = [node.left, node.right]
        case ast.Compare():
            operands = [node.left, *node.comparators]
        case ast.UnaryOp():
            operands = [node.operand]
        case ast.Call():
            receiver = isinstance(node.func, ast.Attribute) and view.dotted(node.func) is None
            operands = [node.func.value] if receiver else [*node.args]  # type: ignore[attr-defined]
        case ast.Subscript():
            operands = [node.value, node.slice]
        case ast.Attribute():
            operands = [node.value]
    dtypes = loops.get(node, ())
    for position, operand in enumerate(operands):
        yield from scalar_leaves(operand, dtypes[position] if position < len(dtypes) else None, view)


def called_body(loop: ast.For, function: Function) -> LoopBody | None:
    """The body of the module's function that a loop of one call calls; None for any other loop."""
    if len(loop.body) != 1 or not isinstance(loop.target, ast.Name):
        return None
    statement = loop.body[0]
    call = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
    if (
        not isinstance(call, ast.Call)
        or call.keywords
        or not all(isinstance(each, ast.Name) for each in call.args)
    ):
        return None
    dotted = function.dotted(call.func) or ""
    callee = function.names.definitions.get(dotted.removeprefix(".")) if dotted.startswith(".") else None
    if not isinstance(callee, ast.FunctionDef) or callee.decorator_list or callee is function.node:
        return None
    parameters = [each.arg for each in (*callee.args.posonlyargs, *callee.args.args)]
    plain = not (callee.args.vararg or callee.args.kwarg or callee.args.kwonlyargs)
    if not plain or len(parameters) != len(call.args):
        return None
    return _called(loop, statement, call, callee, parameters, function)


def _called(
    loop: ast.For,
    statement: ast.stmt,
    call: ast.Call,
    callee: ast.FunctionDef,
    names: list[str],
    function: Function,
) -> LoopBody | None:
    arguments = [each.id for each in call.args if isinstance(each, ast.Name)]
    passed = dict(zip(names, arguments, strict=True))
    assert isinstance(loop.target, ast.Name)
    body, returned = [*callee.body], []
    if body and isinstance(body[-1], ast.Return):
        last = body.pop().value  # type: ignore[attr-defined]
        returned = [*last.elts] if isinstance(last, ast.Tuple) else [last]
    targets = _targets(statement)
    if len(targets) != len(returned) or not all(isinstance(each, ast.Name) for each in (*targets, *returned)):
        return None
    back = {each.id: target.id for each, target in zip(returned, targets, strict=True)}
    if any(passed.get(name) != target for name, target in back.items()):
        return None
    given = {name: function.facts.value(argument) for name, argument in zip(names, call.args, strict=True)}
    module = Module(function.document, {**function.module.given, callee.name: given}, jitted=callee.name)
    counter = next((name for name, argument in passed.items() if argument == loop.target.id), None)
    view = Function(module, callee, callee.name, None)
    return LoopBody(view, body, counter, passed, back)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    target = statement.targets[0]
    return [*target.elts] if isinstance(target, ast.Tuple) else [target]


def foreign_name(flow: Flow) -> Problem | None:
    """A local name that the step could not see: neither an array, nor a scalar part, nor bound in the step."""
    view, seen = flow.body.view, {*flow.dtypes, *flow.scalars}
    scalar = {id(each) for leaf, _ in flow.leaves for each in ast.walk(leaf)}
    for statement in flow.body.statements:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Name) or node.id in seen or id(node) in scalar:
                continue
            if (
                isinstance(node.ctx, ast.Load)
                and view.is_local(node.id)
                and not isinstance(view.node, ast.Module)
            ):
                return Problem("unsupported-operation", f"the step would need `{node.id}`", statement)
    return None


def hidden_global(flow: Flow, function: Function) -> Problem | None:
    """A global name of a called function that the caller uses for something of its own."""
    passed = flow.body.passed
    if passed is None:
        return None
    names = {each.id for leaf, _ in flow.leaves for each in ast.walk(leaf) if isinstance(each, ast.Name)}
    for name in sorted(names | {*flow.read}):
        if name not in passed and name not in flow.scalars and function.is_local(name):
            return Problem(
                "unknown-call",
                f"`{name}` means something else in the function called",
                flow.body.statements[0],
            )
    return None
