"""Statements over single elements are less work than a call of compiled code, however long the arrays are."""

from __future__ import annotations

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.types.values import value_of

ENDS = """\
import nprewrite
import numpy as np


@nprewrite.jit
def ends(x, y):
    x[0] = y[0] / y[1] + 1
    x[-1] = y[-1] / y[-2] - 1
    {more}
"""


def regions(more: str, rank: int) -> list[str]:
    """What becomes a region of a call with arrays of so many axes."""
    array = np.ones((4,) * rank)
    given = {"ends": {name: value_of(array, f"{name}@parameter") for name in ("x", "y")}}
    sites = rewrite_source(ENDS.format(more=more), "ends.py", Options(), given, only="ends").sites
    return [each.message for each in sites if each.code == "NPR603" and each.outcome is Outcome.REWRITTEN]


def test_elements_alone_are_no_region() -> None:
    assert regions("", 1) == []


def test_rows_are() -> None:
    assert regions("", 2) == ["2 statements run as `_ends_region`"]


@pytest.mark.parametrize("more", ["x[1:] += y[1:]", "x[:] = x * y + 1"])
def test_elements_beside_whole_arrays_are(more: str) -> None:
    assert regions(more, 1) == ["3 statements run as `_ends_region`"]


@pytest.mark.parametrize("more", ["return x.max() - y.sum()", "return np.max(x) - np.sum(y)"])
def test_reductions_are(more: str) -> None:
    assert regions(more, 1) != []
