"""Small random loops that mix statements that need the iteration before with others that do not."""

from __future__ import annotations

from dataclasses import dataclass

from random_nests import NestMaker


@dataclass
class PartsMaker(NestMaker):
    """Writes one function with a loop of several statements over vectors, numbers and a row."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.random.random() < 0.7:
            self.dtypes = dict.fromkeys(self.dtypes, "float64")
        self.local = self.random.random() < 0.7
        self.sums = True

    def loop(self, variables: list[str], depth: int) -> None:
        """One loop with three to six statements; a row of its own among them."""
        self.temporaries = []
        size = self.pick("n", "n", "n", "len(b)")
        bounds = self.pick(f"1, {size} - 1", f"1, {size}", size, f"{size} - 2, 0, -1", f"1, {size} - 1, 2")
        self.add(f"for i in range({bounds}):", depth)
        for _ in range(self.pick(3, 4, 5, 6)):
            self.statement(["i"], depth + 1, 1)

    def statement(self, variables: list[str], depth: int, nesting: int) -> None:
        """A store that may need the iteration before, a number, a branch or a row."""
        kind = self.random.random() * (1.0 if nesting else 0.8)
        if kind < 0.2:
            array = self.pick("y", "a")
            before = f"{array}[i {self.pick('-', '-', '+')} 1]"
            self.add(f"{array}[i] = {before} {self.pick('+', '-')} {self.value(variables, 1)}", depth)
        elif kind < 0.5:
            target = self.pick("y[i]", "y[i]", "a[i]", "Y[i, 0]", "Y[0, i]")
            self.add(f"{target} = {self.value(variables, 2)}", depth)
        elif kind < 0.65:
            self.temporary(variables, depth)
        elif kind < 0.8:
            update = self.pick("s = s + ", "s = 0.5 * s - ", "s = 2 - ", "s += ", "s -= ", "s *= ")
            self.add(f"{update}{self.value(variables, 1)}", depth)
            self.temporaries = [*self.temporaries, "s"]
        elif kind < 0.9:
            self.branch(variables, depth, nesting)
        else:
            row = self.pick("Y[i, j]", "Y[i - 1, j]", "A[i, j]", "y[i]")
            self.add("for j in range(m):", depth)
            self.add(f"    Y[i, j] {self.pick('=', '+=')} {row} + {self.leaf(variables)}", depth)

    def index(self, variable: str, shifted: float) -> str:
        """A position, often that of the iteration before or after."""
        return str(self.pick("i", "i", "i - 1", "i + 1"))

    def leaf(self, variables: list[str]) -> str:
        """A number of the loop more often than elsewhere."""
        if self.temporaries and self.random.random() < 0.35:
            return str(self.pick(*self.temporaries))
        return super().leaf(variables)
