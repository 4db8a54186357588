"""Nests that store integers that may not fit: NumPy raises for one number, where arrays wrap around."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue_compare import Closeness, differences, observe
from test_random_nests import function

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
BODIES = [
    "a[i] = v[i]",
    "a[i] = v[i] * 2",
    "a[i] += v[i]",
    "a[i] = v[i] - 100",
    "if v[i] > 3:\n            a[i] = v[i]",
    "if v[i] > 3:\n            a[i] += v[i]",
    "a[i] = v[0]",
    "a[i] = v[i] if v[i] > 3 else v[0]",
    "a[i] = v[i]\n        b[i] = a[i]",
    "t = v[i]\n        a[i] = t",
    "b[i] = v[i]\n        a[i] = b[i]",
    "b[index[i]] += v[i]",
    "for j in range(2):\n            a[i] += v[j]",
]
VALUES = [0, 100, -100, 200, 2**15, -(2**31) - 1, 2**31, 2**62, 2**63]
OPTIONS = Options(select=frozenset(["NPR405"]))


def nest(body: str, stored: str, given: str) -> str:
    """A function with one nest."""
    kinds = {"a": stored, "b": stored, "v": given, "index": "int64"}
    parameters = ", ".join(f"{name}: NDArray[np.{kind}]" for name, kind in kinds.items())
    imports = "import numpy as np\nfrom numpy.typing import NDArray\n"
    return f"{imports}def f({parameters}):\n    for i in range(len(v)):\n        {body}\n"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", ["int8", "int32", "int64", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("stored", DTYPES)
def test_same_behaviour(stored: str, given: str) -> None:
    for body in BODIES:
        after = rewrite_source(nest(body, stored, given), "nest.py", OPTIONS)
        before, changed = function(after.source), function(after.text)
        values = [each for each in VALUES if np.iinfo(given).min <= each <= np.iinfo(given).max]
        for value in values if after.changed else ():
            v = np.array([1, value, 2], given)
            expected, seen = (
                observe(each, (np.ones(3, stored), np.ones(3, stored), v, np.array([2, 0, 0])))
                for each in (before, changed)
            )
            assert differences(expected, seen, Closeness()) == [], (after.text, value)


def test_slices_are_stored_where_all_numbers_fit() -> None:
    """The loop as written is not needed, then."""
    after = rewrite_source(nest("a[i] = v[i] * 2", "int8", "int64"), "nest.py", OPTIONS)
    changed = function(after.text.replace("else:\n", "else:\n        raise RuntimeError\n"))
    a = np.zeros(3, np.int8)
    changed(a, a.copy(), np.array([1, 63, -64]), np.arange(3))
    assert a.tolist() == [2, 126, -128]
    with pytest.raises(RuntimeError):
        changed(a, a.copy(), np.array([1, 64, 2]), np.arange(3))
