"""Where functions are verified, or compute in single precision, the decorator rewrites them, not the file."""

from __future__ import annotations

import pytest

from nprewrite.decorated.decorator import options_of
from nprewrite.engine.outcomes import Decorated, Options, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.source.stars import may_be_rewritten

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
    "statement",
    [
        "warnings.warn('small', stacklevel=2)",
        "warnings.warn('small', UserWarning, 2)",
        "sys._getframe(1)",
        "inspect.currentframe()",
    ],
)
def test_a_function_that_counts_its_callers_gets_no_decorator(statement: str) -> None:
    """A warning of its caller's line would be one of the decorator's."""
    text = TEXT.replace("    for i in", f"    {statement}\n    for i in")
    assert "@nprewrite.jit" not in rewrite_source(text, "decay.py", Options()).text
    assert "@nprewrite.jit" in rewrite_source(TEXT, "decay.py", Options()).text


DECORATORS = """\
import functools
import numpy as np
from numba import njit
from elsewhere import watched

ALL = []


def timed(f):
    @functools.wraps(f)
    def around(*args):
        return f(*args)
    return around


def repeated(n):
    def of(f):
        def around(*args):
            return [f(*args) for _ in range(n)]
        return around
    return of


def kept(f):
    ALL.append(f)
    return f


def compiled(f):
    return njit(f)


class Counted:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, *args):
        self.calls += 1
        return self.f(*args)


@{decorator}
def grow(x, n):
    for i in range(n):
        x[x > 1.0] = np.sqrt(x[x > 1.0])
    return {returned}
"""


@pytest.mark.parametrize("decorator", ["timed", "repeated(3)", "kept", "Counted", "timed\n@kept"])
def test_decorators_of_the_file_stand_around_it(decorator: str) -> None:
    text = DECORATORS.format(decorator=decorator, returned="x")
    first = rewrite_source(text, "grow.py", Options(verify="first-call"))
    assert f"@{decorator}\n@nprewrite.jit(" in first.text
    second = rewrite_source(first.text, "grow.py", Options(verify="first-call"))
    assert not second.changed
    assert {site.outcome for site in second.sites} == {Outcome.DEFERRED}


@pytest.mark.parametrize(
    ("decorator", "returned"),
    [
        ("njit", "x"),
        ("compiled", "x"),
        ("watched", "x"),
        ("functools.cache", "x"),
        ("timed", "grow(x, n - 1)"),
    ],
)
def test_other_decorators_see_the_function_itself(decorator: str, returned: str) -> None:
    text = DECORATORS.format(decorator=decorator, returned=returned)
    assert "nprewrite.jit" not in rewrite_source(text, "grow.py", Options(verify="first-call")).text


NUMBERS = """\
import math


def total(n: int, h: float):
    s = 0.0
    for i in range(n):
        s += math.sqrt(i * h)
    return s
"""


def test_loops_with_functions_of_numbers_are_rewritten_without_numpy_where_a_program_runs() -> None:
    for options, only in ((Options(), "total"), (Options(decorated=Decorated.ARRAY_CODE), None)):
        assert "@npr.native" in rewrite_source(NUMBERS, "total.py", options, only=only).text
    assert not rewrite_source(NUMBERS, "total.py", Options()).changed


@pytest.mark.parametrize("line", ["import json", "# import math", "x = 'import math'"])
def test_other_files_without_numpy_are_not_read(line: str) -> None:
    over = "for i in range(n)"
    assert over in NUMBERS
    assert may_be_rewritten(NUMBERS.replace("import math", line))
    assert not may_be_rewritten(NUMBERS.replace("import math", line).replace(over, "for i in n"))
    assert not may_be_rewritten("import math\n\ndef f(x):\n    return math.sqrt(x)\n")
