"""Expressions of numbers in a loop, evaluated to values in lowered code."""

from __future__ import annotations

import ast
import contextlib
import math
from collections.abc import Iterator
from contextlib import contextmanager

from nprewrite.lowering import (
    array_ranks,
    comparisons,
    complex_numbers,
    extremes,
    folds,
    functions,
    grids,
    list_rows,
    lists,
    maps,
    operators,
    scipy_functions,
)
from nprewrite.lowering.access import Access
from nprewrite.lowering.arrays import LONGEST, MaybeArray, Unclear
from nprewrite.lowering.forms import Facts, Form, facts_of
from nprewrite.lowering.held_lists import held_by, length
from nprewrite.lowering.numbers import BOOL, CHARACTER, COMPLEX, FLOAT, INT, INT64, NONE, TAGS, UNSET
from nprewrite.lowering.optional_arrays import is_none, require
from nprewrite.lowering.problems import Event, NotNative, Operation, Unreachable
from nprewrite.lowering.values import Value, set_union, settled, truth, union
from nprewrite.numpy_api.python import python_function
from nprewrite.numpy_api.scipy import is_lowered

_MAGNITUDES = ("builtins.abs", "numpy.abs", "numpy.absolute")
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}


class Expressions(Access):
    """Evaluates expressions at the current point of the walk over the loop."""

    def value(self, node: ast.expr) -> Value:
        """What ``node`` evaluates to."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.BinOp():
                return operators.binary(
                    self.code, node.op, self.value(node.left), self.value(node.right), node
                )
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return self._compared(node)
            case ast.UnaryOp():
                return operators.unary(self.code, node.op, self.value(node.operand), node)
            case ast.BoolOp():
                return self._first_of(node)
            case ast.IfExp():
                return self._either(node)
            case ast.Subscript():
                return self.as_number(self._subscript(node))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)

    def _constant(self, node: ast.Constant) -> Value:
        constant = node.value
        if type(constant) is bool:
            return Value({BOOL: str(constant)}, form=Form(int(constant)), literal=constant)
        if type(constant) is int and INT64[0] <= constant <= INT64[1]:
            return Value({INT: f"np.int64({constant})"}, form=Form(constant), literal=constant)
        if type(constant) is float:
            return Value({FLOAT: _text_of(constant)}, literal=constant)
        if type(constant) is str and len(constant) == 1:
            return Value({CHARACTER: f"np.uint32({ord(constant)})"})
        if type(constant) is complex and math.isfinite(constant.imag):
            # A literal has no real part.
            return Value({COMPLEX: f"complex(0.0, {constant.imag!r})"})
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not a supported number", node)

    def _name(self, node: ast.Name) -> Value:
        if self.held(node.id) is not None:
            raise NotNative("not-scalar", f"`{node.id}` is used as a whole", node)
        known = self.environment.get(node.id)
        if known is None:
            return self._constant_named(node)
        return self.as_number(self._set(node, known))

    def row_number(self, node: ast.Name) -> str:
        """The code of the number that the name of a row is bound to."""
        known = self.environment.get(node.id)
        if known is None:
            raise NotNative("not-scalar", f"`{node.id}` is a list of before", node)
        return self._known(node, known).code

    def _set(self, node: ast.Name, known: Value) -> Value:
        """The value of a name of no list; the run ends if it has none."""
        if node.id in self.row_uses.names:
            raise NotNative("not-scalar", f"`{node.id}` is used as a whole", node)
        return self._known(node, known)

    def _known(self, node: ast.Name, known: Value) -> Value:
        """The value of a name; the run ends if it has none."""
        if isinstance(known, Unclear):
            raise NotNative("not-scalar", f"`{node.id}` is an array on some paths only", node)
        if UNSET not in known.codes:
            return known
        self.memory.tag(node.id)
        self.code.node = node
        name = self.memory.tuples.get(node.id, node.id)
        text = f"cannot access local variable {name!r} where it is not associated with a value"
        self.code.end_if(f"{known.tag} == 0", Operation(f"raise UnboundLocalError({text!r})"))
        codes = {number: text for number, text in known.codes.items() if number != UNSET}
        if not codes:
            raise Unreachable
        return Value(codes, known.tag)

    def as_number(self, value: Value) -> Value:
        """A value that is used as a number; if it is ``None`` the loop as written runs, and raises."""
        if NONE not in value.codes:
            return value
        codes = {number: text for number, text in value.codes.items() if number != NONE}
        if not codes:
            # The code that follows needs some number, though no run gets there.
            self.code.end_if("True", Event.REPLAY)
            return Value({INT: "np.int64(0)"})
        self.code.end_if(f"{value.tag} == {TAGS[NONE]}", Event.REPLAY)
        return Value(codes, value.tag)

    def number_or_none(self, node: ast.expr) -> Value | None:
        """The value of a name, or of ``None``, which need not be a number; None for other expressions."""
        match node:
            case ast.Constant(value=None):
                return Value({NONE: "False"})
            case ast.Name(id=name) if self.held(name) is None and name in self.environment:
                return self._set(node, self.environment[name])
            case ast.Subscript():
                return self.item(node)
            case ast.Call() if (got := maps.got(self, node)) is not None:
                return got
        return None

    def _is_none(self, node: ast.Compare) -> str | None:
        """The code of ``x is None`` and ``x is not None``; None for other comparisons."""
        match node:
            case ast.Compare(
                left=ast.Name() | ast.Subscript() as name,
                ops=[ast.Is() | ast.IsNot() as operator],
                comparators=[ast.Constant(value=None)],
            ):
                positive = isinstance(operator, ast.Is)
                if isinstance(name, ast.Name) and name.id in self.row_uses.names:
                    number = self.row_number(name)
                    return self.code.temporary(f"{number} {'==' if positive else '!='} {maps.ABSENT}")
                known = self.environment.get(name.id) if isinstance(name, ast.Name) else None
                if isinstance(known, MaybeArray):
                    return is_none(self, known, positive)
                value = self.number_or_none(name)
                if value is None:
                    held = self.held(name.id) if isinstance(name, ast.Name) else None
                    return str(not positive) if held is not None else None
                if value.only is not None:
                    return str((value.only == NONE) == positive)
                return self.code.temporary(f"{value.tag} {'==' if positive else '!='} {TAGS[NONE]}")
        return None

    def _constant_named(self, node: ast.Name | ast.Attribute) -> Value:
        dotted = self.resolve(node) or ""
        module, _, name = dotted.rpartition(".")
        if module not in ("math", "cmath", "numpy") or name not in _CONSTANTS:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)
        return Value({FLOAT: f"np.{name}"}, literal=_CONSTANTS[name])

    def _compared(self, node: ast.expr) -> Value:
        """Comparisons and ``not``; a single comparison of a NumPy scalar gives NumPy's bool."""
        none = self._is_none(node) if isinstance(node, ast.Compare) else None
        if none is not None:
            return Value({BOOL: none}, form=self.code.symbols.between(0, 1))
        match node:
            case (
                ast.Compare(ops=[ast.In() | ast.NotIn()])
                | ast.Compare(left=ast.Tuple(), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Tuple()])
            ):
                # Python's own bool, of whatever type the numbers are.
                pass
            case ast.Compare(ops=[operator], comparators=[comparator]):
                left, right = self.value(node.left), self.value(comparator)
                return operators.compare(self.code, operator, left, right, node)
            case ast.Compare():
                return self._chained(node)
        test, _, _ = self.test(node)
        return Value({BOOL: self.code.temporary(test)}, form=self.code.symbols.between(0, 1))

    def _chained(self, node: ast.Compare) -> Value:
        """``a < b < c`` is the first comparison that is false, or the last; ``b`` is evaluated once."""
        result = union(self.code)

        def rest(left: Value, position: int) -> None:
            right = self.value(node.comparators[position])
            made = operators.compare(self.code, node.ops[position], left, right, node)
            set_union(self.code, result, made)
            if position + 1 < len(node.ops):
                with self._perhaps(f"if {truth(self.code, made)}:", []):
                    rest(right, position + 1)

        rest(self.value(node.left), 0)
        return settled(result, self.code.symbols.between(0, 1))

    def test(self, node: ast.expr) -> tuple[str, Facts, Facts]:
        """The code of the truth of ``node``, and what is known of integers if it holds and if it fails."""
        require(self, node)
        match node:
            case ast.UnaryOp(op=ast.Not()):
                inner, true, false = self.test(node.operand)
                return self.code.temporary(f"not {inner}"), false, true
            case ast.BoolOp():
                return self._all_or_any(node)
            case ast.Name() | ast.Subscript() | ast.Call() if (
                rows := list_rows.owner(self, node)
            ) is not None:
                row = list_rows.row_of(self, rows, node, or_none=True)
                return self.code.temporary(f"{list_rows.length(self, row).code} > 0"), [], []
            case ast.Name(id=name) if name in self.lists | self.maps:
                return self.code.temporary(f"{(self.lists | self.maps)[name].length} > 0"), [], []
            case ast.Compare(left=ast.Tuple() as one, ops=[operator], comparators=[ast.Tuple() as other]):
                return comparisons.ordered(self, one, operator, other, node), [], []
            case ast.Compare() if (none := self._is_none(node)) is not None:
                return none, [], []
            case ast.Compare(ast.Call(_, [one], []) as magnitude, [operator], [ast.Constant() as bound]) if (
                self.resolve(magnitude.func) in _MAGNITUDES
            ):
                return self._bounded(magnitude, self.value(one), operator, self.value(bound), node)
            case ast.Compare(
                ops=[ast.In() | ast.NotIn() as operator],
                comparators=[ast.Tuple() | ast.List() | ast.Set() as several],
            ):
                return comparisons.is_one_of(self, node.left, several, isinstance(operator, ast.In)), [], []
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[of]) if list_rows.is_searched(
                self, of
            ):
                return comparisons.is_in_list(self, node), [], []
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Name() as of] | [ast.Call(ast.Attribute(ast.Name() as of, "keys"), [], [])],
            ) if (mapped := maps.map_by(self, of)) is not None:
                return maps.contains(self, node, mapped), [], []
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Call(func, [_] | [_, _] as bounds, [])],
            ) if self.resolve(func) == "builtins.range":
                return comparisons.is_in_range(self, node, bounds), [], []
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant(value=str(letters))]):
                return comparisons.is_in_string(self, node, letters), [], []
            case ast.Compare(ops=[operator], comparators=[comparator]):
                left, right = self.value(node.left), self.value(comparator)
                made = operators.compare(self.code, operator, left, right, node)
                return (truth(self.code, made), *facts_of(operator, left.form, right.form))
        return truth(self.code, self.value(node)), [], []

    def _bounded(
        self, call: ast.Call, value: Value, operator: ast.cmpop, bound: Value, node: ast.expr
    ) -> tuple[str, Facts, Facts]:
        """``abs(x) < 2``, by the squares of its parts where ``x`` is complex."""

        def magnitude(one: Value) -> Value:
            return functions.call(self.code, self.resolve(call.func) or "", [one], call)

        if comparisons.squares_decide(operator, value, bound):
            return comparisons.bounded(self.code, magnitude, operator, value, bound, node), [], []
        left = magnitude(value)
        made = operators.compare(self.code, operator, left, bound, node)
        return truth(self.code, made), *facts_of(operator, left.form, bound.form)

    def _all_or_any(self, node: ast.BoolOp) -> tuple[str, Facts, Facts]:
        every = isinstance(node.op, ast.And)
        name = self.code.declare(self.code.fresh(), "bool")
        known: Facts = []

        def rest(position: int) -> None:
            inner, true, false = self.test(node.values[position])
            here = true if every else false
            known.extend(here)
            self.code.line(f"{name} = {inner}")
            # If a value is surely None here, the rest has no number to compare.
            if position + 1 < len(node.values) and inner != str(not every):
                with self._perhaps(f"if {name}:" if every else f"if not {name}:", here):
                    rest(position + 1)

        rest(0)
        return (name, known, []) if every else (name, [], known)

    @contextmanager
    def _perhaps(self, header: str, facts: Facts) -> Iterator[None]:
        """A part of an expression that is evaluated on some paths only, where ``facts`` are not negative."""
        before = self.environment
        with contextlib.suppress(Unreachable), self.code.block(header), self.assuming(facts):
            yield
        self.environment = before

    @contextmanager
    def assuming(self, facts: Facts) -> Iterator[None]:
        """Code written in this context runs only where ``facts`` are not negative."""
        outer = self.code.symbols.facts
        self.code.symbols.facts = [*outer, *facts]
        try:
            yield
        finally:
            self.code.symbols.facts = outer

    def _first_of(self, node: ast.BoolOp) -> Value:
        """``x and y`` or ``x or y``, which give one of the operands."""
        result = union(self.code)
        word = "" if isinstance(node.op, ast.And) else "not "

        def rest(position: int) -> None:
            require(self, node.values[position])
            each = self.value(node.values[position])
            set_union(self.code, result, each)
            if position + 1 < len(node.values):
                with self._perhaps(f"if {word}{truth(self.code, each)}:", []):
                    rest(position + 1)

        rest(0)
        return settled(result, self.code.symbols.between(-math.inf, math.inf))

    def _either(self, node: ast.IfExp) -> Value:
        test, true, false = self.test(node.test)
        if test in ("True", "False"):
            return self.value(node.body if test == "True" else node.orelse)
        result = union(self.code)
        forms: list[Form | None] = []
        for header, facts, part in ((f"if {test}:", true, node.body), ("else:", false, node.orelse)):
            with self._perhaps(header, facts):
                require(self, part)
                each = self.value(part)
                set_union(self.code, result, each)
                forms.append(each.form)
        if not forms:
            raise Unreachable
        return settled(result, self.code.symbols.one_of(forms))

    def _call(self, node: ast.Call) -> Value:
        match node:
            case ast.Call(ast.Attribute(of, "conjugate" | "conj"), [], []) if self._is_number(of):
                return complex_numbers.conjugate(self.code, self.value(of))
            case ast.Call(ast.Attribute(of, "item"), [], []) if self._is_number(of):
                return self._as_python(self.value(of), node)
            case ast.Call(ast.Attribute(ast.Name(name) as of, "item"), [_, *_] as places, []) if (
                self.held(name) is not None and len(places) == self.array(name).rank
            ):
                index = places[0] if len(places) == 1 else ast.Tuple(places, ast.Load())
                element = ast.copy_location(ast.Subscript(of, index, ast.Load()), node)
                return self._as_python(self.value(element), node)
            case ast.Call() if (item := lists.popped(self, node) or maps.got(self, node)) is not None:
                return item
            case ast.Call(ast.Name(), [of], []) if (
                held := held_by(self, of) or maps.map_by(self, of)
            ) is not None and self.resolve(node.func) == "builtins.len":
                return length(self.code, held)
            case ast.Call(ast.Name(), [of], []) if (
                self.resolve(node.func) == "builtins.len" and (rows := list_rows.owner(self, of)) is not None
            ):
                return list_rows.length(self, list_rows.row_of(self, rows, of))
            case ast.Call(ast.Name(), [ast.Subscript() as row], []) if (
                self.resolve(node.func) == "builtins.len"
                and (count := list_rows.rows_in(self, row) or grids.row_length(self, row)) is not None
            ):
                return count
            case ast.Call(ast.Name(), [ast.Tuple(elts=items) | ast.List(elts=items)], []) if (
                self.resolve(node.func) == "builtins.len"
            ):
                return Value({INT: f"np.int64({len(items)})"}, form=Form(len(items)))
        dotted = self._dtype_called(node.func) or self.resolve(node.func)
        if dotted is not None and is_lowered(dotted):
            values = [self.value(each) for each in scipy_functions.arguments_of(dotted, node)]
            return functions.call(self.code, dotted, values, node)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args) or dotted is None:
            raise NotNative("unknown-call", f"`{ast.unparse(node.func)}(...)` is not supported", node)
        if dotted == "builtins.float" and (written := _number_in(node.args)) is not None:
            return Value({FLOAT: _text_of(written)}, literal=written)
        owner, _, name = dotted.partition(".")
        python = python_function(dotted)
        if python is not None and node.args:
            found = folds.folded(self, python.computes, node)
            if found is not None:
                return found
        if python is not None and python.computes == "power" and len(node.args) == 2:
            return self.value(ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node))
        if dotted == "builtins.len" and len(node.args) == 1:
            return self.axis(self._array(node.args[0]), 0)
        match array_ranks.native(name) if owner == "numpy" else "", node.args:
            case ("least" | "greatest") as kind, [ast.List() | ast.Tuple() as given]:
                return extremes.extreme_of(self.code, kind, [self.value(each) for each in given.elts], node)
            case "nearest", [number]:
                return functions.nearest(self.code, self.value(number), node)
        return functions.call(self.code, dotted, [self.value(each) for each in node.args], node)

    def _as_python(self, value: Value, node: ast.Call) -> Value:
        """The number of Python's that ``x.item()`` gives for one of NumPy's."""
        kind = _KINDS.get(value.only.dtype.kind) if value.only is not None and not value.only.weak else None
        if kind is None:
            raise NotNative("unknown-call", f"`{ast.unparse(node)}` is of several types", node)
        return functions.call(self.code, f"builtins.{kind}", [value], node)

    def _dtype_called(self, node: ast.expr) -> str | None:
        """The dotted name of the type that ``x.dtype.type`` is for an array ``x``."""
        match node:
            case ast.Attribute(ast.Attribute(ast.Name(name), "dtype"), "type") if self.held(name) is not None:
                return f"numpy.{self.array(name).element.kept}"
        return None

    def _is_number(self, node: ast.expr) -> bool:
        """Whether an attribute of an expression is one of a number, not of an array or a module."""
        return self.resolve(node) is None and not (isinstance(node, ast.Name) and self.held(node.id))

    def _attribute(self, node: ast.Attribute) -> Value:
        if node.attr in ("real", "imag") and self._is_number(node.value):
            return complex_numbers.part(self.code, node.attr, self.value(node.value))
        if not isinstance(node.value, ast.Name) or self.held(node.value.id) is None:
            return self._constant_named(node)
        name = node.value.id
        array = self.array(name)
        if array.element == CHARACTER:
            raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` of a string", node)
        if node.attr == "ndim" and array.rank is not None:
            return Value({INT: f"np.int64({array.rank})"}, form=Form(array.rank))
        if node.attr == "size":
            size = math.prod(array.shape) if array.shape is not None else None
            form = Form(size) if size is not None else self.code.symbols.between(0, LONGEST)
            return Value({INT: f"np.int64({self.memory_of(name)}.size)"}, form=form)
        raise NotNative("unsupported-operation", f"`{ast.unparse(node)}` is not supported", node)


_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float"}
"""The types of Python's for the kinds of NumPy's."""


def _text_of(number: float) -> str:
    """A float as code that Numba takes."""
    if math.isfinite(number):
        return f"np.float64({number!r})"
    return "np.nan" if math.isnan(number) else "np.inf" if number > 0 else "(-np.inf)"


def _number_in(arguments: list[ast.expr]) -> float | None:
    """The number of ``float("inf")`` and its like."""
    match arguments:
        case [ast.Constant(value=str(text))]:
            with contextlib.suppress(ValueError):
                return float(text)
    return None
