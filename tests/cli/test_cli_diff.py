"""Diffs that other tools apply."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from nprewrite.files.diff import unified_diff

CONTENTS = [
    (b"a\nb\nc\n", b"a\nB\nc\n"),
    (b"a\nb", b"a\nB"),
    (b"a\nb", b"a\nb\n"),
    (b"a\nb\n", b"a\nb"),
    (b"a\r\nb\r\n", b"a\r\nB\r\n"),
    (b"a\rb\r", b"a\rB\r"),
    (b"# coding: latin-1\ns = '\xe9'\nx\n", b"# coding: latin-1\ns = '\xe9'\ny\n"),
    (b"\xef\xbb\xbfa\n\x0c\nb\n", b"\xef\xbb\xbfa\n\x0c\nB\n"),
    (b"a\n\xc2\x85\x1c\x0b\nb\n", b"a\n\xc2\x85\x1c\x0b\nB\n"),
]
NAMES = ["a.py", "sub dir/b c.py", "größe.py", 'quo"te.py', "back\\slash.py", "tab\there.py"]


@pytest.mark.parametrize(
    "tool", [["git", "apply"], ["patch", "-p1", "--binary", "--quiet"]], ids=["git", "patch"]
)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("before", "after"), CONTENTS)
def test_git_and_patch_apply_it(work: Path, tool: list[str], name: str, before: bytes, after: bytes) -> None:
    path = work / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(before)
    subprocess.run(tool, input=unified_diff(before, after, name), check=True)
    assert path.read_bytes() == after


@pytest.mark.parametrize("seed", range(20))
def test_random_changes(work: Path, seed: int) -> None:
    dice = random.Random(seed)
    pieces = [b"a\n", b"b\r\n", b"c\r", b"\n", b"d"]
    before = b"".join(dice.choices(pieces, k=40))
    after = b"".join(dice.choice([piece, b"x\n", b""]) for piece in before.splitlines(keepends=True))
    (work / "a.py").write_bytes(before)
    difference = unified_diff(before, after, str(work / "a.py"))
    assert difference.startswith(b"--- a/a.py\n+++ b/a.py\n")
    subprocess.run(["git", "apply", "--whitespace=nowarn"], input=difference, check=True)
    assert (work / "a.py").read_bytes() == after


def test_no_change_is_no_diff() -> None:
    assert unified_diff(b"a\n", b"a\n", "a.py") == b""


def test_a_file_outside_the_working_directory(work: Path) -> None:
    (work / "here").mkdir()
    (work / "a.py").write_text("a\n")
    os.chdir(work / "here")
    difference = unified_diff(b"a\n", b"b\n", "../a.py")
    assert difference.startswith(b"--- a" + os.fsencode(work) + b"/a.py\n")
    subprocess.run(["patch", "-p1", "--quiet", "-d", "/"], input=difference, check=True)
    assert (work / "a.py").read_text() == "b\n"
