"""Names of a loop that share memory, and names that are used after it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from nprewrite.analysis.array_steps import is_reversed, is_true_view, needs_rank
from nprewrite.analysis.memory import Memory
from nprewrite.base.syntax import walk
from nprewrite.regions.array_loops.loop import Flow
from nprewrite.types.problems import Problem
from nprewrite.types.values import Array


def sharing_problem(flow: Flow, live: Collection[str]) -> Problem | None:
    """Why two names that share memory prevent extracting the loop; ``live`` names are read after it.

    Adds to ``flow.changed`` what is stored into through a view that an iteration makes, and moves to
    ``flow.copied`` what is changed in place and then bound again.
    """
    renamed = (_renamed(statement, flow) for _, _, statement in flow.aliases)
    # New arrays that only one name stands for after the iteration.
    takes_over = dict(
        pair for pair in renamed if pair and pair[0] not in flow.carried and pair[1] not in live
    )
    flow.aliases = [each for each in flow.aliases if each[0] not in takes_over]
    for alias, original, statement in flow.aliases:
        problem = _alias_problem(alias, original, statement, flow, live)
        if problem is not None:
            return problem
    changed = {*flow.changed, *(original for _, original, _ in flow.aliases)}
    seen = next((name for name in flow.looked_up if name in changed), None)
    if seen is not None:
        text = f"elements of `{seen}` are looked up while it changes"
        return Problem("aliased-arrays", text, flow.body.statements[0])
    both = [name for name in flow.changed if name in flow.rebound]
    alone = {name: {name, takes_over.get(name, name)} for name in both}
    seen_by_others = next((name for name in both if not _is_alone(name, alone[name], flow)), None)
    if seen_by_others is not None:
        text = (
            f"`{seen_by_others}`, which others may see, is changed in place and then bound to another array"
        )
        return Problem("aliased-arrays", text, flow.body.statements[0])
    flow.copied += both
    flow.changed = [name for name in flow.changed if name not in both]
    return None


def handed_on(flow: Flow) -> dict[str, str]:
    """A new array that the last statement of an iteration gives to the next one: its name and its new one.

    After ``for _ in range(n): v = zeros_like(u); v[1:-1] = ...; u = v`` both names stand for one array.
    """
    renamed = _renamed(flow.body.statements[-1], flow)
    return {renamed[1]: renamed[0]} if renamed is not None and renamed[0] in flow.carried else {}


def _renamed(statement: ast.stmt, flow: Flow) -> tuple[str, str] | None:
    """The names in ``y = x``, where ``x`` is a new array of the iteration that gets no third name."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=original)) if flow.whole:
            pass
        case _:
            return None
    names = [name for one, other, _ in flow.aliases for name in (one, other)]
    is_new = original in flow.rebound and original not in flow.read
    return (alias, original) if is_new and names.count(original) == 1 else None


def _is_alone(name: str, names: Collection[str], flow: Flow) -> bool:
    """Whether these names are the only way to its memory, so that a changed copy serves as well."""
    view = flow.body.view
    # The facts from the loop on do not tell where the array comes from.
    memory = Memory(replace(view))
    return view.is_local(name) and not view.is_shared(name) and memory.of([name]) <= {*names}


def _alias_problem(
    alias: str, original: str, statement: ast.stmt, flow: Flow, live: Collection[str]
) -> Problem | None:
    if alias in flow.carried:
        return _handed_on(alias, original, statement, flow, live)
    stored = {*flow.changed, *_stored(flow)}
    if alias not in stored and original not in stored:
        return None
    # For a negative step torch makes a copy, not a view.
    copied = any(is_reversed(each) for each in walk(statement) if isinstance(each, ast.Slice))
    # `x.ravel()` is a copy of some arrays and a view of others.
    calls = [each for each in walk(statement) if isinstance(each, ast.Call)]
    copied = copied or not all(is_true_view(each, flow.body.view) for each in calls)
    # An element is a number, which no store changes; whether it is an element depends on the rank.
    copied = copied or any(_may_be_an_element(each, flow) for each in walk(statement))
    # A view made within an iteration is one in the step too.
    made_here = alias not in flow.read and original in flow.read
    if copied or not flow.whole or not made_here:
        return Problem("aliased-arrays", f"`{alias}` and `{original}` share memory", statement)
    if alias in stored and original not in flow.changed:
        flow.changed.append(original)
    return None


def _may_be_an_element(node: ast.AST, flow: Flow) -> bool:
    """Whether it is ``x[0]`` of an array of unknown rank."""
    if not isinstance(node, ast.Subscript) or not needs_rank(node, flow.body.view):
        return False
    base = flow.body.view.facts.value(node.value)
    return isinstance(base, Array) and base.rank is None


def _handed_on(
    alias: str, original: str, statement: ast.stmt, flow: Flow, live: Collection[str]
) -> Problem | None:
    """``u = v`` at the end of an iteration, where the next one reads ``u``."""
    stored = {*flow.changed, *_stored(flow)}
    new = original in flow.rebound and original not in flow.read and original not in live
    new = new and all(original != other for other, _, _ in flow.aliases)
    if new and (original not in stored or flow.whole):
        return None
    if alias not in live and not stored & {alias, original}:
        # After the loop nobody sees whether it was the other array itself or a copy.
        return None
    return Problem(
        "aliased-arrays", f"`{alias}` and `{original}` are the same array after the iteration", statement
    )


def _stored(flow: Flow) -> set[str]:
    """Every name that is stored into in place, whatever it is bound to."""
    stored = set()
    for statement in flow.body.statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)), *_])
                | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name))
            ):
                stored.add(name)
    return stored


def escaping_problem(live: Collection[str], flow: Flow, place: ast.stmt) -> Problem | None:
    """What is wrong with the names that are used after the statements; ``place`` is where it is reported."""
    arrays = _arrays(flow)
    mixed = (name for name, dtype in flow.dtypes.items() if any(each.dtype != dtype for each in arrays[name]))
    mixed_name = next(mixed, None)
    if mixed_name is not None:
        return Problem("dtype-changes", f"`{mixed_name}` has several dtypes", place)
    named = {*live, *flow.carried}
    selected = {name for name in named if any(each.under is not None for each in arrays[name])}
    aliases = {alias for alias, _, _ in flow.aliases}
    for name in live:
        if name in flow.scalars:
            text = f"`{name}` is used after the loop"
            return Problem("scalar-carried", text, place, help="do not read it after the loop")
        if name in selected:
            return Problem("not-lanewise", f"`{name}` holds the selected elements only", place)
        if name in aliases and name not in flow.carried:
            text = f"`{name}` is used after the loop and shares memory with another array"
            return Problem("aliased-arrays", text, place)
        if name not in flow.carried and any(each.rank == 0 for each in arrays[name]):
            # `np.where(a > b, a, b)` of numbers gives an array, where a step returns a number.
            return Problem("not-lanewise", f"`{name}` is an array without axes", place)
    return None


def _arrays(flow: Flow) -> Mapping[str, Sequence[Array]]:
    """The types of each name wherever the iteration reads or binds it as an array."""
    values = flow.body.view.facts.expressions.values
    found: defaultdict[str, list[Array]] = defaultdict(list)
    for node in (node for statement in flow.body.statements for node in walk(statement)):
        value = values.get(node) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and isinstance(value, Array):
            found[node.id].append(value)
    return found
