"""Loops that bind attributes of objects to other arrays in each trip, compiled."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sources import function_of

from nprewrite.runtime import native

LOOPS = {
    "a new array": "me.x = me.x + 0.1 * a",
    "read before and after": "before = me.x\n        me.x = me.x * 0.5\n        a[i] = before[0] + me.x[1]",
    "a view of an argument": "me.x = a[i : i + 2]",
    "an argument itself": "me.x = a",
    "what another attribute was": "me.x, me.y = me.y, me.x + 1",
    "two names of one array": "me.x = me.x + 1\n        me.y = me.x",
    "sometimes": "if i % 3 == 1:\n            me.x = me.x + i",
    "beside a number": "me.x = me.x + me.count\n        me.count += 1",
    "stored into": "me.x = me.x + 1\n        me.x[0] = i",
    "out of range": "me.x = me.x + 1\n        a[i] = me.x[i]",
    "divides by zero": "me.x = me.x + 1\n        a[i] = 1 / (5 - i)",
}
SETS = {
    "what another attribute was": ("me.x", "me.y"),
    "two names of one array": ("me.x", "me.y"),
    "beside a number": ("me.x", "me.count"),
}
RUN_AGAIN = {"out of range", "divides by zero"}


@pytest.mark.parametrize("name", LOOPS)
def test_same_attributes(name: str) -> None:
    function = function_of(f"def f(me, a):\n    for i in range(9):\n        {LOOPS[name]}\n    return i\n")
    compiled: Any = native(sets=SETS.get(name, ("me.x",)))(function)
    assert _outcome(compiled, name) == _outcome(compiled.function, name)
    assert ("compiled" in compiled.runs) == (name not in RUN_AGAIN)


def _outcome(function: Any, name: str) -> str:
    me = SimpleNamespace(x=np.array([1.0, 2.0]), y=np.array([3.0, 4.0]), count=2)
    a = np.linspace(0.1, 0.9, 2 if name in ("a new array", "an argument itself") else 12)
    first, others = me.x, copy.copy(vars(me))
    try:
        result = function(me, a)
    except (ArithmeticError, LookupError) as error:
        result = type(error), str(error)
    same = {key: [key for key, each in others.items() if each is value] for key, value in vars(me).items()}
    shared = np.shares_memory(me.x, a), me.x is a, me.x is me.y
    return repr((result, a, vars(me), first, same, shared))
