"""Loops that look up, store and add in dictionaries and sets of numbers, compiled."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import outcome

from nprewrite.runtime import Native

Make = Callable[[str], Native]

_PAIRS = {(i, j): i * 0.5 + j for i in range(3) for j in range(3)}
LOOPS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "what is there": ("y += xs[i % 3 - 1]", ({-1: 0.5, 0: 2.5, 1: -1.0},)),
    "of several types": ("y += xs[i % 3]", ({0: 1, 1: 2.5, 2: True},)),
    "by a float": ("y += xs[i % 2 * 1.0]", ({0: 1, 1: 2.5},)),
    "by elements": ("y += xs[b[i]] * xs[k[i]]", ({each: each / 2 for each in range(9)},)),
    "floating-point keys": ("y += xs[i * 0.5]", ({i * 0.5: i for i in range(9)},)),
    "floating-point keys by integers": ("y += xs[i % 4]", ({i * 0.5: i for i in range(9)},)),
    "counts": ("xs[i % 3] = xs.get(i % 3, 0) + 1", ({},)),
    "more counts": ("xs[i * i % 5] = xs.get(i * i % 5, 0.0) + i", ({4: 1, 7: 2.5},)),
    "nothing under it": ("u = xs.get(i)\n        if u is None:\n            xs[i + 1] = i", ({3: 4},)),
    "a zero of the other sign": ("xs[0.0 * i] = i\n        y += xs[-0.0]", ({1.0: 2},)),
    "if there": ("if i in xs:\n            y += xs[i]\n        else:\n            xs[2 * i] = i", ({1: 5},)),
    "not there": ("if i % 4 not in xs:\n            xs[i % 4] = y\n            y = y + 0.5", ({},)),
    "changed": ("xs[i % 3] += i * 0.5", ({0: 1, 1: 2.5, 2: 3},)),
    "pairs": ("y += xs[i % 3, 1] - xs[(2, i % 3)]", (_PAIRS,)),
    "pairs with a name": ("p = (i % 3, i % 2)\n        xs[p] += i\n        y += xs[p]", (_PAIRS,)),
    "triples": ("xs[i, i + 1, -i] = i", ({},)),
    "the integers of NumPy": ("xs[k[i]] = i", ({},)),
    "integers of two kinds": ("xs[i] = i\n        xs[k[i] * 2] = -i", ({4: 1},)),
    "pairs of two kinds": ("u = u + k[i]\n        xs[u, i] = i\n        y += (i, u) in xs", ({},)),
    "truths": ("xs[i > 3] = i", ({},)),
    "defaults": ("xs[i % 3] += i\n        y += xs[i % 4]", (defaultdict(int, {7: 1}),)),
    "defaults of floats": ("xs[i % 3, i % 2] += i", (defaultdict(float),)),
    "a counter": ("xs[i % 3] += 1\n        y += xs[i]", (Counter([1, 1, 5]),)),
    "a counter of all": ("xs[i * 7 % 4] += i", (Counter(),)),
    "a counter, and how many": ("xs[i % 3] += len(xs)\n        xs[i % 5] += 0.5", (Counter(),)),
    "a counter that stays empty": ("y += xs[i]", (Counter(),)),
    "no number for a counter": ("xs[i] += 1 / (3 - i)", (Counter(),)),
    "no number beside a default": ("xs[i] += 1 / (3 - i)", (defaultdict(int),)),
    "a set": ("if i % 4 in xs:\n            y += 1\n        xs.add(i % 4)", (set(),)),
    "a set of pairs": ("if (i % 4, y) not in xs:\n            xs.add((i % 4, y))", ({(0, 1), (7, 2)},)),
    "a set that is read": ("y += i in xs", ({1, 5, 9},)),
    "a set of floats": ("xs.add(i * 0.5)\n        y += i in xs", ({0.5},)),
    "two of them": ("ys[i] = xs[i % 2] * 2\n        xs[i % 2] = ys[i]", ({0: 1, 1: 2}, {})),
    "how many": ("xs[i % 4] = len(xs)\n        y += len(ys)", ({}, {1: 2})),
    "run over": ("for u in xs:\n            y += u * i", ({3: 1, 1: 2},)),
    "the items": ("for u, v in xs.items():\n            y = 0.5 * y + u * v", ({3: 1, 1: 2.5},)),
    "the items of pairs": ("for (u, v), w in xs.items():\n            y = 0.5 * y + u - v * w", (_PAIRS,)),
    "the values": ("for u in xs.values():\n            y = 0.5 * y + u\n        xs[i, i] = y", (_PAIRS,)),
    "all that is there": ("for u in xs.keys():\n            y += u\n        xs[i] = i", ({},)),
    "changed under its own key": ("for u in xs:\n            xs[u] += y + i", ({3: 1, 1: 2.5},)),
    "stored under its own key": ("for u, v in xs.items():\n            xs[u] = v * 0.5 + i", ({3: 1, 1: 2},)),
    "stored under its own pair": (
        "for (u, v), w in xs.items():\n            xs[(u, v)] = u - v * w",
        (_PAIRS,),
    ),
    "looked up while it is run over": (
        "for u in xs:\n            y += u * xs[u]\n        xs[i] += 1",
        (defaultdict(int, {7: 1}),),
    ),
    "a set that is run over": ("for u in xs:\n            y = y * 0.5 + u * i", ({1, 5, 900, -3, 70},)),
    "pairs of a set": ("for u, v in xs:\n            y = y * 0.5 + u - v", ({(1, 2), (30, 4), (-5, 6)},)),
    "pairs of a set with a name": (
        "for p in xs:\n            q, r = p\n            y = y * 0.5 + q - r * ((q + 1, r) in xs)",
        ({(1, 2), (30, 4), (2, 2)},),
    ),
    "keys with a name": ("for p in xs:\n            y = y * 0.5 + p[0] * xs[p]", (_PAIRS,)),
    "keys with a name, and values": (
        "for p, w in xs.items():\n            u, v = p\n            y = y * 0.5 + u * w - v",
        (_PAIRS,),
    ),
    "keys alone with a name": ("for p in xs.keys():\n            y = y * 0.5 + p[1]", (_PAIRS,)),
    "among the keys": ("y += i in xs.keys()", ({3: 1, 1: 2},)),
    "all of the values": ("y += sum(xs.values()) + max(xs.values())\n        xs[i] = 1", ({3: 1, 1: 2.5},)),
    "or else put there, in order": (
        "xs.setdefault(ys.pop(), ys.pop())",
        ({}, [*range(20)]),
    ),
    "or else put there": ("xs.setdefault(i % 4, 0)\n        xs[i % 4] += i", ({3: 1.5},)),
    "as long as there is one": ("if xs:\n            y += 1\n        xs[i] = i", ({},)),
    "many": ("for u in range(999):\n            xs[i * u] = u", ({},)),
    "beside a list": ("if y not in xs:\n            xs.add(y)\n            ys.append(i)", (set(), [])),
    "raises in the middle": ("xs[i] = 1 / (3 - i)", ({},)),
    "left in the middle": ("xs[i] = i\n        if i > 3:\n            break", ({},)),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_same_items(name: str, make: Make) -> None:
    """In the same order, and with keys of the same types."""
    body, maps = LOOPS[name]
    compiled = make(_text(body, len(maps)))
    expected, found = _outcome(compiled.function, maps), _outcome(compiled, maps)
    assert found == expected
    assert [*compiled.runs] == ["compiled"]


AS_WRITTEN: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a set that is added to": ("for u in xs:\n            y = y * 0.5 + u\n        xs.add(i)", ({1, 2},)),
    "another name for the key": ("for u in xs:\n            u = u + 1\n            xs[u] = y", ({1: 2},)),
    "looked up while it is run over": (
        "for u in xs:\n            y += xs[u + 1]",
        (defaultdict(int, {1: 2}),),
    ),
    "put there while it is run over": ("for u in xs:\n            xs.setdefault(u + i, 1)", ({1: 2},)),
    "tuples of one number": ("y += xs.get((i,), 1)", ({(1,): 2},)),
    "tuples of one number that are new": ("xs[(i,)] = 1", ({},)),
    "one number for a tuple": ("y += i in xs", ({(1,), (2,)},)),
    "more while it is run over": ("for u in xs:\n            xs[u + 1] = y", ({1: 2},)),
    "None that is changed": ("xs[i % 2] += 1", ({0: None, 1: 2},)),
    "no such key": ("y += xs[i]", ({0: 1, 1: 2},)),
    "no such key, after a change": ("xs[i % 5] += 1", ({0: 1, 1: 2, 2: 3},)),
    "no such pair": ("y += xs[i, i]", (_PAIRS,)),
    "keys of several types": ("xs[i if i < 3 else a[i]] = i", ({},)),
    "keys of other lengths": ("y += xs[i, i]", ({(0, 1): 1, (1, 2, 3): 2},)),
    "a zero that is negative": ("xs[-0.0 * i] = i", ({1.0: 2},)),
    "not-a-number": ("xs[np.nan] = i", ({1.0: 2},)),
    "not-a-number before": ("y += xs[i * 0.5]", ({np.nan: 2, 0.0: 1},)),
    "a large integer": ("xs[i] = i\n        y += xs[2 ** 70 % (i + 1)]", ({2**70: 1},)),
    "strings": ("y += xs[i]", ({"a": 1},)),
    "values of another kind": ("y += xs[i][0]", (dict.fromkeys(range(9), "1"),)),
    "no set": ("xs.add(i)", ({1: 2},)),
    "no dictionary": ("xs[i] = 2", ({1, 2},)),
    "of another class": ("xs[i] = 2", (OrderedDict({1: 2}),)),
    "defaults of another kind": ("xs[i] += 2", (defaultdict(lambda: 7, {0: 1}),)),
}


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_what_is_left_to_the_program(name: str, make: Make) -> None:
    body, maps = AS_WRITTEN[name]
    compiled = make(_text(body, len(maps)))
    expected, found = _outcome(compiled.function, maps), _outcome(compiled, maps)
    assert found == expected
    assert "compiled" not in compiled.runs


OWN = {
    "a set": """
        s = {i, 60}
        u = i + 1
        while u not in s:
            s.add(u)
            u = (u * 3 + 1) % 50
        y += len(s)""",
    "an empty set": """
        s = set()
        for j in range(40 * i):
            s.add(j % 37)
        y += len(s)""",
    "a dictionary": """
        s = {0: 1, 1: i}
        for j in range(2, 60):
            s[j] = s[j - 1] + s[j - 2] * 0.5
        y += s[i] * 0.5""",
    "an empty dictionary": """
        s: dict[tuple[int, int], int] = {}
        for j in range(70):
            s[j % 9, i] = s.get((j % 9, i), 0) + j
        y += s[3, i]""",
    "a counter": """
        s = Counter()
        for j in range(70):
            s[j * i % 7] += 1
        y += s[i] + s[8]""",
    "defaults": """
        s = defaultdict(float)
        for j in range(70):
            s[j * i % 7] += j
        y += s[i]""",
    "made in two places": """
        if i % 2:
            s = set()
        else:
            s = {i}
        y += i in s""",
}


@pytest.mark.parametrize("name", OWN)
def test_what_a_loop_makes_for_itself(name: str, make: Make) -> None:
    compiled = make(_text(OWN[name], 0))
    assert _outcome(compiled, ()) == _outcome(compiled.function, ())
    assert [*compiled.runs] == ["compiled"]


HANDED_ON = {
    "another name": "s = {i}\n        t = s\n        t.add(y)\n        y += len(s)",
    "kept from before": "if i == 0:\n            s = set()\n        s.add(i)\n        y += len(s)",
    "given back": "s = {i: 2}\n        if i > 4:\n            return s",
    "none of numbers": "s = {'a': i}\n        y += s['a']",
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_what_is_not_its_own(name: str, make: Make) -> None:
    compiled = make(_text(HANDED_ON[name], 0))
    assert _outcome(compiled, ()) == _outcome(compiled.function, ())
    assert "compiled" not in compiled.runs


def test_two_names_of_one_dictionary(make: Make) -> None:
    compiled = make("def f(n, xs, ys):\n    for i in range(n):\n        xs[i] = i\n        ys[i] += 0.5\n")
    outcomes = []
    for function in (compiled, compiled.function):
        given = {1: 2}
        function(9, given, given)
        outcomes.append(repr(given))
    assert outcomes[0] == outcomes[1]


def test_a_dictionary_that_a_loop_around_runs_over_stays_the_same(make: Make) -> None:
    """To put values under its keys is no change of its size."""
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i % 3] += i\n")
    given = dict.fromkeys(range(3), 1)
    for _ in given:
        compiled(9, given)
    assert given == {0: 28, 1: 37, 2: 46}
    assert compiled.runs == {"compiled": 3}


def test_other_contents_in_a_later_call(make: Make) -> None:
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i % 4] = xs.get(i % 4, 0) + 1\n")
    for given in ({}, {1: 2}, {1: 2.5}, {0.5: 1}, {(1, 2): 3}, {"a": 1}, {5: 1, 6: 2}):
        expected, found = copy.deepcopy(given), copy.deepcopy(given)
        compiled.function(9, expected)
        compiled(9, found)
        assert repr(found) == repr(expected)


def _text(body: str, count: int) -> str:
    names = ", ".join(["xs", "ys"][:count])
    start = "    y = 1\n    u = 0\n    for i in range(n):\n        "
    imports = "from collections import Counter, defaultdict\n"
    return f"{imports}def f(n, a, b, k, {names}):\n{start}{body}\n    return y\n"


def _outcome(function: Callable[..., Any], maps: tuple[Any, ...]) -> str:
    return outcome(function, (9, np.linspace(0, 1, 9), np.arange(9, dtype=np.int8), np.arange(9)), maps)
