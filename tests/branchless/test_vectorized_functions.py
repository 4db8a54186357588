"""Functions of numbers under np.vectorize, before and after rewriting, and what guards say at a call."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from random_scalars import RandomFunction

from nprewrite.base.errors import FallbackError, NprewriteWarning
from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.passes.level import Level
from nprewrite.runtime.api import refusal

SEEDS = 250
ARGUMENTS: list[tuple[Any, Any]] = [
    (np.array([0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.7, -2.2]), 2.0),
    (np.linspace(-3, 3, 50), np.linspace(3, -2, 50)),
    (np.array([np.nan, 1.0, np.inf, -np.inf, 0.0, 2.0]), np.array([[1.5], [np.nan], [-1.0]])),
    (np.arange(-5, 6), 3),
    (np.arange(1, 9), np.linspace(0.1, 3, 8)),
    (np.array([2, 0, 1], dtype=np.int8), np.array([-1.5])),
    (np.linspace(-2, 2, 9).astype(np.float32), np.float64(0.5)),
    (np.array([True, False]), 1),
    (np.array([10**10, 5]), 2),
    (np.zeros(0), 1.0),
    (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(-3.0, 3).reshape(3, 2)).T),
    (np.array(2.0), -1),
    ([0.5, 1], 2),
]


@pytest.fixture(autouse=True)
def of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.numba.vectorized"), "LEAST_ELEMENTS", 1)
    monkeypatch.setattr(refusal, "_told", set())


def module_of(text: str, name: str) -> ModuleType:
    made = ModuleType(name)
    exec(compile(text, name, "exec", dont_inherit=True), vars(made))
    return made


def outcome(function: Any, *arguments: Any) -> tuple[str, Any, Any]:
    """The type of what a call raises, or the dtype and shape and the bits of its result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments)
        except (ArithmeticError, TypeError, ValueError) as error:
            return type(error).__name__, None, None
    # One nan is as good as another.
    bits = (
        np.where(np.isnan(result), np.nan, result).tobytes() if result.dtype.kind == "f" else result.tobytes()
    )
    return type(result).__name__, (result.dtype, result.shape), bits


@pytest.mark.parametrize("start", range(0, SEEDS, 50))
def test_random_functions_give_the_same(start: int) -> None:
    converted = computed = 0
    for seed in range(start, start + 50):
        text = RandomFunction(seed).text
        rewriting = rewrite_source(text, "random.py", Options(level=Level.EXACT))
        if rewriting.text == text:
            continue
        converted += 1
        before, after = module_of(text, "before"), module_of(rewriting.text, "after")
        for x, y in ARGUMENTS:
            expected, seen = outcome(before.main, x, y), outcome(after.main, x, y)
            assert expected == seen, f"seed {seed}, main({x!r}, {y!r})\n{rewriting.text}"
        computed += after._f_lanes.runs["numpy"]
    assert converted > 10
    assert computed > 3 * converted


PROGRAM = """
import math
import numpy as np


@np.vectorize
def root(x, y):
    if x > y:
        return math.sqrt(x - y)
    return math.exp(x) / y


def main(x, y):
    return root(x, y)
"""


def after(text: str) -> ModuleType:
    return module_of(rewrite_source(text, "program.py", Options()).text, "after")


def test_what_raises_is_left_to_the_function() -> None:
    program = after(PROGRAM)
    x = np.linspace(-1, 1, 90)
    with pytest.raises(ZeroDivisionError):
        program.main(x, 0.0)
    with pytest.raises(OverflowError):
        program.main(x + 1000, 2000.0)
    with pytest.raises(ValueError, match="broadcast"):
        program.main(x, np.ones(7))


def test_what_only_a_call_shows_of_its_arguments_warns_nobody() -> None:
    program = after(PROGRAM)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program.main([1.0] * 70, 2.0)
    assert [why for why in program._root_lanes.runs if why.startswith("as written: ")]


def test_refused_arguments_are_told_where_that_was_asked_for() -> None:
    program = after(PROGRAM)
    program._root_lanes.on_fallback = "raise"
    with pytest.raises(FallbackError, match="list"):
        program.main([1.0] * 70, 2.0)


def test_watched_floating_point_errors_run_the_function() -> None:
    program = after(PROGRAM)
    with np.errstate(over="raise"), pytest.warns(NprewriteWarning, match="seterr"):
        program.main(np.linspace(-1, 1, 90), 0.5)
    assert not program._root_lanes.runs["numpy"]


def test_another_function_under_the_name_runs() -> None:
    program = after(PROGRAM)
    program.root = lambda x, y: "other"
    with pytest.warns(NprewriteWarning, match=r"is not np\.vectorize of a Python function"):
        assert program.main(np.ones(80), 0.5) == "other"


def test_decorated_function_keeps_the_array_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    path = tmp_path / "jitted_root.py"
    path.write_text("import nprewrite\n" + PROGRAM.replace("def main", "@nprewrite.jit\ndef main"))
    spec = importlib.util.spec_from_file_location("jitted_root", path)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    sys.modules["jitted_root"] = program
    spec.loader.exec_module(program)
    x = np.linspace(-1, 1, 20000)
    results = [program.main(x, 0.5) for _ in range(4)]
    assert all(np.allclose(each, program.main.original(x, 0.5), rtol=1e-14) for each in results)
    assert "nothing of it ran compiled" not in str(program.main.report())


def test_compiled_array_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.numba.vectorized"), "COMPILE_AFTER", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    program, original = after(PROGRAM), module_of(PROGRAM, "before")
    x = np.linspace(-1, 1, 600).reshape(20, 30)
    for y in (0.5, np.linspace(0.1, 0.9, 30)):
        np.testing.assert_allclose(program.main(x, y), original.main(x, y), rtol=1e-14)
    assert program._root_lanes.runs == {"compiled": 2}
    with pytest.raises(ZeroDivisionError):
        program.main(x, 0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("f = np.vectorize(len)\ndef main(x): return f(x)\n", "unknown-call"),
        ("def main(x): return np.vectorize(lambda *a: a[0])(x)\n", "no-array-form"),
        ("def main(x): return np.vectorize(lambda t: t ** t ** 3)(x)\n", None),
        ("def main(max, x): return np.vectorize(lambda t: max(t, 0))(x)\n", "unknown-call"),
        ("f = np.vectorize(lambda t: t > 0)\nf = abs\ndef main(x): return f(x)\n", "nothing"),
        ("def main(x): return np.vectorize(lambda t: 10**20 * t)(x)\n", "no-array-form"),
    ],
)
def test_reasons(text: str, reason: str | None) -> None:
    sites = rewrite_source("import numpy as np\n" + text, "program.py", Options()).sites
    found = [(site.outcome, site.reason) for site in sites if site.code == "NPR301"]
    if reason == "nothing":
        assert not found
    elif reason is None:
        assert found == [(Outcome.REWRITTEN, None)]
    else:
        assert found == [(Outcome.REFUSED, reason)]
