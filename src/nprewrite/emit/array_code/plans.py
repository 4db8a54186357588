"""Plans of nests: which loops become slices, and the whole-array statements with their conditions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from nprewrite.analysis.liveness import live_after
from nprewrite.base.syntax import walk
from nprewrite.emit.array_code.guards import NotVectorizedError
from nprewrite.emit.array_code.nest_writer import NestWriter
from nprewrite.emit.guarded_text import Version
from nprewrite.numpy_api.elementwise import elementwise
from nprewrite.regions.nests.dependence import Dependence, carried, dependences
from nprewrite.regions.nests.nest import Nest
from nprewrite.regions.nests.shortest_paths import Rounds, shortest_paths
from nprewrite.regions.nests.tree import Loop, Node, Store, nodes
from nprewrite.types.affine import Affine
from nprewrite.types.problems import Problem

_LOOPS = 6
"""Nests of more loops than this are not tried: each further loop doubles the choices of lanes."""

_FEW = 16
"""Lanes that are known to be fewer than this are not worth an array operation."""

_ABOUT_LANES = {"lanes-unfit", "index-not-linear", "python-sum"}
"""Reasons that depend on the choice of lanes; another choice may have a better one."""

Writing = Callable[[Nest], NestWriter]
"""Makes a writer of a nest."""


@dataclass(frozen=True)
class Plan:
    """Whole-array statements, the conditions under which they run, and the loops that became slices.

    ``general`` is the version for axes that are longer than the loops, not just as long; ``made`` is the
    statement before the loop that makes the array that it stores into. ``became`` says what the loop becomes,
    if it is not what the pass usually makes; ``in_rounds`` that a loop tests a condition in each iteration.
    """

    version: Version
    lanes: tuple[str, ...]
    rounds: bool
    became: str = ""
    general: Version | None = None
    made: ast.stmt | None = None
    in_rounds: bool = False


def plan_of(nest: Nest) -> Plan | Problem:
    """The plan for the first choice of lanes that is possible, those with more loops first."""
    loops = loops_of(nest.root)
    if len(loops) > _LOOPS:
        return Problem("not-a-scalar-nest", f"{len(loops)} loops in one nest", nest.root.node)
    rounds = shortest_paths(nest)
    found = order_of(nest)
    problems: list[Problem] = []
    for size in range(len(loops), 0, -1):
        for lanes in combinations(loops, size):
            once = rounds if rounds is not None and rounds.lanes == lanes else None
            made = with_lanes(nest, lanes, found if once is None else [], once)
            if isinstance(made, Plan):
                return replace(made, in_rounds=once is not None)
            problems.append(made)
    return next((each for each in problems if each.code not in _ABOUT_LANES), problems[0])


def order_of(nest: Nest) -> list[Dependence]:
    """The dependences that order the iterations of a nest."""
    return [each for each in dependences(nest) if not _is_reduction(each)]


def with_lanes(
    nest: Nest, lanes: Sequence[Loop], found: Sequence[Dependence], rounds: Rounds | None = None
) -> Plan | Problem:
    """The plan in which ``lanes`` become slices; ``found`` are the dependences to preserve."""
    turned = carried(found, lanes)
    document = nest.function.document
    if turned is not None:
        line, _ = document.position(turned.second.leaf.node)
        other, _ = document.position(turned.first.leaf.node)
        return Problem("loop-carried", turned.sentence(line, other, nest.written), nest.root.node)
    if are_few(lanes):
        text = "the loops are too short for array operations"
        return Problem("lanes-unfit", text, nest.root.node, help="nothing to do: arrays would gain nothing")
    try:
        return planned(nest, lanes, lambda nest: NestWriter(nest, lanes, rounds))
    except NotVectorizedError as error:
        return error.problem


def planned(nest: Nest, lanes: Collection[Loop], writing: Writing, became: str = "") -> Plan:
    """The plan of what a writer makes of a nest: for axes just as long as the loops, and in general.

    Raises ``NotVectorizedError``.
    """
    function, writer = nest.function, writing(nest)
    version = _written(writer, lanes)
    made = Plan(version, tuple(loop.name for loop in lanes), writer.guards.rounds or _rounds(nest), became)
    equal = writer.guards.equalities()
    # Slices up to the end of an axis are the same for every length, so that the decorator can use one region.
    if not equal or function.name != function.module.jitted:
        return made
    try:
        whole = _written(writing(nest.with_lengths({**nest.equal, **equal})), lanes)
    except NotVectorizedError:
        return made
    return replace(made, version=whole, general=version)


def _written(writer: NestWriter, lanes: Collection[Loop]) -> Version:
    """The statements over whole arrays and their conditions. Raises ``NotVectorizedError``."""
    writer.write()
    return (*writer.lines, *_left_behind(writer, lanes)), writer.guards.conditions()


def _left_behind(writer: NestWriter, lanes: Collection[Loop]) -> list[str]:
    """The lines that give the loop's variables their last values; numbers of single lanes are not kept."""
    nest, root, function = writer.nest, writer.nest.root, writer.nest.function
    for name in sorted(writer.lane_names):
        if live_after(name, root.node, function):
            text = f"`{name}` is used after the loop"
            raise NotVectorizedError("scalar-carried", text, root.node)
    lines = []
    for loop in loops_of(root):
        if not live_after(loop.name, root.node, function):
            continue
        around = [each for each in loops_of(root) if loop in loops_of(each)]
        if loop not in lanes and not set(around) & set(lanes):
            continue
        twice = sum(each.name == loop.name for each in loops_of(root)) > 1
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
    """Whether a dependence is only among the additions of one statement, whose order does not matter."""
    leaf = each.first.leaf
    if not isinstance(leaf, Store) or leaf is not each.second.leaf:
        return False
    both = each.first.node is leaf.target and each.second.node is leaf.target
    return both and isinstance(leaf.operator, ast.Add | ast.Sub)


def loops_of(node: Node) -> list[Loop]:
    """The loops of a nest, outermost first."""
    return [each for each in nodes([node]) if isinstance(each, Loop)]


def are_few(lanes: Sequence[Loop]) -> bool:
    """Whether the loops are known to be too short for array operations."""
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
    for node in walk(nest.root.node):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
            return True
        found = elementwise(nest.function.dotted(node.func)) if isinstance(node, ast.Call) else None
        if found is not None and not (found[1].same_bits or found[1].correctly_rounded):
            return True
    return "c" in dtypes
