"""Surroundings of the tests of programs: a cache of their own but for loops, and no array too small."""

from __future__ import annotations

from pathlib import Path

import pytest

from nprewrite.base import cachedir
from nprewrite.decorated import turns


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    # Loops, and those that Numba itself runs, take seconds to compile.
    for name in ("loops", "native"):
        (tmp_path / "cache" / name).symlink_to(cachedir.private(name), target_is_directory=True)
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
