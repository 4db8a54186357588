"""Masks that pick several times, as positions, and near twins that stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

_PROGRAM = """
import numpy as np


def changes():
    m[::2] = False
    return 0


def binds():
    global x
    x = np.ones(7)
    return 0


k = 3
rng = np.random.default_rng(5)
x, y, z = rng.random((3, 2000))
x, y, z = x + 0.0, y + 0.0, z + 0.0
m = x > 0.6
{statements}
"""

_SEARCHED_ONCE = [
    "a = np.sort(x[m])\nb = np.sort(y[m])\nx[m] = a[::-1]\ny[m] = b",
    "x[m] += np.sort(y[m])",
    "m &= y > 0.2\nx[m] = np.sort(y[m])\nz[m] = 0.0",
    "for n in range(3):\n    x[m] = np.sort(x[m]) * y[m] + n",
    "if k > 2:\n    x[m] = np.sort(y[m])\n    z[m] = 1.0",
    "x[m] = np.sort(y[m])\nz[m] = 1.0\nm[::2] = False\nx[m] += np.cumsum(z[m])\ny[m] = 2.0",
]
_LEFT = [
    # Two look-ups take about as long as one, and the positions.
    "x[m] = np.sort(y[m])",
    "x[m] = np.sort(y[m])\nm[3] = True\nz[m] = 1.0",
    "x[m] = np.sort(y[m])\nm = y > 0.5\nz[m] = 1.0",
    "other = m\nx[m] = np.sort(y[m])\nother[2] = True\nz[m] = 1.0",
    "x[m] = np.sort(y[m])\nchanges()\nz[m] = 1.0",
    "x[m] = np.sort(y[m])\nbinds()\nz[:] = 1.0 + (x[m].sum() if len(x) > 7 else x[0])",
    "x[m] = np.sort(y[m])\nx = np.concatenate([x, x])\nx[np.tile(m, 2)] = 1.0",
    "m = np.nonzero(m)[0]\nx[m] = np.sort(y[m])\nz[m] = 1.0",
    "if k < 2:\n    late = x > 3\nif k < 2:\n    x[late] = np.sort(y[late]) + z[late]",
    "for n in range(3):\n    if n:\n        x[m] = np.sort(x[m])\n    else:\n        y[m] = np.sort(z[m])",
]


def _program(statements: str) -> str:
    return _PROGRAM.format(statements=statements)


def _answers(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return {name: each for name, each in names.items() if isinstance(each, np.ndarray | float | int)}


def _rewritten(statements: str) -> tuple[str, set[str]]:
    made = rewrite_source(_program(statements), "a.py", Options(select=frozenset(["NPR104"])))
    return made.text, {each.code for each in made.sites if each.outcome is Outcome.REWRITTEN}


@pytest.mark.parametrize("statements", _SEARCHED_ONCE)
def test_masks_are_searched_once(statements: str) -> None:
    text, codes = _rewritten(statements)
    assert codes == {"NPR104"}
    before, after = _answers(_program(statements)), _answers(text)
    for name, each in before.items():
        np.testing.assert_array_equal(after[name], each, strict=True)


@pytest.mark.parametrize("statements", _LEFT)
def test_masks_that_change_or_pick_seldom_stay(statements: str) -> None:
    text, codes = _rewritten(statements)
    assert not codes
    np.testing.assert_equal(_answers(text), _answers(_program(statements)))


def test_positions_pick_what_the_mask_does() -> None:
    rng = np.random.default_rng(2)
    mask = rng.random(1000) < 0.3
    for array in (rng.random(1000), rng.random((1000, 3)), np.asfortranarray(rng.random((1000, 3)))):
        found = npr.positions(mask, array)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(array[found], array[mask], strict=True)
        assert array[found].strides == array[mask].strides


@pytest.mark.parametrize(
    ("mask", "array"),
    [
        (np.zeros(1000, bool), np.zeros(999)),
        (np.zeros(1000, bool), np.matrix(np.zeros((1000, 1)))),
        (np.zeros(1000, bool), list(range(1000))),
        (np.zeros((1000, 2), bool), np.zeros((1000, 2))),
        (np.zeros(1000, int), np.zeros(1000)),
        ([True] * 1000, np.zeros(1000)),
        (np.ones(1000, bool), np.zeros(1000)),
        (np.zeros(10, bool), np.zeros(10)),
    ],
)
def test_a_mask_for_which_positions_are_no_gain_or_not_the_same_stays(mask: Any, array: Any) -> None:
    """So that what indexing raises is raised too."""
    assert npr.positions(mask, array) is mask
