"""Loops over values whose types only a call tells: those that compute as arrays alone do wait for one."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

LOOP = """\
import numpy as np
from numpy.typing import NDArray


def run(u, A, k: float, a: np.ndarray, b: NDArray, n: int):
    for i in range(n):
        {statement}
    return u
"""


def outcomes(statement: str) -> set[Outcome]:
    return {
        site.outcome for site in rewrite_source(LOOP.format(statement=statement), "a.py", Options()).sites
    }


@pytest.mark.parametrize(
    "statement",
    [
        "u[1:-1] = 0.5 * (u[2:] + u[:-2])",
        "u[1:-1] = u[2:] - u[:-2]",
        "u[1:-1] = u[2:] / k",
        "u[1:-1] = u[2:] * A[2:]",
        "u[:] = -u[::-1]",
        "u[1:-1] -= k * A[1:-1]",
        "u[1:-1, 1:-1] = A[1:-1, 1:-1]",
        "u[:, 0] = k",
        "u = A @ u",
        "u = u + a",
        "b *= k",
    ],
)
def test_what_arrays_alone_take_waits_for_a_call(statement: str) -> None:
    assert outcomes(statement) == {Outcome.DEFERRED}


@pytest.mark.parametrize(
    "statement",
    [
        "u[1:] = u[:-1] + A[:1]",
        "u[1:] = 2 * A[1:]",
        "u[1:] += A[1:]",
        "u = A[1:] % k",
        "u = u - k",
        "u = A.loc[1:, 'x']",
        "u = cast(tuple[int, ...], u)",
        "u = a",
    ],
)
def test_what_lists_texts_and_numbers_take_does_not(statement: str) -> None:
    assert outcomes(statement) == set()


METHOD = """\
import numpy as np
import nprewrite
from waves import Base


class Wave(Base):
    {decorator}
    def step(self, u, n):
        for i in range(n):
            u = u + np.sin(u)
        return u


def make():
    @nprewrite.jit
    def step(u, n):
        for i in range(n):
            u = u + np.sin(u)
        return u

    return step
"""


def test_a_decorated_method_waits_and_one_of_an_unknown_base_is_told_of_the_decorator() -> None:
    decorated = rewrite_source(METHOD.format(decorator="@nprewrite.jit"), "a.py", Options())
    assert not decorated.changed
    assert [site.outcome for site in decorated.sites] == [Outcome.DEFERRED] * 2
    plain = rewrite_source(METHOD.format(decorator=""), "a.py", Options())
    assert not plain.changed
    first, second = plain.sites
    assert (first.outcome, second.outcome) == (Outcome.REFUSED, Outcome.DEFERRED)
    assert "put @nprewrite.jit on the method, or --observe a run" in first.message


TAKEN = """\
import numpy as np


def f(x, k):
    s = 0.0
    for v in x:
        {statement}
    return s
"""


@pytest.mark.parametrize("statement", ["s += v * v", "s = k * s - v", "s = s + v / k"])
def test_what_is_computed_with_the_elements_of_a_parameter_waits_for_a_call(statement: str) -> None:
    """No name of NumPy's and no index says that it is an array."""
    assert {
        site.outcome for site in rewrite_source(TAKEN.format(statement=statement), "a.py", Options()).sites
    } == {Outcome.DEFERRED}


@pytest.mark.parametrize("statement", ["s += v", "s += v.size * 2", "s += len(v[0]) - 1", "s += v % k"])
def test_what_other_items_bear_does_not(statement: str) -> None:
    text = TAKEN.format(statement=statement)
    assert Outcome.DEFERRED not in {site.outcome for site in rewrite_source(text, "a.py", Options()).sites}


HELPER = """\
import numpy as np


def shade(c, most):
    z = 0
    for n in range(most):
        if abs(z) > 2:
            return n
        z = z * z + c
    return most


def loud(c, most):
    print(c)
    return most


def picture(width, height):
    out = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            {statement}
    return out
"""


@pytest.mark.parametrize(
    ("statement", "waits"),
    [
        ("out[y, x] = shade(complex(x, y), 50)", True),
        ("out[y][x] += shade(complex(x, y), 50)", True),
        ("out[y, x] = loud(complex(x, y), 50)", False),
        ("out[y, :] = loud(x, 50)", False),
    ],
)
def test_a_helper_that_computes_each_element_is_inlined_at_a_call(statement: str, waits: bool) -> None:
    sites = rewrite_source(HELPER.format(statement=statement), "a.py", Options()).sites
    found = any(site.code == "NPR603" and site.outcome is Outcome.DEFERRED for site in sites)
    assert found == waits
