"""Loops that print, compiled: what they print is told when they end, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]

PRINTS: dict[str, str] = {
    "numbers": 'print("step", i, s, x[i], flush=True)',
    "formatted": 'print(f"{i:3d}: {s:.3f} {x[i]!r} {i % 2 == 0} {{}}", end="|\\n")',
    "in the old way": 'print("t = %d, x = %.4f" % (i, x[i]))\n            print("%s" % s)',
    "by a method": 'print("{} {:8.2e}".format(i, s * 2), (i, s), sep="; ")',
    "joined": 'print("a" + str(i) + " " + repr(s) + "b")',
    "nothing": "print()",
    "literals": 'print("here", 1.5, None)',
    "computed": "print(np.sqrt(x[i]), round(i * 0.7, 1), np.round(s, 2), -i, x.sum(), len(x), i > 2)",
    "a special one": "print(x[i] / 0.0 if i > 3 else 1, np.inf, x[0] - np.nan)",
    "several kinds": "y = i if i % 2 else x[i]\n            print(y)",
    "a complex number": "print(i * 1j, abs(i * 1j))",
    "then an error": "print(i)\n            s += x[i + 5]",
    "then it is left": "print(i)\n            if i > 4:\n                return s",
    "beside a list": "xs.append(i)\n            print(len(xs), xs[-1])",
}
AS_WRITTEN = {
    "an array": "print(x)",
    "a list": "print(xs)",
    "another file": "print(i, file=None)",
    "all of them": "print(*x)",
    "what another prints": "print(i)\n            print(str(x))",
}


def outcome(function: Any, capsys: pytest.CaptureFixture[str], count: int) -> Any:
    try:
        result = function(np.linspace(0, 1, 10), count, [])
    except IndexError as error:
        result = str(error)
    return type(result), result, capsys.readouterr().out


@pytest.mark.parametrize("name", [*PRINTS, *AS_WRITTEN])
@pytest.mark.filterwarnings("ignore::nprewrite.NprewriteWarning", "ignore::RuntimeWarning")
def test_same_text(name: str, make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    body = {**PRINTS, **AS_WRITTEN}[name]
    loop = f"    for i in range(n):\n        s += x[i] * i\n        if i % 3 == 1:\n            {body}\n"
    compiled = make(f"def f(x, n, xs):\n    s = 0\n{loop}    return s\n")
    for count in (0, 8, 11):
        assert outcome(compiled, capsys, count) == outcome(compiled.function, capsys, count)
    assert bool(compiled.runs["compiled"]) == (name in PRINTS)


def test_print_of_the_module(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    """A module may have a function of that name, once the loop has been compiled too."""
    compiled = make("def f(n):\n    for i in range(n):\n        print('at', i)\n    return n\n")
    compiled(2)
    assert capsys.readouterr().out == "at 0\nat 1\n"
    heard: list[Any] = []
    compiled.function.__globals__["print"] = lambda *given: heard.append(given)
    compiled(2)
    assert (heard, capsys.readouterr().out) == ([("at", 0), ("at", 1)], "")


def test_a_loop_that_runs_again_as_written_prints_once(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    """Integers that leave 64 bits are followed by Python alone."""
    loop = "    for i in range(n):\n        print(i)\n        k = k * 1000 + 1\n"
    compiled = make(f"def f(n):\n    k = 1\n{loop}    return k\n")
    given = outcome(lambda *_: compiled(30), capsys, 0)
    assert given == outcome(lambda *_: compiled.function(30), capsys, 0)
    assert not compiled.runs["compiled"]
