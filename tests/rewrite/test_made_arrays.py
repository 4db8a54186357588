"""Arrays of one number that a region makes: which type the number has decides their dtype."""

from __future__ import annotations

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.types.values import Array, Scalar

TEXT = """\
import numpy as np
import numpy.typing as npt


def levels(x: npt.NDArray[np.float64], a: float):
    y = np.full(len(x), {fill})
    return np.sqrt(y * x + 1) * y
"""
ROW = Array(np.dtype("float64"), ("n",))


def rewritten(fill: str, *, called: bool) -> str:
    given = {"levels": {"x": ROW, "a": Scalar("float")}} if called else {}
    return rewrite_source(TEXT.format(fill=fill), "levels.py", Options(), given, "levels").text


@pytest.mark.parametrize("fill", ["a", "2 * a", "x.max()", "2 * a, dtype=np.float32", "a, np.float64"])
def test_a_number_of_a_call_is_a_parameter(fill: str) -> None:
    assert "npr.full(len(x), " in rewritten(fill, called=True)


@pytest.mark.parametrize("fill", ["a", "2 * a"])
def test_an_integer_may_come_where_a_float_is_announced(fill: str) -> None:
    """It makes an array of integers."""
    assert "npr.full(" not in rewritten(fill, called=False)
    assert "npr.full(" in rewritten(f"{fill}, dtype=float", called=False)


@pytest.mark.parametrize("fill", ["a, dtype=np.int64", "fill_value=a", "x", "print()"])
def test_other_numbers_stay_in_numpy(fill: str) -> None:
    assert "npr.full(" not in rewritten(fill, called=True)
