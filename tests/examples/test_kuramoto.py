"""The lattice of oscillators: its two right-hand sides agree, and its pictures are written."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "kuramoto.py"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("kuramoto_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    return module


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_both_solvers_agree(program: ModuleType, dtype: str) -> None:
    naive, slices = (kind(12, 1.0, dtype=dtype) for kind in (program.Naive, program.Slices))
    u, wanted = naive.integrate(), slices.integrate()
    assert u.dtype == wanted.dtype == dtype
    np.testing.assert_allclose(u, wanted, rtol=200 * np.finfo(dtype).eps)
    report = [(site.code, site.verdict) for site in vars(program.Naive)["dudt"].report().sites]
    assert {("NPR405", "rewritten"), ("NPR302", "rewritten"), ("NPR603", "rewritten")} <= set(report)
    assert vars(program.Naive)["dudt"].source.count(".over(") == 1


@pytest.mark.parametrize("name", ["phases.png", "phases.gif"])
def test_pictures(program: ModuleType, tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    solver = program.Slices(16, 2.0, record=True)
    solver.integrate()
    assert len(solver.frames) == 20
    program.picture(solver.frames, str(tmp_path / name))
    assert (tmp_path / name).stat().st_size > 1000
