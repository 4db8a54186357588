"""Small random nests of scalar loops, and calls with small arrays that may share memory.

Values are small integers, also as floats, so that sums and products are exact in any order and the results of
both versions can be compared bit for bit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

VECTORS, MATRICES = ("a", "b", "y"), ("A", "B", "Y")
DTYPES = ("float64", "float64", "float64", "int64", "float32", "int32")


@dataclass
class NestMaker:
    """Writes one function ``f(a, b, y, A, B, Y, idx, n, m, c)``."""

    seed: int
    lines: list[str] = field(default_factory=list)
    temporaries: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.dtypes = {name: self.random.choice(DTYPES) for name in (*VECTORS, *MATRICES)}
        self.local = self.random.random() < 0.5
        self.sums = self.random.random() < 0.4
        self.returned = ["y", "Y"]

    def text(self) -> str:
        """The module."""
        parameters = [f"{name}: npt.NDArray[np.{self.dtypes[name]}]" for name in (*VECTORS, *MATRICES)]
        parameters += ["idx: npt.NDArray[np.int64]", "n: int", "m: int", "c: float"]
        head = ["import numpy as np", "import numpy.typing as npt", "", ""]
        head.append(f"def f({', '.join(parameters)}):")
        body = []
        shape = self.random.choice(["n, m = A.shape", "n = len(a)", "m = A.shape[1]", None])
        if shape is not None and self.random.random() < 0.7:
            body.append(shape)
        if self.local:
            body += [f"y = np.zeros(n, dtype=np.{self.dtypes['y']})"]
            body += [f"Y = np.zeros((n, m), dtype=np.{self.dtypes['Y']})"]
        if self.sums:
            body += [
                f"s = {self.pick('0.0', '0', '1.0', 'c')}",
                "k = 0",
                "least = a[0] if len(a) else 0.0",
                "at = -1",
            ]
            self.returned += ["s", "k", "least", "at"]
        for _ in range(self.pick(1, 1, 2)):
            self.loop([], 0)
        if self.random.random() < 0.12:
            body.append("i = -7")
            self.returned.append("i")
        lines = [*body, *self.lines, f"return {', '.join(self.returned)}"]
        return "\n".join([*head, *(f"    {line}" for line in lines)]) + "\n"

    def pick(self, *choices: Any) -> Any:
        """One of the choices."""
        return self.random.choice(choices)

    def loop(self, variables: list[str], depth: int) -> None:
        """A loop with its body."""
        name = "ijk"[len(variables)]
        self.add(f"for {name} in {self.range(variables)}:", depth)
        self.temporaries = [each for each in self.temporaries if variables]
        known = list(self.temporaries)
        inner = [*variables, name]
        count = self.pick(1, 1, 2, 3)
        for at in range(count):
            deeper = len(inner) < 3 and self.random.random() < (0.6 if len(inner) == 1 else 0.3)
            if deeper and at == count - 1:
                self.loop(inner, depth + 1)
            else:
                self.statement(inner, depth + 1, 2)
        self.temporaries = known

    def range(self, variables: list[str]) -> str:
        """A range, mostly over an axis."""
        plain = ["n", "n", "m"] if not variables else ["m", "m", "n"]
        size = self.pick(*plain, "len(b)", "A.shape[0]", "3")
        choices = [f"range({size})"] * 6
        choices += [f"range(1, {size})", f"range({size} - 1)", f"range(1, {size} - 1)"]
        choices += [f"range({size} - 1, -1, -1)", f"range(0, {size}, 2)", f"range(2, {size} + 1)"]
        if variables:
            choices += [f"range({variables[-1]} + 1)", f"range({variables[-1]}, {size})", "range(-1, 2)"]
        return str(self.pick(*choices))

    def statement(self, variables: list[str], depth: int, nesting: int) -> None:
        """A store, a number, or a branch."""
        kind = self.random.random()
        if kind < 0.3 and nesting:
            self.branch(variables, depth, nesting)
        elif kind < 0.45:
            self.temporary(variables, depth)
        elif kind < 0.6 and self.sums:
            self.total(variables, depth)
        elif kind < 0.65:
            target = self.pick("y", "a")
            self.add(f"{target}[idx[{variables[-1]}]] += {self.pick('1', self.value(variables, 1))}", depth)
        else:
            self.store(variables, depth)

    def store(self, variables: list[str], depth: int) -> None:
        target = self.target(variables)
        operator = self.pick("=", "=", "=", "+=", "-=", "*=")
        self.add(f"{target} {operator} {self.value(variables, 2)}", depth)

    def target(self, variables: list[str]) -> str:
        if len(variables) > 1 and self.random.random() < 0.75:
            one, two = self.random.sample(variables, 2) if self.random.random() < 0.2 else variables[:2]
            name = self.pick("Y", "Y", "Y", "Y", "Y", "A")
            return f"{name}[{self.index(one, 0.08)}, {self.index(two, 0.08)}]"
        name = self.pick("y", "y", "y", "y", "y", "a")
        return f"{name}[{self.index(variables[-1] if self.random.random() < 0.3 else variables[0], 0.2)}]"

    def index(self, variable: str, shifted: float) -> str:
        if self.random.random() >= shifted:
            return variable
        return str(
            self.pick(
                f"{variable} - 1",
                f"{variable} + 1",
                f"{variable} - 2",
                f"({variable} + 1) % n",
                f"n - 1 - {variable}",
                "0",
                "-1",
                f"2 * {variable}",
            )
        )

    def value(self, variables: list[str], depth: int) -> str:
        """An expression of at most ``depth`` operations."""
        if depth == 0 or self.random.random() < 0.3:
            return self.leaf(variables)
        left, right = self.value(variables, depth - 1), self.value(variables, depth - 1)
        kind = self.random.random()
        if kind < 0.7:
            return f"({left} {self.pick('+', '-', '*')} {right})"
        if kind < 0.78:
            return f"abs({left})"
        if kind < 0.86:
            return f"{self.pick('min', 'max')}({left}, {right})"
        if kind < 0.93:
            return f"({left} if {self.test(variables)} else {right})"
        return f"np.maximum({left}, {right})"

    def leaf(self, variables: list[str]) -> str:
        kind = self.random.random()
        if kind < 0.12:
            return str(self.pick(*variables))
        if kind < 0.24:
            return str(self.pick("2", "c", "0.5", "3.0", "n"))
        if kind < 0.4 and self.temporaries:
            return str(self.pick(*self.temporaries))
        if len(variables) > 1 and kind < 0.75:
            one, two = self.random.sample(variables, 2)
            if self.random.random() < 0.7:
                one, two = variables[0], variables[1]
            name = self.pick("A", "B", "A", "B", "Y")
            shifted = 0.25 if name == "B" else 0.05
            return f"{name}[{self.index(one, shifted)}, {self.index(two, shifted)}]"
        if kind > 0.96:
            return f"b[idx[{self.pick(*variables)}]]"
        name = self.pick("a", "b", "a", "b", "y")
        return f"{name}[{self.index(self.pick(*variables), 0.3 if name == 'b' else 0.05)}]"

    def test(self, variables: list[str]) -> str:
        kind = self.random.random()
        variable = self.pick(*variables)
        if kind < 0.5:
            plain = [f"{variable} > 0", f"{variable} < n - 1", f"{variable} >= 1", f"0 < {variable} < m - 1"]
            plain += [
                f"{variable} != {variables[0]}",
                f"{variable} == 1",
                f"{variable} % 2 == 0",
                f"{variable} <= 2",
            ]
            return str(self.pick(*plain))
        if kind < 0.85:
            return (
                f"{self.value(variables, 1)} {self.pick('<', '>', '<=', '==', '!=')} {self.leaf(variables)}"
            )
        if kind < 0.95:
            return f"{self.test(variables)} {self.pick('and', 'or')} {self.test(variables)}"
        return f"not ({self.test(variables)})"

    def branch(self, variables: list[str], depth: int, nesting: int) -> None:
        self.add(f"if {self.test(variables)}:", depth)
        known = list(self.temporaries)
        self.statement(variables, depth + 1, nesting - 1)
        self.temporaries = list(known)
        if self.random.random() < 0.35:
            self.add("else:", depth)
            self.statement(variables, depth + 1, nesting - 1)
            self.temporaries = list(known)

    def temporary(self, variables: list[str], depth: int) -> None:
        name = self.pick("t", "w")
        if name in self.temporaries and self.random.random() < 0.6:
            self.add(f"{name} {self.pick('+=', '-=', '=')} {self.value(variables, 1)}", depth)
            return
        self.add(
            f"{name} = {self.pick('0.0', '0', self.value(variables, 1), self.value(variables, 1))}", depth
        )
        self.temporaries = [*self.temporaries, name]

    def total(self, variables: list[str], depth: int) -> None:
        kind = self.random.random()
        if kind < 0.5:
            self.add(f"s {self.pick('+=', '+=', '-=')} {self.value(variables, 2)}", depth)
        elif kind < 0.75:
            self.add("k += 1", depth)
        else:
            self.add(f"if a[{variables[0]}] {self.pick('<', '>')} least:", depth)
            self.add(f"    least = a[{variables[0]}]", depth)
            self.add(f"    at = {variables[0]}", depth)

    def add(self, line: str, depth: int) -> None:
        self.lines.append(f"{'    ' * depth}{line}")


def calls(maker: NestMaker) -> Iterator[dict[str, Any]]:
    """Arguments: small shapes, some that do not fit, some arrays twice, some views of one array."""
    rng = np.random.default_rng(maker.seed)
    for n, m in ((0, 0), (1, 1), (4, 4), (3, 5), (5, 2), (1, 4), (17, 18)):
        yield _arguments(maker, rng, n, m)
    shared = _arguments(maker, rng, 5, 5)
    for group in (VECTORS, MATRICES):
        alike = [name for name in group if maker.dtypes[name] == maker.dtypes[group[0]]]
        shared.update(dict.fromkeys(alike, shared[group[0]]))
    yield shared
    overlapping = _arguments(maker, rng, 4, 4)
    for group in (VECTORS, MATRICES):
        base = rng.integers(-3, 4, (6, 6) if group is MATRICES else 6).astype(maker.dtypes[group[0]])
        for at, name in enumerate(group):
            if maker.dtypes[name] == maker.dtypes[group[0]]:
                window = base[at % 2 : at % 2 + 4]
                overlapping[name] = window[:, :4] if group is MATRICES else window
    yield overlapping
    wrong = _arguments(maker, rng, 4, 4)
    wrong["n"], wrong["m"] = int(rng.integers(2, 7)), int(rng.integers(2, 7))
    yield wrong
    far = _arguments(maker, rng, 4, 4)
    far["idx"] = rng.integers(-6, 6, 4)
    yield far


def _arguments(maker: NestMaker, rng: np.random.Generator, n: int, m: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in VECTORS:
        found[name] = rng.integers(-3, 4, max(n, m)).astype(maker.dtypes[name])
        if found[name].dtype.kind == "f" and len(found[name]) > 2 and rng.random() < 0.3:
            found[name][rng.integers(len(found[name]))] = np.nan
    for name in MATRICES:
        found[name] = rng.integers(-3, 4, (n, m)).astype(maker.dtypes[name])
    found["idx"] = rng.integers(-1 if n else 0, max(n, 1), max(n, m))
    found.update(n=n, m=m, c=float(rng.integers(-2, 4)))
    return found
