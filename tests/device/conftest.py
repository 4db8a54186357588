"""Devices are tried with the CPU, with "meta", which has shapes and no values, and a GPU if there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from nprewrite.runtime.api import refusal
from nprewrite.runtime.device import devices


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(devices, "default", None)
    monkeypatch.setattr(refusal, "_told", set())
    # pytest.warns shows all warnings, where everything would run as written.
    monkeypatch.setattr("nprewrite.runtime.api.guards.check_warnings", lambda: None)
