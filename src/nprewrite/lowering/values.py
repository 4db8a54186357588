"""Values in lowered code: one name for each type that a value may have, and the conversions between them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from nprewrite.lowering.forms import Form, Symbols
from nprewrite.lowering.numbers import CHARACTER, EXACT_IN_FLOAT, FLOAT, INT64, TAGS, DType, Number, limits
from nprewrite.lowering.problems import Event, Fault, NotNative, Operation, place_of

_STEP = "    "
Ending = Literal[Event.REPLAY] | Operation


@dataclass(frozen=True)
class Value:
    """A scalar: the code that holds it for each type that it may have, and the code of its tag if several.

    ``form`` says what an integer (or a boolean, as 0 or 1) can be, ``literal`` holds a literal's value.
    """

    codes: Mapping[Number, str]
    tag: str | None = None
    form: Form | None = None
    literal: int | float | None = None

    @property
    def only(self) -> Number | None:
        """Its type, if it has only one."""
        return next(iter(self.codes)) if len(self.codes) == 1 else None

    @property
    def code(self) -> str:
        """The code of a value of one type."""
        (code,) = self.codes.values()
        return code

    def tag_code(self) -> str:
        """The code of its tag."""
        if self.only is not None:
            return str(TAGS[self.only])
        assert self.tag is not None
        return self.tag


@dataclass
class Code:
    """The lines of the lowered function, written one after the other, and what they need."""

    symbols: Symbols = field(default_factory=Symbols)
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    declared: dict[str, str] = field(default_factory=dict)
    """Names with their values that are set at the start, because not every path sets them."""
    replays: bool = False
    """Whether the function may end in ``Event.REPLAY`` or ``Event.RAISED``."""
    stops: bool = False
    """Whether it may end in another event than ``Event.DONE``, not counting signals."""
    faults: list[Fault] = field(default_factory=list)
    """The faults in which it may end."""
    signals: bool = False
    """Whether it checks for signals."""
    reach: int = 1
    """How often what is being written runs, at most, between two checks for signals."""
    uncounted: int = 0
    """The number of loops whose work the loop around them counts."""
    array_work: int = 0
    """What the expressions of arrays count as."""
    node: ast.AST | None = None
    """What is being computed: the place of an error."""
    rounds: bool = False
    """Whether it computes anything whose last bits may differ from NumPy's."""
    leaving: Callable[[int], None] | None = lambda position: None
    """Writes what else goes into the buffers, from a position on, where the function ends in a fault."""
    _count: int = 0

    def line(self, text: str) -> None:
        self.lines.append(self.indented(text))

    def indented(self, text: str) -> str:
        """The text as a line of the block that is being written."""
        return f"{_STEP * self.indent}{text}"

    def fresh(self) -> str:
        """A new name."""
        self._count += 1
        return f"t{self._count}"

    def temporary(self, expression: str) -> str:
        """Bind an expression of a definite type to a new name."""
        name = self.fresh()
        self.line(f"{name} = {expression}")
        return name

    def declare(self, name: str, kept: str) -> str:
        """Have ``name`` set to zero at the start of the function."""
        self.declared[name] = f"np.{kept}(0)" if kept != "bool" else "False"
        return name

    def end_if(self, condition: str, ending: Ending) -> None:
        """End the function if a condition holds, so that the loop as written runs, or an operation raises."""
        self.stops = True
        with self.block(f"if {condition}:"):
            if isinstance(ending, Operation):
                self.end_in_fault(ending.text, ending.operands)
            else:
                self.replays = True
                self.line(f"return {int(ending)}")

    def end_in_fault(self, operation: str | None, operands: Sequence[tuple[Number, str]] = ()) -> None:
        """End the function, with the operands in the buffers for results."""
        if self.leaving is None:
            self.replays = True
            self.line(f"return {int(Event.REPLAY)}")
            return
        for position, (number, text) in enumerate(operands):
            kind = "float" if number.dtype.kind == "f" else "int"
            self.line(f"r_{kind}[{position}] = np.{kind}64({text})")
        place = place_of(self.node) if self.node is not None else None
        fault = Fault(operation, tuple(number for number, _ in operands), place)
        self.leaving(fault.width)
        self.line(f"return {len(Event) + len(self.faults)}")
        self.faults.append(fault)

    def end_raised(self) -> None:
        """End the function where the original raises."""
        self.replays = self.stops = True
        self.line(f"return {int(Event.RAISED)}")

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """The lines of a block below ``header``; the indentation is restored however it ends."""
        self.line(header)
        indent, before = self.indent, len(self.lines)
        self.indent += 1
        try:
            yield
        finally:
            if len(self.lines) == before:
                self.line("pass")
            self.indent = indent

    def by_tag(self, value: Value, write: Callable[[Number], None]) -> None:
        """Write what happens for each type that ``value`` may have."""
        self.switch(value.tag or "", {TAGS[number]: partial(write, number) for number in value.codes})

    def switch(self, subject: str, cases: Mapping[int, Callable[[], None]]) -> None:
        """Write what happens for each integer that ``subject`` may be."""
        for position, (case, write) in enumerate(cases.items(), 1):
            word = "if" if position == 1 else "elif"
            if len(cases) == 1:
                write()
                return
            with self.block("else:" if position == len(cases) else f"{word} {subject} == {case}:"):
                write()

    def bounds(self, form: Form | None, number: Number) -> tuple[float, float]:
        """The least and the greatest value of an integer."""
        low, high = limits(number)
        if form is None:
            return low, high
        return max(low, self.symbols.lower(form)), min(high, self.symbols.upper(form))


def cast(code: str, dtype: DType) -> str:
    """The code of a C cast."""
    return f"np.{dtype.name}({code})" if dtype.kind != "b" else f"({code} != 0)"


def converted(code: Code, value: Value, dtype: DType) -> str:
    """The code of ``value``, of whatever type, as an operand of a NumPy loop in ``dtype``."""
    return of_each_type(code, value, dtype, _converted_one)


def cast_to(code: Code, value: Value, dtype: DType) -> str:
    """The code of ``value`` cast to ``dtype`` as arrays are: NumPy integers wrap around."""
    return of_each_type(code, value, dtype, _cast_one)


def stored(code: Code, value: Value, dtype: DType) -> str:
    """The code of ``value`` stored as a single element into an array of ``dtype``."""
    return of_each_type(code, value, dtype, _stored_one)


def of_each_type(
    code: Code, value: Value, dtype: DType, one: Callable[[Code, str, Number, Form | None, DType], str]
) -> str:
    """What ``one`` writes for each type that ``value`` may have."""
    number = value.only
    if number is not None:
        return one(code, value.code, number, value.form, dtype)
    shared = {each.dtype for each in value.codes} == {dtype}
    if shared and len({*value.codes.values()}) == 1:
        return next(iter(value.codes.values()))
    name = code.declare(code.fresh(), dtype.name)

    def write(each: Number) -> None:
        code.line(f"{name} = {one(code, value.codes[each], each, value.form, dtype)}")

    code.by_tag(value, write)
    return name


def _converted_one(code: Code, text: str, number: Number, form: Form | None, dtype: DType) -> str:
    if number == CHARACTER:
        raise NotNative("dtype-unsupported", f"a character becomes {dtype}", code.node)
    if number.dtype == dtype:
        return text
    if number.is_complex and dtype.kind != "c":
        raise NotNative("dtype-unsupported", f"a complex number becomes {dtype}", code.node)
    if number.weak and number.is_integer and dtype.kind in "iu":
        # A Python integer that the dtype cannot hold raises OverflowError.
        _check_range(code, text, number, form, dtype, f"np.{dtype.name}(_0)")
    if (number.weak and number.is_integer and dtype.kind == "f") or (
        number.dtype.kind != "f" and dtype.kind == "c" and not number.is_complex
    ):
        text = f"np.float64({text})"
    return cast(text, dtype)


def _cast_one(code: Code, text: str, number: Number, form: Form | None, dtype: DType) -> str:
    if number.dtype.kind == "f" and dtype.kind in "iu":
        return cast(truncated(code, text, number, dtype), dtype)
    return _converted_one(code, text, number, form, dtype)


def _stored_one(code: Code, text: str, number: Number, form: Form | None, dtype: DType) -> str:
    # NumPy stores a single number into signed integers as ``int(number)``, into unsigned ones as a cast.
    if not number.weak and number.is_integer and dtype.kind == "i":
        _check_range(code, text, number, form, dtype, f"np.empty(1, np.{dtype.name})[0] = _0")
    return _cast_one(code, text, number, form, dtype)


def _check_range(
    code: Code, text: str, number: Number, form: Form | None, dtype: DType, operation: str
) -> None:
    """End the function if an integer does not fit ``dtype``; ``operation`` raises OverflowError."""
    (low, high), bounds = limits(Number(dtype)), code.bounds(form, number)
    raising = Operation(operation, ((number, text),))
    if bounds[0] < low:
        code.end_if(f"{text} < {max(low, INT64[0])}", raising)
    if bounds[1] > high:
        code.end_if(f"{text} > {comparable(high, number)}", raising)


def comparable(value: int, number: Number) -> str:
    """The code of an integer with which ``number`` is compared: Numba compares uint64 and int64 as floats."""
    return f"np.uint64({value})" if number.dtype == np.uint64 else str(value)


def truncated(code: Code, text: str, number: Number, dtype: DType) -> str:
    """The code of a float as an integer of ``dtype``; what the dtype cannot hold is left to Python."""
    low, high = limits(Number(dtype))
    whole = code.temporary(f"np.trunc(np.float64({text}))")
    # 2**63 - 1 has no float64: the comparison is with 2**63, and not-a-number fails both.
    code.end_if(f"not ({whole} >= {float(low)!r} and {whole} < {float(high + 1)!r})", Event.REPLAY)
    return code.temporary(f"np.uint64({whole})" if dtype == np.uint64 else f"np.int64({whole})")


def as_float(code: Code, value: Value, number: Number, *, exactly: bool = False) -> str:
    """The code of a number as a float64; with ``exactly``, integers that have none are left to Python."""
    text = value.codes[number]
    if number.dtype == FLOAT.dtype:
        return text
    if number.is_complex:
        raise NotNative("unsupported-operation", "a complex number is taken for a real one", code.node)
    if exactly and number.is_integer:
        low, high = code.bounds(value.form, number)
        if low < -EXACT_IN_FLOAT or high > EXACT_IN_FLOAT:
            below = f" or {text} < -{EXACT_IN_FLOAT}" if low < 0 else ""
            code.end_if(f"{text} > {comparable(EXACT_IN_FLOAT, number)}{below}", Event.REPLAY)
    return f"np.float64({text})"


def union(code: Code) -> Value:
    """A value whose types and names are set later, in branches, by ``set_union``."""
    return Value({}, code.declare(f"{code.fresh()}_tag", "int64"))


def set_union(code: Code, target: Value, value: Value) -> None:
    """Give ``target`` the value, in the branch that is being written."""
    assert target.tag is not None
    assert isinstance(target.codes, dict)
    stem = target.tag.removesuffix("_tag")
    for number in value.codes:
        target.codes.setdefault(number, code.declare(f"{stem}_{number.kept}", number.kept))
    assignments = {target.codes[number]: text for number, text in value.codes.items()}
    for name, text in assignments.items():
        code.line(f"{name} = {text}")
    code.line(f"{target.tag} = {value.tag_code()}")


def one_of(code: Code, position: str, values: Sequence[Value], form: Form | None) -> Value:
    """The value at a position that is in range; ``form`` is what an integer in it can be."""
    result = union(code)
    code.switch(position, {k: partial(set_union, code, result, each) for k, each in enumerate(values)})
    return settled(result, form)


def settled(target: Value, form: Form | None = None) -> Value:
    """A value that ``set_union`` has given all its types; ``form`` is what an integer in it can be."""
    integers = all(each.dtype.kind in "iub" for each in target.codes)
    return Value(dict(target.codes), target.tag, form if integers else None)


def truth(code: Code, value: Value) -> str:
    """The code of whether a value is true."""
    return of_each_type(code, value, np.dtype(bool), _truth_of)


def _truth_of(code: Code, text: str, number: Number, form: Form | None, dtype: DType) -> str:
    if number == CHARACTER:
        return "True"
    if number.is_complex:
        return f"({text}.real != 0 or {text}.imag != 0)"
    return text if number.dtype.kind == "b" else f"({text} != 0)"
