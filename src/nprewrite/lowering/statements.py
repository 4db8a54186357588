"""Statements of a loop in lowered code."""

from __future__ import annotations

import ast
import copy
import math
from abc import abstractmethod
from collections.abc import Callable, Sequence

from nprewrite.base import syntax
from nprewrite.base.syntax import names_bound, names_in
from nprewrite.lowering import (
    array_picks,
    array_stores,
    interrupts,
    list_rows,
    listed_rows,
    lists,
    loops,
    maps,
    operators,
    trip_elements,
)
from nprewrite.lowering.array_products import sign_and_logarithm
from nprewrite.lowering.arrays import UNKNOWN, ArrayValue, MaybeArray, Unclear
from nprewrite.lowering.elements import Elements
from nprewrite.lowering.elements import elements_of as elements_in
from nprewrite.lowering.environment import Environment, Memory, Range, joined, tag_storage, variable
from nprewrite.lowering.filled_lists import Filling, filling
from nprewrite.lowering.forms import Bound
from nprewrite.lowering.held_lists import length, note_bound
from nprewrite.lowering.iterables import elements_of, range_of
from nprewrite.lowering.loops import Head
from nprewrite.lowering.numbers import CHARACTER, INT, TAGS, UNSET
from nprewrite.lowering.object_columns import RowBinding
from nprewrite.lowering.optional_arrays import note_array, require, require_arrays, require_bound, require_set
from nprewrite.lowering.prints import Prints
from nprewrite.lowering.problems import Event, NotNative, Unreachable, refuse
from nprewrite.lowering.rare_cases import is_rare, tells
from nprewrite.lowering.row_uses import numbered
from nprewrite.lowering.values import Code, Value, stored
from nprewrite.numpy_api.scipy import is_lowered, of_normal

_EFFECTS = (*lists.EFFECTS, *maps.EFFECTS, list_rows.appended, list_rows.put_there)
_UNCOUNTED = 2**16, 2**6
"""Trips of a ``while`` loop that are assumed when the work is estimated; the second number is for one inside
of another loop, which often does a few trips of an iteration to a root."""
_IN_A_BRANCH = 2**3
"""The same of one in a branch in a loop: a flood begins at few of the cells, and comes to each once."""
_UNKNOWN_AXIS = 2**10, 2**5
"""The same of a loop over an axis of which no length is known: who waits for a compiler does so for work that
is seen."""
_CALL = 8
"""Statements that Python runs in the time that a function of NumPy's takes for one number."""
_OF_DISTRIBUTION = 32
"""Calls of NumPy's that take as long as a method of one of SciPy's distributions."""
STATEMENT_NS = 50.0
"""What a statement takes Python at least."""


class Statements(trip_elements.Trips):
    """One walk over the statements of a function."""

    def __init__(
        self,
        code: Code,
        memory: Memory,
        resolve: Callable[[ast.expr], str | None],
        looks: Callable[[ast.For | ast.While], bool],
    ) -> None:
        super().__init__(code, memory, resolve)
        self.looks = looks
        self.prints: Prints | None = None
        self.ranges: dict[tuple[int, str], Range] = {}
        self.given: dict[str, ArrayValue] = {}
        """Parameters that are arrays."""
        self.changed: set[str] = set()
        """Arrays into which there are stores."""
        self._heads: list[Head] = []
        self._trips_before: list[tuple[float, float]] = []
        self._counters: set[str] = set()
        self._is_rare = False
        self._in_branch = False

    def body(self, statements: list[ast.stmt]) -> None:
        """Consecutive statements, as far as they are reached."""
        for statement in statements:
            if not self.alive:
                return
            indent = self.code.indent
            try:
                self._statement(statement)
            except Unreachable:
                self.code.indent = indent
                self.alive = False

    def _weight(self, node: ast.stmt) -> int:
        """The work of a statement in Python, in simple statements."""
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return 1
        return 1 + _CALL * sum(map(self._calls, syntax.walk(node)))

    def _calls(self, node: ast.AST) -> int:
        """The number of calls of NumPy's that take as long as a node, without those in it."""
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.MatMult)
        if not isinstance(node, ast.Call):
            return 0
        dotted = self.resolve(node.func) or ""
        return _OF_DISTRIBUTION if of_normal(dotted) else dotted.startswith("numpy.") or is_lowered(dotted)

    def _statement(self, node: ast.stmt) -> None:
        self.code.node = node
        if isinstance(node, ast.Expr):
            require_arrays(self, node)
        weight = self._weight(node)
        self.work += self._trips * weight
        self.seen_work += self._seen_trips * weight
        self.saved += self._trips * STATEMENT_NS
        match node:
            case ast.Assign() | ast.AugAssign() | ast.Return() if chosen := self._either_array(node):
                self._if(chosen)
            case ast.Assign():
                self._assign(node)
            case ast.AnnAssign(value=ast.expr() as assigned):
                self._store(node.target, self.assigned(assigned))
            case ast.AugAssign():
                self._augment(node)
            case ast.If():
                self._if(node)
            case ast.For():
                self._for(node)
            case ast.While():
                self._while(node)
            # Without a loop it stands in the `else` of the outermost one, and is for a loop around that.
            case ast.Break() | ast.Continue() if self._heads:
                ends = self._heads[-1].broken if isinstance(node, ast.Break) else self._heads[-1].continued
                ends.append(self.environment)
                self.code.line("break" if isinstance(node, ast.Break) else "continue")
                self.alive = False
            case ast.Return():
                self.returned(node)
            case ast.Raise():
                # The loop as written runs again, and raises.
                self.code.end_raised()
                self.alive = False
            case ast.Assert():
                self._assert(node)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Delete(targets=targets) if all(self._is_variable(each) for each in targets):
                for each in targets:
                    self._unbind(each)
            case ast.Expr() if self._printed(node):
                return
            case ast.Expr() if self._is_rare and tells(node, self.resolve):
                # The loop as written runs again, and tells.
                self.code.end_if("True", Event.REPLAY)
                self.alive = False
            case ast.Expr() if any(done(self, node.value) for done in _EFFECTS):
                return
            case ast.Expr(value=ast.Name(id=name)) if isinstance(self.environment.get(name), ArrayValue):
                # What stands in the place of a call whose result nobody takes: `solver.step()`.
                return
            case ast.Expr():
                self.value(node.value)
            case _:
                refuse(node)

    def _either_array(self, node: ast.Assign | ast.AugAssign | ast.Return) -> ast.If | None:
        """``x = a if test else b`` of arrays as an ``if`` statement; None for other statements."""
        value = node.value
        if not isinstance(value, ast.IfExp) or not self.is_array(value):
            return None
        ways = []
        for each in (value.body, value.orelse):
            way = copy.copy(node)
            way.value = each
            ways.append(way)
        return ast.copy_location(ast.If(value.test, [ways[0]], [ways[1]]), node)

    def _printed(self, node: ast.Expr) -> bool:
        """Keep what a statement prints; False where it prints nothing, or only the loop as written can."""
        if self.prints is None:
            return False
        kept = self.prints.kept.get(id(node))
        if kept is None or (id(node) in self.prints.told_at_once and not self._is_rare):
            return False
        filled = filling(node)
        if filled is not None:
            self._check_place(filled)
        try:
            return lists.appended(self, kept)
        except NotNative:
            if self._is_rare:
                return False
            raise

    def _check_place(self, filled: Filling) -> None:
        """Where there is no such list to append to, the loop as written runs again, and raises."""
        place = self.value(filled.place)
        if not all(number.is_integer for number in place.codes):
            raise NotNative("not-scalar", f"`{ast.unparse(filled.place)}` is no integer", filled.place)
        count = length(self.code, self.lists[filled.name]).code
        with self.code.block(f"if not -{count} <= {self.integer(place)} < {count}:"):
            self.code.end_raised()

    def _assert(self, node: ast.Assert) -> None:
        """An ``assert``, which ``python -O`` leaves out; the loop as written runs again, and raises."""
        if not __debug__:
            return
        test, _, _ = self.test(node.test)
        with self.code.block(f"if not {test}:"):
            self.code.end_raised()

    @abstractmethod
    def returned(self, node: ast.Return) -> None:
        """A ``return`` statement."""

    def _assign(self, node: ast.Assign) -> None:
        named = all(isinstance(each, ast.Name) for each in node.targets)
        known = self.environment.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if named and isinstance(known, MaybeArray):
            self._bind_maybe(node, known)
            return
        if not named:
            require_bound(self, node.value)
        require(self, *node.targets)
        for target in node.targets:
            if isinstance(target, ast.Tuple | ast.List):
                self._unpack(node, target)
                return
        if list_rows.made(self, node):
            return
        if (several := listed_rows.stores(self, node)) is not None:
            self.body(several)
            return
        if isinstance(node.value, ast.Tuple) or self._is_written_row(node):
            assert isinstance(node.value, ast.Tuple | ast.List)
            self._store_numbers(node, node.value)
            return
        (target, *_) = node.targets
        if isinstance(target, ast.Name) and target.id in self.row_uses.names:
            self._name_row(target, node)
            return
        of_list = isinstance(target, ast.Subscript) and (
            lists.picked(self, target) is not None
            or maps.picked(self, target) is not None
            or list_rows.owner(self, target.value) is not None
        )
        value = self.assigned(node.value) if named or of_list else self.evaluate(node.value)
        if isinstance(node, RowBinding):
            value = self._new_row(node, value)
        if isinstance(value, Elements) and len(node.targets) > 1:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` stores an array several times", node)
        for target in node.targets:
            self._store(target, value)

    def _name_row(self, target: ast.Name, node: ast.Assign) -> None:
        """``members = cells[key]``: the name is bound to the number of the row."""
        held = list_rows.owner(self, node.value)
        if held is None or len(node.targets) > 1:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` names a list", node)
        number = list_rows.row_of(self, held, node.value, or_none=True).number
        self.bind(target.id, Value({INT: number}), target)

    def assigned(self, node: ast.expr) -> Value | Elements:
        """What a name is bound to: a number, ``None``, or an array."""
        require_bound(self, node)
        return self.number_or_none(node) or self.evaluate(node)

    def _bind_maybe(self, node: ast.Assign, known: MaybeArray) -> None:
        """``name = x`` where ``x`` is an array or ``None``."""
        require_set(self, known)
        codes = {number: text for number, text in known.codes.items() if number != UNSET}
        array = elements_in(self.code, known.array)
        for name in names_bound(*node.targets):
            held = array_stores.bound(self.code, name, array, self.given.get(name))
            self.memory.tag(name)
            tag = tag_storage(name, self.code)
            self.code.line(f"{tag} = {known.tag}")
            bound = MaybeArray(codes, tag, array=held) if codes else held
            self.environment = {**self.environment, name: bound}
            note_bound(self, name)

    def _is_written_row(self, node: ast.Assign) -> bool:
        """``x[i, :] = [a, b]``."""
        several = isinstance(node.value, ast.List) and len(node.value.elts) > 1
        return several and isinstance(node.targets[0], ast.Subscript) and self.is_array(node.targets[0])

    def _store_numbers(self, node: ast.Assign, given: ast.Tuple | ast.List) -> None:
        """``x[i] = a, b``: NumPy stores the numbers one after the other."""
        (target, *others) = node.targets
        values = [self.kept_number(self.value(each)) for each in given.elts]
        row = trip_elements.row_of(self, target) if not others else None
        if row is None or row.rank != 1 or row.kept is None:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` stores into no row", node)
        trip_elements.check_count(self, row, len(values))
        self.changed |= row.kept.roots
        for position, value in enumerate(values):
            text = stored(self.code, value, row.kept.array.element.dtype)
            self.code.line(f"{row.kept.text}[{position}] = {text}")

    def _new_row(self, node: RowBinding, value: Value | Elements) -> Elements:
        """A new array in the place of one that is like it."""
        row = trip_elements.row_of(self, node.targets[0])
        new = array_stores.named(self.code, value) if isinstance(value, Elements) else None
        old, kept = row.kept if row is not None else None, new.kept if new is not None else None
        alike = old is not None and kept is not None and old.array.element == kept.array.element
        if new is None or old is None or kept is None or new.rank != 1 or not alike:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is another kind of array", node)
        self.code.end_if(f"{kept.text}.shape[0] != {old.text}.shape[0]", Event.REPLAY)
        return new

    def _unpack(self, node: ast.Assign, target: ast.Tuple | ast.List) -> None:
        """``a, b = b, a``: all values are computed before the first is stored."""
        given = self.shape(node.value) or lists.item_of(self, node.value, len(target.elts))
        given = given or sign_and_logarithm(self, node.value)
        values: list[Value | Elements] | None = [*given] if given is not None else None
        if values is None and isinstance(node.value, ast.Tuple | ast.List):
            values = [self._kept(self.assigned(each)) for each in node.value.elts]
        row = trip_elements.row_of(self, node.value) if values is None else None
        if row is not None:
            kept = array_stores.named(self.code, row)
            values = [*trip_elements.unpacked(self, kept, len(target.elts), target)]
        if values is None or len(values) != len(target.elts) or len(node.targets) > 1:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
        for element, value in zip(target.elts, values, strict=True):
            self._store(element, value)

    def _kept(self, value: Value | Elements) -> Value | Elements:
        """A copy of a number that later stores do not change, or a name of an array that is not rebound."""
        if isinstance(value, Elements):
            return array_stores.named(self.code, value)
        return self.kept_number(value)

    def take(self, target: ast.expr, value: Value | Elements | Sequence[Value]) -> None:
        """Store what a trip of a loop takes; a row, or an item of several numbers, is unpacked into names."""
        if not isinstance(target, ast.Tuple | ast.List):
            if not isinstance(value, Value | Elements):
                raise NotNative(
                    "not-scalar", f"`{ast.unparse(target)}` is an item of several numbers", target
                )
            self._store(target, value)
            return
        if not isinstance(value, Value | Elements):
            if len(target.elts) != len(value):
                raise NotNative("unsupported-operation", f"`{ast.unparse(target)}` does not fit", target)
            for each, number in zip(target.elts, value, strict=True):
                self._store(each, number)
            return
        if not isinstance(value, Elements):
            raise NotNative(
                "unsupported-operation", f"a number is unpacked into `{ast.unparse(target)}`", target
            )
        parts = trip_elements.unpacked(self, array_stores.named(self.code, value), len(target.elts), target)
        for each, part in zip(target.elts, parts, strict=True):
            self._store(each, part)

    def _store(self, target: ast.expr, value: Value | Elements) -> None:
        if isinstance(target, ast.Name) and isinstance(value, Elements):
            # A further name for an existing array, or the name of a new one.
            if value.kept is not None and not self.rebound.isdisjoint(value.kept.roots):
                raise NotNative("not-scalar", f"`{target.id}` is an array of before", target)
            held = array_stores.bound(self.code, target.id, value, self.given.get(target.id))
            self.environment = {**self.environment, target.id: held}
            note_array(self, target.id)
            note_bound(self, target.id)
        elif isinstance(target, ast.Subscript) and array_picks.picks(self, target):
            self.changed |= array_picks.Picked(self, target).store(value)
        elif isinstance(target, ast.Subscript) and self.is_array(target):
            self.changed |= array_stores.stored_part(self, self.stored_in(target), value, target)
        elif isinstance(value, Elements):
            raise NotNative("not-scalar", f"an array is stored into `{ast.unparse(target)}`", target)
        elif isinstance(target, ast.Name):
            self.bind(target.id, value, target)
        elif isinstance(target, ast.Subscript):
            if (rows := list_rows.owner(self, target.value)) is not None:
                list_rows.store(self, rows, target, value)
                return
            if (listed := lists.picked(self, target)) is not None:
                lists.store(self, listed, target, value)
                return
            if (mapped := maps.picked(self, target)) is not None:
                maps.store(self, mapped, target, value)
                return
            value = self.as_number(value)
            name, indices = self.place(target)
            self._put(name, self.positions(name, indices, target), value)
        else:
            raise NotNative("not-local", f"`{ast.unparse(target)}` is stored into", target)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """``name = value``."""
        bound = variable(name, value.codes, value.form, self.code, self.memory)
        for place, text in {bound.codes[number]: text for number, text in value.codes.items()}.items():
            if place != text:
                self.code.line(f"{place} = {text}")
        if name in self.memory.tagged:
            self.code.line(f"{tag_storage(name, self.code)} = {value.tag_code()}")
        self.environment = {**self.environment, name: bound}

    def _is_variable(self, target: ast.expr) -> bool:
        """Whether it is the name of something that surely has a value here."""
        known = self.environment.get(target.id) if isinstance(target, ast.Name) else None
        return known is not None and not isinstance(known, Unclear) and UNSET not in known.codes

    def _unbind(self, target: ast.expr) -> None:
        """``del name``."""
        assert isinstance(target, ast.Name)
        if target.id in self.memory.tagged:
            self.code.line(f"{tag_storage(target.id, self.code)} = {TAGS[UNSET]}")
        self.environment = {name: each for name, each in self.environment.items() if name != target.id}

    def _put(self, name: str, positions: str, value: Value) -> None:
        held = self.held(name)
        assert held is not None
        self.changed |= held.roots
        if held.array.element == CHARACTER:
            raise NotNative(
                "unsupported-operation", f"a character of `{name}` is stored into", self.code.node
            )
        text = stored(self.code, value, self.array(name).element.dtype)
        self.code.line(f"{self.memory_of(name)}[{positions}] = {text}")

    def _augment(self, node: ast.AugAssign) -> None:
        require(self, _as_read(node.target), node.value)
        if isinstance(node.target, ast.Subscript) and array_picks.picks(self, node.target):
            picked = array_picks.Picked(self, node.target)
            self.changed |= picked.store(self.evaluate(node.value), node.op)
            return
        if isinstance(node.target, ast.Name | ast.Subscript) and self.is_array(node.target):
            whole = self.stored_in(node.target)
            self.changed |= array_stores.augmented(self, whole, self.evaluate(node.value), node)
            return
        if isinstance(node.target, ast.Name):
            old = self.value(_as_read(node.target))
            new = operators.binary(self.code, node.op, old, self.value(node.value), node)
            self.bind(node.target.id, new, node)
            return
        if not isinstance(node.target, ast.Subscript):
            raise NotNative("not-local", f"`{ast.unparse(node.target)}` is stored into", node)
        if (rows := list_rows.owner(self, node.target.value)) is not None:
            list_rows.augment(self, rows, node.target, lambda old: self._changed_by(node, old))
            return
        if (listed := lists.picked(self, node.target)) is not None:
            if listed.name in lists.resized_in(node, self.resolve):
                raise NotNative("unknown-call", f"`{ast.unparse(node)}` changes the list as well", node)
            lists.augment(self, node.target, lambda old: self._changed_by(node, old))
            return
        if (mapped := maps.picked(self, node.target)) is not None:
            maps.augment(self, mapped, node.target, lambda old: self._changed_by(node, old))
            return
        name, indices = self.place(node.target)
        positions = self.positions(name, indices, node.target)
        element = self.array(name).element
        old = Value(
            {element: self.code.temporary(f"{self.memory_of(name)}[{positions}]")},
            form=self.element_form(name, indices),
        )
        self._put(name, positions, self._changed_by(node, old))

    def _changed_by(self, node: ast.AugAssign, old: Value) -> Value:
        return operators.binary(self.code, node.op, self.as_number(old), self.value(node.value), node)

    def _if(self, node: ast.If) -> None:
        test, true, false = self.test(node.test)
        ends: list[Environment] = []
        before, rare, in_branch = self.environment, self._is_rare, self._in_branch
        self._in_branch = bool(self._heads)
        for header, facts, block in ((f"if {test}:", true, node.body), ("else:", false, node.orelse)):
            # If a value is surely None, the other block has no number to use.
            if test == ("False" if block is node.body else "True"):
                continue
            if test == "False":
                header = "if True:"
            self.environment, self.alive = before, True
            self._is_rare = rare or (block is node.body and is_rare(node.test, self._counters))
            with self.code.block(header), self.assuming(facts):
                self.body(block)
            ends += [self.environment] if self.alive else []
        self._is_rare, self._in_branch = rare, in_branch
        self._meet(ends)

    def _meet(self, ends: list[Environment]) -> None:
        met = joined(ends, self.code, self.memory)
        self.alive = met is not None
        self.environment = met if met is not None else {}

    def _enter(self, node: ast.For | ast.While, trips: Bound) -> Head:
        head = loops.enter(node, id(node), self.environment, trips, self.code, self.memory)
        self._heads.append(head)
        self.environment = head.start
        whole, inside = _UNCOUNTED if math.isinf(trips) else _UNKNOWN_AXIS
        if self._in_branch and math.isinf(trips):
            inside = _IN_A_BRANCH
        assumed = whole if len(self._heads) == 1 else inside
        self._trips_before.append((self._trips, self._seen_trips))
        seen = 1.0 if trips >= UNKNOWN else max(1.0, float(trips))
        self._trips *= assumed if trips >= UNKNOWN else seen
        self._seen_trips *= seen
        return head

    def _leave(self, head: Head) -> list[Environment]:
        """What holds at each end of an iteration."""
        ends = [*head.continued, *([self.environment] if self.alive else [])]
        loops.leave_iteration(head, ends, self.code, self.memory, ranges=self.ranges)
        self._heads.pop()
        self._trips, self._seen_trips = self._trips_before.pop()
        return ends

    def _while(self, node: ast.While) -> None:
        head = self._enter(node, math.inf)
        # An ``else`` may end the loop around this one, so it is written after the loop.
        ended = self.code.declare(self.code.fresh(), "bool") if node.orelse else None
        if ended is not None:
            self.code.line(f"{ended} = False")
        with interrupts.endless(self, node):
            test, true, _ = self.test(node.test)
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
            if not endless:
                with self.code.block(f"if not {test}:"):
                    if ended is not None:
                        self.code.line(f"{ended} = True")
                    self.code.line("break")
            tested = self.environment
            with self.assuming(true):
                self.body(node.body)
        self._leave(head)
        self._otherwise(node, head.broken, [] if endless else [tested], f"if {ended}:")

    def _for(self, node: ast.For) -> None:
        require(self, node.iter)
        self._counters |= names_in(node.target)
        ranged = range_of(node.iter, self.resolve)
        if ranged is not None:
            trip_elements.over_range(self, node, [self.value(each) for each in ranged])
            return
        if isinstance(node.iter, ast.Tuple | ast.List) and node.iter.elts:
            trip_elements.over_numbers(self, node, node.iter.elts)
            return
        if (run := maps.run_over(self, node.iter)) is not None:
            trip_elements.over_map(self, node, *run)
            return
        if (rows := list_rows.owner(self, numbered(node.iter)[0])) is not None:
            trip_elements.over_row(self, node, rows)
            return
        found = elements_of(node, self.resolve)
        if found is None:
            raise NotNative("not-a-range", f"the loop runs over `{ast.unparse(node.iter)}`", node)
        trip_elements.over_arrays(self, node, found)

    def counted(
        self,
        node: ast.For,
        counter: str,
        span: interrupts.Span,
        trips: Bound,
        least: Bound,
        count: Callable[[], None],
    ) -> None:
        """A loop of ``counter`` over a range, whose body begins with what ``count`` writes."""
        head = self._enter(node, trips)

        def iteration() -> bool:
            count()
            self.body(node.body)
            return bool(head.broken)

        interrupts.over_range(self, node, counter, span, trips, iteration)
        ends = self._leave(head)
        natural = loops.after(head, ends, self.code, self.memory, surely=least >= 1)
        self._otherwise(node, head.broken, [natural] if ends or least < 1 else [], "else:")

    def _otherwise(
        self, node: ast.For | ast.While, broken: list[Environment], ended: list[Environment], header: str
    ) -> None:
        """The ``else`` of a loop, which runs if the loop ends without ``break``."""
        self._meet(ended)
        if node.orelse and self.alive:
            with self.code.block(header):
                self.body(node.orelse)
            ended = [self.environment] if self.alive else []
        self._meet([*broken, *ended])


def _as_read(target: ast.expr) -> ast.expr:
    """What ``target += 1`` reads."""
    return (
        ast.copy_location(ast.Name(target.id, ast.Load()), target) if isinstance(target, ast.Name) else target
    )
