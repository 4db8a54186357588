"""Masks that pick from several arrays, or several times from one, between two changes of theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.analysis.liveness import surely_set
from nprewrite.analysis.memory import Memory
from nprewrite.base.syntax import children, names_in, root_name, stored_names, walk
from nprewrite.program.function import Block, Function

_FEW = 3
"""Looking up the positions takes about as long as going twice through the mask."""
_IN_A_LOOP = 3
_Loop = ast.For | ast.While


@dataclass(frozen=True)
class MaskUses:
    """A mask, the subscripts that it is the index of, and the first statement with one."""

    mask: str
    statement: ast.stmt
    uses: tuple[ast.Subscript, ...]

    @property
    def arrays(self) -> tuple[ast.expr, ...]:
        """The arrays that it picks from, each once."""
        return tuple({ast.unparse(each.value): each.value for each in self.uses}.values())


def mask_uses(function: Function) -> Iterator[MaskUses]:
    """The masks whose positions are worth a look-up, those of outer blocks first."""
    masks = {name for name, _ in _masked(function)}
    if not masks:
        return
    memory = Memory(function)
    for block in _blocks(function):
        for mask in sorted(masks & names_in(*block)):
            runs = (run for run in _runs(mask, block, function, memory) if run)
            yield from filter(None, (_worthwhile(mask, run, function) for run in runs))


def _can_be_rebound(mask: str, function: Function) -> bool:
    """Whether a function that is called may bind the mask, or an array that it picks from, to another one."""
    names = {mask, *(root_name(node) for name, node in _masked(function) if name == mask)}
    return isinstance(function.node, ast.Module) or any(function.is_shared(each) for each in names if each)


def _masked(function: Function) -> Iterator[tuple[str, ast.Subscript]]:
    """The subscripts of named arrays with a named mask, unless it is known to have several axes."""
    for node, access in function.facts.expressions.masked.items():
        match node:
            case ast.Subscript(value=ast.Name(), slice=ast.Name(id=mask)) if access.mask.rank in (None, 1):
                yield mask, node


def _blocks(function: Function) -> Iterator[Block]:
    """The blocks of statements of a function, outer ones first."""
    yield function.node.body
    for statement in function.statements():
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from function.blocks(statement)


def _runs(mask: str, block: Block, function: Function, memory: Memory) -> Iterator[list[ast.stmt]]:
    """The longest runs of statements of a block during which a mask stays as it is."""
    run: list[ast.stmt] = []
    for statement in block:
        if function.is_as_written(statement) and _stays(mask, statement, function, memory):
            run.append(statement)
        else:
            yield _between(mask, run)
            run = []
    yield _between(mask, run)


def _between(mask: str, run: list[ast.stmt]) -> list[ast.stmt]:
    """The statements from the first to the last that name a mask."""
    places = [k for k, each in enumerate(run) if mask in names_in(each)]
    return run[places[0] : places[-1] + 1] if places else []


def _stays(mask: str, statement: ast.stmt, function: Function, memory: Memory) -> bool:
    """Whether a statement leaves a mask, and the lengths of arrays, as they are."""
    changed = memory.changed_in([statement])
    same = memory.of([mask])
    is_changed = not same.isdisjoint(changed.by_stores | changed.by_calls)
    is_seen = bool(changed.calls) and (memory.is_foreign([mask]) or _can_be_rebound(mask, function))
    reshapes = any(map(_may_reshape, walk(statement)))
    return not (mask in stored_names(statement) or is_changed or is_seen or reshapes)


def _may_reshape(node: ast.AST) -> bool:
    """Whether it is ``x.shape = ...`` or ``x.resize``."""
    match node:
        case ast.Attribute(attr="shape", ctx=ast.Store()) | ast.Attribute(attr="resize"):
            return True
    return False


def _worthwhile(mask: str, run: Sequence[ast.stmt], function: Function) -> MaskUses | None:
    """The uses of a mask in statements, from arrays that stay what they are; None where they are few."""
    bound = stored_names(*run)
    uses: list[ast.Subscript] = []
    first: ast.stmt | None = None
    times = 0
    known = {node: name for name, node in _masked(function)}
    for statement in function.statements():
        around = (*function.outer(statement), statement)
        start = next((each for each in around if each in run), None)
        if start is None or not surely_set(mask, first or start, function):
            continue
        inside = around[around.index(start) : -1]
        if not all(isinstance(each, _Loop | ast.With) for each in inside):
            # Where a branch is not taken, a look-up would be in vain.
            continue
        for use in _own_subscripts(statement, known, mask):
            assert isinstance(use.value, ast.Name)
            if use.value.id in bound or not surely_set(use.value.id, first or start, function):
                continue
            first = first or start
            uses.append(use)
            augmented = isinstance(statement, ast.AugAssign) and statement.target is use
            times += (1 + augmented) * (_IN_A_LOOP if inside else 1)
    if first is None or times < _FEW:
        return None
    return MaskUses(mask, first, tuple(uses))


def _own_subscripts(
    statement: ast.stmt, known: dict[ast.Subscript, str], mask: str
) -> Iterator[ast.Subscript]:
    """The subscripts with a mask in what belongs to a statement itself, in the order of the text."""
    pending: list[ast.AST] = [statement]
    while pending:
        each = pending.pop(0)
        if isinstance(each, ast.Subscript) and known.get(each) == mask:
            yield each
        inner = (child for child in children(each) if not isinstance(child, ast.stmt | ast.Lambda))
        pending += inner
