"""Scripts from fifty places of science, by people who do not know nprewrite: the same through its doors.

They run at their small size, in forks of one process, with steps in NumPy: what is judged is the rewriting.
Each goes through one door, the doors in turn; ``doors.py FOLDER science/*.py`` takes all through all.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nprewrite

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "science").glob("*.py"))
DOORS = {each.stem: ("run", "rewritten", "decorated")[number % 3] for number, each in enumerate(SCRIPTS)}
RTOL = 1e-6
"""Complex parts and roots are rounded in another order, which iterating multiplies."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what every script saves and prints."""
    folder = tmp_path_factory.mktemp("science")
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(nprewrite.__file__).parents[1]),
        "NPREWRITE_CACHE_DIR": str(folder / "cache"),
        "NPREWRITE_DISABLE": "1",
    }
    words = [f"{each}::{DOORS[each.stem]}" for each in SCRIPTS]
    command = [sys.executable, str(HERE / "doors.py"), str(folder), *words]
    subprocess.run(command, env=environment, check=True)
    return folder


@pytest.mark.parametrize(("name", "door"), DOORS.items())
def test_same_arrays(saved: Path, name: str, door: str) -> None:
    printed = (saved / f"{name}.{door}.txt").read_text()
    assert printed.splitlines()[-1] == "0", printed
    with np.load(saved / f"{name}.written.npz") as before, np.load(saved / f"{name}.{door}.npz") as after:
        assert after.files == before.files
        for key in before.files:
            assert_same(after[key], before[key], key)


def assert_same(found: np.ndarray, expected: np.ndarray, key: str) -> None:
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), key
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected, err_msg=key)
        return
    scale = np.nanmax(np.abs(expected), initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=RTOL * scale, err_msg=key)
