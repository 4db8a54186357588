"""The extension for IPython."""

from __future__ import annotations

import pytest
from loading_tools import DECAY, Python

pytest.importorskip("IPython")

SHELL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
def cell(text):
    return shell.run_cell(text, store_history=True)
cell("%load_ext nprewrite")
cell("import numpy as np\\nfrom numpy import linspace")
BODY = BODY_TEXT
"""
# As a cell after one that imports NumPy.
SHELL = SHELL.replace("BODY_TEXT", repr(DECAY.split("\n\n\n")[1].replace("np.linspace", "linspace")))


def test_a_marked_cell(python: Python) -> None:
    ran = python(
        SHELL
        + """
plain = cell(BODY + "decay(20).sum()").result
done = cell("%%nprewrite\\n" + BODY + "decay(20).sum()")
assert done.success and done.result == plain
assert "_decay_step" in shell.user_ns["decay"].__code__.co_names
cell(BODY.replace("decay", "other"))
assert "_other_step" not in shell.user_ns["other"].__code__.co_names
"""
    )
    assert "line  code    pass          verdict    explanation" in ran.stdout
    assert "5     NPR401  extract-step  rewritten  the loop runs through `_decay_step`" in ran.stdout


def test_nothing_is_added_to_the_session(python: Python) -> None:
    python(
        SHELL
        + """
cell(BODY)
before = sorted(name for name in shell.user_ns if not name.startswith("_"))
cell("%nprewrite on")
for _ in range(3):
    cell(BODY)
assert sorted(name for name in shell.user_ns if not name.startswith("_")) == before
assert not [name for name in shell.user_ns if "step" in name or "npr" in name]
loop = "x = np.linspace(0.0, 1.0, 9)\\nfor n in range(3):\\n    m = x > 0.5\\n    x[m] = x[m] * 0.9"
for _ in range(2):
    assert cell(loop).success
assert cell("x[-1]").result == 0.9**3 and shell.user_ns["n"] == 2
"""
    )


def test_all_cells_that_follow(python: Python) -> None:
    ran = python(
        SHELL
        + """
cell("%nprewrite on")
cell(BODY)
first = shell.user_ns["decay"]
cell(BODY.replace("0.9", "0.5"))
second = shell.user_ns["decay"]
assert first(1)[-1] == 0.9 and second(1)[-1] == 0.5, "each function keeps its own step"
cell("y = 1")
cell("%nprewrite off")
cell(BODY.replace("decay", "other"))
assert "_other_step" not in shell.user_ns["other"].__code__.co_names
cell("%nprewrite")
cell("%unload_ext nprewrite")
assert not shell.ast_transformers
"""
    )
    assert ran.stdout.count("NPR401") == 2
    assert "%nprewrite on rewrites all cells that follow" in ran.stdout


def test_tracebacks_and_sources_are_the_user_s(python: Python) -> None:
    ran = python(
        SHELL
        + """
import inspect
cell("%nprewrite on")
cell(BODY)
assert inspect.getsource(shell.user_ns["decay"]) == BODY
failed = cell("decay(1, fail=True)")
assert isinstance(failed.error_in_exec, ValueError)
"""
    )
    assert "----> 8     raise ValueError(" in ran.stdout


def test_what_other_cells_bind_is_not_guessed(python: Python) -> None:
    """`abs` is a function of the user, and `linspace` is no longer NumPy's."""
    python(
        SHELL
        + """
cell("%nprewrite on")
cell("def linspace(*_): return [0.25, 0.75]")
cell("def abs(x): return x * 0")
cell(BODY)
assert "_decay_step" not in shell.user_ns["decay"].__code__.co_names
cell("def f(n, x):\\n    for i in range(n):\\n        x[x > 0.5] = abs(x[x > 0.5])\\n    return x")
cell("assert f(2, np.ones(9)).sum() == 0").raise_error()
"""
    )


def test_functions_that_wait_get_the_decorator(python: Python) -> None:
    ran = python(
        SHELL
        + """
cell("%nprewrite on")
cell("def grow(x, n):\\n    for i in range(n):\\n        x[x > 1.0] = np.sqrt(x[x > 1.0])\\n    return x")
cell("print(type(grow).__name__, grow(np.full(3, 16.0), 2), grow.report())")
"""
    )
    assert "Jitted [2. 2. 2.]" in ran.stdout
    assert "line 2: NPR401 rewritten" in ran.stdout


def test_own_warnings_are_no_errors_and_numpy_s_are(python: Python) -> None:
    """Where filters make all warnings errors; the strides of ``x`` keep the loops from running rewritten."""
    ran = python(
        SHELL
        + """
import os
os.environ["NPREWRITE_DISABLE"] = "1"
cell("%nprewrite on")
cell("import warnings; warnings.simplefilter('error')")
cell("x = np.lib.stride_tricks.as_strided(np.ones(1), (4,), (0,))")
cell("import numpy.typing as npt")
HEAD = "def relax(x: npt.NDArray[np.float64], n: int):\\n    for _ in range(n):\\n        "
cell(HEAD + "x[...] = x * 0.5\\n    return x")
for _ in range(2):
    done = cell("relax(x, 3)")
    assert done.success, done.error_in_exec
for _ in range(2):
    done = cell("for n in range(3):\\n    x[...] = x * 0.5 + np.sin(x)")
    assert done.success, done.error_in_exec
cell("def divided(x, y, n):\\n    for _ in range(n):\\n        x = x / y + 0.5\\n    return x")
for _ in range(2):
    failed = cell("divided(np.ones(9), np.zeros(9), 3)").error_in_exec
    assert isinstance(failed, RuntimeWarning) and "divide by zero encountered in divide" in str(failed)
"""
    )
    assert "has strides (0,)" in ran.stderr


def test_cells_that_cannot_be_rewritten_run(python: Python) -> None:
    ran = python(
        SHELL
        + """
cell("%nprewrite on")
assert cell("import asyncio\\nawait asyncio.sleep(0)\\nz = np.ones(2)").success
assert cell("v = !echo one\\n%time w = np.ones(2)\\nlen(v)").result == 1
assert not cell("x = (").success
assert cell("%%nprewrite\\n\\n1 + 1").result == 2
assert cell("# nothing\\n").success
"""
    )
    assert "nprewrite: nothing to rewrite" in ran.stdout


def test_the_table_as_html() -> None:
    from nprewrite.engine.outcomes import Outcome, Site
    from nprewrite.notebook import Table

    site = Site(3, 1, "NPR101", "masked-store", Outcome.REFUSED, "`a < b`", "mask-not-bool", "a comparison")
    page = Table((site,))._repr_html_()
    assert "<td>refused[mask-not-bool]</td><td>`a &lt; b` (a comparison)</td>" in page


def test_where_the_time_of_a_cell_goes(python: Python) -> None:
    ran = python(
        SHELL
        + """
cell("def heavy(x):\\n    return (np.exp(-x * x) * np.sqrt(x + 1.0)).sum()")
cell("x, t = np.linspace(0, 1, 200_000), 0.0")
cell("%%nprewrite_profile\\nfor k in range(60):\\n    t += heavy(x + k)")
assert shell.user_ns["t"] > 0
"""
    )
    assert any("heavy" in line and "compile all of it" in line for line in ran.stdout.splitlines())
    assert "put @nprewrite.jit above `def heavy` in line 1 of the cell" in ran.stdout
