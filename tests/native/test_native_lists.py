"""Loops that append to lists, and read and store their items, compiled."""

from __future__ import annotations

import copy
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.lowering.list_items import Items
from nprewrite.runtime import Native
from nprewrite.runtime.numba import arguments, plans
from nprewrite.runtime.numba.lists import items_in

Make = Callable[[str], Native]

_GRID = [[3 * i + j for j in range(9)] for i in range(9)]
_HALVES = [[each / 2 for each in row] for row in _GRID]
LOOPS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "floats": ("xs.append(i * 0.5)", ([],)),
    "integers": ("xs.append(i)", ([],)),
    "truths": ("xs.append(i > 3)", ([],)),
    "an integer first": ("xs.append(y)\n        y = i * 0.5", ([],)),
    "elements": ("xs.append(a[i])", ([],)),
    "short elements": ("xs.append(b[i])\n        ys.append(b[i] > 2)", ([], [])),
    "complex numbers": ("xs.append(i * 1j)\n        ys.append(-i if i > 2 else i * 1j)", ([], [])),
    "unsigned integers": ("k = np.uint64(2 ** 62)\n        xs.append(k + k + k)", ([],)),
    "nothing": ("xs.append(None)", ([],)),
    "nothing at first": ("xs.append(z)\n        z = a[i]", ([],)),
    "after other things": ("xs.append(i)", (["a", None, [1]],)),
    "length": ("xs.append(len(xs))", (["a", None],)),
    "pairs": ("xs.append((i, a[i]))", ([],)),
    "lists": ("xs.append([i, a[i], i > 2])", ([],)),
    "the last item": ("xs.append(xs[-1] * 1.5)", ([2.0],)),
    "the last item, of several types": ("xs.append(xs[-1] * 1.5)", ([2, np.float64(1)],)),
    "earlier items": ("xs.append(xs[i] + xs[-i - 1])", ([1, 2],)),
    "pairs that are read": ("u, v = xs[-1]\n        xs.append((v, u + v + xs[i][0]))", ([(0, 1)],)),
    "stores": ("xs[i % 3] = i\n        xs[-1] += 0.5", ([0, 1.5, 2, 7],)),
    "the last one is taken": ("ys.append(xs.pop())", ([1, 2.5, True] * 4, [])),
    "as long as there is one": ("if xs:\n            xs.pop()\n        else:\n            y += i", ([1],)),
    "pairs with a name": ("p = xs[i % 2]\n        ys.append(p[1] - p[0] * i)", ([(1, 2.5), (3, 4)], [])),
    "pairs of a loop": ("for p in xs:\n            y += p[0] * p[-1]", ([(1, 2.5), (3, 4)],)),
    "lists with a name": ("p = xs[i % 2]\n        u, v = p\n        y += p[0] * v", ([[1, 2.5], [3, 4]],)),
    "the last pair": ("xs.append((i, y))\n        p = xs[-1]\n        y += p[0]", ([],)),
    "a pair that is taken": ("p = xs.pop()\n        y += p[0]\n        xs.append((p[1], i))", ([(1, 2)],)),
    "a pair put back": ("p = xs.pop(0)\n        y += p[0]\n        xs.append(p)", ([(1, 2), (3, 4)],)),
    "beyond a pair": ("p = xs[i]\n        y += p[1]", ([(1, 2), (3, 4)],)),
    "items": ("for x in xs:\n            ys.append(x + i)", ([1, 2.5], [])),
    "numbered pairs": ("for k, (u, v) in enumerate(xs):\n            y += k * u * v", ([(1, 2.5), (3, 4)],)),
    "two lists": ("for u, v in zip(xs, ys):\n            y += u * v", ([1, 2.5], [2, 3, 4])),
    "nothing to read": ("for x in xs:\n            y += x\n        xs.append(i)", ([],)),
    "unpacked": ("u, v = xs\n        xs[i % 2] = u + v * i\n        y += sum(xs)", ([1, 2.5],)),
    "a name that is deleted": ("u = i * 0.5\n        xs.append(u)\n        del u", ([],)),
    "rows": ("r = a[:3] * i\n        xs.append(r.copy())\n        ys.append(r > 1)", ([], [1, None])),
    "rows with a name": ("r = a[:3] * i\n        xs.append(r)\n        y = y + r[1]", ([],)),
    "rows of integers": ("xs.append(np.arange(3) + i)", ([],)),
    "a grid": ("xs[i][i] = xs[i][-1] + xs[i - 1][i]\n        ys[-1][i] += i * 0.5", (_GRID, _HALVES)),
    "a grid of floats": ("xs[i % 3][i] += a[i] * ys[i][i]", ([[0.5] * 9, [1.5] * 9, [0.5] * 9], _GRID)),
    "a grid that is only read": ("for j in range(len(xs[i])):\n            y += xs[i][j] * j", (_GRID,)),
    "a grid that becomes one of floats": ("xs[i][i - 2] = y\n        y = y / 2", (_GRID,)),
    "a grid of a few columns": ("xs[i % 2][i % 3] += xs[1][0] - i * 0.5", ([[1, 2.5, 3], [True, 5, 6]],)),
    "beyond the rows of a grid": ("xs[i + 2][0] = i", (_GRID,)),
    "beyond a row of a grid": ("xs[i][i + 1] = i", (_GRID,)),
    "beyond a row that is read": ("y += xs[i][-i - 2]", (_GRID,)),
    "rows of any length": ("for u in xs[i % 3]:\n            y += u * i", ([[1, 2], [], [3.5]],)),
    "rows that are empty": ("for u in xs[i]:\n            y += u", ([[]] * 9,)),
    "lengths and numbers of rows": (
        "for u in xs[i % 3]:\n            y += len(xs[i % 3 - 1]) * xs[i % 3][-1] * u",
        ([[1], [2, 3], [4, 5, 6]],),
    ),
    "numbers of rows alone": ("y += xs[i % 3][i % 2] * len(xs[i % 3])", ([[1, 2], [2, 3, 4], [4, 5]],)),
    "beyond a row of any length": ("y += xs[i % 2][i]", ([[1, 2], [2, 3, 4]],)),
    "beyond the rows": ("for u in xs[i]:\n            y += u", ([[1, 2], [2, 3, 4]],)),
    "in a row": (
        "for u in xs[i % 3]:\n            y += (i in xs[u % 3]) - (u not in xs[0])",
        ([[1], [2, 5], [0, 8]],),
    ),
    "in a list": ("if i not in xs:\n            xs.append(i + 2)\n        y += (i in xs)", ([3],)),
    "a queue": ("xs.append(xs.pop(0) * 0.5 + i)\n        y += xs[0] * xs[-1]", ([1, 2.5],)),
    "a queue of pairs": (
        "u, v = xs.pop(0)\n        xs.append((v, u + i))\n        y += xs[1][0]",
        ([(1, 2), (3, 4)],),
    ),
    "a queue that ends": ("while xs:\n            y += xs.pop(0) * len(xs)\n        xs.append(i)", ([1, 2],)),
    "both ends": (
        "xs[0] = i\n        xs.append(xs.popleft())\n        ys.append(xs.pop() + xs[-2])",
        (deque(range(13)), []),
    ),
    "places": (
        "u, v = xs.popleft()\n        if v < 9:\n            xs.append((u, v + 1))",
        (deque([(k, k) for k in range(9)]),),
    ),
    "out of range": ("xs.append(xs[i + 2])", ([1, 2],)),
    "no place": ("xs[i] = 3", ([1, 2],)),
    "empty": ("xs.pop()", ([1, 2],)),
    "nothing in it": ("y = xs[-1]", ([],)),
    "raises in the middle": ("xs.append(1 / (3 - i))", ([],)),
    "left in the middle": ("xs.append(i)\n        if i > 3:\n            break", ([],)),
    "many": ("for k in range(999):\n            xs.append(i * k)", ([],)),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_same_lists(name: str, make: Make) -> None:
    body, lists = LOOPS[name]
    compiled = make(_text(body, len(lists)))
    expected, found = _outcome(compiled.function, lists), _outcome(compiled, lists)
    assert found == expected
    assert [*compiled.runs] == ["compiled"]


@pytest.mark.parametrize(
    "rows", ["[0] * 9", "[[0] * 12] * 2", "[[0] * 12, [1] * 11]", "[[0] * 12, [0, 1j] * 6]"]
)
def test_other_grids(rows: str, make: Make) -> None:
    """Rows that are one list, and rows of several lengths, are left to the program."""
    compiled = make(
        "def f(n, xs):\n    for i in range(n):\n        xs[i % 2][i] += 1 + xs[i % 2][i - 1] * 2\n"
    )
    given = [eval(rows), eval(rows)]
    errors = []
    for function, each in zip((compiled, compiled.function), given, strict=True):
        try:
            function(9, each)
        except TypeError as error:
            errors.append(str(error))
    assert given[0] == given[1]
    assert len({*errors}) < 2


def test_what_is_refused_again_and_again_is_not_followed_again(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = make("def f(n, xs):\n    for i in range(n):\n        xs[i] = xs[i] * 0.5 + xs[i][0]\n")
    followed: list[int] = []
    lower = compiled._lower
    monkeypatch.setattr(compiled, "_lower", lambda entry: followed.append(1) or lower(entry))
    for _ in range(3 * plans.REFUSALS):
        with pytest.raises(TypeError):
            compiled(2, [(1, 2), (3, 4)])
    assert len(followed) == plans.REFUSALS


QUEUES = """
def f(n, xs):
    for i in range(n):
        u, v = xs.{take}
        xs.append((v, u * i))
        if i == {last}:
            {then}
"""


@pytest.mark.parametrize("given", ["deque([(1, 2)])", "[(1, 2)]", "deque([(1, 2)], maxlen=2)", "deque()"])
@pytest.mark.parametrize("then", ["xs.{take}", "xs.pop(); xs.pop()", "xs[3]", "xs[-2]"])
def test_what_queues_raise(given: str, then: str, make: Make) -> None:
    take = "popleft()" if "deque" in given else "pop(0)"
    text = QUEUES.format(take=take, last=2, then=then.format(take=take))
    outcomes = []
    compiled = make(text)
    for function in (compiled, compiled.function):
        xs = eval(given)
        with pytest.raises(IndexError) as caught:
            function(20, xs)
        outcomes.append((repr(xs), str(caught.value)))
    assert outcomes[0] == outcomes[1]


def test_rows_of_a_grid_stay_the_lists_that_they_are(make: Make) -> None:
    compiled = make(
        "def f(xs, ys):\n    for i in range(len(xs)):\n        for j in range(len(xs[i])):\n"
        "            ys[i][j] = xs[i][j] + ys[i - 1][j - 1] * 0.5"
    )
    xs = [[i * j for j in range(12)] for i in range(7)]
    ys: list[list[float]] = [[0] * 12 for _ in range(7)]
    first, same = ys[0], copy.deepcopy(ys)
    compiled(xs, ys)
    compiled.function(xs, same)
    assert repr(ys) == repr(same)
    assert ys[0] is first
    compiled(ys, ys)
    compiled.function(same, same)
    assert repr(ys) == repr(same)
    shared = [*ys]
    compiled(ys, shared)
    compiled.function(same, same)
    assert repr(ys) == repr(same)
    assert compiled.runs == {"compiled": 1, "as written: two names of one list": 2}


def _text(body: str, count: int) -> str:
    names = ", ".join(["xs", "ys"][:count])
    start = "    y = 1\n    z = None\n    for i in range(n):\n        "
    return f"def f(n, a, b, {names}):\n{start}{body}\n    return y\n"


def _outcome(function: Callable[..., Any], lists: tuple[Any, ...], seen: int = 2) -> str:
    given = copy.deepcopy(lists)
    try:
        result = function(9, np.linspace(0, 1, 9), np.arange(9, dtype=np.float32), *given)
    except (ArithmeticError, LookupError, ValueError) as error:
        result = error
    return repr((result, given[:seen]))


NAMED_ROWS = {
    "r = a[:3]\n        xs.append(r)": False,
    "r = a[:3] * i\n        xs.append(r)\n        r[0] = 7": False,
    "r = a[:3] * i\n        xs.append(r)\n        r += 1": False,
    "r = a[:3] * i\n        xs.append(r)\n        r.sort()": False,
    "r = a[:3] * i\n        xs.append(r)\n        s = r\n        s[0] = 7": False,
    "r = a[:3] * i\n        xs.append(r)\n        s = r[:2]\n        s[0] = 7": False,
    "r = a[:3] * i\n        xs.append(r)\n        s = np.asarray(r)\n        s[0] = 7": False,
    "r = a[:3] * i\n        xs.append(r)\n        s = np.exp(r)\n        y = s[0]": True,
    "r = a[:3] * i\n        xs.append(r)\n        if i == 8:\n            return r": False,
    "r = np.array([a[i], a[i] * 2])\n        xs.append(r)\n        y = r[0] + r[1]": True,
}


@pytest.mark.parametrize("body", NAMED_ROWS)
def test_rows_with_names(body: str, make: Make) -> None:
    compiled = make(_text(body, 1))
    outcomes = []
    for function in (compiled.function, compiled):
        xs: list[Any] = []
        result = function(9, np.linspace(0, 1, 9), np.arange(9.0), xs)
        outcomes.append((repr(xs), repr(result), any(each is result for each in xs)))
    assert outcomes[0] == outcomes[1]
    assert ("compiled" in compiled.runs) == NAMED_ROWS[body]


LARGE = "as written: an integer of a list is too large"
ARRAYS = [
    *("floats", "integers", "truths", "an integer first", "short elements", "complex numbers", "nothing"),
    *(
        "unsigned integers",
        "pairs",
        "lists",
        "the last item, of several types",
        "pairs that are read",
        "stores",
    ),
    *("after other things", "raises in the middle", "no place", "rows", "rows of integers"),
]
PRESENT = [
    "1, 2.5, True",
    "np.int8(1), 2",
    "np.uint64(1), 2",
    "np.float32(1), 2.5",
    "1j, np.complex64(2)",
    "False",
]


@pytest.mark.filterwarnings("ignore:.*runs as written")
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_lists(name: str, make: Make) -> None:
    body, lists = LOOPS[name]
    compiled = make(_text(body, len(lists)).replace("return y", "return y, np.array(xs)"))
    compiled.spent = frozenset({"xs"})
    # What the caller does not look at again need not be there.
    expected, found = (_outcome(each, lists, seen=0) for each in (compiled.function, compiled))
    assert found == expected


@pytest.mark.parametrize("given", PRESENT)
def test_arrays_of_several_types(given: str, make: Make) -> None:
    compiled = make(
        "def f(n, xs):\n    for i in range(n):\n        xs.append(xs[i])\n    return np.array(xs)\n"
    )
    xs = eval(f"[{given}]")
    for n in (0, 1, 9):
        expected, found = compiled.function(n, [*xs]), compiled(n, [*xs])
        assert (expected.dtype, expected.tolist()) == (found.dtype, found.tolist())
    assert [*compiled.runs] == ["compiled"]


REFUSED: dict[str, tuple[str, list[Any], str]] = {
    "leaves 64 bits": ("xs.append(xs[-1] * 1000)", [1], "as written: a value that is not followed"),
    "holds a large number": ("xs.append(xs[-1] + 1)", [2**70], LARGE),
    "is changed beside": ("xs[-1] += xs.pop()", [*range(12)], "as written: unknown-call"),
    "is long": ("xs.append(xs[-1] + 1)", [1] * 99_999, "as written: a long list for a few trips"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, make: Make) -> None:
    body, xs, reason = REFUSED[name]
    compiled = make(_text(body, 1))
    assert _outcome(compiled, (xs,)) == _outcome(compiled.function, (xs,))
    assert [*compiled.runs] == [reason]


@pytest.mark.filterwarnings("ignore:.*runs as written")
@pytest.mark.parametrize(
    "body",
    [
        "p = xs[0]\n        xs[0][1] = i\n        y += p[1]",
        "p = xs[i % 2]\n        p[0] += i\n        y += p[1]",
        "p = xs[i % 2]\n        y += p[0]\n        xs.append(p)",
    ],
)
def test_lists_in_lists_that_change_under_a_name_run_as_written(body: str, make: Make) -> None:
    lists = ([[1, 2.5], [3, 4]],)
    compiled = make(_text(body, 1))
    assert _outcome(compiled, lists) == _outcome(compiled.function, lists)
    assert "compiled" not in compiled.runs


@pytest.mark.filterwarnings("ignore:.*runs as written")
@pytest.mark.parametrize("xs", [deque([1]), ["a"], [1, (2, 3)], [(1, 2), (3,)], [np.ones(2)]])
def test_other_items_run_as_written(xs: Any, make: Make) -> None:
    compiled = make(_text("xs.append(xs[0])", 1))
    assert _outcome(compiled, (xs,)) == _outcome(compiled.function, (xs,))
    assert "compiled" not in compiled.runs


def test_lists_with_other_items_are_looked_at_less_and_less(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = make(_text("xs.append(xs[0])", 1))
    looks: list[object] = []

    def looked(given: Any, **uses: bool) -> Items:
        looks.append(given)
        return items_in(given, **uses)

    monkeypatch.setattr(arguments, "items_in", looked)
    for _ in range(200):
        _outcome(compiled, (["a"],))
    assert 0 < len(looks) < 40
    assert compiled.runs.total() == 200


@pytest.mark.parametrize("given", [{1, 2}, {1: 2}, 2**70])
def test_nobody_is_told_of_what_a_program_may_well_have(given: Any, make: Make) -> None:
    compiled = make(
        "def f(n, given):\n    y = 0\n    for i in range(n):\n        y += i * (given == i)\n    return y\n"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(3, given) == compiled.function(3, given)
    assert "compiled" not in compiled.runs


def test_rows_after_those_that_are_there(make: Make) -> None:
    compiled = make(
        "def f(n, x, xs):\n    for i in range(n):\n        xs.append(x * i)\n    return np.array(xs)\n"
    )
    for x in (np.ones(3), np.ones(2, np.float32), np.ones(3)):
        for xs in ([], [x], [x, x + 1]):
            expected, found = compiled.function(4, x, [*xs]), compiled(4, x, [*xs])
            assert (found.dtype, found.tolist()) == (expected.dtype, expected.tolist())
    assert [*compiled.runs] == ["compiled"]


def test_rows_are_arrays_of_their_own(make: Make) -> None:
    compiled = make("def f(n, x, xs):\n    for i in range(n):\n        xs.append(x * i)\n")
    xs: list[np.ndarray] = []
    compiled(3, np.ones(2), xs)
    assert all(each.flags.owndata and each.flags.writeable for each in xs)


def test_rows_of_other_lengths_run_as_written(make: Make) -> None:
    compiled = make("def f(n, x, xs):\n    for i in range(n):\n        xs.append(x[i:] * 2)\n")
    xs: list[np.ndarray] = []
    compiled(3, np.ones(3), xs)
    assert [*map(len, xs)] == [3, 2, 1]
    assert [*compiled.runs] == ["as written: a value that is not followed"]


def test_one_list_of_two_names(make: Make) -> None:
    compiled = make(_text("xs.append(i)\n        ys.append(-i)", 2))
    xs: list[int] = []
    compiled(3, np.zeros(3), np.zeros(3), xs, xs)
    assert xs == [0, 0, 1, -1, 2, -2]
    assert [*compiled.runs] == ["as written: two names of one list"]


IN_OTHERS = {
    "stored": "row[0] += 1\n        s += grid[0][0]",
    "swapped": "row[0], row[1] = row[1], row[0]\n        s += grid[0][1]",
    "a queue": "row.append(row.pop(0) + 1)\n        s += grid[0][0]",
    "unpacked": "row[0] += 1\n        u, v = grid[i % 2]\n        s += u * v",
}


@pytest.mark.parametrize("body", IN_OTHERS.values(), ids=[*IN_OTHERS])
def test_a_row_of_a_list_that_changes_under_its_own_name(body: str, make: Make) -> None:
    compiled = make(
        f"def f(grid, row, n):\n    s = 0\n    for i in range(n):\n        {body}\n    return s\n"
    )
    outcomes = []
    for function in (compiled, compiled.function):
        grid = [[1, 2], [3, 4]]
        outcomes.append((function(grid, grid[0], 9), function(grid, [5, 6], 9), grid))
    assert outcomes[0] == outcomes[1]
    assert compiled.runs == {"as written: two names of one list": 1, "compiled": 1}


def test_lists_of_other_types_at_each_call(make: Make) -> None:
    compiled = make(_text("xs.append(xs[-1] + xs[0])", 1))
    for xs in ([1], [1.5], [True, 2], [np.float32(1.5)], [np.int8(1), 2.5], [1, 2]):
        assert _outcome(compiled, (xs,)) == _outcome(compiled.function, (xs,))
    assert [*compiled.runs] == ["compiled"]


def test_the_rest_of_a_list_is_not_read(make: Make) -> None:
    compiled = make(_text("xs.append(i)", 1))
    for xs in ([], ["a"] * 99_999, [1.5]):
        assert _outcome(compiled, (xs,)) == _outcome(compiled.function, (xs,))
    assert [*compiled.runs] == ["compiled"]


ENDLESS = """
def f(xs, n):
    k = 0
    while n > 0:
        k += 1
        if k % 100_000 == 0:
            xs.append(k // 100_000)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers that send signals")
def test_a_signal_in_the_middle(make: Make) -> None:
    compiled = make(ENDLESS)
    xs = [0]
    compiled(xs, 0)

    def stop(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            compiled(xs, 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(xs) > 1
    assert xs == [*range(len(xs))]
    assert [*compiled.runs] == ["compiled"]
