"""What tests of measurements share: whatever else the machine does, reports are the same."""

from __future__ import annotations

import pytest

from nprewrite.benching import road


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "disturbed", lambda: None)
