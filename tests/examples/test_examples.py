"""Each example program is rewritten, compiled, run, and gives what it gave before."""

from __future__ import annotations

import importlib
import itertools
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

NUMBER = itertools.count()

Result = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Example:
    """A call of an example's function, small enough for a test.

    ``wider`` are replacements in the text that make the program iterate the same points in a wider type; the
    result of that judges the points at a boundary, where rounding decides. Without it, results must be equal.
    """

    name: str
    function: str
    arguments: tuple[Any, ...]
    wider: Mapping[str, str] = field(default_factory=dict)


SINGLE = {'dtype="complex64"': 'dtype="complex128"'}
DOUBLE = {'dtype="complex128"': 'dtype="clongdouble"'}
GRID_OF_SINGLES = 'np.linspace(-extent, extent, size, dtype="float32").astype("float64")'
GRID = {"np.linspace(-extent, extent, size)": 'np.linspace(-extent, extent, size).astype("longdouble")'}
GRID_SINGLE = {'np.linspace(-extent, extent, size, dtype="float32")': GRID_OF_SINGLES}
VIEW = (-2.25, 0.75, -1.25, 1.25, 120, 99)

CALLS = [
    Example("mandelbrot", "mandelbrot", (*VIEW, 60, 2.0**40), SINGLE),
    Example("mandelbrot_step", "mandelbrot", (*VIEW, 60, 2.0**40), SINGLE),
    Example("mandelbrot_double", "mandelbrot", (-0.7488, -0.7479, 0.0664, 0.0673, 60, 50, 203), DOUBLE),
    Example("julia", "julia", (100, 1.6, 61), GRID),
    Example("julia_single", "julia", (100, 1.6, 61), GRID_SINGLE),
    Example("newton", "newton", (80, 2.0, 35), GRID),
    Example("logistic", "logistic", (3000, 77)),
    Example("regrowing_mask", "thermostats", (3000, 100)),
]


def run(text: str, file: Path, example: Example) -> tuple[types.ModuleType, Result]:
    """Write a module's text to ``file``, import it and call the example's function."""
    file.write_text(text, encoding="utf-8")
    module = types.ModuleType(f"{file.stem}_{next(NUMBER)}")
    # torch.compile looks the globals of a compiled function up by the name of its module.
    sys.modules[module.__name__] = module
    exec(compile(text, str(file), "exec"), vars(module))
    return module, getattr(module, example.function)(*example.arguments)


def replaced(text: str, replacements: Mapping[str, str]) -> str:
    """The text after all replacements, each of which must apply."""
    for old, new in replacements.items():
        assert old in text
        text = text.replace(old, new)
    return text


def ways_of_running(module: types.ModuleType) -> set[str]:
    """How the loops of the module's steps ran."""
    from nprewrite.runtime.api.step import Step

    return {way for value in vars(module).values() if isinstance(value, Step) for way in value.runs}


def assert_right(after: Result, before: Result, wide: Result) -> None:
    """Escape times and iterates are as right as NumPy's, judged against the wider evaluation.

    Integers: wrong on at most 1.1 times as many points, and five in ten thousand for the luck of few points.
    The rest, where all integers agree: median and 90th percentile of the error at most twice NumPy's.
    """
    agree = np.ones(before[0].shape, dtype=bool)
    for new, old, exact in zip(after, before, wide, strict=True):
        if old.dtype.kind != "i":
            continue
        ours, theirs = np.count_nonzero(new != exact), np.count_nonzero(old != exact)
        assert ours <= 1.1 * theirs + 0.0005 * old.size
        agree &= (new == exact) & (old == exact)

    assert np.count_nonzero(agree) > 0.9 * agree.size
    for new, old, exact in zip(after, before, wide, strict=True):
        if old.dtype.kind == "i":
            continue
        ours, theirs = (
            np.abs(part - exact)[agree] / np.maximum(np.abs(exact[agree]), 1) for part in (new, old)
        )
        tiny = np.finfo(old.dtype).eps
        for quantile in (0.5, 0.9):
            assert np.quantile(ours, quantile) <= 2 * np.quantile(theirs, quantile) + tiny


@pytest.fixture(autouse=True)
def _compile_small_work(monkeypatch: pytest.MonkeyPatch) -> None:
    # By module: the package's attribute of this name is the decorator.
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)


@pytest.mark.parametrize("disabled", [False, True], ids=["compiled", "disabled"])
@pytest.mark.parametrize("example", CALLS, ids=lambda example: example.name)
def test_rewritten_example_gives_the_same(
    example: Example, disabled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if disabled:
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    else:
        pytest.importorskip("torch")
    path = EXAMPLES / f"{example.name}.py"
    source = path.read_text(encoding="utf-8")

    done = rewrite_source(source, str(path), Options())
    assert any(site.outcome is Outcome.REWRITTEN for site in done.sites)
    _, before = run(source, tmp_path / "before.py", example)
    module, after = run(done.text, tmp_path / "after.py", example)
    assert ways_of_running(module) == {"numpy" if disabled else "compiled"}
    for new, old in zip(after, before, strict=True):
        assert (type(new), new.dtype, new.shape) == (type(old), old.dtype, old.shape)
    if not example.wider:
        assert all(np.array_equal(new, old) for new, old in zip(after, before, strict=True))
        return
    _, wide = run(replaced(source, example.wider), tmp_path / "wide.py", example)
    assert_right(after, before, wide)


@pytest.mark.parametrize("example", CALLS, ids=lambda example: example.name)
def test_rewriting_again_changes_nothing(example: Example) -> None:
    path = EXAMPLES / f"{example.name}.py"
    once = rewrite_source(path.read_text(encoding="utf-8"), str(path), Options()).text
    assert rewrite_source(once, str(path), Options()).text == once
