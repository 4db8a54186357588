"""Defaults of functions that stand in place of calls: they are what they were at the definition."""

from __future__ import annotations

import pytest
from inlined import body_of_main, inlined, outcome

FUNCTION = "def scaled(u, by={}):\n    return u * by\n\n\n"
MAIN = "def main(u, n):\n    for _ in range(n):\n        u = scaled(u)\n    return u\n"
STAYS = {
    "a literal": FUNCTION.format("-0.5") + MAIN,
    "a constant of NumPy": FUNCTION.format("np.pi / 4") + MAIN,
    "a constant of the module": "K = 0.25\n\n\n" + FUNCTION.format("2 * K") + MAIN,
}
CALLED = {
    "bound twice": "K = 0.25\n\n\n" + FUNCTION.format("K") + "K = 0.5\n\n\n" + MAIN,
    "bound by a function": "K = 0.25\n\n\ndef change():\n    global K\n    K = 4.0\n\n\n"
    + FUNCTION.format("K")
    + MAIN.replace("    for", "    change()\n    for"),
    "of another function": "def start():\n    return 0.5\n\n\n" + FUNCTION.format("start()") + MAIN,
    "a name of the caller": "K = 0.25\n\n\n" + FUNCTION.format("K") + MAIN.replace("_", "K"),
    "a number of another kind": FUNCTION.format("np.euler_gamma") + MAIN,
}


@pytest.mark.parametrize("name", [*STAYS, *CALLED])
def test_the_default_is_that_of_the_definition(name: str) -> None:
    program = {**STAYS, **CALLED}[name]
    text = inlined(program)
    assert ("scaled(" in body_of_main(text)) is (name in CALLED)
    assert outcome(text, 2.0, 3) == outcome(program, 2.0, 3)
