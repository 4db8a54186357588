"""Windows that are flattened: copies in lowered code, where nothing can tell them from views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sources import function_of

from nprewrite.runtime import native

BODIES = {
    "np.ravel": "w = np.ravel(x[i : i + 2, 1:3])\n        out[i] = np.sort(w)[1]",
    "ravel": "w = x[i : i + 2, 1:3].ravel()\n        out[i] = w[0] + w[-1]",
    "reshape": "out[i] = np.max(x[i : i + 2, :].reshape(-1))",
    "of a name": "out[i] = np.ravel(x)[i]",
    "into a row": "w = np.ravel(x[i : i + 2, 1:3])\n        rows[i, :] = w",
    "a name that is all of it": "w = np.ravel(x)\n        out[i] = w[i]",
    "stored into": "w = np.ravel(x[i : i + 1, :])\n        w[0] = 7.0",
    "sorted in place": "w = np.ravel(x[i : i + 1, :])\n        w.sort()\n        out[i] = w[0]",
    "changed below": "w = np.ravel(x[i : i + 1, :])\n        x[i, 0] = 9.0\n        out[i] = w[0]",
    "another name": "w = np.ravel(x[i : i + 1, :])\n        v = w\n        v += 1\n        out[i] = w[0]",
    "given away": "w = np.ravel(x[i : i + 1, :])\n        if i > 1:\n            return w",
}
NOT_FOLLOWED = {
    *("a name that is all of it", "stored into", "sorted in place", "changed below", "another name"),
    "given away",
}


@pytest.mark.parametrize("name", BODIES)
def test_same_arrays(name: str) -> None:
    function = function_of(f"def f(x, out, rows):\n    for i in range(3):\n        {BODIES[name]}\n")
    compiled = native(function)
    assert _outcome(compiled, name) == _outcome(compiled.function, name)
    assert ("compiled" in compiled.runs) == (name not in NOT_FOLLOWED)


def _outcome(function: Callable[..., Any], name: str) -> str:
    x, out, rows = np.sin(np.arange(20.0)).reshape(4, 5), np.zeros(4), np.zeros((4, 4))
    result = function(x, out, rows)
    if result is not None:
        result[0] = 3.0
    return repr((result, x, out, rows))


@pytest.mark.parametrize(
    "bounds", ["9, -1, -1", "0, 9, 2", "1, 8, 3", "9, 2, -4", "3, 3, 2", "5, 2, 1", "0, n, 2", "n, 0, -3"]
)
def test_counted_arrays_of_integers(bounds: str) -> None:
    body = f"for k in np.arange({bounds}):\n        out[0] += k / 2\n        out[k % 4] += k"
    compiled = native(function_of(f"def f(out, n):\n    {body}\n    return k\n"))
    one, other = np.zeros(4), np.zeros(4)
    if bounds in ("3, 3, 2", "5, 2, 1"):
        for function, out in ((compiled, one), (compiled.function, other)):
            with pytest.raises(UnboundLocalError):
                function(out, 7)
    else:
        given, wanted = compiled(one, 7), compiled.function(other, 7)
        assert (given, type(given)) == (wanted, type(wanted))
        assert compiled.runs["compiled"] == 1
    np.testing.assert_array_equal(one, other)
