"""NumPy's numbers given for annotated Python numbers make arrays wider than the types say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

PROGRAM = """
import numpy as np

def run(bound: float, many: int, size: int):
    p = np.full(size, 0.5, dtype=np.float32) + np.arange(size, dtype=np.float32) / 7
    k = np.arange(size, dtype=np.int16)
    y = np.linspace(-1, 1, size) / 3
    hot = y <= 0.1
    {made}
    {statement}
    return q
"""
MADE = [
    "q = bound * p",
    "q, p = 0.3 * bound * p, np.abs(p)",
    "q = bound * p\n    q *= 2",
    "q = p\n    q = q - bound",
    "q = k * many",
    "q = bound * p.astype(np.float32)",
    "q = np.zeros(size, dtype=np.float32)",
]
STATEMENTS = [
    "q[hot] = bound",
    "q[hot] = many",
    "q[hot] = y[hot] * 2",
    "q[hot] -= y[hot] * y[hot]",
]
NUMBERS = [
    (0.3, 2),
    (np.float64(0.3), np.int64(2)),
    (np.float32(0.3), np.int32(70000)),
    (0.3, np.int64(2**40)),
]


def _outcome(text: str, given: tuple[Any, ...]) -> object:
    made: dict[str, Any] = {}
    exec(text, made)
    try:
        result = made["run"](*given, 6)
    except Exception as error:  # noqa: BLE001 - what the original raises is what is asked for
        return type(error), str(error)
    return result.dtype, result.tolist()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_stores_through_masks_keep_what_the_array_holds(
    made: str, statement: str, numbers: tuple[Any, ...]
) -> None:
    text = PROGRAM.format(made=made, statement=statement)
    rewritten = rewrite_source(text, "program.py", Options()).text
    assert _outcome(rewritten, numbers) == _outcome(text, numbers)


@pytest.mark.parametrize(
    ("made", "cast"),
    [
        ("q = bound * p", "q.dtype.type(bound)"),
        ("q = np.zeros(size, dtype=np.float32)", "np.float32(bound)"),
        ("q = bound * y", "float64"),
    ],
)
def test_a_stated_dtype_is_written(made: str, cast: str) -> None:
    text = PROGRAM.format(made=made, statement="q[hot] = bound")
    rewritten = rewrite_source(text, "program.py", Options()).text
    assert cast in rewritten
