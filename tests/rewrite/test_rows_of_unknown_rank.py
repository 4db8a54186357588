"""Rows of an array whose rank only a call tells are not taken for its elements."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

LARGE = """
import numpy as np


def large(x):
    count = 0
    for i in range(len(x)):
        if {test}:
            count += i
    return count


print(large(np.ones((4, 3)) * 2), large(np.ones((5, 2))))
"""
TESTS = ("x[i].sum() > 4", "np.max(x[i]) > 1.5", "np.sqrt(np.sum((x[i] - 1) ** 2)) > 0.5", "x[i].mean() > 1")


@pytest.mark.parametrize("test", TESTS)
def test_rows_that_are_reduced(test: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = LARGE.format(test=test)
    exec(compile(text, "<written>", "exec"), {"__name__": "written"})
    exec(
        compile(rewrite_source(text, "large.py", Options()).text, "<rewritten>", "exec"),
        {"__name__": "rewritten"},
    )
    written, rewritten = capsys.readouterr().out.splitlines()
    assert rewritten == written == "6 0"
