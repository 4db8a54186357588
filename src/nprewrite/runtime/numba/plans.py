"""How calls of a function of scalar loops run: what it becomes for their types, numbers and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from nprewrite.lowering.arrays import ArrayArgument, Entry, ListArgument
from nprewrite.lowering.lowered import Lowered
from nprewrite.lowering.problems import NotNative
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba import build
from nprewrite.runtime.numba.arguments import (
    Range,
    Uses,
    described,
    entry_argument,
    fingerprint,
    is_flat,
    key_of,
    types_in,
    within,
    without_values,
)
from nprewrite.runtime.numba.followed import followed
from nprewrite.runtime.numba.stores import Stores

# Calls with other numbers or shapes that get a plan of their own; later ones run with every check. For one
# set of types at most two things are compiled: the code for the first call, and the code with every check.
PLANS = 5
# Of them, those that are made for the values of integers: each takes longer than the checks that it spares.
# Of an integer that has had more values, the value does not matter any more.
VALUES = 2
# After so many refusals, further calls with such types are refused at once.
REFUSALS = 8


@dataclass(frozen=True)
class Plan:
    """How calls with given types, numbers and shapes run."""

    lowered: Lowered
    contents: dict[int, Range]
    """The range of each index array's elements that was relied on, by argument."""
    stored: tuple[int, ...]
    """The arguments that are arrays into which the loop stores."""
    is_for_types: bool = False
    """Whether it has every check, so that it serves all calls with such types."""


@dataclass
class Known:
    """How calls that are alike run, with what was compiled for them, once that is there."""

    plan: Plan
    is_flat: bool
    """Whether the arguments are passed as they are."""
    run: build.Run | None = None


class Plans:
    """The plans of a function; ``lower`` gives what it is lowered to."""

    def __init__(
        self,
        names: tuple[str, ...],
        stores: Stores,
        uses: Uses,
        lower: Callable[[Entry], Lowered],
    ) -> None:
        self._names = names
        self._stores = stores
        self._uses = uses
        self._unread = frozenset(k for k, name in enumerate(names) if name in uses.appended)
        self._grids = frozenset(k for k, name in enumerate(names) if name in uses.grids)
        self._rows = {k: uses.rows[name] for k, name in enumerate(names) if name in uses.rows}
        self._lower = lower
        self._plans: dict[tuple[Any, ...], Plan] = {}
        # The same plans by ``fingerprint``, which costs little: most calls are like an earlier one.
        self._known: dict[tuple[Any, ...], Known] = {}
        # Those with every check, by what is left of a fingerprint then.
        self._by_types: dict[tuple[Any, ...], Known] = {}
        self._first: dict[tuple[Any, ...], str] = {}
        self._varying: frozenset[int] = frozenset()
        """The positions of integers that have had several values."""
        self._outgrown = 0
        self._refused: dict[tuple[Any, ...], tuple[int, Callable[[], Refused] | None]] = {}
        """How often calls with such types have been refused, and why the last time."""

    def like(self, arguments: Sequence[Any]) -> Known:
        """What runs for these arguments; that of an earlier call if nothing that matters has changed."""
        likeness = fingerprint(arguments, self._unread, self._grids, self._rows)
        known = self._known.get(likeness)
        if known is None and self._varying:
            likeness = without_values(likeness, self._varying)
            known = self._known.get(likeness)
        if known is not None and (not known.plan.contents or self._holds(known.plan, arguments)):
            return known
        types = types_in(likeness) if self._by_types else None
        if known is None and types in self._by_types:
            return self._by_types[types]
        if len(arguments) != len(self._names):
            raise Refused("arguments", silent=True)
        known = Known(self._followed_plan(arguments, types_in(likeness)), is_flat(arguments))
        if likeness in self._known or len(self._known) < PLANS:
            self._known[likeness] = known
        elif known.plan.is_for_types and len(self._by_types) < PLANS:
            self._by_types[types_in(likeness)] = known
        return known

    def _followed_plan(self, arguments: Sequence[Any], types: tuple[Any, ...]) -> Plan:
        """A new plan; what has been refused often enough is not followed again, which takes milliseconds."""
        count, refused = self._refused.get(types, (0, None))
        if refused is not None and count >= REFUSALS:
            raise refused()
        try:
            return self._new_plan(arguments)
        except Refused as found:
            # The exception itself would keep the user's arrays alive.
            silent, passing = found.silent, found.passing
            again = partial(Refused, found.reason, found.detail, silent=silent, passing=passing)
            self._refused[types] = count + 1, again
            raise

    def _holds(self, plan: Plan, arguments: Sequence[Any]) -> bool:
        """Whether the index arrays hold what the plan relies on, and keep it while the loop runs."""
        return all(
            within(arguments[k], seen)
            and not any(np.may_share_memory(arguments[k], arguments[each]) for each in plan.stored)
            for k, seen in plan.contents.items()
        )

    def _new_plan(self, arguments: Sequence[Any]) -> Plan:
        given = dict(zip(self._names, arguments, strict=True))
        stores = [given.get(name) for name in self._stores.among(given)]
        stored = [each for each in stores if isinstance(each, np.ndarray)]
        key = tuple([key_of(name, each, stored, self._uses) for name, each in given.items()])
        types = tuple([each[:1] for each in key])
        key = self._without_values(key, types)
        if key not in self._plans and (len(self._plans) >= PLANS or types in self._plans):
            # Other shapes needed every check before, and to find out what these need takes longer.
            key = types
        plan = self._plans.get(key)
        holds = plan is None or all(within(arguments[k], seen) for k, seen in plan.contents.items())
        self._outgrown += not holds
        if self._outgrown > VALUES:
            # Index arrays with other numbers at each call: no plan would serve the next one.
            key, holds = types, True
            plan = self._plans.get(key)
        if plan is None or not holds:
            plan = self._plans[key] = self._chosen(types, self._lowered(key, arguments), arguments)
        return plan

    def _without_values(self, key: tuple[Any, ...], types: tuple[Any, ...]) -> tuple[Any, ...]:
        """The key of a plan, without the values of integers that have had several."""
        if key in self._plans:
            return key
        others = [each for each in self._plans if tuple([part[:1] for part in each]) == types]
        if len(others) >= VALUES:
            integers = [k for k, part in enumerate(key) if len(part) == 2]
            self._varying = self._varying.union(
                k for k in integers if any(len(each[k]) == 2 and each[k] != key[k] for each in others)
            )
        return tuple([part[:1] if k in self._varying else part for k, part in enumerate(key)])

    def _chosen(self, types: tuple[Any, ...], plan: Plan, arguments: Sequence[Any]) -> Plan:
        """The plan, if it runs the code of the first plan for these types; else the one with every check."""
        first = self._first.setdefault(types, plan.lowered.text)
        if plan.lowered.text == first:
            return plan
        if types not in self._plans:
            self._plans[types] = self._lowered(types, arguments)
        return self._plans[types]

    def _lowered(self, key: tuple[Any, ...], arguments: Sequence[Any]) -> Plan:
        contents: dict[int, Range] = {}
        given = list(zip(self._names, arguments, key, strict=True))
        entry = {
            name: entry_argument(position, argument, known, contents)
            for position, (name, argument, known) in enumerate(given)
        }
        # What lists hold is not known before.
        passing = any(isinstance(each, ListArgument) for each in entry.values())
        with followed(Refused, f"; {described(entry)}", passing=passing):
            made = self._lower(entry)
        stored = tuple(k for k, name in enumerate(self._names) if name in made.stores)
        is_for_types = all(len(each) == 1 for each in key)
        return Plan(made, self._needed(contents, entry, made), stored, is_for_types)

    def _needed(self, contents: dict[int, Range], entry: Entry, made: Lowered) -> dict[int, Range]:
        """The arrays whose contents this code relies on, with their ranges: each call checks these."""
        needed = dict(contents)
        for position, seen in contents.items():
            del needed[position]
            unseen = {
                name: replace(each, contents=None)
                if isinstance(each, ArrayArgument) and k not in needed
                else each
                for k, (name, each) in enumerate(entry.items())
            }
            if not self._makes(unseen, made):
                needed[position] = seen
        return needed

    def _makes(self, entry: Entry, made: Lowered) -> bool:
        """Whether the function is lowered to the same code for such arguments."""
        try:
            return self._lower(entry) == made
        except NotNative:
            return False
