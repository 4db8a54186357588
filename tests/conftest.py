"""No test depends on how busy the machine is."""

from __future__ import annotations

import pytest

from nprewrite.runtime import budget


@pytest.fixture(autouse=True)
def time_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS", 600.0)
