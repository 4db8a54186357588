"""Loops over rows, lists that stand in a list or a dictionary, which they may lengthen, compiled."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import outcome

from nprewrite.runtime import Native

Make = Callable[[str], Native]

_ROWS: list[list[Any]] = [[1, 2], [], [3, 0, 2]]
_CELLS: dict[tuple[int, int], list[int]] = {(0, 0): [1, 2], (0, 1): [], (1, 0): [4]}
_EDGES = [[(1, 0.5), (2, 1.5)], [(0, 2)], []]
_GRID: list[list[list[Any]]] = [[[1], []], [[2, 3], [4]], [[], [7]]]
_NAMED = "u = xs[i % 3]\n        for v in u:\n            y += v * i"
LOOPS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a row with a name": (_NAMED, (_ROWS,)),
    "a row of a dictionary with a name": (_NAMED, (dict(enumerate(_ROWS)),)),
    "a row of floats": (_NAMED, ([[0.5], [1.5, 2], [True]],)),
    "the rows of a list": (
        "for u in xs:\n            for v in u:\n                y += v + len(u)",
        (_ROWS,),
    ),
    "the rows by number": (
        "for k, u in enumerate(xs):\n            for v in u:\n                y += v * k",
        (_ROWS,),
    ),
    "the items by number": ("for k, v in enumerate(xs[i % 3]):\n            y += v * k", (_ROWS,)),
    "the items counted from": ("for k, v in enumerate(xs[i % 3], i):\n            y += v * k", (_ROWS,)),
    "the rows of a dictionary": (
        "for u in xs.values():\n            for v in u:\n                y = 0.5 * y + v",
        (_CELLS,),
    ),
    "what stands under keys": (
        "for (p, q), u in xs.items():\n            for v in u:\n                y = 0.5 * y + v * p - q",
        (_CELLS,),
    ),
    "the keys, and rows": (
        "for u in xs:\n            for v in xs[u]:\n                y += v",
        ({2: [1], 0: [3]},),
    ),
    "a sum": ("y += sum(v * v for v in xs[i % 3])", (_ROWS,)),
    "a row that is empty": (
        "u = xs[i % 3]\n        if u:\n            y += u[0]\n        y += 2 in u",
        (_ROWS,),
    ),
    "no row": (
        "if not xs[i % 3]:\n            y += 1\n        for u in xs[i % 3]:\n            y += u",
        (_ROWS,),
    ),
    "how long a row is": ("u = xs[i % 3]\n        for v in u:\n            y += len(u) - v", (_ROWS,)),
    "the last item": ("u = xs[i % 2 * 2]\n        for v in u:\n            y += u[-1] - u[0]", (_ROWS,)),
    "if there": (
        "if (i, 0) in xs:\n            for u in xs[i, 0]:\n                y += u",
        (_CELLS,),
    ),
    "none if not there": ("for u in xs.get((i, i % 2), []):\n            y += u", (_CELLS,)),
    "nothing if not there": ("u = xs.get((0, i), ())\n        for v in u:\n            y += v", (_CELLS,)),
    "None if not there": (
        "u = xs.get((i, 0))\n        if u is not None:\n            for v in u:\n                y += v",
        (_CELLS,),
    ),
    "nothing if None": (
        "u = xs.get((i, 0))\n        if u:\n            for v in u:\n                y += v",
        (_CELLS,),
    ),
    "None, and made then": (
        "u = xs.get(i % 4)\n        if u is None:\n            xs[i % 4] = [i]\n"
        "        else:\n            u.append(i)",
        ({2: [1]},),
    ),
    "put there first": ("xs.setdefault(i % 4, [])\n        xs[i % 4].append(i)", ({2: [1]},)),
    "all of a grid of rows": (
        "for p in range(len(xs)):\n            for q in range(len(xs[p])):\n"
        "                for u in xs[p][q]:\n                    y += u * i",
        (_GRID,),
    ),
    "several numbers": ("for u, v in xs[i % 3]:\n            y += u * v", (_EDGES,)),
    "several numbers in a dictionary": (
        "for u, v in xs[i % 3]:\n            y += u * v",
        (dict(enumerate(_EDGES)),),
    ),
    "an item with a name": ("for u in xs[i % 2]:\n            p, q = u\n            y += p * q", (_EDGES,)),
    "an item of a named row": (
        "r = xs[i % 2]\n        for u in r:\n            y += u[0] * u[1]\n        y += len(r)",
        (_EDGES,),
    ),
    "a grid of rows": ("for u in xs[i % 3][i % 2]:\n            y += u * i", (_GRID,)),
    "a row of a grid with a name": (
        "u = xs[i % 3][i % 2]\n        for v in u:\n            y += v * len(u)",
        (_GRID,),
    ),
    "grids from the end": ("for u in xs[-1 - i % 3][-1]:\n            y += u", (_GRID,)),
    "appended": ("xs[i % 3].append(i)", (_ROWS,)),
    "appended to what is empty": ("xs[i * i % 3].append(i)", ([[], [], []],)),
    "appended to a named row": ("u = xs[i % 3]\n        u.append(i)\n        y += len(u)", (_ROWS,)),
    "appended often": ("for j in range(50):\n            xs[j * i % 3].append(j)", (_ROWS,)),
    "appended, of another type": ("xs[i % 3].append(i * 0.5)", (_ROWS,)),
    "appended, and read": (
        "if i % 5 not in xs[i % 3]:\n            xs[i % 3].append(i % 5)\n        y += xs[i % 3][-1]",
        (_ROWS,),
    ),
    "appended pairs": ("xs[i % 3].append((i, i * 0.5))", ([[], [], []],)),
    "appended to pairs": ("xs[i % 3].append((i, i * 0.5))", (_EDGES,)),
    "appended to a grid": ("xs[i % 3][i % 2].append(i)", (_GRID,)),
    "appended to an empty grid": ("xs[i % 3][i % 2].append(i)", ([[[], []], [[], []], [[], []]],)),
    "appended under keys": ("xs[i % 2, 0].append(i)", (_CELLS,)),
    "appended under new keys": ("xs[i % 4].append(i)", (defaultdict(list),)),
    "appended under some new keys": ("xs[i % 3, i % 2].append(i)", (defaultdict(list, _CELLS),)),
    "looked up under new keys": (
        "for u in xs[i % 4]:\n            y += u\n        xs[i % 3].append(i)",
        (defaultdict(list),),
    ),
    "put under new keys": (
        "if i % 4 not in xs:\n            xs[i % 4] = []\n        xs[i % 4].append(i)",
        ({},),
    ),
    "one put under new keys": (
        "if i % 4 in xs:\n            xs[i % 4].append(i)\n        else:\n            xs[i % 4] = [-i]",
        ({1: [5]},),
    ),
    "or else put there": ("xs.setdefault(i % 4, []).append(i * 2)", ({2: [1]},)),
    "many keys": ("for j in range(99):\n            xs[i * j].append((i, j))", (defaultdict(list),)),
    "stored": ("for u in xs[i % 2]:\n            y += u\n        xs[i % 2][-1] = i", ([[1, 2], [3], [4]],)),
    "stored under keys": ("xs[0, 0][i % 2] = i\n        y += len(xs[0, 0])", (_CELLS,)),
    "changed": (
        "xs[i % 2][0] += i * 0.5\n        for u in xs[i % 2]:\n            y += u",
        ([[1, 2], [3], [4]],),
    ),
    "one into the other": ("for u in xs[i % 3]:\n            ys[u % 3].append(i)", (_ROWS, [[], [], []])),
    "all into the other": (
        "for u in xs:\n            for v in xs[u]:\n                ys[v].append(u)",
        ({2: [1], 0: [3]}, defaultdict(list)),
    ),
    "rows that stay empty": ("y += len(xs[i % 2])", (defaultdict(list),)),
    "rows that are made of what is there": (
        "xs[i] = [len(xs)]\n        xs[0].append(i)",
        ({},),
    ),
    "no number for a new row": ("xs[i] = [1 // (2 - i)]\n        xs[0].append(1)", ({},)),
    "looked for before the row is": ("y += (1 // (2 - i)) in xs[i]", ([[1], [2]],)),
    "beyond a row": ("for u in xs[i % 3]:\n            y += xs[i % 3][2]", (_ROWS,)),
    "rows that are tuples": (
        "for u in xs[i % 2]:\n            y += u * xs[i % 2][0]",
        ([(1, 2), (3, 4, 5)],),
    ),
    "beyond a row that is a tuple": (
        "for u in xs[i % 2]:\n            y += xs[i % 2][i]",
        ([(1, 2), (3, 4)],),
    ),
    "beyond the rows": ("y += len(xs[i])\n        xs[i].append(i)", (_ROWS,)),
    "raises in the middle": ("xs[i % 3].append(i)\n        y += 1 // (5 - i)", (_ROWS,)),
    "left in the middle": ("xs[i % 3].append(i)\n        if i > 3:\n            return y", (_ROWS,)),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_same_rows(name: str, make: Make) -> None:
    """With the same items of the same types, and keys in the same order."""
    body, given = LOOPS[name]
    compiled = make(_text(body, len(given)))
    assert _outcome(compiled, given) == _outcome(compiled.function, given)
    assert [*compiled.runs] == ["compiled"]


AS_WRITTEN: dict[str, tuple[str, tuple[Any, ...]]] = {
    "no such key": ("for u in xs[i, 0]:\n            y += u", (_CELLS,)),
    "a list makes way": ("xs[i % 2] = []\n        xs[i % 2].append(i)", ({0: [1]},)),
    "lengthened while it is run over": (
        "for u in xs[0]:\n            if u < 9:\n                xs[0].append(u + i + 1)",
        (_ROWS,),
    ),
    "new keys while it is run over": (
        "for u in xs:\n            for v in xs[u + 1]:\n                y += v",
        (defaultdict(list, {1: [2]}),),
    ),
    "lists and tuples": ("for u in xs[i % 2]:\n            y += u", ([(1, 2), [3]],)),
    "a row beside numbers": ("for u in xs[i]:\n            y += u", ([[1], 2],)),
    "a list under one of the keys": ("for u in xs[i]:\n            y += u", ({0: [1], 1: 2},)),
    "items of several lengths": ("for u in xs[i % 2]:\n            y += u[0]", ([[(1, 2)], [(1, 2, 3)]],)),
    "a large integer": ("for u in xs[i % 2]:\n            y += u", ([[2**70], [1]],)),
    "tuples that are lengthened by nothing": (
        "for u in xs[i % 2]:\n            v = u\n        xs[i % 2].append(v)",
        ([(), ()],),
    ),
    "tuples that are lengthened": ("xs[i % 2].append(i)", ([(1, 2), (3,)],)),
    "appended to a list that nobody has": ("xs.get(i, []).append(i)", ({2: [1]},)),
    "a named list that nobody has": ("u = xs.get(i, [])\n        u.append(y)\n        y += 1", ({2: [1]},)),
    "an item of a tuple for what is not there": ("y += xs.get(i, ())[0]", ({0: [1]},)),
    "a tuple put there": ("for u in xs.setdefault(i, ()):\n            y += u", ({0: [1]},)),
    "None that is run over": ("u = xs.get(i)\n        for v in u:\n            y += v", ({0: [1]},)),
    "None that is run over at once": ("for v in xs.get(i):\n            y += v", ({0: [1]},)),
    "None that is appended to": ("u = xs.get(i)\n        u.append(i)", ({0: [1]},)),
    "kept": ("u = xs[i % 3]\n        for v in u:\n            y += v\n    y = (y, u)", (_ROWS,)),
}


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_what_is_left_to_the_program(name: str, make: Make) -> None:
    body, given = AS_WRITTEN[name]
    compiled = make(_text(body, len(given)))
    assert _outcome(compiled, given) == _outcome(compiled.function, given)
    assert "compiled" not in compiled.runs


def test_rows_of_arrays(make: Make) -> None:
    """They are no lists."""
    inner = "        for v in u:\n            y += v * u[1]\n    return y\n"
    for outer in ("for i in range(3):\n        u = a[i]", "for u in a:"):
        compiled = make(f"def f(a):\n    y = 0.0\n    {outer}\n{inner}")
        a = np.arange(12.0).reshape(3, 4)
        assert compiled(a) == compiled.function(a)
        assert compiled.runs == {"compiled": 1}


def test_rows_keep_what_else_they_are(make: Make) -> None:
    """A row that has other names is the same list afterwards, and others are not touched."""
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i % 2].append(i)\n")
    rows: list[list[int]] = [[], [5], [6]]
    first, _, last = rows
    compiled(9, rows)
    assert rows[0] is first == [0, 2, 4, 6, 8]
    assert rows[2] is last
    assert compiled.runs == {"compiled": 1}


def test_one_list_in_two_rows(make: Make) -> None:
    """What is put into one is in the other."""
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i % 2].append(len(xs[i % 2]))\n")
    row: list[int] = []
    compiled(5, [row, row])
    assert row == [0, 1, 2, 3, 4]
    assert "compiled" not in compiled.runs


OWN = {
    "cells": """
        s = defaultdict(list)
        for j in range(70):
            s[j * i % 7, j % 2].append(j)
        for p in s.values():
            for q in p:
                y += q * len(p)""",
    "a name that outlives it": """
        for j in range(3):
            s = {}
            s.setdefault(j, []).append(j + 1)
            if j == 0:
                u = s[j]
            for v in u:
                y += v""",
    "cells that are put there": """
        s = {}
        for j in range(70):
            s.setdefault(j * i % 7, []).append((j, 0.5))
        for p, q in s[0]:
            y += p * q""",
}


@pytest.mark.parametrize("name", OWN)
def test_what_a_loop_makes_for_itself(name: str, make: Make) -> None:
    compiled = make(_text(OWN[name], 0))
    assert _outcome(compiled, ()) == _outcome(compiled.function, ())
    expected = "as written: a value that is not followed" if "outlives" in name else "compiled"
    assert [*compiled.runs] == [expected]


def test_other_contents_in_a_later_call(make: Make) -> None:
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i % 2].append(i)\n")
    given: Any
    for given in (
        [[], []],
        [[1], []],
        {0: [], 1: [0.5]},
        defaultdict(list),
        [[[1]], []],
        [[None], [1]],
        [["a"], []],
    ):
        expected, found = copy.deepcopy(given), copy.deepcopy(given)
        compiled.function(9, expected)
        compiled(9, found)
        assert repr(found) == repr(expected)


def _text(body: str, count: int) -> str:
    names = ", ".join(["xs", "ys"][:count])
    start = "    y = 1\n    for i in range(n):\n        "
    return f"from collections import defaultdict\ndef f(n, a, {names}):\n{start}{body}\n    return y\n"


def _outcome(function: Callable[..., Any], lists: tuple[Any, ...]) -> str:
    return outcome(function, (9, np.linspace(0, 1, 9)), lists)
