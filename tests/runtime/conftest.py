"""No runtime test reads the user's cache, prints a warning told before, or is too small to compile."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nprewrite.runtime.api import refusal


@pytest.fixture(autouse=True)
def clean_runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    monkeypatch.setattr(refusal, "_told", set())
    # pytest.warns shows all warnings, where everything would run as written.
    monkeypatch.setattr("nprewrite.runtime.api.guards.check_warnings", lambda: None)
    # The programs overflow on purpose; NumPy's own warnings about it are not under test.
    with np.errstate(all="ignore"):
        yield


@pytest.fixture
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
