"""Lists in a list that a compiled loop appends to: they are filled when it ends, in its order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]
LOOPS = {
    "integers": "cells[i % 3].append(i)",
    "numbers of NumPy": "cells[k[i]].append(x[i])",
    "several types": "cells[k[i]].append(i if i % 2 else x[i])",
    "pairs": "cells[i % 2].append((i, x[i] * 2))",
    "lists": "cells[i % 2].append([x[i], 1.5])",
    "from the end": "cells[-1 - i % 3].append(i)",
    "in a branch": "cells[k[i]].append(i)\n        if x[i] > 0.3:\n            cells[0].append(-i)",
    "how many": "cells[i % len(cells)].append(len(cells) * i)",
    "two levels": "nested[i % 2][0].append(i)",
    "two of them": "cells[0].append(i)\n        others[k[i]].append(x[i])",
    "beside a list": "flat.append(x[i])\n        cells[k[i]].append(len(flat))",
    "beside what is printed": "cells[i % 2].append(i)\n        if i % 4 == 0:\n            print(i, x[i])",
    "in an inner loop": "for j in range(i % 3):\n            cells[j].append(i * j)",
    "no such list": "cells[i].append(x[i])",
    "no such list at the end": "cells[-i].append(x[i])",
    "raises in between": "cells[k[i]].append(i)\n        y = 1 / (i - 5)",
    "raises itself": "cells[k[i]].append(1 // (i - 5))",
}
ELSEWHERE = {
    "read": "cells[i % 2].append(i)\n        y = len(cells[0])",
    "exchanged": "cells[i % 2].append(i)\n        cells[2] = [i]",
    "an array": "cells[i % 2].append(x[:2])",
    "a float in the place": "cells[x[0]].append(i)",
    "handed on": "cells[i % 2].append(i)\n        y = sum(cells, [])",
}


NAMES = ("cells", "others", "flat", "nested", "k", "x")


def outcome(function: Any, body: str, cells: Any, flat: list[Any]) -> Any:
    """What a run raises, and what is in its lists then."""
    given = {"cells": cells, "others": [[1.5], [], [None]], "flat": flat, "nested": [[[]], [[]]]}
    arrays = {"k": np.array([0, 2, 1, 1, 0, 2, 2, 0, 1]), "x": np.linspace(0, 1, 9)}
    try:
        function(*({**given, **arrays}[each] for each in NAMES if each in body))
        error = ""
    except (ArithmeticError, AttributeError, IndexError, TypeError) as found:
        error = repr(found)
    rows = [each for whole in (cells, given["others"]) for each in whole if isinstance(each, list | deque)]
    return error, str(given), [[type(each) for each in row] for row in [*rows, flat]]


def text_of(body: str) -> str:
    parameters = ", ".join(each for each in NAMES if each in body)
    return f"def f({parameters}):\n    for i in range(9):\n        {body}\n"


@pytest.mark.parametrize("name", [*LOOPS, *ELSEWHERE])
def test_same_lists(name: str, make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    body = {**LOOPS, **ELSEWHERE}[name]
    compiled = make(text_of(body))
    for _ in range(2):
        results = []
        for each in (compiled, compiled.function):
            found = outcome(each, body, [[], ["a", 3], []], [0.5])
            results.append((found, capsys.readouterr().out))
        assert results[0] == results[1]
    ran = compiled.runs["compiled"] + compiled.runs["as written: an error"]
    assert bool(ran) == (name in LOOPS)


def one_list() -> tuple[Any, list[Any]]:
    row: list[Any] = []
    return [row, row, row], [0.5]


def shared() -> tuple[Any, list[Any]]:
    row: list[Any] = []
    return [[], row, []], row


GIVEN: dict[str, tuple[Callable[[], tuple[Any, list[Any]]], bool]] = {
    "one list three times": (one_list, True),
    "a list that has another name": (shared, False),
    "queues": (lambda: ([deque(), deque(), deque()], [0.5]), False),
    "no list": (lambda: ([[], [], 3], [0.5]), False),
    "a tuple of lists": (lambda: (([], [], []), [0.5]), True),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_given(name: str, make: Make) -> None:
    """Lists with two names, and what is no list, are filled as the loop goes on."""
    given, runs = GIVEN[name]
    body = "cells[k[i]].append(i)\n        flat.append(i * 0.5)"
    compiled = make(text_of(body))
    seen, expected = (outcome(each, body, *given()) for each in (compiled, compiled.function))
    assert seen == expected
    assert bool(compiled.runs["compiled"]) == runs
