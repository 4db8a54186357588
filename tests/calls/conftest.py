"""Surroundings of the tests of what a call shows."""

from __future__ import annotations

import pytest

from nprewrite.decorated import turns


@pytest.fixture
def rewritten_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the rewritten side run, however small the arrays are."""
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.MINIMUM_WORK", 0)


@pytest.fixture
def rewritten_in_numpy(monkeypatch: pytest.MonkeyPatch, rewritten_side: None) -> None:
    """Have its steps run in NumPy."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
