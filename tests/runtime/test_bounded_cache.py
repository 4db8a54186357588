"""The cache directory does not grow without end: what was used longest ago goes first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nprewrite.base import cachedir


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    for age, name in enumerate(
        ("graphs/a.so", "inductor/x/b.cpp", "functions/c.json", "theirs/d", "turns.json")
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    return tmp_path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_what_was_used_longest_ago_goes_first(folder: Path) -> None:
    cachedir.bound(300)
    assert names(folder) == {"a.so", "b.cpp", "c.json", "d", "turns.json"}
    cachedir.bound(299)
    assert names(folder) == {"a.so", "b.cpp", "d", "turns.json"}
    cachedir.used(folder / "inductor/x/b.cpp")
    cachedir.bound(100)
    assert names(folder) == {"b.cpp", "d", "turns.json"}


def test_files_that_disappear_or_cannot_be_noted_are_skipped(folder: Path) -> None:
    (folder / "graphs" / "gone").symlink_to(folder / "nowhere")
    cachedir.used(folder / "graphs" / "none")
    cachedir.bound(0)
    assert names(folder) == {"d", "turns.json"}
