"""Random sweeps, compiled and as written: the same values, or the same exception and the same arrays then."""

from __future__ import annotations

import copy
import random
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from sources import function_of

from nprewrite.runtime import sweep

_RANGES = ("range(1, n - 1)", "range(n - 2, 0, -1)", "range(2, n - 1, 2)", "range(n - 1)", "range(0, n + 1)")
_SIZES = ((7, 9), (5, 3), (2, 2), (1, 4), (3, 1))
_DTYPES = (np.float64, np.float64, np.float32, np.int16, np.int64)


@dataclass
class Writer:
    """Writes statements over the rows, or the columns, of A, B and C."""

    draw: random.Random
    by_rows: bool
    lanes: str = ":"
    rows: list[str] = field(default_factory=list)

    def part(self, name: str, index: str, lanes: str) -> str:
        return f"{name}[{index}, {lanes}]" if self.by_rows else f"{name}[{lanes}, {index}]"

    def operand(self) -> str:
        """A row, a vector, an element or a number; now and then at other lanes than the statement's."""
        draw = self.draw
        lanes = self.lanes if draw.random() < 0.75 else draw.choice([":", "1:-1", ":-2", "2:"])
        index = draw.choice(["i", "i - 1", "i + 1", "i - 2", "0", "n - 1"])
        element = "A[i, 0]" if self.by_rows else "A[0, i]"
        numbers = ["0.5", "2", "k", "z[i]", "z[i - 1]", element]
        kinds = [*(self.part(name, index, lanes) for name in "ABC"), f"v[{lanes}]", *self.rows[-1:]]
        return draw.choice([*kinds, draw.choice(numbers), draw.choice(numbers)])

    def expression(self) -> str:
        text = self.operand()
        for _ in range(self.draw.randint(1, 3)):
            sign, other = self.draw.choice("+-*"), self.operand()
            forms = [f"{text} {sign} {other}", f"({text}) / {other}", f"-({text})", f"abs({text} * {other})"]
            text = self.draw.choice([*forms, f"np.maximum({text}, {other})"])
        return text

    def statement(self, number: int) -> str:
        draw = self.draw
        if draw.random() < 0.3:
            self.lanes = draw.choice([":", "1:-1"])
        target = self.part(draw.choice("AB"), draw.choice(["i", "i", "i + 1"]), self.lanes)
        text, kind = self.expression(), draw.random()
        if kind < 0.2:
            self.rows.append(f"row_{number}")
            return f"row_{number} = {text} + {self.part('C', 'i', self.lanes)}"
        if kind < 0.3:
            return "z[i] = z[i - 1] * 0.5 + k"
        return f"{target} {draw.choice(['=', '=', '+=', '*='])} {text}"


def written(draw: random.Random, *, by_rows: bool) -> str:
    writer = Writer(draw, by_rows)
    body = [f"        {writer.statement(number)}" for number in range(draw.randint(1, 4))]
    return "\n".join(["def f(A, B, C, v, z, k, n):", f"    for i in {draw.choice(_RANGES)}:", *body, ""])


def arguments(draw: random.Random, seed: int, n: int, m: int, *, by_rows: bool) -> tuple[Any, ...]:
    rng, dtype = np.random.default_rng(seed), draw.choice(_DTYPES)
    A, B, C = (rng.normal(0, 4, (n, m) if by_rows else (m, n)).astype(dtype) for _ in range(3))
    if draw.random() < 0.15:
        B = draw.choice([A, A[::-1]])
    return A, B, C, rng.normal(0, 3, m).astype(dtype), rng.normal(0, 3, n), draw.choice([0.25, 3]), n


def state_after(function: Any, given: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The name of the exception, if one is raised, and the arguments after the call."""
    copied, raised = copy.deepcopy(given), ""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            function(*copied)
        except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
            raised = type(error).__name__
    return raised, [each for each in copied if isinstance(each, np.ndarray)]


@pytest.mark.parametrize("seeds", [range(12), range(12, 24)], ids=str)
def test_random_sweeps(seeds: range) -> None:
    compiled = 0
    for seed in seeds:
        draw = random.Random(seed)
        by_rows = draw.random() < 0.5
        text = written(draw, by_rows=by_rows)
        function = function_of(text)
        made = sweep(function)
        for n, m in _SIZES:
            given = arguments(draw, seed, n, m, by_rows=by_rows)
            raised, expected = state_after(function, given)
            seen, found = state_after(made, given)
            assert seen == raised, text
            assert all(map(_same, found, expected)), text
        compiled += made.runs["compiled"]
    assert compiled >= 3


def _same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=True)
