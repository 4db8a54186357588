"""Random functions of loops over rows and parts of arrays."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

_REDUCTIONS = [
    "np.sum({})",
    "{}.sum()",
    "np.max({})",
    "({}).min()",
    "np.mean({})",
    "({}).mean()",
    "np.prod({})",
]
_PLACES = ["np.argmax({})", "({}).argmin()"]
_FUNCTIONS = [
    "np.abs({})",
    "np.sqrt(np.abs({}))",
    "np.maximum({}, {})",
    "np.minimum({}, 0.5)",
    "-{}",
    "np.clip({}, -1, 2)",
]
_FUNCTIONS += [
    "np.where({} > 0, {}, {})",
    "({}) ** 2",
    "np.round({})",
    "({}).copy()",
    "({}).astype(np.float32)",
]
_VALUES = [0.0, -0.0, 1.5, -2.25, 1e3, np.nan, np.inf, 0.1]


class RowWriter:
    """Writes ``f(x, v, m, k, n)``: a table, a vector of its columns, a square matrix, indices, rows."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []

    def function(self) -> str:
        """The text of the function."""
        lines = [
            "def f(x, v, m, k, n):",
            "    s = 0.0",
            "    p = 0",
            "    w = v.copy()",
            "    for i in range(1, n):",
        ]
        for _ in range(self.random.randint(2, 5)):
            lines += [f"        {each}" for each in self.statement()]
        return "\n".join([*lines, "    return s, p, w", ""])

    def row(self) -> str:
        """A row, a column or a part, all of one length."""
        choice = self.random.choice
        return choice(
            ["x[i]", "x[i - 1]", "v", "w", "m[:, p]", "m[p, :]", "x[i, :]", "x[-1]", "v[::-1]", *self.names]
        )

    def expression(self, depth: int) -> str:
        """An array expression of the rows' length."""
        pick = self.random.random()
        if depth == 0 or pick < 0.2:
            return self.row()
        if pick < 0.5:
            operator = self.random.choice(["+", "-", "*", "/", "+", "*"])
            return f"({self.expression(depth - 1)} {operator} {self.operand(depth - 1)})"
        if pick < 0.7:
            form = self.random.choice(_FUNCTIONS)
            return form.format(*(self.expression(depth - 1) for _ in range(form.count("{}"))))
        if pick < 0.8:
            return self.random.choice(
                ["np.max({}[:, None] * m, axis=0)", "np.sum(m + {}, axis=1)", "(m @ {})", "({} @ m.T)"]
            ).format(self.row())
        return f"({self.expression(depth - 1)} - {self.scalar()})"

    def operand(self, depth: int) -> str:
        """An array or a number."""
        return self.expression(depth) if self.random.random() < 0.6 else self.scalar()

    def scalar(self) -> str:
        """A number."""
        choice = self.random.choice
        picked = choice([*_REDUCTIONS, "s", "2", "0.5", "x[i, p]", "w[p]", "{}[0]", "np.dot({}, v)"])
        return picked.format(self.row())

    def statement(self) -> list[str]:
        """One or two statements."""
        choice, pick = self.random.choice, self.random.random()
        if pick < 0.2:
            name = choice("abc")
            made = [f"{name} = {self.expression(2)}"]
            self.names = [*{*self.names, name}]
            return made
        if pick < 0.35:
            return [f"x[i] = {self.expression(2)}"]
        if pick < 0.5:
            return [f"{choice(['x[i]', 'w', 'x[i, 1:]', *self.names])} {choice('+-*')}= {self.scalar()}"]
        if pick < 0.6:
            return [
                f"x[i, 1:] {choice(['=', '+='])} ({self.expression(1)})[:-1]",
                f"x[i, 0] = {self.scalar()}",
            ]
        if pick < 0.7:
            return [f"s = {self.scalar()}"]
        if pick < 0.8:
            return [f"p = {choice(_PLACES).format(self.row())}", "s += x[i, p] + k[p % 3]"]
        if pick < 0.9:
            return [f"w = {self.expression(1)}"]
        return ["x[i, 1:] = x[i, :-1]", "w[1:] += w[:-1]"]


def row_arguments(seed: int) -> tuple[Any, ...]:
    """Arguments for such a function, with not-a-number and infinities in some."""
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(1, 7)), int(rng.choice([1, 2, 3, 9, 20]))
    kinds = rng.choice(["float64", "float64", "float32", "int64"], 2)
    x = rng.normal(size=(rows, width)) * 3
    v, m = rng.normal(size=width), rng.normal(size=(width, width))
    if rng.random() < 0.4:
        m.flat[:: max(1, width)] = rng.choice(_VALUES)
        v[0] = rng.choice(_VALUES)
    order = "F" if rng.random() < 0.3 else "C"
    if "int64" in kinds:
        v = np.nan_to_num(v, posinf=3, neginf=-3)
    return (
        np.asarray(x, kinds[0] if kinds[0] != "int64" else None, order=order),
        v.astype(kinds[1]),
        m,
        np.arange(3),
        rows,
    )
