"""Random functions of two numbers, as people give them to ``np.vectorize``: nested ifs, early returns.

They hold only what keeps every bit, so that the results can be compared exactly.
"""

from __future__ import annotations

import random

_NUMBERS = ["0", "1", "2", "-1", "0.5", "3", "2.5", "-0.0", "1e-3", "True"]
_FUNCTIONS = ["abs", "float", "int", "round", "bool", "math.floor", "math.ceil", "math.fabs", "math.sqrt"]
_OF_TWO = ["min", "max", "math.copysign", "math.fmod"]
_OF_NUMPY = ["np.sqrt", "np.abs", "np.sign", "np.floor"]


class RandomFunction:
    """A random function ``g(x, y=2.0)``; ``text`` is its source, with ``f = np.vectorize(g)`` below."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._names = ["x", "y"]
        body = "\n".join(self._block(1, 2, ends=True))
        otypes = self._random.choice([""] * 6 + [", otypes=[float]", ", otypes=[int]"])
        self.text = (
            f"import math\nimport numpy as np\n\n\ndef g(x, y=2.0):\n{body}\n\n\n"
            f"f = np.vectorize(g{otypes})\n\n\ndef main(x, y):\n    return f(x, y)\n"
        )

    def _block(self, indent: int, depth: int, *, ends: bool) -> list[str]:
        pick, pad = self._random.choice, "    " * indent
        lines = []
        for _ in range(self._random.randrange(3)):
            name = pick(["a", "b", "c", "x"])
            known = name in self._names and self._random.random() < 0.3
            lines.append(
                f"{pad}{name} {pick('+-*')}= {self._value(1)}" if known else f"{pad}{name} = {self._value(2)}"
            )
            self._names = [*dict.fromkeys([*self._names, name])]
        if depth and self._random.random() < 0.7:
            lines += self._branches(indent, depth)
        if ends:
            lines.append(f"{pad}return {self._value(2)}")
        return lines or [f"{pad}pass"]

    def _branches(self, indent: int, depth: int) -> list[str]:
        pad, before = "    " * indent, self._names
        lines = [f"{pad}if {self._test(2)}:", *self._arm(indent, depth)]
        if self._random.random() < 0.4:
            lines += [f"{pad}elif {self._test(2)}:", *self._arm(indent, depth)]
        if self._random.random() < 0.6:
            lines += [f"{pad}else:", *self._arm(indent, depth)]
        self._names = before
        return lines

    def _arm(self, indent: int, depth: int) -> list[str]:
        before = self._names
        lines = self._block(indent + 1, depth - 1, ends=self._random.random() < 0.5)
        self._names = before
        return lines

    def _value(self, depth: int) -> str:
        pick = self._random.choice
        if depth == 0 or self._random.random() < 0.2:
            return pick([*self._names, *self._names, pick(_NUMBERS)])
        left, right = self._value(depth - 1), self._value(depth - 1)
        forms = [f"({left} {pick(['+', '-', '*', '/', '//', '%'])} {right})"] * 6
        forms += [f"-{left}", f"{pick(_FUNCTIONS)}({left})", f"{pick(_OF_TWO)}({left}, {right})"]
        forms += [f"({left} if {self._test(depth - 1)} else {right})", f"{pick(_OF_NUMPY)}({left})"]
        forms += [self._test(depth - 1), f"({left} {pick(['and', 'or'])} {right})"]
        return pick(forms)

    def _test(self, depth: int) -> str:
        pick = self._random.choice
        near = min(depth, 1)
        forms = [f"({self._value(near)} {pick(['<', '<=', '>', '>=', '==', '!='])} {self._value(near)})"] * 4
        if depth:
            forms.append(f"({self._test(depth - 1)} {pick(['and', 'or'])} {self._test(depth - 1)})")
            forms.append(f"(not {self._test(depth - 1)})")
        forms += [f"({pick(_NUMBERS)} < {pick(self._names)} <= {pick(_NUMBERS)})", pick(self._names)]
        return pick(forms)
