"""Statements that store into an array and read other parts of it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns
from nprewrite.decorated.jitted import Jitted

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

PROGRAM = """
import numpy as np


def shifted(x, k):
    x[k:] += 0.5 * x[:-k] - x[k:] * x[0]


def floyd(x, k):
    for i in range(len(x)):
        x[:] = np.minimum(x, np.add.outer(x[:, i], x[i, :]))


def eliminated(x, k):
    for i in range(k):
        x[i + 1 :, i + 1 :] -= np.outer(x[i + 1 :, i], x[i, i + 1 :]) / (1 + x[i, i] * x[i, i])


def transposed(x, k):
    x += x.T * 0.5


def named_twice(x, k):
    m = 0.5 * x
    f = m
    g = m**2 / (1 + m * m)
    h = np.exp(-g) * (g - m) + x
    c = np.maximum(np.sqrt(1.4 * h / x), np.abs(h))
    f -= c * 0.25 * (x - g)
    h -= c * 0.25 * (x * g - h)
    return f, g, h, m


def named_twice_and_read(x, k):
    m = 0.5 * x
    f = m
    g = m**2 / (1 + m * m)
    c = np.maximum(np.sqrt(1.4 * x + m), np.abs(g))
    f -= c * 0.25 * (x - g)
    h = np.sqrt(x) * g - m * c
    return f, g, h, m


def read_again(x, k):
    v = x[k:]
    x[:-k] = v * 2 + 1
    y = np.sqrt(v * v) + 1
    return y


def stored_twice(x, k):
    v, w = x[k:], x[:-k]
    v += w * 0.5 + 1
    w += v * 0.5 + 1
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    path = tmp_path / "overlaps.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location("overlaps_program", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.filterwarnings("ignore::nprewrite.base.errors.NprewriteWarning")
@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("shifted", True),
        ("floyd", True),
        ("eliminated", True),
        ("transposed", True),
        ("named_twice", True),
        ("named_twice_and_read", False),
        ("read_again", False),
        ("stored_twice", False),
    ],
)
def test_parts_of_one_array(program: Any, name: str, runs: bool) -> None:
    """They run as a step where everything is read before the store, and else as written."""
    original = getattr(program, name)
    decorated: Jitted[..., Any] = nprewrite.jit(original)
    x = np.random.default_rng(6).random((9, 9))
    wanted, found = x.copy(), x.copy()
    np.testing.assert_array_equal(decorated(found, 2), original(wanted, 2))
    np.testing.assert_allclose(found, wanted, rtol=1e-13)
    assert any("x numpy" in line for line in decorated.report().steps) == runs
