"""The door to the kernels, the stub that describes them, and the wheel of nprewrite, which has none."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from nprewrite import reference

REPOSITORY = Path(__file__).resolve().parents[2]
STUB = REPOSITORY / "cpp" / "nprewrite_reference.pyi"


def test_kernels_by_name(kernels: ModuleType) -> None:
    assert reference.available()
    assert reference.unavailable_because() is None
    assert reference.kernel("mandelbrot") is kernels.mandelbrot
    with pytest.raises(ValueError, match="no reference kernel is called '__doc__'; there are: complex_mult"):
        reference.kernel("__doc__")


def test_a_compiler_and_an_environment_of_make_have_kernels() -> None:
    """Where both are there, the other tests of this folder must not be skipped."""
    if shutil.which("c++") is None:
        pytest.skip("there is no C++ compiler")
    if not (Path(sys.prefix) / ".reference").exists():
        pytest.skip("the environment is not one of make's")
    assert reference.unavailable_because() is None


def test_the_stub_names_what_there_is(kernels: ModuleType) -> None:
    described: dict[str, list[str]] = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            described[node.name] = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
    built: dict[str, list[str]] = {}
    for name in (each for each in vars(kernels) if not each.startswith("_")):
        signature = ast.parse(f"def {vars(kernels)[name].__doc__.splitlines()[0]}: ...").body[0]
        assert isinstance(signature, ast.FunctionDef)
        built[name] = [each.arg for each in (*signature.args.args, *signature.args.kwonlyargs)]
    assert described == built


def test_without_the_kernels_the_message_says_how_to_get_them() -> None:
    """Isolated (-I) and without site-packages (-S) there is only the source tree."""
    program = f"""
import sys
sys.path.insert(0, {str(REPOSITORY / "src")!r})
from nprewrite import reference
assert not reference.available()
try:
    reference.kernel("mandelbrot")
except reference.ReferenceUnavailable as error:
    print(error)
"""
    command = [sys.executable, "-I", "-S", "-c", program]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out == (
        "reference unavailable: the C++ kernels are not installed (pip install nprewrite-reference)\n"
    )


def test_the_wheel_is_pure_and_holds_the_catalogue(tmp_path: Path) -> None:
    """It is built where there is no compiler, and the pages of the passes are printed from it."""
    pytest.importorskip("hatchling")
    unwanted = ("CC", "CXX", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment["PATH"] = str(Path(sys.executable).parent)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", REPOSITORY, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    built = subprocess.run(build, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd", ".pyc"))]
        archive.extractall(tmp_path / "installed")
    # -P leaves the current folder out: the package comes from the unpacked wheel alone.
    command = [sys.executable, "-P", "-m", "nprewrite", "pass", "masked-store"]
    environment["PYTHONPATH"] = str(tmp_path / "installed")
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    page = REPOSITORY / "passes/masked-store/README.md"
    assert printed.strip() == page.read_text(encoding="utf-8").strip()
