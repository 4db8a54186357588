"""A loop over the iterations of a step, with its statements over lanes as loops over scalars.

Memory for the arrays that an iteration makes is allocated once. A name that is rebound, ``u = u + dt * v``,
and names that change places, ``A, B = B, A``, would exchange arrays after each iteration. Instead the body of
the loop holds as many iterations as it takes until every name has its first array again, and each of them is
written with the arrays that the names stand for in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nprewrite.base.syntax import renamed, text_tree, walk
from nprewrite.lowering.arrays import ArrayArgument, Entry
from nprewrite.lowering.lanewise_loops import LaneNest, lane_nest
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.single_assignment import Iteration
from nprewrite.numpy_api.creation import CREATION

MOST_PHASES = 4
"""The most iterations, until all names have their first arrays again, that a loop may hold."""


@dataclass(frozen=True)
class Carrying:
    """Which arrays an iteration hands on: for each of ``sources``, the name of the result that it becomes."""

    sources: tuple[str, ...]
    becomes: tuple[str, ...]

    @cached_property
    def phases(self) -> tuple[Mapping[str, str], ...]:
        """The array of each name in each iteration, until all names have their first arrays again."""
        step = self._exchange()
        first = now = {name: name for name in step}
        found = [first]
        while (now := {name: now[step[name]] for name in now}) != first:
            found.append(now)
            if len(found) > MOST_PHASES:
                text = f"the arrays swap places in a cycle of more than {MOST_PHASES} iterations"
                raise NotNative("scalar-carried", text)
        return tuple(found)

    def _exchange(self) -> dict[str, str]:
        """The name whose array each name takes; a new result takes the array that is no longer needed."""
        if len({*self.becomes}) < len(self.becomes):
            raise NotNative("aliased-arrays", "two arrays of the loop are the same array after an iteration")
        taken = dict(zip(self.sources, self.becomes, strict=True))
        given = {result: source for source, result in taken.items()}
        for name in {*self.becomes} - {*self.sources}:
            free = name
            while free in given:
                free = given[free]
            taken[name] = free
        return taken


def looped(
    iteration: Iteration,
    carrying: Carrying,
    scalars: Sequence[str],
    entry: Entry,
    resolve: Callable[[ast.expr], str | None],
) -> LaneNest:
    """The loop as loops over scalars: a function of the number of iterations, of the step's parameters, and
    of the arrays that it makes.

    ``entry`` holds the types of all of these; ``scalars`` are arrays with one element for each iteration.
    Raises ``NotNative``.
    """
    _check_views(iteration, entry)
    _check_numbers(iteration, entry)
    filled = {
        name: number
        for name, value in iteration.made.items()
        if isinstance(entry.get(name), ArrayArgument) and (number := _filled_with(value, resolve)) is not None
    }
    loop = _Loop(iteration, carrying, frozenset(scalars), entry, filled)
    rows = loop.rows()
    try:
        return lane_nest(loop.function(rows), entry, resolve)
    except NotNative:
        if not rows:
            raise
        # A value that other lanes need, or that is needed after a store, is kept as an array.
        return lane_nest(loop.function(frozenset()), entry, resolve)


def _filled_with(value: ast.expr, resolve: Callable[[ast.expr], str | None]) -> int | None:
    """The number of which ``np.zeros_like(u)`` is full; None for other values."""
    match value:
        case ast.Call(func=func, args=[_], keywords=[]):
            known = CREATION.get((resolve(func) or "").removeprefix("numpy."))
            return known.fills if known is not None and known.rule == "like" and not known.undefined else None
    return None


def _check_views(iteration: Iteration, entry: Entry) -> None:
    """Refuse a name for a part of an array that changes, because it would see later stores."""
    stored = {*_stored(iteration.statements)}
    for name, value in iteration.made.items():
        base = value.value if isinstance(value, ast.Subscript | ast.Attribute) else value
        kept = isinstance(entry.get(name), ArrayArgument) and name not in iteration.copies
        if kept and isinstance(base, ast.Name) and {base.id, name} & stored:
            raise NotNative("aliased-arrays", f"`{name}` shares memory with `{base.id}`", value)


def _check_numbers(iteration: Iteration, entry: Entry) -> None:
    """Refuse a number that is changed in place, because another name may stand for it too."""
    for each in iteration.statements:
        target = each.target if isinstance(each, ast.AugAssign) else None
        if isinstance(target, ast.Name) and not isinstance(entry.get(target.id), ArrayArgument):
            raise NotNative("scalar-carried", f"`{ast.unparse(each)}` changes a number", each)


def _stored(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names of the arrays into which there are stores."""
    for each in statements:
        target = each.targets[0] if isinstance(each, ast.Assign) else getattr(each, "target", None)
        base = target.value if isinstance(target, ast.Subscript) else target
        if isinstance(base, ast.Name) and (isinstance(each, ast.AugAssign) or base is not target):
            yield base.id


@dataclass(frozen=True)
class _Loop:
    """The text of the loop."""

    iteration: Iteration
    carrying: Carrying
    scalars: frozenset[str]
    entry: Entry
    filled: Mapping[str, int]
    """Arrays that an iteration makes full of a number."""

    def rows(self) -> frozenset[str]:
        """Arrays of an iteration that are only read lane by lane, and so need no memory."""
        nodes = [each for statement in self.iteration.statements for each in walk(statement)]
        parts = {
            each.value.id
            for each in nodes
            if isinstance(each, ast.Subscript | ast.Attribute) and isinstance(each.value, ast.Name)
        }
        changed = {*_stored(self.iteration.statements)}
        needed = parts | changed | {*self.iteration.results, *self.filled}
        return frozenset({*self.arrays} - needed)

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """The names of arrays that an iteration makes."""
        return tuple(name for name in self.iteration.made if isinstance(self.entry.get(name), ArrayArgument))

    def function(self, rows: frozenset[str]) -> ast.FunctionDef:
        """The loop, in which ``rows`` are single values in each lane and the other arrays are stored."""
        count = len(self.carrying.phases)
        trips, turn = self.iteration.free("trips"), self.iteration.free("turn")
        rounds = f"{trips} // {count}" if count > 1 else trips
        loop = text_tree(f"for {turn} in range({rounds}):\n    pass").body[0]
        assert isinstance(loop, ast.For)
        loop.body = [each for k in range(count) for each in self._phase(k, f"{turn} * {count} + {k}", rows)]
        body: list[ast.stmt] = [loop]
        for k in range(count - 1):
            rest = text_tree(f"if {trips} % {count} > {k}:\n    pass").body[0]
            assert isinstance(rest, ast.If)
            rest.body = [*self._phase(k, f"{trips} // {count} * {count} + {k}", rows, stem="rest")]
            body.append(rest)
        names = (trips, *self.iteration.parameters, *self.arrays)
        arguments = ast.arguments([], [ast.arg(each) for each in names], None, [], [], None, [])
        made = ast.FunctionDef(self.iteration.function.name, arguments, body, [], None)
        return ast.fix_missing_locations(ast.copy_location(made, self.iteration.function))

    def _phase(self, number: int, trip: str, rows: frozenset[str], stem: str = "now") -> Iterator[ast.stmt]:
        """The statements of one iteration, with the arrays that the names stand for in it."""
        arrays, kept = self.carrying.phases[number], {*self.arrays} - rows
        own = {*self.iteration.made, *self.scalars} - kept
        names = {name: self.iteration.free(f"{stem}_{number}_{name}") for name in own}
        for each in sorted(self.scalars):
            yield text_tree(f"{names[each]} = {each}[{trip}]").body[0]
        for statement in self.iteration.statements:
            made = text_tree(ast.unparse(statement)).body[0]
            if isinstance(made, ast.Assign) and isinstance(made.targets[0], ast.Name):
                target = made.targets[0]
                if target.id in kept:
                    made.targets = [ast.Subscript(target, ast.Constant(...), ast.Store())]
                if target.id in self.filled:
                    made.value = ast.Constant(self.filled[target.id])
            for inner in walk(made):
                ast.copy_location(inner, statement)
            yield renamed(made, {**arrays, **names})
