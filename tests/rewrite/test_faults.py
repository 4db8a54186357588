"""A mistake in a pass is no fault of the user's: his code runs as written, and one line names the pass."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from nprewrite.errors import NprewriteWarning
from nprewrite.rewrite.outcomes import InternalError, Options
from nprewrite.rewrite.pipeline import PASSES, rewrite_source

PROGRAM = """
import numpy as np
import nprewrite

@nprewrite.jit
def decay(u, trips):
    for n in range(trips):
        u = 0.5 * u + 1.0
    return u
"""
NAMES = [each.name for each in PASSES if each.name != "float32"]


@pytest.fixture
def faulty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a pass that makes a mistake in every function."""
    name: str = request.param
    made = next(each for each in PASSES if each.name == name)

    def match(self: Any, function: Any) -> Iterator[Any]:
        raise KeyError("injected")

    monkeypatch.setattr(type(made), "match", match)
    return name


def loaded(folder: Path) -> ModuleType:
    path = folder / "decaying.py"
    path.write_text(PROGRAM, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("decaying", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_the_rewriter_names_the_pass(faulty: str) -> None:
    with pytest.raises(InternalError, match=f"pass {faulty} .*KeyError: 'injected'"):
        rewrite_source(PROGRAM, "decaying.py", Options())


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_a_decorated_function_runs_as_written(faulty: str, tmp_path: Path) -> None:
    def called() -> None:
        module = loaded(tmp_path)
        for _ in range(3):
            np.testing.assert_array_equal(module.decay(np.ones(3), 4), module.decay.original(np.ones(3), 4))

    with pytest.warns(NprewriteWarning) as told:
        called()
    (line,) = [str(each.message) for each in told if "fault of nprewrite" in str(each.message)]
    assert f"pass {faulty}" in line
    assert "report" in line


INJECTED = """
import sys
from nprewrite.passes.extract_step import ExtractStep
def match(self, function):
    raise KeyError("injected")
ExtractStep.match = match
from nprewrite.cli import main
sys.exit(main())
"""


def test_the_command_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "decaying.py"
    text = PROGRAM.replace("@nprewrite.jit\n", "").replace("import nprewrite\n", "")
    path.write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", INJECTED, str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 4
    assert "pass extract-step" in ran.stdout + ran.stderr
    assert path.read_text(encoding="utf-8") == text


def test_a_program_runs_as_written(tmp_path: Path) -> None:
    program = PROGRAM.replace("@nprewrite.jit\n", "").replace("import nprewrite\n", "")
    (tmp_path / "main.py").write_text(f"{program}\nprint(decay(np.ones(2), 3))\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", INJECTED, "run", "main.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "[1.875 1.875]\n"
    assert ran.stderr.count("pass extract-step") == 1
