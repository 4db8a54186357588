"""Programs as people write simulations, run as written and rewritten: do they save the same arrays?

Each is a script that saves what it computed where its first argument says. It is rewritten by the
command line, with and without a look at its run, and runs once more with all functions and methods decorated.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nprewrite

PROGRAMS = Path(__file__).parent / "programs"

REWRITTEN = {
    "plate": ["NPR401 rewritten: the loop runs through `_module_step`", "`C`, `Z` held as two real arrays"],
    "wave": [],
    "life": ["NPR101 refused[second-index]"],
    "flock": [],
    "diary": ["NPR401 refused[loop-control]", "NPR401 refused[scalar-carried]"],
    "ensemble": ["NPR101 refused[not-local]"],
    "stateful": ["NPR401 rewritten", "NPR401 refused[unknown-call]"],
}
"""Lines of the report of each program."""

OBSERVED = {
    "wave": ["observed 6 calls of run(steps: int)"],
    "life": ["observed 36 calls of iterate(Z: int64[2 axes])"],
    "flock": [
        "observed 5 calls of Flock.limit(self: Flock, vectors: float64[2 axes], most: float)",
        "NPR401 deferred: the attributes of `self` are only known at a call",
    ],
    "ensemble": [
        "observed 1 call of meter(limit: float)",
        "NPR401 deferred: the type of `v` is not known: the attributes of `self` are only known at a call",
    ],
    "stateful": ["observed 60 calls of laplacian(Z: float64[2 axes] or float32[2 axes])"],
}
"""Lines of the report with ``--observe``, of the programs that have functions."""

RAN = {
    "plate": [],
    "wave": ["ran 5 x numpy", "ran 5 x numpy"],
    "life": ["ran 8 x numpy"],
    "flock": ["ran 4 x numpy", "ran 4 x numpy"],
    "diary": [],
    "ensemble": ["ran 1 x numpy", "ran "],
    "stateful": ["ran ", "ran "],
}
"""Steps that run in each program with decorated functions."""


def python(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with the package under test; steps run in NumPy, so that only the rewriting is judged."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(nprewrite.__file__).parents[1]),
        "NPREWRITE_CACHE_DIR": str(cwd / "cache"),
        "NPREWRITE_DISABLE": "1",
    }
    done = subprocess.run([sys.executable, *words], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def saved(folder: Path, name: str, text: str) -> tuple[dict[str, np.ndarray], str]:
    """The arrays that a program saves, and what it prints."""
    (folder / f"{name}.py").write_text(text)
    printed = python(f"{name}.py", "saved.npz", cwd=folder).stdout
    with np.load(folder / "saved.npz") as arrays:
        return dict(arrays), printed


@pytest.fixture(scope="module", params=sorted(REWRITTEN))
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "life":
        pytest.importorskip("matplotlib")
        pytest.importorskip("PIL")
    return str(request.param)


@pytest.fixture(scope="module")
def expected(name: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    return saved(tmp_path_factory.mktemp("written"), name, text_of(name))[0]


def text_of(name: str) -> str:
    return (PROGRAMS / f"{name}.py").read_text()


def assert_same(found: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    assert found.keys() == expected.keys()
    for key, before in expected.items():
        after = found[key]
        assert (after.dtype, after.shape) == (before.dtype, before.shape), key
        if before.dtype == np.complex64:
            # Of complex numbers the parts are rounded in another order, which iterating multiplies.
            agree = np.isclose(after, before, rtol=1e-3)
            assert agree.mean() > 0.99, key
        else:
            np.testing.assert_array_equal(after, before, err_msg=key)


def test_rewritten(name: str, expected: dict[str, np.ndarray], tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text(text_of(name))
    report = python("-m", "nprewrite", f"{name}.py", cwd=tmp_path).stdout
    for line in REWRITTEN[name]:
        assert line in report
    found, _ = saved(tmp_path, name, (tmp_path / f"{name}.py").read_text())
    assert_same(found, expected)


def test_observed(name: str, expected: dict[str, np.ndarray], tmp_path: Path) -> None:
    if name not in OBSERVED:
        pytest.skip("it calls no function of its own")
    (tmp_path / f"{name}.py").write_text(text_of(name))
    command = f"python {name}.py observed.npz"
    report = python("-m", "nprewrite", f"{name}.py", "--observe", command, cwd=tmp_path).stdout
    for line in OBSERVED[name]:
        assert line in report
    found, _ = saved(tmp_path, name, (tmp_path / f"{name}.py").read_text())
    assert_same(found, expected)


def test_decorated(name: str, expected: dict[str, np.ndarray], tmp_path: Path) -> None:
    functions = re.sub(r"(?m)^( *)def (?!__)", r"\1@nprewrite.jit\n\1def ", text_of(name))
    text = f"import nprewrite\n{functions}\nnprewrite.report()\n"
    found, printed = saved(tmp_path, name, text)
    assert_same(found, expected)
    for line in RAN[name]:
        assert line in printed
