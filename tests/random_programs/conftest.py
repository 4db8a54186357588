"""Surroundings of the tests of random programs."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.fixture
def steps_in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps run, in NumPy, however small the arrays are."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    _no_minimum(monkeypatch)


@pytest.fixture
def steps_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps run, through torch.compile, however small the arrays are."""
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    _no_minimum(monkeypatch)


def _no_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package's name ``step`` is the decorator, not the module.
    monkeypatch.setattr(import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
