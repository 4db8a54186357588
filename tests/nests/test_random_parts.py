"""Random loops that are split, before and after: the same results, types, mutation and exceptions."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from random_parts import PartsMaker
from test_random_nests import check_same_behaviour, function

from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.engine.pipeline import rewrite_source

OPTIONS = Options(select=frozenset(["NPR405", "NPR406"]))

SEEDS = range(60)


@pytest.fixture(autouse=True)
def no_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba would take most of these loops as they are."""
    monkeypatch.setitem(sys.modules, "numba", None)


def rewriting(seed: int) -> Rewriting:
    """The rewriting of a random loop."""
    return rewrite_source(PartsMaker(seed).text(), "loop.py", OPTIONS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", SEEDS)
def test_same_behaviour(seed: int) -> None:
    check_same_behaviour(rewriting(seed), PartsMaker(seed))


def test_many_are_split() -> None:
    sites = [site for seed in SEEDS for site in rewriting(seed).sites]
    done = [each for each in sites if each.code == "NPR406" and each.outcome is Outcome.REWRITTEN]
    assert len(done) >= 12
    assert all("shorter loop" in each.message or "whole arrays" in each.message for each in done)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_second_run_changes_nothing(seed: int) -> None:
    once = rewriting(seed).text
    assert rewrite_source(once, "loop.py", OPTIONS).text == once


_SUMS = {
    "a sum": "s += x[i]\n        y[i] = s * 0.5",
    "a product": "s *= x[i]\n        y[i] = y[i] - s",
    "a count": "if x[i] > 0.6:\n            s += 1\n        y[i] = s",
    "a sum, read in a row": "s -= x[i]\n        for j in range(3):\n            Y[i, j] = s * j",
}


@pytest.mark.parametrize("body", _SUMS.values(), ids=_SUMS)
def test_what_is_summed_so_far_is_told_in_each_iteration(body: str) -> None:
    text = (
        "import numpy as np\ndef f(n: int):\n    x = np.linspace(0.5, 0.75, n)\n    y = np.ones(n)\n"
        f"    Y = np.ones((n, 3))\n    s = 1.0\n    for i in range(n):\n        {body}\n    return s, y, Y\n"
    )
    rewriting = rewrite_source(text, "loop.py", OPTIONS)
    assert rewriting.changed
    before, after = (function(each)(50) for each in (text, rewriting.text))
    for expected, found in zip(before, after, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_few_iterations_stay_together() -> None:
    """A few iterations are over before an array operation has begun."""
    text = (
        "import numpy as np\ndef f():\n    y = np.zeros(9)\n    z = np.zeros(9)\n    for i in range(1, 9):\n"
        "        y[i] = y[i - 1] + 1.0\n        z[i] = np.sin(y[i])\n    return y, z\n"
    )
    assert not rewrite_source(text, "loop.py", OPTIONS).changed
    assert rewrite_source(text.replace("9", "99"), "loop.py", OPTIONS).changed


@pytest.mark.parametrize(
    "body",
    [
        "        if w[i] > 0:\n            last = w[i]\n        else:\n            y[i] = y[i - 1] + last\n",
        "        for j in range(n):\n            last = w[j]\n        y[i] = y[i - 1] + last\n",
        "        if w[i] > 0:\n            last = i\n        if z[i]:\n            y[i] = y[i - 1] + last\n",
    ],
)
def test_what_may_raise_for_want_of_a_value_stays_between_the_others(body: str) -> None:
    """Where ``last`` has no value in some iteration, those after it have stored nothing."""
    head = (
        "import numpy as np\nfrom numpy.typing import NDArray\ndef f(y: NDArray[np.float64], "
        "z: NDArray[np.float64], w: NDArray[np.float64], n: int):\n"
    )
    loop = f"    for i in range(1, len(y)):\n        z[i] = 1.0\n{body}"
    for before in ("", "    if n > 1:\n        last = 0.5\n"):
        text = head + before + loop
        assert rewrite_source(text, "loop.py", OPTIONS).text == text


KEPT = """import numpy as np
from numpy.typing import NDArray


def f(out: NDArray[np.float64], v: NDArray[np.float64], s: float):
    last = -1.5
    for i in range(len(v)):
        if i > s:
            last = 3.0
        out[-1] += last
"""


def test_a_number_that_an_iteration_keeps_is_no_number_of_the_whole_loop() -> None:
    changed = function(rewrite_source(KEPT, "kept.py", OPTIONS).text)
    for s in (-1.0, 2.5, 9.0):
        out, expected = np.zeros(3), np.zeros(3)
        changed(out, np.ones(6), s)
        function(KEPT)(expected, np.ones(6), s)
        assert out.tolist() == expected.tolist()


FLOATS = """import numpy as np


def f(n: int, b: float):
    s, found = 0.0, 0.0
    for i in range(n):
        step = abs(b - i * 0.25) - 0.3
        s = s * 0.5 + step
        found = step
    return s, found
"""


def test_a_float_that_outlives_the_loop_stays_a_float_of_python() -> None:
    changed = function(rewrite_source(FLOATS, "floats.py", OPTIONS).text)
    for given in (1.0, np.float64(1.0)):
        kinds = [list(map(type, each(30, given))) for each in (changed, function(FLOATS))]
        assert kinds[0] == kinds[1]
    assert "np.arange" in rewrite_source(FLOATS, "floats.py", OPTIONS).text
