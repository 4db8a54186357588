"""Loaded modules: functions with array code get the decorator where no step was made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nprewrite.config import Configuration
from nprewrite.engine.outcomes import Decorated, Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.loading.rewriting import rewritten

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

PROGRAM = """
import numpy as np


def relaxed(trips: int):
    u = np.linspace(0.0, 1.0, 500)
    for k in range(trips):
        {statement}
    return u
"""
RECORDED = """print(k)
        u[1:-1] = u[1:-1] * 0.5 + u[2:] * 0.5
        np.save(str(k), u)
        u += np.sin(u) * 2"""


def decorated(statement: str, which: Decorated = Decorated.ARRAY_CODE) -> bool:
    options = Options(decorated=which)
    return "@nprewrite.jit" in rewrite_source(PROGRAM.format(statement=statement), "a.py", options).text


def test_a_loop_that_no_step_takes_as_a_whole() -> None:
    assert decorated(RECORDED)
    assert decorated(RECORDED, Decorated.LOOPS)
    assert not decorated(RECORDED, Decorated.NOTHING)


@pytest.mark.parametrize(
    "statement",
    ["u = u * 0.5 + np.roll(u, 1)", "print(k)", "u[0] = k", "np.save(str(k), u)", "print(np.sum(u))"],
)
def test_loops_that_are_steps_or_compute_little(statement: str) -> None:
    assert not decorated(statement)


SWEEPS = """for k in np.ndindex(trips):
            {beside}
            for sweep in range(20):
                u[1:-1] = 0.5 * (u[:-2] + u[2:])"""


@pytest.mark.parametrize(
    ("beside", "gets_it"),
    [
        ("v = 0.1 * u * (1 - u) + np.sin(u) / (1 + u * u)", True),
        ("v = 0.1 * u", False),
        ("a = 1 / (1 + 2 * len(u)) + 3 * (4 + 5 / len(u)) - 6 * 7 + 8 * len(u)", False),
    ],
)
def test_array_code_around_a_loop_that_is_a_step(beside: str, gets_it: bool) -> None:
    statement = SWEEPS.format(beside=beside)
    assert decorated(statement) is gets_it
    assert not decorated(statement, Decorated.LOOPS)
    done = rewrite_source(PROGRAM.format(statement=statement), "a.py", Options(decorated=Decorated.LOOPS))
    assert ".over(" in done.text


@pytest.mark.parametrize(
    ("body", "gets_it"),
    [
        ("return ((p[:, None] - q[None, :]) ** 2).sum(axis=2).argmin(axis=1)", True),
        ("return np.exp(-p) * q + p", True),
        ("return (p - q) ** 2 / (1 + p)", False),
        ("return np.exp(p)", False),
        ("return [np.exp(-p) * q + p for p in q]", True),
        ("for each in p:\n        print(np.sqrt(each) + np.exp(each) + each)", True),
        ("n = int(p)\n    return (n + 1) * n // 2 + len(np.arange(n))", False),
    ],
)
def test_functions_without_loops_that_compute_with_what_they_get(body: str, gets_it: bool) -> None:
    text = f"import numpy as np\n\n\ndef function(p, q):\n    {body}\n"
    done = rewrite_source(text, "a.py", Options(decorated=Decorated.ARRAY_CODE))
    assert ("@nprewrite.jit" in done.text) is gets_it


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.save(str(k), u)", "yield u"),
        ("def relaxed(", "@cached\ndef relaxed("),
        ("np.save(str(k), u)", "warnings.warn(str(k), stacklevel=2)"),
    ],
)
def test_generators_and_functions_whose_caller_counts(before: str, after: str) -> None:
    text = "import warnings\nfrom tools import cached\n" + PROGRAM.format(statement=RECORDED)
    assert before in text
    done = rewrite_source(text.replace(before, after), "a.py", Options(decorated=Decorated.ARRAY_CODE))
    assert "nprewrite.jit" not in done.text


def test_a_loop_that_another_compiler_takes() -> None:
    text = "import numba\n" + PROGRAM.replace("def relaxed", "@numba.njit\ndef relaxed")
    done = rewrite_source(text.format(statement=RECORDED), "a.py", Options(decorated=Decorated.ARRAY_CODE))
    assert not done.changed


METHODS = """
import numpy as np


class Pond:
    def step(self):
        self.u[1:-1] += 0.1 * (self.u[2:] - self.u[:-2])

    def stop(self):
        self.closed = True


def main(pond):
    for n in range(100):
        {call}


{called}
"""


@pytest.mark.parametrize(
    ("call", "called", "gets"),
    [
        ("pond.step()", "main(Pond())", True),
        ("pond.stop()", "main(Pond())", False),
        ("pond.step()", "main(Pond()); main(Pond())", True),
        ("pond.stop()", "main(Pond()); main(Pond())", False),
        ("np.add.at(pond.u, pond.places, 1)", "main(Pond())", True),
    ],
)
def test_a_loop_that_leads_to_what_computes(call: str, called: str, gets: bool) -> None:
    """Only the call shows what they are."""
    text = METHODS.format(call=call, called=called)
    done = rewrite_source(text, "a.py", Options(decorated=Decorated.ARRAY_CODE))
    assert ("@nprewrite.jit\ndef main" in done.text) is gets


def test_what_is_loaded_is_rewritten_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    entry = rewritten("a.py", PROGRAM.format(statement=RECORDED).encode(), Configuration().choices(None))
    assert entry.data is None
    assert entry.decorated == ("relaxed",)


@pytest.mark.parametrize("given", [{"level": "exact"}, {"ignore": frozenset({"NPR401"})}])
def test_where_less_was_asked_for_loops_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    choices = replace(Configuration().choices(None), **given)
    entry = rewritten("a.py", PROGRAM.format(statement=RECORDED).encode(), choices)
    assert b"nprewrite.jit" not in (entry.data or b"")
