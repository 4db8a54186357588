"""Arrays of one number that a region makes: which type the number has decides their dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.numpy_api.scipy import SPECIAL
from nprewrite.types.values import Array, Scalar

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

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


PAIRS = """\
import numpy as np


def pairs(trips: int):
    pos, vel = np.ones((40, 3)), np.zeros((40, 3))
    for i in range(trips):
        m = {length}
        x = {reshaped}
        w = x - x.T
        vel[:, 0] += np.sum(w * w, 1)
        np.save("pairs", vel)
    return vel
"""


@pytest.mark.parametrize(
    ("length", "reshaped"),
    [
        ("pos.shape[0]", "pos[:, 0].reshape((m, 1))"),
        ("len(pos)", "pos[:, 0].reshape(m, 1)"),
        ("pos.shape[0]", "np.reshape(pos[:, 0], (m, 1))"),
        ("pos.shape[0]", "pos[:, 0].reshape(m, -1)"),
    ],
)
def test_lengths_in_a_reshape(length: str, reshaped: str) -> None:
    text = PAIRS.format(length=length, reshaped=reshaped)
    done = rewrite_source(text, "pairs.py", Options(), only="pairs")
    assert "reshape" in done.text.partition("def pairs(")[0]


@pytest.mark.parametrize("length", ["i + 1", "int(pos[0, 0])", "pos.shape[0] if i else 40"])
def test_lengths_that_each_trip_has_anew_are_none(length: str) -> None:
    text = PAIRS.format(length=length, reshaped="pos[:, 0].reshape((m, 1))")
    done = rewrite_source(text, "pairs.py", Options(), only="pairs")
    assert "reshape" not in done.text.partition("def pairs(")[0]


def table(x: Any, n: int, m: int) -> Any:
    y = (x * 2 + 1).reshape(n, m)
    return (y - y.mean(axis=0)) * 0.5 + y


def test_a_reshape_gives_what_it_gives_and_raises_as_it_raises() -> None:
    jitted = nprewrite.jit(table)
    x = np.linspace(0.0, 1.0, 1 << 18)
    for n, m in ((1 << 9, 1 << 9), (1 << 10, 1 << 8), (1 << 9, -1)):
        for _ in range(3):
            np.testing.assert_allclose(jitted(x, n, m), table(x, n, m), rtol=1e-12)
    for _ in range(3):
        with pytest.raises(ValueError, match="cannot reshape array of size 262144 into shape"):
            jitted(x, 1 << 9, 1 << 8)
    assert "compiled" in str(jitted.report())


FLOATS = """\
import math
import numpy as np
from scipy.special import gamma, jv


def scaled(trips: int):
    u, b, c = np.ones(500), 2.5, -0.5
    rate = {rate}
    for i in range(trips):
        u = u * rate + 1
    return u
"""


@pytest.mark.parametrize(
    ("rate", "known"),
    [
        ("gamma(1 + b)", True),
        ("b * gamma(3) ** (1 / b)", True),
        ("2.0 ** (1 / b)", True),
        ("b ** 0.5", True),
        ("c ** 0.5", False),
        ("jv(1, b)", False),
        ("gamma(b, out=None)", False),
    ],
)
def test_numbers_of_functions_and_powers(rate: str, known: bool) -> None:
    """A negative number to a fractional power is complex."""
    sites = rewrite_source(FLOATS.format(rate=rate), "scaled.py", Options()).sites
    assert any(each.code == "NPR401" and each.outcome is Outcome.REWRITTEN for each in sites) is known


def test_what_functions_of_scipy_give() -> None:
    special = pytest.importorskip("scipy.special")
    for name in sorted(SPECIAL):
        function = getattr(special, name)
        for number in (0.5, 1, np.float64(0.25), np.int64(2)):
            assert type(function(number)) is np.float64, name
        for dtype in (np.float32, np.float64):
            made = function(np.full((2, 3), 0.5, dtype))
            assert (type(made), made.dtype, made.shape) == (np.ndarray, dtype, (2, 3)), name


@pytest.mark.parametrize("made", ["np.zeros(shape=(n, 3))", "np.full(fill_value=1.0, shape=(n, 3))"])
def test_the_shape_may_be_a_keyword(made: str) -> None:
    text = f"import numpy as np\ndef f(n: int):\n    s = {made}\n    for i in range(1, n):\n"
    text += "        s[i, 0] = 0.5 * s[i - 1, 0] + i\n    return s\n"
    found = rewrite_source(text, "a.py", Options())
    assert [each.code for each in found.sites if each.outcome is Outcome.REWRITTEN] == ["NPR407"]
    names: dict[str, Any] = {}
    exec(found.text, names)
    assert names["f"](4)[:, 0].tolist()[1:] in ([1.0, 2.5, 4.25], [1.5, 2.75, 4.375])
