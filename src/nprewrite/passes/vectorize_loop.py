"""A nest of scalar loops over indices as statements over whole arrays.

Why: Python runs each iteration by itself; NumPy runs a slice at once, and later passes compile it.

    for i in range(1, n - 1):                         v[1:-1] = u[:-2] - 2 * u[1:-1] + u[2:]
        v[i] = u[i - 1] - 2 * u[i] + u[i + 1]    ->

The loops that become slices ("lanes") run in lockstep, statement by statement; the others stay.

Safety: no dependence between two iterations may be turned round by that (``facts.dependence``), every index
is proved to be in range, and what the text does not prove (ranges, shared memory, ``np.geterr()``) is a
condition under which the whole-array statements run; the loop as written stays beside them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from nprewrite.facts.affine import Affine
from nprewrite.facts.dependence import Dependence, carried, dependences
from nprewrite.facts.function import Definition, Function
from nprewrite.facts.guarded import is_guarded
from nprewrite.facts.liveness import live_after
from nprewrite.facts.nest_reader import read_nest
from nprewrite.facts.nests import Branch, Loop, Nest, Node, Store
from nprewrite.facts.numpy_table import elementwise
from nprewrite.facts.problems import Problem
from nprewrite.facts.shortest_paths import Rounds, shortest_paths
from nprewrite.facts.step_names import dynamic_call
from nprewrite.passes.array_making import making
from nprewrite.passes.contract import Change, Deferral, Level, Refusal, RewritePass
from nprewrite.passes.guarded_text import Version, guarded
from nprewrite.passes.lane_conditions import conditions
from nprewrite.passes.lane_guards import NotVectorizedError
from nprewrite.passes.lane_writer import Writer
from nprewrite.passes.reasons import reason, reasons

_LOOPS = 6
"""Nests of more loops than this are not tried: each more doubles the choices of lanes."""

_FEW = 16
"""Lanes that are known to be fewer than this are not worth an array operation."""

_ABOUT_LANES = {"lanes-unfit", "index-not-linear", "python-sum"}
"""Reasons that speak of one choice of lanes; another choice may have a better one."""


@dataclass(frozen=True)
class Site:
    """A loop over indices, the statements around it, and what it can become."""

    loop: ast.For
    outer: tuple[ast.stmt, ...]
    plan: Plan | Problem


@dataclass(frozen=True)
class Plan:
    """Whole-array statements, the conditions under which they run, and the loops that became slices.

    ``general`` is what runs where axes are longer than the loops, in place of just as long; ``made`` is the
    statement before the loop that makes the array that it stores into.
    """

    version: Version
    lanes: tuple[str, ...]
    rounds: bool
    general: Version | None = None
    made: ast.stmt | None = None


@dataclass(frozen=True)
class VectorizeLoop(RewritePass[Site, Plan]):
    """NPR405."""

    code = "NPR405"
    name = "vectorize-loop"
    summary = "a nest of scalar loops over indices becomes statements over whole arrays"
    level = Level.EXACT
    refuses = reasons("NPR405")
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """The outermost loops over indices; where one is no nest of scalar statements, those inside of it."""
        if function.step is not None or not isinstance(function.node, Definition):
            return
        done: set[ast.stmt] = set()
        for statement, outer in function.statements():
            if not isinstance(statement, ast.For) or any(each in done for each in outer):
                continue
            inside = any(is_guarded(each, function.names, function.node) for each in outer)
            if inside or not _indexes(statement):
                continue
            plan = _plan(statement, outer, function)
            if isinstance(plan, Plan):
                plan = _with_making(plan, statement, outer, function)
            inner = any(isinstance(each, ast.For) and _indexes(each) for each in _below(statement))
            if isinstance(plan, Problem) and inner and plan.code in {"not-a-scalar-nest", "not-a-range"}:
                continue
            done.add(statement)
            yield Site(statement, outer, plan)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where sums are taken in another order, or elementary functions of whole arrays."""
        return Level.ROUNDING if isinstance(site.plan, Plan) and site.plan.rounds else Level.EXACT

    def node(self, site: Site) -> ast.stmt:
        """The loop."""
        return site.loop

    def check(self, site: Site, function: Function) -> Plan | Refusal | Deferral:
        """The plan, or why there is none."""
        plan = site.plan
        if isinstance(plan, Plan):
            return plan
        if plan.parameter is not None and function.can_defer:
            return Deferral(plan.message)
        return Refusal(reason(plan.code), plan.message)

    def rewrite(self, site: Site, proof: Plan, function: Function) -> Change:
        """Both versions under a condition; the whole-array statements alone where nothing is left to ask."""
        versions = [each for each in (proof.version, proof.general) if each is not None]
        edit = guarded(site.loop, versions, function, proof.made)
        names = ", ".join(f"`{each}`" for each in proof.lanes)
        loops = "loop" if len(proof.lanes) == 1 else "loops"
        imports = ("nprewrite.runtime",) if proof.version[1] else ()
        return Change((edit,), message=f"the {loops} over {names} became slices", imports=imports)


def _indexes(loop: ast.For) -> bool:
    """Whether the loop's variable, or one of an inner loop, is an index by itself or in a sum."""
    names = {
        each.target.id
        for each in ast.walk(loop)
        if isinstance(each, ast.For) and isinstance(each.target, ast.Name)
    }
    subscripts = (each for each in ast.walk(loop) if isinstance(each, ast.Subscript))
    items = (
        item
        for each in subscripts
        for item in (each.slice.elts if isinstance(each.slice, ast.Tuple) else [each.slice])
    )
    own = isinstance(loop.target, ast.Name)
    plain = (item for item in items if not isinstance(item, ast.Slice))
    return own and any(
        isinstance(part, ast.Name) and part.id in names for item in plain for part in ast.walk(item)
    )


def _below(loop: ast.For) -> Iterator[ast.AST]:
    return (node for statement in loop.body for node in ast.walk(statement))


def _plan(loop: ast.For, outer: tuple[ast.stmt, ...], function: Function) -> Plan | Problem:
    """The first choice of lanes that nothing stands against, those with more loops first."""
    problem = _unclear(loop, function)
    nest = problem or read_nest(loop, outer, function)
    if isinstance(nest, Problem):
        return nest
    loops = _loops(nest.root)
    if len(loops) > _LOOPS:
        return Problem("not-a-scalar-nest", f"{len(loops)} loops in one nest", loop)
    rounds = shortest_paths(nest)
    found = [each for each in dependences(nest) if not _is_reduction(each)]
    problems: list[Problem] = []
    for size in range(len(loops), 0, -1):
        for lanes in combinations(loops, size):
            once = rounds if rounds is not None and rounds.lanes == lanes else None
            plan = _with_lanes(nest, lanes, found if once is None else [], once, outer, function)
            if isinstance(plan, Plan):
                return plan
            problems.append(plan)
    return next((each for each in problems if each.code not in _ABOUT_LANES), problems[0])


def _with_making(plan: Plan, loop: ast.For, outer: tuple[ast.stmt, ...], function: Function) -> Plan:
    """The plan with the statement before the loop, so that the decorator compiles both as one region."""
    found = making(loop, outer, function) if function.name == function.module.jitted else None
    if found is None:
        return plan
    version = found.without_name(plan.version)
    general = found.without_name(plan.general) if plan.general is not None else None
    if version is None or (plan.general is not None and general is None):
        return plan
    return replace(plan, version=version, general=general, made=found.statement)


def _unclear(loop: ast.For, function: Function) -> Problem | None:
    unclear = function.names.unclear_numpy(function.node)
    if unclear is not None:
        return Problem("name-unclear", f"`{unclear}` is not NumPy everywhere", loop)
    dynamic = dynamic_call(function)
    if dynamic is not None:
        return Problem("dynamic-scope", f"`{ast.unparse(dynamic.func)}()` sees every name", loop)
    return None


def _with_lanes(
    nest: Nest,
    lanes: Sequence[Loop],
    found: Sequence[Dependence],
    rounds: Rounds | None,
    outer: tuple[ast.stmt, ...],
    function: Function,
) -> Plan | Problem:
    turned = carried(found, lanes)
    document = function.document
    if turned is not None:
        line, _ = document.position(turned.second.leaf.node)
        other, _ = document.position(turned.first.leaf.node)
        return Problem("loop-carried", turned.sentence(line, other), nest.root.node)
    if _are_few(lanes):
        return Problem("lanes-unfit", "the loops are too short for array operations", nest.root.node)
    try:
        version, writer = _written(nest, lanes, rounds, outer, function)
    except NotVectorizedError as error:
        return error.problem
    plan = Plan(version, tuple(loop.name for loop in lanes), writer.guards.rounds or _rounds(nest))
    equal = writer.guards.equalities()
    # Slices up to the end of an axis are the same for every length: the decorator makes one region of them.
    if not equal or function.name != function.module.jitted:
        return plan
    try:
        whole, _ = _written(nest.with_lengths(equal), lanes, rounds, outer, function)
    except NotVectorizedError:
        return plan
    return replace(plan, version=whole, general=version)


def _written(
    nest: Nest, lanes: Sequence[Loop], rounds: Rounds | None, outer: tuple[ast.stmt, ...], function: Function
) -> tuple[Version, Writer]:
    """The statements over whole arrays and their conditions. Raises ``NotVectorizedError``."""
    names = {"taken": 0}
    known = function.names

    def fresh(wanted: str) -> str:
        names["taken"] += 1
        return known.free(wanted) if names["taken"] == 1 else known.free(f"{wanted}_{names['taken']}")

    writer = Writer(nest, lanes, known.numpy_name(function.node), fresh, names, rounds)
    writer.write()
    after = _left_behind(nest, lanes, writer, outer, function)
    return ((*writer.lines, *after), conditions(nest, writer.guards, function)), writer


def _left_behind(
    nest: Nest, lanes: Sequence[Loop], writer: Writer, outer: tuple[ast.stmt, ...], function: Function
) -> list[str]:
    """What the loop leaves in its variables; a number of a single lane is not kept."""
    root = nest.root
    for name in sorted(writer.lane_names):
        if live_after(name, root.node, outer, function):
            text = f"`{name}` is used after the loop"
            raise NotVectorizedError("scalar-carried", text, root.node)
    lines = []
    for loop in _loops(root):
        if not live_after(loop.name, root.node, outer, function):
            continue
        around = [each for each in _loops(root) if loop in _loops(each)]
        if loop not in lanes and not set(around) & set(lanes):
            continue
        twice = sum(each.name == loop.name for each in _loops(root)) > 1
        if twice or loop.stride != 1:
            text = f"`{loop.name}` is used after the loop"
            raise NotVectorizedError("loop-variable-live", text, root.node)
        spans = [each.span for each in around]
        for each in around:
            writer.guards.require(
                each.high - each.low - 1, spans, root.node, f"`{loop.name}` is used after the loop"
            )
        if loop not in lanes:
            continue
        last = _last(loop)
        for each in reversed([each for each in around if each in lanes]):
            if each.symbol in last.symbols and each.stride != 1:
                text = f"`{loop.name}` is used after the loop"
                raise NotVectorizedError("loop-variable-live", text, root.node)
            last = last.replaced(each.symbol, _last(each))
        texts = {**nest.names, **{each.symbol: each.name for each in around}}
        lines.append(f"{loop.name} = {last.text(texts)}")
    return lines


def _last(loop: Loop) -> Affine:
    """The value of a loop's variable in its last iteration."""
    return loop.low if loop.descending else loop.high - 1


def _is_reduction(each: Dependence) -> bool:
    """Whether a dependence only joins the additions of one statement, which may come in any order."""
    leaf = each.first.leaf
    if not isinstance(leaf, Store) or leaf is not each.second.leaf:
        return False
    both = each.first.node is leaf.target and each.second.node is leaf.target
    return both and isinstance(leaf.operator, ast.Add | ast.Sub)


def _loops(node: Node) -> list[Loop]:
    """The loops of a nest, outermost first."""
    match node:
        case Loop():
            return [node, *(each for inner in node.body for each in _loops(inner))]
        case Branch():
            return [each for inner in (*node.body, *node.orelse) for each in _loops(inner)]
    return []


def _are_few(lanes: Sequence[Loop]) -> bool:
    lengths = [loop.high - loop.low for loop in lanes]
    if any(length.terms for length in lengths):
        return False
    total = 1
    for loop, length in zip(lanes, lengths, strict=True):
        total *= max(length.constant // loop.stride, 0)
    return total < _FEW


def _rounds(nest: Nest) -> bool:
    """Whether NumPy gives other last bits for whole arrays than for single numbers."""
    dtypes = {array.dtype.kind for each in nest.accesses() if (array := nest.array(each.array)) is not None}
    for node in ast.walk(nest.root.node):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
            return True
        found = elementwise(nest.function.dotted(node.func)) if isinstance(node, ast.Call) else None
        if found is not None and not found[1].same_bits and found[0] not in {"sqrt", "divide"}:
            return True
    return "c" in dtypes
