"""The cache in one file: what travels, what fits, and what is refused."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nprewrite.base import cachedir, notes
from nprewrite.cli.command import main
from nprewrite.shipping import archive
from nprewrite.shipping.archive import NotTaken, export, take

KEPT = {
    "functions/f-1a.json": b"{}",
    "graphs/2b.json": b"{ }",
    "graphs/2b.so": b"\x7fELF",
    "modules/m-3.py": b"",
}
LEFT = {
    "native/loop.py": b"1",
    "native/__pycache__/loop.nbi": b"pickled",
    "turns.json": b"{}",
    "graphs/2.lock": b"",
}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Chooses a cache directory."""

    def choose(name: str) -> Path:
        monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / name))
        return cachedir.directory()

    return choose


@pytest.fixture
def made(cache: Callable[[str], Path], tmp_path: Path) -> Path:
    """An archive of a filled cache; another cache, which is empty, is chosen."""
    folder = cache("one")
    for name, data in {**KEPT, **LEFT}.items():
        (folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    export(tmp_path / "cache.npr")
    cache("other")
    return tmp_path / "cache.npr"


def files(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()
    }


def changed(
    path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], object], *, listed: bool = True
) -> Path:
    """The archive with another manifest and other files, whose sums are right where they are ``listed``."""
    with zipfile.ZipFile(path) as old:
        members = {each: old.read(each) for each in old.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(manifest, members)
    if listed:
        manifest["files"] = {
            name: {"size": len(data), "sha256": notes.digest(data)} for name, data in members.items()
        }
    with zipfile.ZipFile(path, "w") as new:
        for name, data in {**members, "manifest.json": json.dumps(manifest).encode()}.items():
            new.writestr(name, data)
    return path


def test_texts_and_libraries_travel(made: Path) -> None:
    taken = take(made)
    assert files(cachedir.directory()) == KEPT
    assert (taken.files, taken.size, taken.left) == (4, sum(map(len, KEPT.values())), ())
    for each in cachedir.directory().iterdir():
        assert each.stat().st_mode & 0o777 == 0o700


def test_what_is_there_stays(made: Path) -> None:
    mine = cachedir.private("graphs") / "2b.so"
    mine.write_bytes(b"mine")
    take(made)
    assert mine.read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("trait", "folders"),
    [("processor", {"graphs"}), ("torch", {"graphs"}), ("NumPy", {"functions", "modules"})],
)
def test_what_does_not_fit_is_named(made: Path, trait: str, folders: set[str]) -> None:
    changed(made, lambda manifest, _: manifest["machine"].update({trait: "other"}))
    taken = take(made)
    assert {each.partition("/")[0] for each in KEPT} - {*os.listdir(cachedir.directory())} == folders
    assert len(taken.left) == len(folders)
    for each in taken.left:
        assert f"made with {trait} 'other', here {archive.here()[trait]!r}" in each


@pytest.mark.parametrize(
    "name",
    [
        *("../evil.so", "graphs/../../evil.so", "/etc/evil.so", "graphs/a/b.so", "graphs/.so", "turns.json"),
        *("native/loop.nbc", "graphs/a.so\n", "graphs\\a.so", "inductor/a.so"),
    ],
)
def test_other_paths_are_refused(made: Path, name: str) -> None:
    changed(made, lambda _, members: members.update({name: b"evil"}))
    with pytest.raises(NotTaken, match=r"no file of the cache|not those that"):
        take(made)
    assert files(made.parent / "other") == {}


def _another_sum(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["files"]["graphs/2b.so"]["sha256"] = notes.digest(b"other")


def _another_size(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["files"]["graphs/2b.so"]["size"] = 2


def _one_more(_: dict[str, Any], members: dict[str, bytes]) -> None:
    members["graphs/more.so"] = b""


def _one_less(_: dict[str, Any], members: dict[str, bytes]) -> None:
    del members["graphs/2b.so"]


def _too_large(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["files"]["graphs/2b.so"]["size"] = cachedir.LIMIT + 1


def _of_another_form(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    manifest["format"] = 0


def _without_files(manifest: dict[str, Any], _: dict[str, bytes]) -> None:
    del manifest["files"]


@pytest.mark.parametrize(
    "change",
    [_another_sum, _another_size, _one_more, _one_less, _too_large, _of_another_form, _without_files],
)
def test_nothing_is_taken_from_an_archive_that_is_not_whole(made: Path, change: Any) -> None:
    changed(made, change, listed=False)
    with pytest.raises(NotTaken):
        take(made)
    assert files(made.parent / "other") == {}


@pytest.mark.parametrize("kept", [0, 10, 300, -30])
def test_half_an_archive(made: Path, kept: int) -> None:
    made.write_bytes(made.read_bytes()[:kept])
    with pytest.raises(NotTaken):
        take(made)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_archive_that_others_can_write(made: Path, mode: int) -> None:
    made.chmod(mode)
    with pytest.raises(NotTaken, match="belong to you"):
        take(made)


def test_an_export_that_fails_leaves_nothing(
    made: Path, cache: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    cache("one")
    whole = made.read_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(OSError, match="No space"):
        export(made)
    assert made.read_bytes() == whole
    assert [each.name for each in made.parent.glob("*.tmp")] == []


def test_the_commands(made: Path, cache: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "import", str(made)]) == 0
    assert capsys.readouterr().out == f"4 files, 0.0 kB taken from {made}\n"
    cache("one")
    assert main(["cache", "export", str(made)]) == 0
    assert "4 files, 0.0 kB written to" in (told := capsys.readouterr().out)
    assert "left out: native loops" in told
    assert main(["cache", "import", str(made.with_name("none.npr"))]) == 2
    assert "none.npr: error: no such file" in capsys.readouterr().err.lower()
    assert main(["cache", "--clear", "import", str(made)]) == 2
