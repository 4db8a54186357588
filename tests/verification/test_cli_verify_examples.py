"""The cases files of the examples fit the examples, and their references compute the same."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite import reference
from nprewrite.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = sorted((EXAMPLES / "verify_cases").glob("*.py"))


def leaves(result: Any) -> list[np.ndarray[Any, Any]]:
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_references_return_what_the_example_returns(path: Path) -> None:
    if not reference.available():
        pytest.skip(f"reference unavailable: {reference.unavailable_because()}")
    example, cases = runpy.run_path(str(EXAMPLES / path.name)), runpy.run_path(str(path))
    for name, arguments in cases["cases"]():
        with np.errstate(all="ignore"):
            ours = leaves(example[name](*arguments))
        theirs = leaves(cases["references"][name](*arguments))
        assert [(each.dtype, each.shape) for each in ours] == [(each.dtype, each.shape) for each in theirs]
        # Escape times and labels: all but those that rounding decides.
        whole = [pair for pair in zip(ours, theirs, strict=True) if pair[0].dtype.kind == "i"]
        for one, other in whole:
            assert np.count_nonzero(one != other) <= one.size / 100


def test_an_example_is_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    cases = EXAMPLES / "verify_cases" / "julia.py"
    arguments = ["verify", EXAMPLES / "julia.py", "--cases", cases, "--reference", "--stage", "numpy"]
    assert main([str(each) for each in arguments]) == 0
    assert "reference" in capfd.readouterr().out
