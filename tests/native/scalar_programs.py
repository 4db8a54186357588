"""Random functions of scalar loops, and what a call of them does: result, arrays afterwards, exception."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nprewrite.runtime import Native

DTYPES = [
    "int64",
    "int64",
    "float64",
    "float64",
    "float32",
    "int32",
    "uint8",
    "int8",
    "uint64",
    "uint16",
    "bool",
]
_OPERATORS = ["+", "-", "*", "+", "-", "*", "/", "//", "%", "**"]
_BITS = ["&", "|", "^", "<<", ">>"]
_COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
_FLOATS = ["0.0", "0.5", "1.0", "-2.0", "2.5", "0.1", "1e3"]
_SCALARS: list[Any] = [0, 1, -3, 7, 2**40, 0.0, 1.5, -0.25, True, np.float64(2.5), np.float32(0.1)]
_SCALARS += [np.int64(-5), np.int32(100), np.uint8(250), np.uint64(2**63 + 5), np.bool_(True), np.int8(-128)]


class Writer:
    """Writes ``f(a, b, m, s, t)``: vectors ``a`` and ``b``, a matrix ``m``, numbers ``s`` and ``t``."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counters: list[str] = []

    def function(self) -> str:
        """The text of the function."""
        lines = ["def f(a, b, m, s, t):", "    k = 0", "    x = 0.0"]
        for _ in range(self.random.randint(1, 2)):
            lines += self.loop(1, 2)
        return "\n".join([*lines, "    return s, t, k, x", ""])

    def loop(self, indent: int, depth: int) -> list[str]:
        """A loop and its body."""
        margin, counter = "    " * indent, "ijh"[len(self.counters)]
        self.counters.append(counter)
        header = self.random.choice(
            [
                f"for {counter} in range({self.random.randint(0, 6)}):",
                f"for {counter} in range(len(a)):",
                f"for {counter} in range(m.shape[1] - 1, -1, -1):",
                f"for {counter} in range(1, 9, {self.random.randint(1, 3)}):",
            ]
        )
        body = self.block(indent + 1, depth)
        self.counters.pop()
        return [margin + header, *body]

    def block(self, indent: int, depth: int) -> list[str]:
        """Some statements."""
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(indent, depth)]

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement, with its blocks."""
        margin, pick = "    " * indent, self.random.random()
        if pick < 0.3:
            return [f"{margin}{self.random.choice('stx')} = {self.expression(2)}"]
        if pick < 0.45:
            return [f"{margin}{self.random.choice('stx')} {self.random.choice('+-*')}= {self.expression(1)}"]
        if pick < 0.5:
            return [f"{margin}k += {self.random.randint(1, 3)}"]
        if pick < 0.7:
            sign = self.random.choice(["=", "=", "+=", "-="])
            return [f"{margin}{self.element()} {sign} {self.expression(2)}"]
        if pick < 0.75:
            return [f"{margin}s, t = {self.expression(1)}, {self.expression(1)}"]
        if pick < 0.92 or depth == 0 or len(self.counters) > 2:
            lines = [f"{margin}if {self.test()}:", *self.inner(indent + 1, depth)]
            if self.random.random() < 0.5:
                lines += [f"{margin}else:", *self.inner(indent + 1, depth)]
            return lines
        if pick < 0.96:
            return self.loop(indent, depth - 1)
        guard = f"{margin}while k < {self.random.randint(3, 30)}:"
        return [guard, f"{margin}    k += 1", *self.block(indent + 1, 0)]

    def inner(self, indent: int, depth: int) -> list[str]:
        """The block of a condition, which may leave the loop."""
        margin, pick = "    " * indent, self.random.random()
        if pick < 0.08:
            return [f"{margin}break"]
        if pick < 0.16:
            return [f"{margin}continue"]
        return self.block(indent, 0)

    def test(self) -> str:
        """A condition."""
        pick = self.random.random()
        if pick < 0.6:
            return f"{self.expression(1)} {self.random.choice(_COMPARISONS)} {self.expression(1)}"
        if pick < 0.7:
            return f"{self.atom()} < {self.atom()} <= {self.atom()}"
        if pick < 0.75:
            word = self.random.choice(["in", "not in"])
            known = ", ".join([self.literal(), self.literal(), *self.counters])
            return f"{self.expression(1)} {word} ({known})"
        if pick < 0.8:
            return f"not {self.atom()}"
        word = self.random.choice(["and", "or"])
        return f"{self.atom()} > {self.literal()} {word} {self.expression(1)}"

    def expression(self, depth: int) -> str:
        """A number."""
        pick = self.random.random()
        if depth == 0 or pick < 0.25:
            return self.atom()
        if pick < 0.32:
            return self.bits()
        if pick < 0.72:
            operator = self.random.choice(_OPERATORS)
            right = self.expression(depth - 1)
            if operator == "**":
                right = str(self.random.randint(0, 4))
            return f"({self.expression(depth - 1)} {operator} {right})"
        if pick < 0.78:
            return f"(-{self.expression(depth - 1)})"
        if pick < 0.82:
            return f"({self.expression(depth - 1)} if {self.test()} else {self.expression(depth - 1)})"
        if pick < 0.85:
            return f"({self.atom()} {self.random.choice(['and', 'or'])} {self.atom()})"
        return self.call(depth)

    def bits(self) -> str:
        """An operation on bits, mostly of integers."""
        integers = ["k", *self.counters, f"int({self.element()})", str(self.random.randint(0, 70))]
        left = self.element() if self.random.random() < 0.15 else self.random.choice(integers)
        return f"({left} {self.random.choice(_BITS)} {self.random.choice(integers)})"

    def call(self, depth: int) -> str:
        """A function of numbers."""
        inner = self.expression(depth - 1)
        return self.random.choice(
            [
                f"abs({inner})",
                f"min({inner}, {self.atom()})",
                f"max({inner}, {self.atom()})",
                f"int({inner})",
                f"float({inner})",
                f"math.sqrt(abs({inner}))",
                f"math.floor({inner})",
                f"np.sqrt({inner})",
                f"np.maximum({inner}, {self.atom()})",
                f"np.int32({inner})",
                f"np.float32({inner})",
                f"round({inner})",
            ]
        )

    def atom(self) -> str:
        """A name, an element or a literal."""
        pick = self.random.random()
        if pick < 0.35:
            return self.random.choice(["s", "t", "x", "k", *self.counters])
        return self.element() if pick < 0.75 else self.literal()

    def literal(self) -> str:
        """A number written out."""
        return self.random.choice(_FLOATS) if self.random.random() < 0.4 else str(self.random.randint(-4, 9))

    def element(self) -> str:
        """An element of one of the arrays."""
        array = self.random.choice("aabbm")
        if array != "m":
            return f"{array}[{self.index('len(a)')}]"
        style = self.random.choice(["m[{}, {}]", "m[{}, {}]", "m[{}][{}]"])
        return style.format(self.index("m.shape[0]"), self.index("m.shape[1]"))

    def index(self, length: str) -> str:
        """An index, mostly in range."""
        counter = self.random.choice(self.counters)
        pick = self.random.random()
        if pick < 0.5:
            return f"{counter} % {length}"
        if pick < 0.7:
            return counter
        if pick < 0.85:
            return f"{counter} - {self.random.randint(1, 2)}"
        return self.random.choice(["0", "-1", f"{length} - 1 - {counter}", "k % 3", "int(b[0]) % 3"])


def arguments(seed: int) -> tuple[Any, ...]:
    """Arguments for one call."""
    generator = np.random.default_rng(seed)
    length, rows, columns = generator.integers(3, 7, 3)
    vectors = [_array(generator, (length,)) for _ in range(2)]
    scalars = [_SCALARS[k] for k in generator.integers(0, len(_SCALARS), 2)]
    if generator.random() < 0.1:
        vectors[1] = vectors[0]
    return (*vectors, _array(generator, (rows, columns)), *scalars)


def _array(generator: np.random.Generator, shape: tuple[int, ...]) -> Any:
    dtype = np.dtype(DTYPES[generator.integers(len(DTYPES))])
    if dtype.kind == "f":
        values = generator.choice([0.0, -0.0, 0.5, 1.0, -2.0, 3.25, 0.1, 1e6, np.inf, np.nan], shape)
        return values.astype(dtype)
    if dtype.kind == "b":
        return generator.random(shape) < 0.5
    info = np.iinfo(dtype)
    extremes = generator.random(shape) < 0.1
    small = generator.integers(0 if dtype.kind == "u" else -5, 10, shape).astype(dtype)
    return np.where(extremes, np.where(small % 2 == 0, info.max, info.min).astype(dtype), small)


@dataclass(frozen=True)
class Outcome:
    """What a call did, in a form that compares exactly."""

    result: Any
    arrays: Any

    @classmethod
    def of(cls, function: Callable[..., Any], given: tuple[Any, ...]) -> Outcome:
        """Call ``function`` with copies of the arguments; equal arrays stay one array."""
        copies = {id(each): each.copy() for each in given if isinstance(each, np.ndarray)}
        passed = [copies.get(id(each), each) for each in given]
        try:
            with np.errstate(all="ignore"):
                result: Any = function(*passed)
        except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
            return cls(f"{type(error).__name__}: {error}", [each.tobytes() for each in copies.values()])
        values = result if isinstance(result, tuple) else (result,)
        return cls([exactly(each) for each in values], [each.tobytes() for each in copies.values()])


def agrees(compiled: Native, given: tuple[Any, ...]) -> bool:
    """Whether a call ran compiled; it has to do what the function as written does."""
    assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given)
    return bool(compiled.runs["compiled"])


def exactly(value: Any) -> tuple[str, Any]:
    """The type of a scalar and its bits; all not-a-numbers are one."""
    kind = type(value).__name__
    if isinstance(value, tuple):
        return kind, [exactly(each) for each in value]
    if isinstance(value, float | np.floating):
        return kind, "nan" if value != value else struct.pack("d", float(value))
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tobytes()
    if isinstance(value, complex | np.complexfloating):
        return kind, [exactly(value.real), exactly(value.imag)]
    return kind, None if value is None else int(value)
