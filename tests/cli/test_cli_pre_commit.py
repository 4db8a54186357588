"""The hook, run by pre-commit itself on a real repository."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

SOURCE = """\
import numpy as np


def decay(maxiter):
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):
        m = x > 0.5
        x[m] = x[m] * 0.9
    return x
"""
NOTEBOOK = {
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": SOURCE}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 4,
}
CONFIGURATION = """\
repos:
  - repo: {url}
    rev: {revision}
    hooks:
      - id: {hook}
"""


def _missing(folder: Path) -> str | None:
    """What this machine lacks for the test."""
    if shutil.which("git") is None:
        return "git is not installed"
    if importlib.util.find_spec("pre_commit") is None:
        return "pre-commit is not installed"
    index = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder),
        "scikit-build-core",
    ]
    if subprocess.run(index, capture_output=True, check=False).returncode:
        return "the package index cannot be reached, and the hook's environment is installed from there"
    return None


def _git(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=check)


def _commit(folder: Path, *, check: bool) -> subprocess.CompletedProcess[str]:
    return _git(folder, "commit", "-m", "a change", check=check)


def _repository(folder: Path) -> Path:
    folder.mkdir()
    _git(folder, "init", "--quiet")
    _git(folder, "config", "user.name", "Somebody")
    _git(folder, "config", "user.email", "somebody@example.org")
    return folder


def _snapshot_of_this_tree(folder: Path) -> tuple[Path, str]:
    """A repository that holds the working tree as it is now, and its revision."""
    _repository(folder)
    listed = _git(REPOSITORY, "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    for name in filter(None, listed.split("\0")):
        source, target = REPOSITORY / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    _git(folder, "add", "--all")
    _commit(folder, check=True)
    return folder, _git(folder, "rev-parse", "HEAD").stdout.strip()


def _configure(user: Path, hook: Path, revision: str, name: str) -> None:
    text = CONFIGURATION.format(url=hook, revision=revision, hook=name)
    (user / ".pre-commit-config.yaml").write_text(text)
    _git(user, "add", "--all")


def test_a_commit_fails_after_rewriting_and_then_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = _missing(tmp_path / "download")
    if missing:
        pytest.skip(missing)
    for name in [name for name in os.environ if name.startswith(("GIT_", "PYTHONPATH"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    hook, revision = _snapshot_of_this_tree(tmp_path / "hook")
    user = _repository(tmp_path / "user")
    (user / "decay.py").write_text(SOURCE)
    (user / "legacy.py").write_text(SOURCE)
    (user / "pyproject.toml").write_text('[tool.nprewrite]\nexclude = ["legacy.py"]\n')
    (user / "notes.txt").write_text("x[m] = 1\n")
    (user / "decay.ipynb").write_text(json.dumps(NOTEBOOK))
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=user, capture_output=True, check=True)

    _configure(user, hook, revision, "nprewrite-check")
    checked = _commit(user, check=False)
    assert checked.returncode != 0, checked.stderr
    assert "would change decay.py" in checked.stderr
    assert "files were modified by this hook" not in checked.stderr
    assert (user / "decay.py").read_text() == SOURCE

    _configure(user, hook, revision, "nprewrite")
    first = _commit(user, check=False)
    assert first.returncode != 0, first.stderr
    assert "files were modified by this hook" in first.stderr
    assert "decay.py:6:5 NPR401 rewritten" in first.stderr
    assert "@npr.step(" in (user / "decay.py").read_text()
    assert "@npr.step(" in (user / "decay.ipynb").read_text()
    assert (user / "notes.txt").read_text() == "x[m] = 1\n"
    assert (user / "legacy.py").read_text() == SOURCE

    _git(user, "add", "--all")
    second = _commit(user, check=False)
    assert second.returncode == 0, second.stderr
    assert "Passed" in second.stderr

    (user / "more.txt").write_text("a line\n")
    _configure(user, hook, revision, "nprewrite-check")
    third = _commit(user, check=False)
    assert third.returncode == 0, third.stderr

    installed = {path.name for path in (tmp_path / "cache").glob("**/site-packages/*")}
    assert "nprewrite" in installed
    assert "torch" not in installed
