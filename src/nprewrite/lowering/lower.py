"""Lowers a function of scalar loops to text for Numba."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence

from nprewrite.base.syntax import names_in
from nprewrite.lowering import held_lists, maps
from nprewrite.lowering.appended_arrays import appended_once, outlasting
from nprewrite.lowering.arrays import (
    UNCLEAR,
    ArrayArgument,
    ArrayValue,
    Entry,
    GeneratorArgument,
    ListArgument,
    MaybeArray,
    NumberArgument,
    TupleArgument,
)
from nprewrite.lowering.draws import Drawer, Source
from nprewrite.lowering.elements import Elements, in_memory
from nprewrite.lowering.environment import Memory, unknown_length
from nprewrite.lowering.filled_lists import filled_in
from nprewrite.lowering.flat_copies import only_read, with_flat_copies
from nprewrite.lowering.forms import Form
from nprewrite.lowering.held_lists import HeldList, held_by
from nprewrite.lowering.list_items import MAP
from nprewrite.lowering.lowered import Layout, Lowered, OrNone
from nprewrite.lowering.made_lists import with_made_lists
from nprewrite.lowering.made_maps import with_made_maps
from nprewrite.lowering.numbers import NONE, Number
from nprewrite.lowering.object_columns import ColumnParameter, rebound
from nprewrite.lowering.optional_arrays import give_array, note_array, require_set
from nprewrite.lowering.optional_tuples import TupleOrNone
from nprewrite.lowering.plain_loops import with_plain_loops
from nprewrite.lowering.prints import prints_of
from nprewrite.lowering.problems import Event, NotNative, Operation
from nprewrite.lowering.row_uses import rows_of
from nprewrite.lowering.statements import Statements
from nprewrite.lowering.tables import with_tables
from nprewrite.lowering.tuples import without_tuples
from nprewrite.lowering.values import Code, Value
from nprewrite.lowering.written_lists import without_lists

_NARROWING = 6
"""Walks that narrow ranges: one for each loop around the innermost one, and a few more."""

Resolve = Callable[[ast.expr], str | None]
Looks = Callable[[ast.For | ast.While], bool]


def _kept_parts(
    kept: Sequence[str], entry: Entry, tuples: Mapping[str, str]
) -> tuple[Sequence[str], tuple[Layout, ...]]:
    """The names whose values the caller keeps, those of tuples by their numbers, and what they make up."""
    names: list[str] = []
    layouts: list[Layout] = []
    for name in kept:
        parts = [part for part, whole in tuples.items() if whole == name]
        given = entry[name]
        if not parts:
            names.append(name)
            layouts.append(())
        elif isinstance(given, TupleArgument) and len(given.items) == len(parts):
            names += parts
            layouts.append(((),) * len(parts))
        else:
            # The last one says whether it is there.
            names += (parts[-1], *parts[:-1])
            layouts.append(OrNone(((),) * len(parts)))
    return names, tuple(layouts)


class _Walk(Statements):
    """One walk over the function."""

    def __init__(
        self, memory: Memory, resolve: Resolve, looks: Looks, kept: Sequence[str], *, draws: bool
    ) -> None:
        super().__init__(Code(leaving=self._keep), memory, resolve, looks)
        self._given_back = kept
        self.drawer = Drawer(self.code) if draws else None
        self.returns: list[Layout | None] = []

    def returned(self, node: ast.Return) -> None:
        """Write the values to the buffers."""
        layout, values = self._results(node.value)
        values += map(self._kept_value, self._given_back)
        arrays = [
            each.array if isinstance(each, MaybeArray) else in_memory(self.code, each)
            for each in values
            if isinstance(each, Elements | MaybeArray)
        ]
        self.memory.give(arrays, node, first=not self.returns)
        taken, names = 0, [*self.lists]
        for position, value in enumerate(values):
            if isinstance(value, Elements | MaybeArray):
                taken += 1
                give_array(self.code, position, taken, value)
            elif isinstance(value, HeldList):
                tag = -1 - len(arrays) - names.index(value.name)
                self.code.line(f"r_tag[{position}] = {tag}")
            else:
                self._give(position, value)
        self._give_arrays(arrays, node)
        self._tell_of_items(arrays)
        self.code.line(f"r_tag[-1] = {len(self.returns)}")
        self.code.line(f"return {int(Event.DONE)}")
        self.returns.append(layout)
        self.alive = False

    def _give_arrays(self, arrays: Sequence[ArrayValue], node: ast.Return) -> None:
        """Leave arrays to Python: as copies, unless they belong to a parameter or are one of those before."""
        place = 0
        if any(not self.columns.isdisjoint(each.roots) for each in arrays):
            raise NotNative("not-scalar", "the array of an object in a list is kept", node)
        for number, each in enumerate(arrays):
            within = [f"is_within({each.text}, {self._as_given(name)})" for name in sorted(each.roots)]
            whose = self.code.temporary(f"1 if {' or '.join(within) or 'False'} else 0")
            for position, other in enumerate(arrays[:number]):
                if other.array.element != each.array.element or other.array.rank != each.array.rank:
                    continue
                related = self.code.temporary(f"relation({each.text}, {other.text})")
                self.code.end_if(f"{whose} == 0 and {related} == 2", Event.REPLAY)
                whose = self.code.temporary(f"{2 + position} if {related} == 1 else {whose}")
            self.code.node = node
            self.code.end_if(
                f"not give_array(r_arrays, {place}, {each.text}, {whose})", Operation("raise MemoryError")
            )
            place += 2 * (1 + len(each.lengths or ()))

    def _tell_of_items(self, arrays: Sequence[ArrayValue]) -> None:
        """Say which of the arrays may be an item of a list."""
        for name, owner in self.outlasting.items():
            known, held = self.environment.get(name), self.lists.get(owner)
            array = known.array if isinstance(known, MaybeArray) else self.held(name)
            for number, each in enumerate(arrays, 1):
                if held is not None and array is not None and array.text == each.text:
                    self.code.line(f"{held.text}[7] = {number}")

    def _as_given(self, parameter: str) -> str:
        """The array that was given, to which ``x = x + 1`` in a loop no longer binds the parameter's name."""
        name = f"given_{parameter}"
        self.code.declared[name] = f"p_{parameter}"
        return name

    def _results(self, node: ast.expr | None) -> tuple[Layout | None, list[Value | Elements | HeldList]]:
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return None, []
        if isinstance(node, ast.Tuple) and node.elts:
            parts = [self._results(each) for each in node.elts]
            if any(layout is None for layout, _ in parts):
                raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` holds None", node)
            layout = tuple(layout or () for layout, _ in parts)
            if isinstance(node, TupleOrNone):
                layout = OrNone(layout)
            return layout, [each for _, found in parts for each in found]
        held = self._listed(node)
        return (), [self._maybe_array(node) or self.assigned(node) if held is None else held]

    def _maybe_array(self, node: ast.expr) -> MaybeArray | None:
        """What a name holds that is an array or ``None``."""
        known = self.environment.get(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(known, MaybeArray):
            return None
        require_set(self, known)
        return known

    def _listed(self, node: ast.expr) -> HeldList | None:
        """The list of which ``np.array(xs)`` makes an array."""
        match node:
            case ast.Call(func=called, args=[given], keywords=[]) if (
                held := held_by(self, given)
            ) is not None and self.resolve(called) in ("numpy.array", "numpy.asarray"):
                held.reads = True
                return held
        return None

    def _keep(self, position: int) -> None:
        """Write the numbers that the caller keeps to the buffers."""
        for place, name in enumerate(self._given_back, position):
            value = self._kept_value(name)
            if isinstance(value, Elements | MaybeArray):
                self.memory.keep_array()
                return
            self._give(place, value)

    def _kept_value(self, name: str) -> Value | Elements:
        """What a parameter that the caller keeps is by now."""
        if self.environment.get(name, UNCLEAR) is UNCLEAR:
            raise NotNative("not-scalar", f"`{name}` need not be a number or an array", self.code.node)
        node = ast.Name(name, ast.Load())
        return self._maybe_array(node) or self.assigned(node)

    def _give(self, position: int, value: Value) -> None:
        def write(number: Number) -> None:
            text = value.codes[number]
            if number.is_complex:
                # Imaginary parts are counted from the end.
                self.code.line(f"r_float[{position}] = {text}.real")
                self.code.line(f"r_float[{-1 - position}] = {text}.imag")
            elif number.dtype.kind == "f":
                self.code.line(f"r_float[{position}] = np.float64({text})")
            else:
                self.code.line(f"r_int[{position}] = np.int64({text})")

        self.code.by_tag(value, write)
        self.code.line(f"r_tag[{position}] = {value.tag_code()}")


def lower(
    function: ast.FunctionDef,
    entry: Entry,
    resolve: Resolve,
    looks: Looks = lambda _: False,
    *,
    draws: bool = False,
    kept: Sequence[str] = (),
    spent: Collection[str] = (),
) -> Lowered:
    """The text of a function for arguments of these types, and what its loops do.

    ``resolve`` gives the full dotted name of an expression that names something in a module; ``looks`` tells
    whether a loop checks for signals between its iterations. With ``draws`` it may draw random numbers: its
    iterations run in their order, and once. ``kept`` are parameters, the last ones, numbers or
    arrays, whose values when it ends, however it ends, the caller gets; ``spent`` are lists at which it does
    not look again. Raises ``NotNative`` where a statement or a type is not followed.
    """
    columns = frozenset(each.arg for each in function.args.args if isinstance(each, ColumnParameter))
    function, entry = with_tables(function, entry, resolve)
    function = without_lists(with_plain_loops(with_flat_copies(function, resolve), resolve), resolve)
    wholes = entry
    function, entry, tuples = without_tuples(function, entry, resolve)
    kept, layouts = _kept_parts(kept, wholes, tuples)
    given_lists = [
        name for name, each in entry.items() if isinstance(each, ListArgument) and each.items.kind != MAP
    ]
    function, own_maps = with_made_maps(function, resolve) if draws else (function, {})
    function, made = with_made_lists(function, resolve, given_lists) if draws else (function, ())
    made = (*made, *own_maps)
    filled = filled_in(function).intersection(given_lists)
    prints = prints_of(function, resolve, filled) if draws else None
    made = made if prints is None else (*made, prints.name)
    unchanged = only_read(function)
    held = {*made, *(name for name, each in entry.items() if isinstance(each, ListArgument))}
    row_uses = rows_of(*function.body).among(held - filled)
    bound_anew = rebound(function)
    lasting = outlasting(function, kept)
    once = appended_once(function, resolve, lasting)
    shared = {name: owner for name, owner in once.items() if name in lasting and owner not in spent}
    memory = Memory(
        tuples,
        taken={*names_in(function), *made},
        keeps_arrays=any(isinstance(entry.get(each), ArrayArgument) for each in kept),
    )

    def walked() -> _Walk:
        walk = _Walk(memory, resolve, looks, kept, draws=draws)
        walk.prints, walk.only_read, walk.spent = prints, unchanged, frozenset(spent)
        walk.appended_once, walk.outlasting = once, shared
        walk.row_uses = row_uses
        walk.columns, walk.rebound = columns, bound_anew
        if memory.keeps_arrays:
            # Where it raises, what an array was by then may be gone.
            walk.code.leaving = None
        for each in made:
            if each in own_maps:
                maps.begin_own(walk, each, own_maps[each])
            else:
                held_lists.begin_own(walk, each, function)
        return _walked(function, entry, walk)

    # Types only grow, and there are few: this ends after a few walks.
    while True:
        memory.grown = False
        walk = walked()
        if not memory.grown:
            break
    for _ in range(_NARROWING):
        memory.ranges = walk.ranges
        walk = walked()
        if walk.ranges == memory.ranges:
            break
    if memory.none_read and not walk.returns:
        raise NotNative("not-plain-array", f"`{memory.none_read}` is None", function)
    if memory.unlike is not None:
        raise NotNative("not-scalar", "arrays of several kinds are returned", memory.unlike)
    names = [*(each.arg for each in function.args.args), *made]
    return Lowered(
        _text(names, walk),
        tuple(walk.returns),
        tuple(walk.code.faults),
        frozenset(walk.changed),
        walk.code.replays,
        walk.code.stops,
        walk.code.rounds,
        walk.work,
        walk.seen_work,
        walk.saved,
        walk.calls,
        walk.drawer.draws if walk.drawer is not None else (),
        {name: (each, memory.lists[name]) for name, each in (walk.lists | walk.maps).items()},
        memory.returned or (),
        layouts,
        made,
        () if prints is None else prints.calls,
    )


def _walked(function: ast.FunctionDef, entry: Entry, walk: _Walk) -> _Walk:
    for argument in function.args.args:
        given = entry[argument.arg]
        if isinstance(given, ArrayArgument):
            walk.given[argument.arg] = _held(argument.arg, given, walk.code)
            walk.environment = {**walk.environment, argument.arg: walk.given[argument.arg]}
            note_array(walk, argument.arg)
            continue
        if isinstance(given, ListArgument):
            if walk.drawer is None:
                raise NotNative("not-plain-array", f"`{argument.arg}` is a list", function)
            begin = maps.begin if given.items.kind == MAP else held_lists.begin
            begin(walk, argument.arg, given, function)
            continue
        if isinstance(given, GeneratorArgument):
            walk.generators[argument.arg] = Source(argument.arg, given.of)
            continue
        assert isinstance(given, NumberArgument)
        form = None
        if given.number.dtype.kind in "iub":
            form = Form(given.value) if given.value is not None else None
        text = f"p_{argument.arg}" if given.number != NONE else "False"
        walk.bind(argument.arg, Value({given.number: text}, form=form), argument)
    walk.body(function.body)
    if walk.alive:
        walk.returned(ast.Return(None))
    return walk


def _held(name: str, given: ArrayArgument, code: Code) -> ArrayValue:
    """A parameter that is an array."""
    shape = given.shape if given.shape is not None else (None,) * (given.rank or 0)
    lengths = [Form(each) if each is not None else unknown_length(code) for each in shape]
    known = tuple(lengths) if given.rank is not None or given.shape is not None else None
    return ArrayValue({}, array=given, text=f"p_{name}", lengths=known, roots=frozenset({name}))


def _text(names: Sequence[str], walk: _Walk) -> str:
    parameters = [f"p_{name}" for name in names]
    results = ["r_int", "r_float", "r_tag", *(["r_arrays"] if walk.memory.returned else [])]
    if walk.drawer is not None:
        results += [f"{name}{k}" for k in range(len(walk.drawer.draws)) for name in ("r_random", "r_normal")]
    head = f"def lowered({', '.join([*parameters, *results])}):"
    declared = [f"    {name} = {value}" for name, value in walk.code.declared.items() if name]
    return "\n".join([head, *declared, *walk.code.lines, ""])
