"""Loops that the command leaves to the decorator: methods of plain classes, calls of own functions."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

HEAT = """\
import numpy as np
{imports}

{decorator}
class Heat{bases}:
    {fields}
    def __init__(self, n):
        self.u = {made}
        self.time = 0.0

    def slope(self):
        return np.roll(self.u, 1) - 2 * self.u + np.roll(self.u, -1)

    def advance(self, dt):
        self.u = self.u + dt * self.slope()
        self.time += dt

    def run(self, trips):
        for n in range(trips):
            self.advance(0.1)
        return self.u

    def until(self, end):
        while self.time < end:
            self.advance(0.1)
"""

PLAIN = {"imports": "", "decorator": "", "bases": "", "fields": "", "made": "np.zeros(n)"}


def decorated(text: str) -> list[str]:
    """The lines below each decorator that the command puts into ``text``; a second run changes nothing."""
    after = rewrite_source(text, "heat.py", Options()).text
    assert rewrite_source(after, "heat.py", Options()).text == after
    lines = after.splitlines()
    return [lines[at + 1].strip() for at, line in enumerate(lines) if line.strip() == "@nprewrite.jit"]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"bases": "(object)"},
        {"imports": "from abc import ABC", "bases": "(ABC)"},
        {"imports": "import abc", "bases": "(metaclass=abc.ABCMeta)"},
        {"imports": "from typing import Generic, TypeVar\nT = TypeVar('T')", "bases": "(Generic[T])"},
        {"imports": "from dataclasses import dataclass", "decorator": "@dataclass"},
        {"decorator": "class Base:\n    pass\n", "bases": "(Base)"},
        {"fields": "v: np.ndarray", "made": "n"},
    ],
)
def test_methods_of_plain_classes_that_keep_arrays_get_the_decorator(changed: dict[str, str]) -> None:
    text = HEAT.format(**{**PLAIN, **changed})
    assert decorated(text) == ["def run(self, trips):", "def until(self, end):"]


@pytest.mark.parametrize(
    "changed",
    [
        {"imports": "from waves import Base", "bases": "(Base)"},
        {"imports": "from waves import Kind", "bases": "(metaclass=Kind)"},
        {"imports": "from waves import counted", "decorator": "@counted"},
        {"bases": "(Heat)"},
        {"made": "list(range(n))"},
    ],
)
def test_other_classes_stay_as_they_are(changed: dict[str, str]) -> None:
    assert decorated(HEAT.format(**{**PLAIN, **changed})) == []


CALLS = """\
import numpy as np

seen = []


def slope(u):
    return u[2:] - 2 * u[1:-1] + u[:-2]


def advance(u):
    v = u[1:-1]
    v += 0.1 * slope(u)
    {more}


def main(size, trips):
    u = np.linspace(0.0, 1.0, size)
    for n in range(trips):
        advance(u)
    return u


x = np.linspace(0.0, 1.0, 9)
for n in range(5):
    {statement}
"""


def test_functions_that_call_functions_of_the_file_with_arrays_get_the_decorator() -> None:
    assert decorated(CALLS.format(more="pass", statement="print(n)")) == ["def main(size, trips):"]


def test_what_a_loop_of_the_module_calls_gets_the_decorator() -> None:
    assert "def advance(u):" in decorated(CALLS.format(more="pass", statement="advance(x)"))


def test_functions_whose_statements_cannot_stand_elsewhere_do_not_count() -> None:
    assert decorated(CALLS.format(more="yield", statement="advance(x)")) == []


PUT = """\
import numpy as np
import numpy.typing as npt


def squared(Z: npt.NDArray[np.float64], C: npt.NDArray[np.float64], trips):
    for _ in range(trips):
        {statement}
        Z[...] = Z * 0.5
"""


@pytest.mark.parametrize("statement", ["np.multiply(Z, Z, Z)", "np.add(Z, C, out=Z)", "Y = np.add(Z, C, Z)"])
def test_functions_with_calls_that_put_their_results_into_arrays_get_the_decorator(statement: str) -> None:
    assert decorated(PUT.format(statement=statement)) == [
        "def squared(Z: npt.NDArray[np.float64], C: npt.NDArray[np.float64], trips):"
    ]


@pytest.mark.parametrize("statement", ["np.copyto(Z, C)", "print(Z, C)", "np.add(Z, C, **{'out': Z})"])
def test_functions_with_other_calls_do_not(statement: str) -> None:
    assert decorated(PUT.format(statement=statement)) == []


def test_the_report_says_what_is_waited_for() -> None:
    sites = rewrite_source(CALLS.format(more="pass", statement="advance(x)"), "a.py", Options()).sites
    waiting = {site.message for site in sites if site.outcome is Outcome.DEFERRED}
    assert "the call of `advance` is inlined at the first call of the function" in waiting
    assert "`advance` is rewritten at its first call" in waiting


SCRIPT = """\
import numpy as np
import plots


def mixed(u):
    return np.roll(u, 1) * 0.5 + np.roll(u, -1) * 0.5


def main():
    u = {made}
    for n in range(100):
        u = mixed(u)
    return u


{called}
"""
GUARDED = 'if __name__ == "__main__":\n    '


@pytest.mark.parametrize("call", ["main()", "u = main()", "raise SystemExit(main())", "print(main())"])
def test_a_function_that_is_called_once_gets_the_decorator(call: str) -> None:
    """What its call shows serves the next process."""
    text = SCRIPT.format(made="plots.read()", called=GUARDED + call)
    assert decorated(text) == ["def main():"]


@pytest.mark.parametrize(
    ("made", "called"),
    [
        ("np.linspace(0.0, 1.0, 99)", f"{GUARDED}main()"),
        ("plots.read()", f"{GUARDED}main()\n    main()"),
        ("plots.read()", f"{GUARDED}for k in range(9):\n        main()"),
        ("plots.read()", "main()"),
        ("plots.read()", f"again = main\n{GUARDED}main()"),
    ],
)
def test_however_it_is_called(made: str, called: str) -> None:
    assert decorated(SCRIPT.format(made=made, called=called)) == ["def main():"]


ROUNDS = """\
import numpy as np


def main(x, theta):
    for i in range(100):
        x += 0.01
        mean = theta
        for b in range(len(x)):
            near = (x - x[b]) ** 2 < 0.01
            mean[b] = np.sum(np.cos(theta[near]))
        theta = mean * 0.5
    return theta


main(np.random.rand(300, 1), np.random.rand(300, 1))
"""


def test_what_is_around_a_loop_that_was_rewritten_stays_as_it_is() -> None:
    assert decorated(ROUNDS) == []
