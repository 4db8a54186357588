"""Imports point downward only, torch is imported when first needed, and each pass stays a page or two."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from nprewrite.engine.pipeline import PASSES

PACKAGE = Path(__file__).parents[1] / "src" / "nprewrite"
ROOMS = (
    "base",
    "numpy_api",
    "lowering",
    "runtime",
    "source",
    "types",
    "program",
    "analysis",
    "regions",
    "emit",
    "passes",
    "engine",
    "files",
    "config",
    "comparison",
    "decorated",
    "verification",
    "benching",
    "explaining",
    "loading",
    "watching",
    "shipping",
    "profiling",
    "reference",
    "notebook",
    "cli",
    "codemod",
)
"""The folders of the package, from the lowest."""
REWRITER = ROOMS[ROOMS.index("source") : ROOMS.index("engine") + 1]
LOOSE = {"__init__", "__main__"}
LONGEST_PASS = 350

MODULES = sorted(PACKAGE.rglob("*.py"))
PASS_FILES = sorted((PACKAGE / "passes").glob("*.py"))
PASS_MODULES = {type(each).__module__.rpartition(".")[2] for each in PASSES}


@cache
def imported(path: Path) -> list[tuple[str, ...]]:
    """The modules of nprewrite that a module imports anywhere, as the parts after ``nprewrite``."""
    found: list[tuple[str, ...]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} is a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found += [tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "nprewrite"]
    return found


def room(path: Path) -> str:
    """The folder of the package that a module lies in; its own name at the top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def rooms_used(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    return {parts[0] for parts in imported(path) if parts and parts[0] in ROOMS}


def test_no_module_lies_loose() -> None:
    assert {room(path) for path in MODULES} == {*ROOMS, *LOOSE}


def test_the_page_of_the_house_shows_each_room() -> None:
    page = (PACKAGE.parents[1] / "docs" / "contributing" / "house.md").read_text(encoding="utf-8")
    shown = re.findall(r"^(\w+)  +\S", page.split("```")[1], re.MULTILINE)
    assert shown == [*reversed(ROOMS)]


@pytest.mark.parametrize("path", [each for each in MODULES if room(each) in ROOMS], ids=named)
def test_imports_point_downward(path: Path) -> None:
    assert rooms_used(path) <= {*ROOMS[: ROOMS.index(room(path)) + 1]}


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {path.relative_to(PACKAGE).with_suffix("").parts: path for path in MODULES}
    needed = {
        named(path): {named(modules[_file(each, modules)]) for each in imported(path)} - {named(path)}
        for path in MODULES
    }
    TopologicalSorter(needed).prepare()


def _file(parts: tuple[str, ...], modules: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """Where an imported name is: a module, a package, or something in one of them."""
    places = (parts, (*parts, "__init__"), parts[:-1], (*parts[:-1], "__init__"))
    return next(each for each in places if each in modules)


@pytest.mark.parametrize("path", [each for each in MODULES if room(each) in REWRITER], ids=named)
def test_the_rewriter_needs_no_runtime(path: Path) -> None:
    assert rooms_used(path) <= {*REWRITER, "base", "numpy_api", "lowering"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "files").glob("*.py")), ids=named)
def test_files_need_the_rewriter_only(path: Path) -> None:
    assert rooms_used(path) <= {"files", "engine", "source", "base"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "config").glob("*.py")), ids=named)
def test_configuration_needs_the_rewriter_only(path: Path) -> None:
    assert rooms_used(path) <= {"config", "engine", "passes", "types"}


@pytest.mark.parametrize("path", PASS_FILES, ids=lambda path: path.stem)
def test_passes_do_not_import_each_other(path: Path) -> None:
    assert not PASS_MODULES & {parts[1] for parts in imported(path) if parts[0] == "passes"}


@pytest.mark.parametrize("path", PASS_FILES, ids=lambda path: path.stem)
def test_passes_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_PASS


ADAPTERS = {PACKAGE / "runtime" / "torch" / "private.py", PACKAGE / "runtime" / "device" / "private.py"}


@pytest.mark.parametrize("path", [each for each in MODULES if each not in ADAPTERS], ids=named)
def test_private_names_of_torch_are_in_the_adapters_only(path: Path) -> None:
    assert [*_private_names(path)] == []


@pytest.mark.parametrize("adapter", ["nprewrite.runtime.torch.private", "nprewrite.runtime.device.private"])
def test_torch_has_the_names_of_the_adapters(adapter: str) -> None:
    module = import_module(adapter)
    assert module._NAMES
    for name in module._NAMES:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018 (asking is what raises)


def _private_names(path: Path) -> Iterator[str]:
    """Names of torch with a part that begins with an underscore: imported, looked up, or as text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [ast.unparse(node)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            names = [node.value]
        else:
            continue
        yield from (name for name in names if re.match(r"torch\.(\w+\.)*_(?!_)|_(dynamo|inductor)_", name))


@pytest.mark.parametrize("module", ["nprewrite", "nprewrite.runtime", "nprewrite.cli"])
def test_torch_is_not_imported(module: str) -> None:
    assert _leaves_alone(module, "torch")


def test_the_runtime_needs_no_libcst() -> None:
    assert _leaves_alone("nprewrite.runtime", "libcst")


def _leaves_alone(module: str, other: str) -> bool:
    """Whether a process that imports a module has not imported the other one."""
    program = f"import sys, {module}; sys.exit('{other}' in sys.modules)"
    return subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
