"""The door to the kernels, the stub that describes them, and wheels with and without them."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

import nprewrite
from nprewrite import reference

REPOSITORY = Path(__file__).resolve().parents[2]
STUB = Path(nprewrite.__file__).with_name("_reference.pyi")
BUILDERS = ("scikit_build_core", "pybind11", "cmake", "ninja")


def test_kernels_by_name(kernels: ModuleType) -> None:
    assert reference.available()
    assert reference.unavailable_because() is None
    assert reference.kernel("mandelbrot") is kernels.mandelbrot
    with pytest.raises(ValueError, match="no reference kernel is called '__doc__'; there are: complex_mult"):
        reference.kernel("__doc__")


def test_a_compiler_and_an_installation_make_kernels() -> None:
    """Where both are there, the other tests of this folder must not be skipped."""
    if shutil.which("c++") is None:
        pytest.skip("there is no C++ compiler")
    try:
        metadata.version("nprewrite")
    except metadata.PackageNotFoundError:
        pytest.skip("nprewrite is not installed")
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


def test_a_source_tree_says_how_to_get_kernels() -> None:
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
    assert out.startswith("reference unavailable: nprewrite runs from its source tree; install it")


def test_a_wheel_without_a_compiler(tmp_path: Path) -> None:
    """The wheel is built, holds the catalogue, works, and says why it has no kernels."""
    missing = [name for name in BUILDERS if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    unwanted = ("CC", "CXX", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    # A search path on which there is no compiler.
    environment["PATH"] = str(Path(sys.executable).parent)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", REPOSITORY, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    built = subprocess.run(build, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "installed")
    assert "nprewrite/_catalogue/masked-store/README.md" in names
    assert "nprewrite/_reference.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyd"))]

    program = """
from nprewrite import jit, reference
print(reference.available(), reference.unavailable_because())
reference.kernel("mandelbrot")
"""
    # Not an installed nprewrite: -I and -S leave out this environment's site-packages.
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {paths(tmp_path)!r}\n{program}"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("False no C++ compiler was found when nprewrite was built")
    assert "ReferenceUnavailable: reference unavailable: no C++ compiler was found when" in ran.stderr


def paths(folder: Path) -> list[str]:
    """The unpacked wheel, and the folder where NumPy is."""
    numpy = importlib.util.find_spec("numpy")
    assert numpy is not None
    assert numpy.origin is not None
    return [str(folder / "installed"), str(Path(numpy.origin).parents[1])]
