"""Functions of SciPy in compiled loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.numpy_api.scipy import NORMAL, SPECIAL
from nprewrite.runtime import Native

pytest.importorskip("scipy")
Make = Callable[[str], Native]
VALUES = np.array(
    [0.0, -0.0, 1e-300, 1e-9, 0.1, 0.3, 0.45, 0.5, 0.55, 0.7, 1.0, 1.4, 2.0, 3.5, 9.9, 10.0, 25.0, 170.0, 1e6]
)
BOTH = np.concatenate([VALUES, -VALUES, [np.inf, -np.inf, np.nan]])
HEAD = "import scipy.special as special\nfrom scipy.special import erf\nfrom scipy.stats import norm\n"
LOOP = HEAD + "def f(x, y):\n    for i in range(len(x)):\n        y[i] = {}\n    return y\n"


def results(function: Any, *arguments: Any) -> Any:
    with np.errstate(all="ignore"):
        return function(*arguments)


@pytest.mark.parametrize("name", [name for name, each in SPECIAL.items() if each.native])
def test_special_functions(name: str, make: Make) -> None:
    compiled = make(LOOP.format(f"special.{name}(x[i])"))
    x = VALUES[2:] if SPECIAL[name].positive else BOTH
    seen = results(compiled, x, np.zeros(len(x)))
    expected = results(compiled.function, x, np.zeros(len(x)))
    # Where they are 0, next to 1 and 2, two ways to compute them differ in all digits of almost nothing.
    np.testing.assert_allclose(seen, expected, rtol=2e-13, atol=1e-15)
    assert compiled.runs == {"compiled": 1}


@pytest.mark.parametrize("name", NORMAL)
@pytest.mark.parametrize(
    "rest", ["", ", 0.3", ", m", ", 0.3, 2.5", ", scale=s", ", loc=m, scale=s", ", 1, 2"]
)
def test_the_normal_distribution(name: str, rest: str, make: Make) -> None:
    compiled = make(LOOP.format(f"norm.{name}(x[i]{rest})").replace("(x, y)", "(x, y, m, s)"))
    arguments = BOTH[np.abs(BOTH) != 1e6], np.zeros(len(BOTH) - 2), 0.25, 1.5
    seen, expected = results(compiled, *arguments).copy(), results(compiled.function, *arguments)
    np.testing.assert_allclose(seen, expected, rtol=1e-11, atol=0)
    assert compiled.runs == {"compiled": 1}


def test_results_are_numbers_of_numpy(make: Make) -> None:
    compiled = make(HEAD + "def f(n):\n    y = 0\n    for i in range(n):\n        y = erf(i)\n    return y\n")
    assert type(compiled(3)) is type(compiled.function(3)) is np.float64
    assert compiled.runs["compiled"]


ARRAYS = {
    "of each element": "y += special.expit(x[i]) * norm.pdf(x[i], 0.5)",
    "of arrays of parameters": "y += norm.cdf(0.5, x[i], scale=x[0] ** 2 + 1)",
    "of a sum": "y[0] += np.sum(norm.logpdf(x[i], scale=2)) + erf(y[1])",
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str, make: Make) -> None:
    text = "def f(x):\n    y = np.zeros(3)\n    for i in range(len(x)):\n        {}\n    return y\n"
    compiled = make(HEAD + text.format(ARRAYS[name]))
    x = np.random.default_rng(0).normal(size=(9, 3))
    np.testing.assert_allclose(compiled(x), compiled.function(x), rtol=1e-13)
    assert compiled.runs == {"compiled": 1}


@pytest.mark.parametrize(
    ("text", "values"),
    [("special.digamma(x[i])", [1.0, -0.5]), ("norm.pdf(1.0, 0, x[i])", [1.0, 0.0, -1.0])],
)
def test_what_only_scipy_has_is_as_written(text: str, values: list[float], make: Make) -> None:
    """Digamma below zero, and nan for a deviation that is none."""
    compiled = make(LOOP.format(text))
    x = np.array(values)
    seen = results(compiled, x, np.zeros(len(x))).copy()
    np.testing.assert_array_equal(seen, results(compiled.function, x, np.zeros(len(x))))
    assert compiled.runs == {"as written: a value that is not followed": 1}


@pytest.mark.parametrize(
    "text",
    ["special.erf(x[i:i + 1].astype(np.float32))[0]", "norm.cdf(x[i], out=y[i])", "norm.ppf(x[i])"],
)
def test_what_is_not_lowered(text: str, make: Make) -> None:
    compiled = make(LOOP.format(text))
    x = np.array([0.25, 0.5])
    kinds = []
    for each in (compiled, compiled.function):
        try:
            kinds.append(each(x, np.zeros(2)).tolist())
        except TypeError as error:
            kinds.append([str(error)])
    assert kinds[0] == kinds[1]
    assert not compiled.runs["compiled"]


def test_a_replaced_distribution_is_seen(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    stats = pytest.importorskip("scipy.stats")
    compiled = make(LOOP.format("norm.cdf(x[i])"))
    x = np.array([0.25, 0.5])
    compiled(x, np.zeros(2))
    assert compiled.runs == {"compiled": 1}
    monkeypatch.setattr(stats.norm, "cdf", lambda x: 7.0)
    assert compiled(x, np.zeros(2)).tolist() == [7.0, 7.0]


@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "lgamma"])
def test_functions_of_the_module_math(name: str, make: Make) -> None:
    """Also where they raise: the gamma function at a pole, and where it is too large for a float."""
    compiled = make(
        f"def f(x, y):\n    for i in range(len(x)):\n        y[i] = math.{name}(x[i])\n    return y\n"
    )
    for x in (
        BOTH[(BOTH > -170) & (BOTH < 170) & (np.rint(BOTH) != BOTH)],
        [2.0, -1.0],
        [0.0],
        [172.0],
        [np.inf],
    ):
        found = []
        for each in (compiled, compiled.function):
            try:
                found.append(each(np.array(x), np.zeros(len(x))))
            except (OverflowError, ValueError) as error:
                found.append(str(error))
        if isinstance(found[1], str):
            assert found[0] == found[1]
        else:
            np.testing.assert_allclose(found[0], found[1], rtol=2e-13, atol=1e-15)
    assert compiled.runs["compiled"]
