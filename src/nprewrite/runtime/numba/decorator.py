"""The decorator that rewritten code puts on a function of scalar loops: Numba runs it where it can.

The function is lowered for the types of a call, and also for its integers, shapes and index arrays as far as
these decide what can happen. What is compiled is kept on disk. Where a guard refuses, it runs as written.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from types import CodeType, MappingProxyType
from typing import Any, overload

import numpy as np

from nprewrite.base.environment import disabled, waits
from nprewrite.base.errors import FallbackError
from nprewrite.lowering.arrays import Entry
from nprewrite.lowering.filled_lists import filled_in
from nprewrite.lowering.grids import grids_of
from nprewrite.lowering.lowered import Lowered
from nprewrite.lowering.problems import Event
from nprewrite.lowering.queues import queues_of
from nprewrite.lowering.row_uses import rows_of
from nprewrite.lowering.statements import STATEMENT_NS
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.known import Part
from nprewrite.runtime.api.refusal import (
    COMPILING,
    Compiling,
    Place,
    Refused,
    Unusable,
    how_it_ran,
    warn_once,
)
from nprewrite.runtime.choosing.choice import disturb, now
from nprewrite.runtime.device.devices import DeviceProblem, Placed
from nprewrite.runtime.numba import build, lists
from nprewrite.runtime.numba.arguments import Uses, flat
from nprewrite.runtime.numba.faults import raise_fault
from nprewrite.runtime.numba.gathered import Gathered
from nprewrite.runtime.numba.generators import Loan
from nprewrite.runtime.numba.given_arrays import arrays_given
from nprewrite.runtime.numba.kept_lowered import lowered_once
from nprewrite.runtime.numba.lent_lists import Lent
from nprewrite.runtime.numba.lists import LONG_LIST, appended_only
from nprewrite.runtime.numba.long_lists import LongLists
from nprewrite.runtime.numba.names import Resolved, resolver
from nprewrite.runtime.numba.object_columns import ObjectColumns, check_apart
from nprewrite.runtime.numba.plans import Known, Plan, Plans
from nprewrite.runtime.numba.set_attributes import SetAttributes
from nprewrite.runtime.numba.short_runs import MOST_GAINED, ShortRuns
from nprewrite.runtime.numba.slots import OTHER_ITEMS
from nprewrite.runtime.numba.source_tree import tree_of, with_imports_apart
from nprewrite.runtime.numba.stores import Stores
from nprewrite.runtime.numba.tables import Tables

NO_NUMBA = "Numba is missing"
SHORT_RUNS = "Python is through such short runs before a call is made"
LITTLE_WORK = "too little work to compile for"
LONG_ROWS = "rows so long that NumPy is as fast"
# Statements that take Python far longer than importing Numba and compiling them; lengths that differ from
# iteration to iteration may be overestimated.
LONG_WORK = 1 << 28
# Runs without a clock after each one that Python was through with before a compiled call is made.
UNSEEN_SHORT = 7
# Until another process has compiled it, a loop looks for the result no more often.
LOOK_S = 0.005
_NOTHING_LENT = contextlib.nullcontext()
LONG_S = 1e-3
"""A run as written that takes this long has more to do than those that are not worth a look."""
_LONGER = 4
_BETWEEN_LOOKS = 16
"""So many times as long as a look takes is the time between two."""
# After so many runs that the loop as written had to repeat, compiled runs are not tried again.
REPEATS = 3


@overload
def native(function: Callable[..., Any], /) -> Native: ...


@overload
def native(
    *,
    spent: Sequence[str] = (),
    sets: Sequence[str] = (),
    tables: Sequence[str] = (),
    objects: Sequence[str] = (),
    on_fallback: str = "warn",
) -> Callable[[Callable[..., Any]], Native]: ...


def native(
    function: Callable[..., Any] | None = None,
    /,
    *,
    spent: Sequence[str] = (),
    sets: Sequence[str] = (),
    tables: Sequence[str] = (),
    objects: Sequence[str] = (),
    on_fallback: str = "warn",
) -> Native | Callable[[Callable[..., Any]], Native]:
    """Have Numba run a function of scalar loops, with the results of Python and NumPy.

    The function takes positional arguments and returns numbers, a tuple of numbers, or None. Of the lists
    ``spent`` it returns arrays, and the caller does not look at them again. It ``sets`` attributes of what it
    gets, ``"self.energy"``, and is compiled for what its small ``tables`` of numbers hold. Of the ``objects``
    in lists it uses attributes that are numbers, vectors or strings, ``"vector self.bodies.force"``. Where it
    has to run as written, ``on_fallback`` says whether to "warn" or to "raise" ``FallbackError``.
    """
    if function is None:
        return lambda made: Native(made, on_fallback, spent, sets, tables, objects)
    return Native(function, on_fallback, spent, sets, tables, objects)


class Native(Part):
    """A function of scalar loops with what was compiled of it.

    ``runs`` counts how it ran: ``"compiled"`` or ``"as written: <reason>"``. With ``waits`` it is compiled
    only after it has had enough to do, unless it has been before; ``counts`` are integers whose values do not
    matter.
    """

    waits = True
    in_order = True
    """Whether it stores in the same order as the loop as written."""
    counts: frozenset[str] = frozenset()

    def __init__(
        self,
        function: Callable[..., Any],
        on_fallback: str = "warn",
        spent: Sequence[str] = (),
        sets: Sequence[str] = (),
        tables: Sequence[str] = (),
        objects: Sequence[str] = (),
    ) -> None:
        super().__init__(function, on_fallback)
        self.spent = frozenset(spent)
        self.sets = tuple(sets)
        self.tables = tuple(tables)
        self.objects = tuple(objects)
        # Its positions are those of the text that is lowered.
        self.code: CodeType | None = getattr(function, "__code__", None)
        self.short_runs = ShortRuns()
        self._resolved = Resolved()
        self._compiled: dict[str, build.Loop] = {}
        self._gathered, self._long_lists = Gathered(), LongLists()
        self._unseen, self._why, self._long_s = 0, "", LONG_S
        self._looks_at = 0.0
        self._python_s, self._copying_s = 0.0, 0.0
        """About the time that Python would have taken for the run before, and what copying lists took."""
        self._repeated = 0
        self._unusable: tuple[str, str] | None = None

    @property
    def calls_left(self) -> int | None:
        """While it waits: the number of further calls like the last before it is compiled."""
        return self._gathered.calls_left if self.waits else None

    @property
    def long_rows(self) -> int:
        """How often its rows were so long that NumPy is as fast."""
        return self.runs[f"as written: {LONG_ROWS}"]

    def __call__(self, *arguments: Any) -> Any:
        """Run compiled, or as written where something refuses.

        Raises ``DeviceProblem`` for arrays on a device, whose elements would be waited for one by one.
        """
        if self._unseen > 0:
            return self._ran_unseen(arguments)
        if self.short_runs.is_written_turn() and not disabled():
            self._why = f"as written: {SHORT_RUNS}"
            self._unseen = UNSEEN_SHORT * self.short_runs.written
            self.runs[self._why] += 1
            return self.short_runs.run_as_written(self.function, arguments)
        started = now()
        if started < self._looks_at:
            self.runs[f"as written: {COMPILING}"] += 1
            disturb()
            return self.function(*arguments)
        try:
            self._check_usable()
            if self._queues:
                with lists.queues_as_lists(arguments, self._queues) as given:
                    result = self._ran(given)
            else:
                result = self._ran(arguments)
        except Refused as found:
            # Its traceback would keep the user's arrays alive.
            refusal = found.with_traceback(None)
        else:
            self.short_runs.compiled_run(now() - started, self._python_s, self._copying_s)
            return result
        if any(isinstance(each, Placed) for each in arguments):
            text = "a loop takes one element after the other, expected array code"
            raise DeviceProblem("element by element", text) from refusal
        self._note(refusal, now() - started)
        if not refusal.silent and self.on_fallback == "raise":
            self._tell(refusal)
        # An error of the user's own comes first, without another one in its context.
        started = now()
        result = self.function(*arguments)
        seconds = now() - started
        self._gathered.run_as_written(seconds)
        if refusal.reason == LONG_LIST:
            self._long_lists.ran_as_written(seconds)
        if not refusal.silent and not refusal.passing:
            self._tell(refusal)
        return result

    def _ran_unseen(self, arguments: Sequence[Any]) -> Any:
        """Run as written, without a look unless that takes long; raises what it raises."""
        self._unseen -= 1
        self.runs[self._why] += 1
        started = now()
        result = self.function(*arguments)
        if now() - started > self._long_s:
            self.look()
        return result

    def look(self) -> None:
        """Look at the next run, which may have more to do than those before."""
        self._unseen = 0

    def _note(self, refusal: Refused, seconds: float = 0.0) -> None:
        """Note why the loop runs as written, which it took so long to find out."""
        why = f"as written: {refusal.reason}"
        self.runs[why] += 1
        if refusal.reason in (LONG_LIST, OTHER_ITEMS):
            # To look at all items, again and again, may take longer than the loop.
            self._unseen, self._why = self.runs[why], why
            self._long_s = max(LONG_S, _LONGER * seconds)
        if isinstance(refusal, Compiling):
            # A look copies the lists that the loop reads.
            self._looks_at = now() + max(LOOK_S, _BETWEEN_LOOKS * seconds)
            disturb()
        if isinstance(refusal, Unusable):
            # Reason and detail only: a kept exception would keep the user's arrays alive.
            self._unusable = refusal.reason, refusal.detail

    def show(self, code: CodeType) -> None:
        """Take the function's code with the positions that tracebacks are to show."""
        self.function.__code__ = code

    @property
    def spared_s(self) -> float:
        """An estimate of the seconds that Python would have taken for what ran compiled."""
        return self.runs["compiled"] * self._python_s

    def report(self) -> list[str]:
        """How the loop ran."""
        whys = dict.fromkeys(each.why for each in self._compiled.values() if each.why)
        slow = [f"`{self.function.__name__}` is loaded by Numba itself: {why}" for why in whys]
        return [how_it_ran(self.function.__name__, self.runs), *slow]

    def _tell(self, refusal: Refused) -> None:
        """Warn the user, whose frame is that around the one that calls this."""
        place = Place.of(sys._getframe(2))
        text = f"{place.describe('the loop')} runs as written: {refusal.detail}"
        if self.on_fallback == "raise":
            raise FallbackError(f"{place.file}:{place.line}: {text}") from refusal
        warn_once(place, refusal.reason, text, everywhere=refusal.reason == NO_NUMBA)

    def _check_usable(self) -> None:
        """Refuse where nothing can run compiled."""
        if disabled():
            raise Refused("NPREWRITE_DISABLE is set", silent=True)
        if not _has_numba():
            raise Refused(NO_NUMBA, "Numba is not installed; pip install nprewrite[native]")
        if self._repeated >= REPEATS:
            raise Refused("it left what is followed before", silent=True)
        if self._unusable is not None:
            raise Unusable(*self._unusable)
        guards.check_errstate()

    def _ran(self, given: Sequence[Any]) -> Any:
        """Run compiled; raises ``Refused``."""
        if not self.objects:
            return self._ran_with(given)
        with self._columns.lent(given) as (columns, vectors):
            return self._ran_with(columns, vectors)

    def _ran_with(self, given: Sequence[Any], vectors: Sequence[Any] = ()) -> Any:
        """Run compiled, with columns for lists of objects with these ``vectors``; raises ``Refused``."""
        attributes = self._attributes
        values = attributes.taken(given)
        tabled = self._tables.taken(values)
        arguments = lists.for_tuples(tabled)
        check_apart(vectors, arguments)
        keep = functools.partial(attributes.give_back, given) if attributes.names else None
        known = self._plans.like(arguments)
        lowered = known.plan.lowered
        replaced = self._resolved.replaced()
        if replaced is not None:
            raise Refused("a name was replaced", f"`{replaced}` stands for something else than before")
        if lowered.saved < 0:
            raise Refused(LONG_ROWS, silent=True)
        self._python_s, self._copying_s = max(lowered.work * STATEMENT_NS, lowered.saved) * 1e-9, 0.0
        guards.check_warnings()
        if not lowered.lists:
            return self._followed(known, arguments, keep)
        named = self._named(arguments) | {name: [] for name in lowered.made}
        tables = [value for value, known in zip(values, tabled, strict=True) if value is not known]
        started = now()
        around, long_lists = self.function.__globals__, self._long_lists
        with lists.lent(lowered, named, self.spent, around, tables, long_lists) as taken:
            passed = [taken[name].state if name in taken else each for name, each in named.items()]
            filled = now()
            result = self._followed(known, passed, keep, taken)
            done = now()
        self._copying_s = filled - started + now() - done
        return result

    def _followed(
        self,
        known: Known,
        arguments: Sequence[Any],
        keep: Callable[[Sequence[object]], None] | None = None,
        taken: Mapping[str, Lent] = MappingProxyType({}),
    ) -> Any:
        """Run what was compiled, or is now, for a plan, with the lists that it has ``taken``.

        ``keep`` gets what attributes are in the end. Raises ``Refused``.
        """
        plan, lowered = known.plan, known.plan.lowered
        stored = [arguments[position] for position in plan.stored]
        keeps = lowered.replays or (lowered.stops and not self.in_order)
        saved = [each.copy() for each in stored] if keeps else None
        width = lowered.width
        integers, floats = np.zeros(width, np.int64), np.zeros(2 * width, np.float64)
        tags = np.zeros(width + 1, np.int64)
        given = [*(arguments if known.is_flat else flat(arguments)), integers, floats, tags]
        arrays = np.zeros(0, np.int64)
        if lowered.arrays:
            arrays = np.zeros(sum(2 * (1 + rank) for _, rank in lowered.arrays), np.int64)
            given.append(arrays)
        loan = None
        if lowered.draws:
            loan = Loan(lowered.draws, self._named(arguments), saves=lowered.replays)
            given += [part for each in loan.lent for part in (each.state, each.kept)]
        run = known.run
        if run is None:
            run = known.run = self._loop(lowered, given).run_for(given, waits=self._is_awaited(plan))
        with loan or _NOTHING_LENT:
            started = now()
            event = run(*given)
            # Copying long lists may take far longer than what a loop that serves all lengths does with them.
            self._python_s = min(self._python_s, MOST_GAINED * (now() - started))
            fault = lowered.fault(event)
            is_over = event == Event.DONE or (
                fault is not None and (self.in_order or fault.operation is None)
            )
            if loan is not None:
                loan.is_undone = not is_over
        made = arrays_given(lowered.arrays, arrays, arguments) if event == Event.DONE else []
        for each in taken.values():
            each.share(made)
        if is_over and keep is not None:
            keep(lowered.values_kept(integers, floats, tags, made, fault))
        if event == Event.DONE:
            self.runs["compiled"] += 1
            return lowered.result(integers, floats, tags, made, lambda name: taken[name].array())
        if fault is not None and is_over:
            self.runs["compiled"] += 1
            raise_fault(fault, integers, floats, self.function, tree_of(self.function, self.code))
        for array, values in zip(stored, saved or [], strict=True):
            array[...] = values
        self._repeated += event == Event.REPLAY
        raise Refused("a value that is not followed" if event == Event.REPLAY else "an error", silent=True)

    def _is_awaited(self, plan: Plan) -> bool:
        """Whether a call waits until it is compiled; of a plan for all lengths nobody knows the work."""
        is_long = plan.lowered.seen_work >= LONG_WORK and not plan.is_for_types
        return self.is_waited_for or is_long or waits()

    def _looks(self, loop: ast.For | ast.While) -> bool:
        """Whether a loop may be left between two iterations because a signal handler raises."""
        return True

    @functools.cached_property
    def _attributes(self) -> SetAttributes:
        return SetAttributes(self._columns.tree, self.sets)

    @functools.cached_property
    def _columns(self) -> ObjectColumns:
        tree, imported = self._apart
        return ObjectColumns(tree, self.objects, resolver(self.function, imported=imported))

    @functools.cached_property
    def _tables(self) -> Tables:
        return Tables(self._tree, self.tables, resolver(self.function, imported=self._apart[1]))

    @functools.cached_property
    def _apart(self) -> tuple[ast.FunctionDef, dict[str, Any]]:
        """The function without its imports, and what these bind."""
        return with_imports_apart(tree_of(self.function, self.code))

    @property
    def _tree(self) -> ast.FunctionDef:
        return self._attributes.tree

    @functools.cached_property
    def _queues(self) -> frozenset[int]:
        """The positions of arguments that are queues."""
        named, given = queues_of(*self._tree.body), self.function.__code__.co_varnames
        return frozenset(k for k, each in enumerate(given) if named.get(each) == "popleft")

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(each.arg for each in self._tree.args.args)

    def _named(self, arguments: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(self._names, arguments, strict=False))

    @functools.cached_property
    def _plans(self) -> Plans:
        unread = appended_only(self._tree) | filled_in(*self._tree.body)
        body = self._tree.body
        uses = Uses(self.counts, unread, grids_of(*body), rows_of(*body).owners)
        return Plans(self._names, Stores(self._tree), uses, self._lower)

    def _lower(self, entry: Entry) -> Lowered:
        resolve, kept = resolver(self.function, self._resolved, self._apart[1]), self._attributes.names
        return lowered_once(
            self._tree, entry, resolve, self._looks, draws=self.in_order, kept=kept, spent=self.spent
        )

    def _loop(self, lowered: Lowered, given: Sequence[Any]) -> build.Loop:
        """What is compiled; silently refuses what is done sooner than compiled."""
        loop = self._compiled.get(lowered.text)
        if loop is None:
            loop = self._compiled[lowered.text] = build.Loop(self.function.__name__, lowered.text)
            self.waits = self.waits and not loop.is_kept(given)
        if self.waits and self._gathered.puts_off(lowered.work):
            self._unseen, self._why = self._gathered.unseen(), f"as written: {LITTLE_WORK}"
            raise Refused(LITTLE_WORK, silent=True)
        return loop


@functools.cache
def _has_numba() -> bool:
    return find_spec("numba") is not None
