"""What the tables let into a step computes compiled what it computes in NumPy: a few steps a dtype."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from table_forms import ALL, ELEMENTWISE, NAMES, arguments, special

from nprewrite.analysis.lanewise import expression_problem
from nprewrite.decorated import turns
from nprewrite.program.function import Module
from nprewrite.source.document import Document
from nprewrite.types.values import Array, Value

pytest.importorskip("torch")

pytestmark = pytest.mark.filterwarnings("ignore")

MOST_FORMS = 40
"""Inductor takes twice as long for three times as many forms of whole arrays in one step."""
SHAPES = {"x": ("n", "m"), "y": ("n", "m"), "s": ("n", "n")}


@pytest.fixture(autouse=True)
def always_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


def _text(names: tuple[str, ...], forms: list[str]) -> str:
    lines = "".join(f"    r{number} = {form}\n" for number, form in enumerate(forms))
    results = ", ".join(f"r{number}" for number in range(len(forms)))
    head = "import numpy as np\n\nimport nprewrite\n\n\n@nprewrite.jit\n"
    return f"{head}def f({', '.join(names)}):\n{lines}    return {results}\n"


def _steps_hold(names: tuple[str, ...], forms: list[str], dtype: str) -> list[str]:
    """The forms that may be part of a step, of those that NumPy computes for the dtype."""
    given: dict[str, Value] = {
        name: Array(np.dtype("int64" if name == "k" else dtype), SHAPES.get(name, ("n",))) for name in names
    }
    module = Module(Document(_text(names, forms)), {"f": given})
    function = next(each for each in module.functions if each.name == "f")
    values = [each.value for each in function.node.body if isinstance(each, ast.Assign)]
    problems = [expression_problem(each, function, None, whole=True) for each in values]
    known = [isinstance(function.facts.value(each), Array) for each in values]
    views = [isinstance(each, ast.Attribute) for each in values]
    chosen = zip(forms, problems, known, views, strict=True)
    return [form for form, problem, array, view in chosen if problem is None and array and not view]


def _loaded(text: str, path: Path) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[path.stem] = module
    specification.loader.exec_module(module)
    return module


def _close(seen: Any, wanted: Any, dtype: str) -> bool:
    if type(seen) is not type(wanted) or seen.dtype != wanted.dtype or seen.shape != wanted.shape:
        return False
    if wanted.dtype.kind != "f":
        return bool(np.array_equal(seen, wanted))
    single = "float32" in (dtype, wanted.dtype.name)
    return bool(np.allclose(seen, wanted, rtol=2e-5 if single else 1e-12, atol=0, equal_nan=True))


def _wrong(
    forms: list[str], names: tuple[str, ...], taken: dict[str, Any], dtype: str, path: Path
) -> list[str]:
    module = _loaded(_text(names, forms), path)
    function: Any = module.f
    with np.errstate(all="ignore"):
        wanted = function.original(**taken)
        function(**taken)
        seen = function(**taken)
    runs = sum(
        step.runs["compiled"] for version in function.specializations.versions for step in version.steps
    )
    assert runs, function.report()
    triples = zip(forms, seen, wanted, strict=True)
    return [f"{form}: {one} not {other}" for form, one, other in triples if not _close(one, other, dtype)]


def _pairs(dtype: str) -> dict[str, Any]:
    """Every pair of special values, some times over: vectors and the rest of a vector."""
    values = special(dtype)
    left, right = np.meshgrid(values, values)
    return {"a": np.tile(left.ravel(), 2), "b": np.tile(right.ravel(), 2)}


def _numpy_computes(forms: list[str], taken: dict[str, Any]) -> list[str]:
    def raises(call: Callable[[], Any]) -> bool:
        try:
            call()
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            return True
        return False

    with np.errstate(all="ignore"):
        return [each for each in forms if not raises(lambda form=each: eval(form, {"np": np, **taken}))]


@pytest.mark.parametrize("dtype", ["float32", "int16", "int64"])
def test_elementwise(dtype: str, tmp_path: Path) -> None:
    taken = _pairs(dtype)
    forms = _steps_hold(("a", "b"), _numpy_computes(ELEMENTWISE, taken), dtype)
    assert len(forms) > 60
    assert _wrong(forms, ("a", "b"), taken, dtype, tmp_path / f"elementwise_{dtype}.py") == []


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_whole_arrays(dtype: str, tmp_path: Path) -> None:
    taken = arguments(dtype, 6, 9)
    forms = _steps_hold(NAMES, _numpy_computes(ALL, taken), dtype)
    assert len(forms) > 50
    for first in range(0, len(forms), MOST_FORMS):
        some, path = forms[first : first + MOST_FORMS], tmp_path / f"whole_{dtype}_{first}.py"
        assert _wrong(some, NAMES, taken, dtype, path) == []
