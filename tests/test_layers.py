"""Imports point downward only, torch is imported when first needed, and each pass stays a page or two."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nprewrite.rewrite.pipeline import PASSES

PACKAGE = Path(__file__).parents[1] / "src" / "nprewrite"
LAYERS = ("lowering", "source", "facts", "passes", "rewrite")
LONGEST_PASS = 350

MODULES = [path for name in LAYERS for path in sorted((PACKAGE / name).glob("*.py"))]
PASS_FILES = sorted((PACKAGE / "passes").glob("*.py"))
PASS_MODULES = {type(each).__module__.rpartition(".")[2] for each in PASSES}


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """The modules of nprewrite that a module imports anywhere, as the parts after ``nprewrite``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} is a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "nprewrite")


def layer(path: Path) -> str:
    """The folder of the package that a module lies in; its own name at the top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downward(path: Path) -> None:
    below = {*LAYERS[: LAYERS.index(layer(path)) + 1], "errors"}
    assert {parts[0] for parts in imported(path)} <= below


@pytest.mark.parametrize("path", sorted((PACKAGE / "runtime").glob("*.py")), ids=lambda path: path.stem)
def test_runtime_stands_alone(path: Path) -> None:
    assert {parts[0] for parts in imported(path)} <= {"runtime", "lowering", "errors", "cachedir", "forks"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "files").glob("*.py")), ids=lambda path: path.stem)
def test_files_need_the_rewriter_only(path: Path) -> None:
    assert {parts[0] for parts in imported(path)} <= {"files", "rewrite", "cells", "errors"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "config").glob("*.py")), ids=lambda path: path.stem)
def test_configuration_needs_the_rewriter_only(path: Path) -> None:
    assert {parts[0] for parts in imported(path)} <= {"config", "rewrite"}


BELOW_VERIFICATION = [*MODULES, *sorted((PACKAGE / "runtime").glob("*.py")), PACKAGE / "turns.py"]


@pytest.mark.parametrize("path", BELOW_VERIFICATION, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_below_imports_verification(path: Path) -> None:
    assert not {"verification", "benching"} & {parts[0] for parts in imported(path)}


@pytest.mark.parametrize("path", PASS_FILES, ids=lambda path: path.stem)
def test_passes_do_not_import_each_other(path: Path) -> None:
    assert not PASS_MODULES & {parts[1] for parts in imported(path) if parts[0] == "passes"}


@pytest.mark.parametrize("path", PASS_FILES, ids=lambda path: path.stem)
def test_passes_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_PASS


@pytest.mark.parametrize("module", ["nprewrite", "nprewrite.runtime", "nprewrite.cli"])
def test_torch_is_not_imported(module: str) -> None:
    program = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
