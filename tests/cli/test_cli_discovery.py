"""Which files a directory stands for."""

from __future__ import annotations

import os
import random
import subprocess
from itertools import product
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.cli.discovery import discover
from nprewrite.files.work import FileResult


def _tree(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("old()\n")


def test_the_python_files_of_a_directory_in_order(work: Path) -> None:
    _tree(
        work,
        "src/b.py",
        "src/a.py",
        "src/a/z.py",
        "src/data.txt",
        "src/types.pyi",
        "src/.hidden/h.py",
        "x.py",
    )
    (work / "src" / "folder.py").mkdir()
    found = discover(["src"])
    assert found.files == ("src/a.py", "src/b.py", "src/.hidden/h.py", "src/a/z.py")
    assert found.failures == ()


def test_the_working_directory_needs_no_prefix(work: Path) -> None:
    _tree(work, "a.py", "b/c.py")
    assert discover(["."]).files == ("a.py", "b/c.py")
    assert discover(["./"]).files == ("a.py", "b/c.py")


def test_environments_caches_and_builds_are_left_out(work: Path) -> None:
    for folder in (
        ".git",
        ".venv",
        "venv",
        "__pycache__",
        "build",
        "dist",
        ".tox",
        "node_modules",
        "site-packages",
    ):
        _tree(work, f"{folder}/a.py", f"deep/{folder}/a.py")
    _tree(work, "my-env/lib/a.py", "conda/lib/a.py", "kept.py")
    (work / "my-env" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (work / "conda" / "conda-meta").mkdir()
    assert discover(["."]).files == ("kept.py",)
    assert discover(["build"]).files == ("build/a.py",)


def test_a_file_is_taken_once_and_as_named(work: Path) -> None:
    _tree(work, "a/x.py", "script")
    (work / "link.py").symlink_to("a/x.py")
    assert discover(["a/x.py", "a", "./a/x.py", "link.py", "script", "none.py"]).files == (
        "a/x.py",
        "script",
        "none.py",
    )


def test_links_inside_a_directory_are_not_followed(work: Path) -> None:
    _tree(work, "tree/a.py", "elsewhere/b.py")
    (work / "tree" / "loop").symlink_to("..")
    (work / "tree" / "self").symlink_to("self")
    (work / "tree" / "other").symlink_to("../elsewhere")
    (work / "tree" / "link.py").symlink_to("../elsewhere/b.py")
    (work / "named").symlink_to("tree")
    assert discover(["tree"]).files == ("tree/a.py",)
    assert discover(["named"]).files == ("named/a.py",)


def test_only_regular_files(work: Path) -> None:
    _tree(work, "a.py")
    os.mkfifo(work / "pipe.py")
    assert discover(["."]).files == ("a.py",)


def test_nested_ignore_files(work: Path) -> None:
    _tree(
        work, "gen/a.py", "src/a.py", "src/a_pb2.py", "src/keep_pb2.py", "src/deep/b_pb2.py", "src/local/c.py"
    )
    (work / ".gitignore").write_text("/gen/\n*_pb2.py\n")
    (work / "src" / ".gitignore").write_text("!keep_pb2.py\nlocal\n")
    assert discover(["."]).files == ("src/a.py", "src/keep_pb2.py")


def test_ignore_files_above_hold_inside_a_repository_only(work: Path) -> None:
    _tree(work, "src/a.py", "src/a_pb2.py")
    (work / ".gitignore").write_text("*_pb2.py\n")
    assert discover(["src"]).files == ("src/a.py", "src/a_pb2.py")
    (work / ".git").mkdir()
    assert discover(["src"]).files == ("src/a.py",)


def test_what_is_named_is_taken_even_if_ignored(work: Path) -> None:
    (work / ".git").mkdir()
    _tree(work, "gen/a.py", "gen/deep/b.py")
    (work / ".gitignore").write_text("gen/\n")
    assert discover(["gen/a.py"]).files == ("gen/a.py",)
    assert discover(["gen"]).files == ("gen/a.py", "gen/deep/b.py")
    assert discover(["gen/deep"]).files == ("gen/deep/b.py",)


def test_an_unreadable_pattern_is_passed_over(work: Path) -> None:
    _tree(work, "a.py", "b.py")
    (work / ".gitignore").write_bytes(b"\xef\xbb\xbf/a.py\r\n!\n\\\n\xff\xfe\n")
    assert discover(["."]).files == ("b.py",)


@pytest.mark.usefixtures("rewriter")
def test_an_unreadable_directory_is_reported_and_the_others_are_done(
    work: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(work, "a.py", "closed/b.py", "open/c.py")
    real = os.scandir

    def scandir(path: str) -> object:
        if os.path.basename(path) == "closed":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr("os.scandir", scandir)
    ran = run(".")
    assert ran.code == 2
    assert ran.err == "closed: error: the directory cannot be read: permission denied\n"
    assert (work / "open" / "c.py").read_text() == "new()\n"


def test_a_closed_ignore_file_protects_its_directory(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(work, "a/b.py", "c/d.py")
    (work / "a" / ".gitignore").write_text("b.py\n")
    real = open

    def closed(path: str, *arguments: object, **keywords: object) -> object:
        if str(path).endswith(".gitignore"):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *arguments, **keywords)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", closed)
    found = discover(["."])
    assert found.files == ("c/d.py",)
    (failure,) = found.failures
    assert isinstance(failure, FileResult)
    assert failure.problem
    assert failure.problem.message == "the directory cannot be read (.gitignore): permission denied"


WORDS = r"""
    * *.py a a/ /a /a/ a.py a/* a/** **/a **/a.py a/b.py /a/b a/**/c.py b/ */b */ ?.py #a \#a ** /* /** c* *c/
    ***/b a** **a.py [ab].py [!a].py [^ab] [a-b]* [[:alpha:]].py []a].py [b-a] [c\-a]* [a-]* [-b]* [\a-b]
    [[:digit:]b] [[:no:]b] [[:no:]] [!a]/c.py a[/]b.py [a \a a\ \!a
"""
PATTERNS = (*WORDS.split(), "a ", "b\\ ", "# a", "")


@pytest.mark.parametrize("seed", range(200))
def test_the_choice_is_git_s(work: Path, seed: int) -> None:
    """Random ignore files, against what git itself would add."""
    dice = random.Random(seed)
    names = [f"{'/'.join(parts)}.py" for depth in (1, 2, 3) for parts in product("abc", repeat=depth)]
    _tree(work, *dice.sample(names, 20))
    places = [work, *(path for path in work.rglob("*") if path.is_dir())]
    for place in dice.sample(places, min(3, len(places))):
        lines = [dice.choice(["", "", "!"]) + dice.choice(PATTERNS) for _ in range(dice.randint(1, 4))]
        (place / ".gitignore").write_text("\n".join(lines) + "\n")
    subprocess.run(["git", "init", "-q"], check=True)
    listed = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    expected = {name for name in listed if name.endswith(".py")}
    assert set(discover(["."]).files) == expected
