"""Where filters make warnings errors, nprewrite's own end no program, nor does its reading of the text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
import numpy as np
import numpy.typing as npt
import nprewrite


@nprewrite.jit
def relax(x: npt.NDArray[np.float64], n: int):
    "As in \\d."
    if n is 0:
        return x
    for _ in range(n):
        x[...] = x * 0.5
    return x
"""
MAIN = """
import numpy as np
import relaxation

x = np.lib.stride_tricks.as_strided(np.ones(1), (9000,), (0,))
relaxation.relax(x, 3)
relaxation.relax(x, 3)
print("ended well")
"""
PLAIN = MODULE.replace("import nprewrite\n", "").replace("@nprewrite.jit\n", "")
DOORS = {
    "decorator": (MODULE, MAIN, ["-W", "error", "main.py"]),
    "environment": (MODULE, MAIN, ["main.py"]),
    "install": (
        PLAIN,
        MAIN.replace(
            "import relaxation", "import nprewrite; nprewrite.install('relaxation')\nimport relaxation"
        ),
        ["-W", "error", "main.py"],
    ),
    "run": (PLAIN, MAIN, ["-W", "error", "-m", "nprewrite", "run", "main.py"]),
    "pytest": (
        MODULE,
        MAIN,
        ["-m", "pytest", "-W", "error", "-p", "no:cacheprovider", "-s", "test_main.py"],
    ),
}


def python(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {"NPREWRITE_CACHE_DIR": str(folder / "cache"), "NPREWRITE_DISABLE": "1"}
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=known | own | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("door", DOORS)
def test_a_program_that_ends_well(tmp_path: Path, door: str) -> None:
    module, main, arguments = DOORS[door]
    (tmp_path / "relaxation.py").write_text(module)
    (tmp_path / "main.py").write_text(main)
    (tmp_path / "test_main.py").write_text("def test_main():\n    import main\n")
    # Python warns of the text where it compiles it, once; what follows reads what it has compiled.
    python(tmp_path, "-c", "import relaxation")
    environment = {"PYTHONWARNINGS": "error"} if door == "environment" else {}
    done = python(tmp_path, *arguments, **environment)
    assert "ended well" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    assert done.stderr.count("NprewriteWarning: ") == 1
    assert "has strides (0,)" in done.stderr


@pytest.mark.parametrize(("module", "arguments"), [(MODULE, []), (PLAIN, ["-m", "nprewrite", "run"])])
def test_the_file_is_warned_of_as_python_does(tmp_path: Path, module: str, arguments: list[str]) -> None:
    (tmp_path / "relaxation.py").write_text(module)
    (tmp_path / "main.py").write_text(MAIN)
    first, second = (python(tmp_path, *arguments, "main.py").stderr for _ in range(2))
    line = 1 + module.splitlines().index("    if n is 0:")
    assert first.count("SyntaxWarning") == 1
    assert f"relaxation.py:{line}: SyntaxWarning" in first
    assert "SyntaxWarning" not in second
