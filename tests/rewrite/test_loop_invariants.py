"""What is computed before a loop, and what is not because the loop changes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

_PROGRAM = """
import numpy as np


def run(n, steps: int):
    x = np.linspace(0.0, 1.0, n)
    y = np.zeros(n)
    A = np.ones((n, n))
    total = 0.0
    for k in range(steps):
        {statement}
        total = total + np.exp(x).sum()
    return total, y
"""


def _is_taken_out(statement: str) -> bool:
    text = _PROGRAM.format(statement=statement.replace("\n", "\n        "))
    sites = rewrite_source(text, "program.py", Options()).sites
    done = (site for site in sites if site.code == "NPR304" and site.outcome is Outcome.REWRITTEN)
    return any("np.exp(x)" in site.message for site in done)


@pytest.mark.parametrize(
    "statement",
    [
        "pass",
        "y[k] = 1.0",
        "y += np.sin(k)",
        "np.add(x, 1.0, out=y)",
        "np.add(x, 1.0, y)",
        "np.dot(A, x, y)",
        "np.copyto(y, x)",
        "y = x * k",
        "z = x[1:]",
        "print(k)\nz = np.where(x > 0.5, x, y)",
        "w = [x, y]",
    ],
)
def test_what_other_statements_leave_alone_is_taken_out(statement: str) -> None:
    taken = _is_taken_out(statement)
    assert taken or statement.startswith("print")


@pytest.mark.parametrize(
    "statement",
    [
        "x[0] = k",
        "x += 1.0",
        "x = x + 1.0",
        "x.real[0] = k",
        "x[::2][1:] += k",
        "z = x[1:]\nz[0] = k",
        "z = x.reshape(-1, 1)\nz.T[0] = k",
        "np.add(y, 1.0, out=x)",
        "np.add(y, 1.0, x)",
        "np.dot(A, y, x)",
        "np.matmul(A, y, x)",
        "A.dot(y, x)",
        "A.sum(0, None, x)",
        "np.sum(A, 0, None, x)",
        "y.clip(0.0, 1.0, x)",
        "np.modf(y, x, y)",
        "np.copyto(x, y)",
        "np.ndarray.sort(x)",
        "x.sort()",
        "np.add.at(x, 0, 1.0)",
        "w = [x, y]\nw[0][0] = k",
        "w = [0, 0]\nw[0], w[1] = x, k\nw[0][0] = k",
        "w = {'x': x}\nw['x'] += 1",
        "for z in (x, y):\n    z += 1",
        "unknown(x)",
        "np.random.default_rng(k).shuffle(x)",
        "if k > 2:\n    break",
        "if k > 2:\n    continue",
        "with open('x') as x:\n    pass",
        "del x\nx = y",
    ],
)
def test_what_the_loop_may_change_stays(statement: str) -> None:
    assert not _is_taken_out(statement)


@pytest.mark.parametrize("steps", [0, 2, 2.5, 1j, "many", None])
def test_the_range_raises_what_it_does_as_written(steps: Any) -> None:
    text = _PROGRAM.format(statement="pass")
    found = [_ended(each, 3, steps) for each in (text, rewrite_source(text, "program.py", Options()).text)]
    assert found[0] == found[1]


_BOTH_RAISE = """
import numpy as np
import numpy.typing as npt


def run(x: npt.NDArray[np.int32], y: npt.NDArray[np.int32]):
    for n in range(2):
        x = np.exp(900 * x)
        {statement}
    return x, share
"""


@pytest.mark.parametrize(
    "statement",
    [
        "share = np.count_nonzero(y & 1 == 0)",
        "share = np.log(y - y).sum()",
        "share = np.tanh(1 / (y - y)).sum()",
    ],
)
def test_the_first_of_two_errors_is_raised(statement: str) -> None:
    """A floating-point error, and one of other types than the annotation says or of the same kind."""
    text = _BOTH_RAISE.format(statement=statement)
    rewritten = rewrite_source(text, "program.py", Options()).text
    assert "range(2):" in rewritten.partition("share = ")[2]
    with np.errstate(all="raise"):
        found = [_ended(each, np.ones(2), np.ones(2)) for each in (text, rewritten)]
    assert found[0] == found[1]
    assert "overflow encountered in exp" in found[0]


_OF_OTHER_TYPES = """
import numpy as np
import numpy.typing as npt


def run(x: npt.NDArray[np.float32], rate: float):
    t = np.full(3, 0.3, dtype=np.float32)
    for n in range(2):
        t *= 0.5 * x
        t += np.hypot(np.rint(x) * 0.5, x) * rate
    return t
"""


@pytest.mark.parametrize(
    ("x", "rate"),
    [(np.ones(3, complex), 0.5), (np.ones(3, np.float32), "text"), (np.ones(3), "text"), (np.ones(4), None)],
)
def test_the_first_of_two_errors_of_other_types_is_raised(x: Any, rate: Any) -> None:
    rewritten = rewrite_source(_OF_OTHER_TYPES, "program.py", Options()).text
    assert rewritten.index("np.hypot") < rewritten.index("in range(2)")
    found = [_ended(each, x.copy(), rate) for each in (_OF_OTHER_TYPES, rewritten)]
    assert found[0] == found[1]


def _ended(text: str, *arguments: Any) -> str:
    made: dict[str, Any] = {}
    exec(text, made)
    try:
        return repr(made["run"](*arguments))
    except (TypeError, ValueError, FloatingPointError) as error:
        return repr(error)
