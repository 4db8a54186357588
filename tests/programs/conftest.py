"""Surroundings of the tests of programs: a cache of their own, and no array too small."""

from __future__ import annotations

from pathlib import Path

import pytest

from nprewrite.decorated import turns


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.numba.gathered.MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)


@pytest.fixture
def steps_in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call runs what is rewritten, as NumPy."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


@pytest.fixture
def steps_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call runs what is rewritten, compiled."""
    pytest.importorskip("torch")
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


@pytest.fixture
def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls as a user makes them."""
    pytest.importorskip("torch")
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
