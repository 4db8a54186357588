"""What loops were lowered to is read from the cache directory, and is the same."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite.lowering import lower as lowering
from nprewrite.runtime import Native

kept_lowered = import_module("nprewrite.runtime.numba.kept_lowered")

PROGRAMS = {
    "numbers": ("t = 0.0\nfor i in range(n):\n    t += x[i] / (i + 1)\nreturn t, (n, i)", ()),
    "random": ("for i in range(n):\n    x[i] = np.random.normal(0, 1 + i)\nreturn x.sum()", ()),
    "arrays": ("for i in range(n):\n    x = 0.5 * x[::-1] + i\nreturn x, n", ()),
    "lists": (
        "found = []\nfor i in range(n):\n    if x[i] > 1:\n        found.append((i, x[i]))\nreturn n",
        (),
    ),
    "given lists": ("for i in range(n):\n    found.append(x[i] * 2)\nreturn n", ("found",)),
    "prints": ("for i in range(n):\n    if i == 3:\n        print(i, x[i])\nreturn n", ()),
    "faults": ("for i in range(n):\n    x[i + k] = 1 // (n - 8)\nreturn x", ("k",)),
}


def _native(body: str, more: tuple[str, ...]) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"def f({', '.join(('x', 'n', *more))}):\n{lines}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_another_process_reads_what_this_one_was_given(
    name: str, make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    body, more = PROGRAMS[name]
    text, made = _native(body, more), list[Any]()
    given = {"found": lambda: [1.0], "k": lambda: 0}

    def lower(*arguments: Any, **keywords: Any) -> Any:
        made.append(lowering.lower(*arguments, **keywords))
        return made[-1]

    def plans() -> list[Any]:
        compiled = make(text)
        for n in (9, 7, 8):
            try:
                compiled(np.linspace(0, 3, 9), n, *(given[each]() for each in more))
            except (ArithmeticError, LookupError):
                continue
        return [each.lowered for each in compiled._plans._plans.values()]

    monkeypatch.setattr(kept_lowered, "lower", lower)
    first = plans()
    count = len(made)
    assert count
    assert plans() == first
    assert len(made) == count


def test_names_that_mean_something_else_by_now(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    text = "def f(x):\n    for i in range(len(x)):\n        x[i] = least(x[i], 1.0)\n    return x\n"
    for least, wanted in ((min, 1.0), (max, 3.0), (np.minimum, 1.0)):
        compiled = make(text)
        compiled.function.__globals__["least"] = least
        assert compiled(np.full(4, 3.0)).tolist() == [wanted] * 4


def test_what_index_arrays_hold_is_not_kept(
    make: Callable[[str], Native], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    text = "def f(x, at):\n    for i in range(len(at)):\n        x[at[i]] += 1\n    return x\n"
    for at in ([0, 3], [2, 2], [1, 9]):
        compiled = make(text)
        results = []
        for function in (compiled, compiled.function):
            x, error = np.zeros(5), ""
            try:
                function(x, np.array(at))
            except IndexError as raised:
                error = str(raised)
            results.append((x.tolist(), error))
        assert results[0] == results[1]


def test_a_tree_is_named_with_its_places() -> None:
    one, other = (ast.parse(f"{text}def f(x):\n    pass\n").body[-1] for text in ("", "\n"))
    names = [
        kept_lowered._name(each, {}, lambda _: True, draws=True, kept=(), spent=())
        for each in (one, other, one)
    ]
    assert names[0] == names[2] != names[1]
