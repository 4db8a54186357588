"""Types that only a run shows: attributes, generators, containers, closures."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from nprewrite import turns
from nprewrite.rewrite import Outcome

PROGRAM = """
import numpy as np
import nprewrite


def slope(x, k):
    return -k * np.sort(x)


class Model:
    limit = 2.0

    def __init__(self, size):
        self.u = np.linspace(0.0, 1.0, size)
        self.rate = 0.25
        self.__hidden = 3.0

    def force(self):
        return self.u * self.limit

    @nprewrite.jit
    def energy(self, weights):
        return np.sqrt(self.u * self.u + self.rate) * weights - self.__hidden

    @nprewrite.jit
    def advance(self, dt):
        self.u = self.u + dt * (self.force() - self.u * self.u)
        return self.u


class Child(Model):
    @nprewrite.jit
    def energy(self, weights):
        return super().energy(weights) * weights + weights * 2


@nprewrite.jit
def noisy(rng, size, table):
    x = rng.normal(size=size)
    y = x * x + table["scale"] * x
    return y - x * 0.5


@nprewrite.jit
def relaxed(x, steps):
    for _ in range(steps):
        x = x + 0.1 * slope(x, 2.0) * x
    return x


@nprewrite.jit
def totals(parts):
    found = []
    for part in parts:
        found.append((part * part + part).sum())
    return found


def bent(x, k):
    return k * x * x


def integrated(f, x, steps):
    for n in range(steps):
        x = x + 0.1 * f(x, n * 0.5)
    return x


integrated = nprewrite.jit(integrated)


def shifted(offset):
    calls = 0

    @nprewrite.jit
    def inner(x, scale=offset + 1.0):
        nonlocal calls
        calls += 1
        return (x * x + offset * x) * scale, calls

    return inner
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    path = tmp_path / "observed_program.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location("observed_program", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "observed_program", made)
    spec.loader.exec_module(made)
    return made


def regions(function: Any) -> int:
    return sum(
        site.code == "NPR603" and site.outcome is Outcome.REWRITTEN for site in function.report().sites
    )


def test_generator_and_table(module: ModuleType) -> None:
    table = {"scale": np.arange(6.0)}
    expected = module.noisy.original(np.random.default_rng(3), 6, table)
    for _ in range(3):
        np.testing.assert_array_equal(module.noisy(np.random.default_rng(3), 6, table), expected)
    assert regions(module.noisy) == 1
    assert "table_scale = table[" in module.noisy.source


def test_call_inside_of_an_expression(module: ModuleType) -> None:
    x = np.linspace(0.1, 1, 9)
    expected = module.relaxed.original(x, 4)
    for _ in range(3):
        np.testing.assert_array_equal(module.relaxed(x, 4), expected)
    assert regions(module.relaxed) == 1


def test_elements_of_a_list(module: ModuleType) -> None:
    parts = [np.arange(4.0), np.arange(7.0)]
    for _ in range(3):
        assert module.totals(parts) == module.totals.original(parts)
    assert regions(module.totals) == 1
    mixed = [np.arange(4.0), np.arange(4), 3.0]
    with pytest.raises(AttributeError, match="sum"):
        module.totals(mixed)
    assert module.totals(mixed[:2]) == module.totals.original(mixed[:2])


def test_attributes(module: ModuleType) -> None:
    model, same = module.Model(8), module.Model(8)
    weights = np.linspace(1, 2, 8)
    for _ in range(3):
        np.testing.assert_array_equal(model.energy(weights), module.Model.energy.original(same, weights))
        np.testing.assert_array_equal(model.advance(0.1), module.Model.advance.original(same, 0.1))
    assert regions(module.Model.energy) == 1
    assert regions(module.Model.advance) >= 1


def test_super(module: ModuleType) -> None:
    child, weights = module.Child(5), np.linspace(1, 2, 5)
    expected = module.Child.energy.original(child, weights)
    for _ in range(3):
        np.testing.assert_array_equal(child.energy(weights), expected)


def test_variables_of_the_function_around(module: ModuleType) -> None:
    inner, x = module.shifted(0.5), np.arange(5.0)
    for call in (1, 2, 3):
        result, calls = inner(x)
        np.testing.assert_array_equal(result, (x * x + 0.5 * x) * 1.5)
        assert calls == call
    assert regions(inner) == 1
    other = module.shifted(2.0)
    np.testing.assert_array_equal(other(x)[0], (x * x + 2.0 * x) * 3.0)


def test_traceback_of_the_observed_call_shows_the_users_line(module: ModuleType) -> None:
    with pytest.raises(KeyError) as caught:
        module.noisy(np.random.default_rng(3), 6, {})
    assert 'y = x * x + table["scale"] * x' in "".join(traceback.format_exception(caught.value))


def test_forced_side_is_observed_on_copies(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    rng, twin = np.random.default_rng(3), np.random.default_rng(3)
    table = {"scale": np.arange(6.0)}
    np.testing.assert_array_equal(module.noisy(rng, 6, table), module.noisy.original(twin, 6, table))
    assert rng.random() == twin.random()


def test_works_without_being_disabled(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NPREWRITE_DISABLE")
    table = {"scale": np.arange(6.0)}
    expected = module.noisy.original(np.random.default_rng(3), 6, table)
    for _ in range(3):
        np.testing.assert_array_equal(module.noisy(np.random.default_rng(3), 6, table), expected)


def test_function_as_argument(module: ModuleType) -> None:
    x = np.linspace(0.1, 1, 9)
    for _ in range(2):
        np.testing.assert_array_equal(
            module.integrated(module.bent, x, 5), module.integrated.original(module.bent, x, 5)
        )
    assert "bent" not in module.integrated.source
    assert "_integrated_step.over(" in module.integrated.source


def test_function_that_is_replaced(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0.1, 1, 9)
    first = module.integrated(module.bent, x, 5)
    other = module.integrated(module.slope, x, 5)
    np.testing.assert_array_equal(other, module.integrated.original(module.slope, x, 5))
    monkeypatch.setattr(module, "bent", lambda x, k: x * 0 + k)
    np.testing.assert_array_equal(
        module.integrated(module.bent, x, 5), module.integrated.original(module.bent, x, 5)
    )
    monkeypatch.undo()
    assert first.dtype == np.float64
