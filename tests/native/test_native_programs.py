"""The catalogue's programs through Numba, and loops under the decorator."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

import nprewrite
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime import Native

CATALOGUE = Path(__file__).parents[2] / "passes" / "native-loop" / "rewrites"

# Each function takes some seconds to compile.
CASES = ["byte-hash", "numpy-arithmetic", "searches", "sparse-rows", "types-of-results"]


def load(path: Path) -> ModuleType:
    """Run a file as a module."""
    module = ModuleType(f"native_{path.parent.name}_{path.stem}".replace("-", "_"))
    exec(compile(path.read_bytes(), path, "exec"), vars(module))
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_catalogue(name: str, tmp_path: Path) -> None:
    before = load(CATALOGUE / name / "before.py")
    path = tmp_path / "after.py"
    path.write_text(rewrite_source((CATALOGUE / name / "before.py").read_text(), "before.py", Options()).text)
    after = load(path)
    for function, given, *_ in before.cases():
        assert Outcome.of(getattr(after, function), given) == Outcome.of(getattr(before, function), given)
    compiled = [each for each in vars(after).values() if isinstance(each, Native)]
    ran = {each.function.__name__: dict(each.runs) for each in compiled}
    # The product of the numbers up to 59 has no 64 bits: that loop always runs as written.
    assert all(runs.get("compiled") for loop, runs in ran.items() if loop != "_without_bound_loop"), ran
    assert ran


@nprewrite.jit
def smooth(x: Any, weight: Any) -> Any:
    last = x[0]
    for i in range(1, len(x)):
        last = weight * last + (1 - weight) * x[i]
        x[i] = last
    return last


def test_decorated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The types of the arguments come from the call; the answers are those of the function as written."""
    monkeypatch.setattr(import_module("nprewrite.decorated.turns"), "ALWAYS", "rewritten", raising=True)
    for x in (np.linspace(0, 1, 50), np.linspace(0, 1, 50, dtype=np.float32)):
        given = (x, 0.25)
        assert Outcome.of(smooth, given) == Outcome.of(smooth.original, given)
        assert "ran 1 x compiled" in str(smooth.report())
    assert Outcome.of(smooth, ([1.0, 2.0], 0.5)) == Outcome.of(smooth.original, ([1.0, 2.0], 0.5))


MODULE = """
import numpy as np

x = np.linspace(0.0, 1.0, 50)
total, count, where, best = 0.0, 0, None, -1.0
for i in range(len(x)):
    total += x[i] * 0.5
    if x[i] > best:
        best, where = x[i], i
while count < 90:
    count += 1
    rest = count % 7
for row in range(12):
    last = total * row
"""


def test_who_imports_a_module_reads_what_its_loops_set(tmp_path: Path) -> None:
    """Nothing in the module reads these names; only what a loop may leave unset is dropped."""
    paths = tmp_path / "before.py", tmp_path / "after.py"
    rewritten = rewrite_source(MODULE, "after.py", Options()).text
    for path, text in zip(paths, (MODULE, rewritten), strict=True):
        path.write_text(text)
    assert "@npr.native" in rewritten
    before, after = (vars(load(path)) for path in paths)
    for name in ("total", "count", "where", "best", "row", "last"):
        assert type(after[name]) is type(before[name]), name
        assert after[name] == before[name], name
