"""Where functions are verified, or compute in single precision, the decorator rewrites them, not the file."""

from __future__ import annotations

import pytest

from nprewrite.decorated.decorator import options_of
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

TEXT = """\
import numpy as np


def decay(maxiter):
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):
        m = x > 0.5
        x[m] = x[m] * 0.9
    return x


def grow(x, n):
    for i in range(n):
        x[x > 1.0] = np.sqrt(x[x > 1.0])
    return x
"""


@pytest.mark.parametrize(
    "options",
    [Options(verify="first-call"), options_of("fast", precision="float32")],
    ids=["verify", "float32"],
)
def test_a_second_run_changes_nothing(options: Options) -> None:
    first = rewrite_source(TEXT, "decay.py", options)
    assert first.text.count("@nprewrite.jit(") == 2
    assert "_step" not in first.text
    second = rewrite_source(first.text, "decay.py", options)
    assert not second.changed
    assert {site.outcome for site in second.sites} == {Outcome.DEFERRED}


def test_a_decorator_of_the_user_s_own_is_enough() -> None:
    text = TEXT.replace("def decay", "@nprewrite.jit\ndef decay").replace("np\n", "np\nimport nprewrite\n", 1)
    done = rewrite_source(text, "decay.py", Options(verify="first-call"))
    assert "@nprewrite.jit\ndef decay" in done.text
    assert "_decay_step" not in done.text


@pytest.mark.parametrize(
    "statement", ["warnings.warn('small', stacklevel=2)", "sys._getframe(1)", "inspect.currentframe()"]
)
def test_a_function_that_counts_its_callers_gets_no_decorator(statement: str) -> None:
    """A warning of its caller's line would be one of the decorator's."""
    text = TEXT.replace("    for i in", f"    {statement}\n    for i in")
    assert "@nprewrite.jit" not in rewrite_source(text, "decay.py", Options()).text
    assert "@nprewrite.jit" in rewrite_source(TEXT, "decay.py", Options()).text
