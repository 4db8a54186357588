"""Steps that store integers into narrower ones: NumPy raises for a single number, and arrays wrap around."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from catalogue_compare import Closeness, differences, observe

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

PARAMETERS = "a: NDArray[np.{stored}], v: NDArray[np.{given}], m: NDArray[np.bool_], k: int, trips: int"
NUMBERS = [
    "a[1:] = v[1]",
    "a[4:] = v[1]",
    "a[:] = v[0] + v[1]",
    "a[1] = v[1]",
    "a[1] += v[1]",
    "a[...] = v.sum()",
    "a[-1:] = v[1:].max()",
    "a[1:] = abs(v[1])",
    "a[1:] = np.maximum(v[1], v[2])",
    "t = v[1] * 2; a[1:] = t",
]
"""What is stored has no axes where v has one."""
OTHERS = [
    "a[1:-1] = n * 100",
    "a[...] = k",
    "a[1] += k",
    "a[m] = k",
    "a[1:] += v[1]",
    "a[1:] = v[1:]",
    "a[1:] = v[1] + v[1:]",
    "a[...] = v[None, 1]",
    "t = v * 2; a[...] = t",
    "a[...] = np.clip(v, -200, 300)",
    "a[1:] = v[1] > 3",
    "a[1:] = v[1].astype(np.int8)",
    "a[m] = v[m]",
]
"""Python's numbers, for which a guard looks, what has axes, and what fits."""
WIDER = [("int8", "int64"), ("int8", "int16"), ("int16", "int32"), ("int32", "int64")]
FITTING = [("int8", "int8"), ("int8", "bool"), ("int16", "uint8"), ("int64", "int32"), ("uint8", "int64")]


def written(statement: str, stored: str, given: str) -> str:
    """A function with a loop of two statements."""
    parameters = PARAMETERS.format(stored=stored, given=given)
    return (
        f"import numpy as np\nfrom numpy.typing import NDArray\n\n\ndef f({parameters}):\n"
        f"    for n in range(trips):\n        m[...] = ~m\n        {statement}\n    return a\n"
    )


def module(text: str, path: Path) -> ModuleType:
    """The module of a text; a step reads its own source."""
    path.write_text(text, encoding="utf-8")
    made = ModuleType(path.stem)
    made.__file__ = str(path)
    sys.modules[path.stem] = made
    exec(compile(text, str(path), "exec", dont_inherit=True), vars(made))
    return made


@pytest.mark.parametrize(("stored", "given"), WIDER)
@pytest.mark.parametrize("statement", NUMBERS)
def test_a_number_that_may_not_fit_is_refused(statement: str, stored: str, given: str) -> None:
    sites = rewrite_source(written(statement, stored, given), "a.py", Options()).sites
    assert "value-out-of-range" in [site.reason for site in sites]


@pytest.mark.parametrize(("stored", "given"), FITTING)
def test_what_fits_stays_in_the_step(stored: str, given: str) -> None:
    after = rewrite_source(written("a[1:] = v[1]", stored, given), "a.py", Options())
    assert 'inputs={"v": ' in after.text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("stored", ["int8", "int32", "uint8"])
@pytest.mark.parametrize("statement", OTHERS)
def test_same_behaviour(statement: str, stored: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setattr(import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    after = rewrite_source(written(statement, stored, "int64"), "a.py", Options())
    # Into unsigned integers NumPy does not add wider ones: it raises.
    assert after.changed or (stored == "uint8" and "+=" in statement)
    before, changed = (
        module(text, tmp_path / f"{name}.py")
        for name, text in (("before", after.source), ("after", after.text))
    )
    for value, k in ((100, 20), (300, 20), (2**31, 20), (-200, -200), (5, 2**31)):
        outcomes = []
        for each in (before, changed):
            v = np.array([1, value, 2, 3])
            outcomes.append(observe(each.f, (np.ones(4, stored), v, v > 1, k, 4)))
        assert differences(*outcomes, Closeness()) == [], after.text
        assert str(outcomes[0].exception) == str(outcomes[1].exception)
