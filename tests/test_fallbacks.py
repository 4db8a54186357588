"""Each way in which a function falls back warns once at its place, or raises where that was asked for."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nprewrite
import nprewrite.runtime as npr
from nprewrite.base.errors import FallbackError, NprewriteWarning
from nprewrite.decorated import definitions, specializations, turns
from nprewrite.runtime.api import refusal

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

PROGRAM = """
import numpy as np


def decay(x, rate, trips):
    for _ in range(trips):
        x = x * rate + 1
    return x
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr(refusal, "_told", set())
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    path = tmp_path / "falls_back.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location("falls_back", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "falls_back", made)
    spec.loader.exec_module(made)
    return made


Fallback = Callable[[ModuleType, pytest.MonkeyPatch, str], Any]
FALLBACKS: dict[str, tuple[str, Fallback]] = {}


def fallback(message: str) -> Callable[[Fallback], Fallback]:
    """A way to make a call that falls back, and what is said of it."""

    def add(function: Fallback) -> Fallback:
        FALLBACKS[function.__name__] = message, function
        return function

    return add


def decay(module: ModuleType, on_fallback: str, x: Any) -> Any:
    jitted = nprewrite.jit(on_fallback=on_fallback)(module.decay)
    wanted = module.decay(x, 0.5, 9)
    for _ in range(3):
        np.testing.assert_allclose(jitted(x, 0.5, 9), wanted)
    return jitted


@fallback("runs as written: its source is not available")
def no_source(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    names: dict[str, Any] = {}
    exec("def double(x): return 2 * x", names)
    assert nprewrite.jit(on_fallback=on_fallback)(names["double"])(4) == 8


@fallback("runs as written: its file cannot be read as Python")
def changed_file(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    patch.setattr(definitions, "module_text", lambda function: "def decay(x:\n")
    decay(module, on_fallback, np.ones(9))


@fallback("torch is missing")
def no_torch(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    runner = importlib.import_module("nprewrite.runtime.api.runner")
    patch.setattr(runner, "find_spec", lambda name: None)
    decay(module, on_fallback, np.ones(9))


@fallback("does not compute with uint32 as NumPy does; the step runs in NumPy")
def no_kernels(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    step = npr.step(state={"a": "uint32"}, compile=True)(lambda a: (a * np.uint32(3),))
    step.on_fallback = on_fallback
    for _ in range(3):
        a = np.arange(9, dtype=np.uint32)
        assert list(step.over(range(2), a=a)) == []
        assert a.tolist() == [9 * each for each in range(9)]


@fallback(r"np\.seterr\(divide='raise'\) is set")
def watched_errors(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    with np.errstate(divide="raise"):
        decay(module, on_fallback, np.ones(9))


def failing(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str, error: Exception) -> None:
    artifacts = pytest.importorskip("nprewrite.runtime.torch.artifacts")

    def graph(*_: Any) -> Any:
        raise error

    patch.setattr(artifacts, "graph", graph)
    decay(module, on_fallback, np.ones(9))


@fallback("torch.compile says no")
def not_compiled(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    failing(module, patch, on_fallback, refusal.Unusable("torch.compile failed", "torch.compile says no"))


@fallback("running it raised RuntimeError: the kernel stopped")
def stopped_half_way(module: ModuleType, patch: pytest.MonkeyPatch, on_fallback: str) -> None:
    failing(module, patch, on_fallback, RuntimeError("the kernel stopped"))


@pytest.mark.parametrize("name", FALLBACKS)
def test_warns_once(module: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    message, run = FALLBACKS[name]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NprewriteWarning)
        run(module, monkeypatch, "warn")
    assert [each.category for each in told] == [NprewriteWarning]
    assert re.search(message, str(told[0].message))


@pytest.mark.parametrize("name", FALLBACKS)
def test_raises_where_asked(module: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    message, run = FALLBACKS[name]
    with pytest.raises(FallbackError, match=message):
        run(module, monkeypatch, "raise")


def test_too_many_signatures_are_told_in_the_report(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(specializations, "_SIGNATURES", 2)
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    arrays = [np.ones(9, dtype) for dtype in (np.float64, np.float32, np.complex128, np.complex64)]
    jitted = nprewrite.jit(module.decay)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [jitted(x, 0.5, 9).dtype for x in arrays] == [x.dtype for x in arrays]
    assert "called 2 x with further signatures" in str(jitted.report())
    strict = nprewrite.jit(on_fallback="raise")(module.decay)
    with pytest.raises(FallbackError, match="called with more than 2 signatures"):
        [strict(x, 0.5, 9) for x in arrays]
