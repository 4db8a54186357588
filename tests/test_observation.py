"""Types that only a run shows: attributes, generators, containers, closures."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import traceback
import warnings
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.analysis.called_once import is_called_once, is_called_seldom
from nprewrite.decorated import observing, rewriting, turns
from nprewrite.engine.outcomes import Outcome

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


class Wave:
    def __init__(self, size):
        self.u = np.sin(np.linspace(0, 3, size))
        self.old = self.u * 0.9
        self.speed, self.time, self.log = 0.3, 0.0, []

    def curvature(self, u):
        out = np.zeros_like(u)
        out[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        return out

    def hold(self):
        self.u[0] = 0
        self.u[-1] = 0

    @nprewrite.jit
    def step(self, dt):
        new = 2 * self.u - self.old + self.speed**2 * dt**2 * self.curvature(self.u)
        self.old = self.u
        self.u = new
        self.u *= 0.999
        self.hold()
        self.time += dt
        self.log.append((self.u * self.u + self.old).max())

    @nprewrite.jit
    def run(self, steps):
        for n in range(steps):
            new = 2 * self.u - self.old + self.speed**2 * self.curvature(self.u)
            self.old = self.u * 0.5
            self.u = new * 0.999
        return self.u.sum()

    @nprewrite.jit
    def add(self, other):
        self.u = self.u * 2 + other.u
        return other.u * other.u - self.u


class Guarded(Wave):
    @property
    def speed(self):
        return 0.25

    @speed.setter
    def speed(self, value):
        pass


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

twice = lambda value: value * 2


@nprewrite.jit
def doubled(x):
    return twice(x) + twice(x * x) - x * 0.5


@nprewrite.jit
def drifted(points, steps):
    for _ in range(steps):
        x, y = points
        x += 0.1 * y
        points = points * 0.5 + y
    return points


class Restarting:
    def __init__(self):
        self.u = np.ones(5)

    def force(self):
        self.u = np.zeros(5)
        return np.arange(5.0)

    @nprewrite.jit
    def pushed(self, dt):
        self.u += dt * self.force() + dt
        return self.u


height = np.ones(5)


def emptied():
    global height
    height = np.zeros(5)
    return np.arange(5.0)


@nprewrite.jit
def filled(dt):
    global height
    height += dt * emptied() + dt
    return height


@nprewrite.jit
def lowered(x, dt):
    def slope():
        nonlocal x
        x = x * 0
        return np.sort(x) + 1

    x = x + dt * slope() * x
    x += dt * slope() * x
    return x


@nprewrite.jit
def smoothed(steps):
    global height
    for n in range(steps):
        height[1:-1] = 0.5 * (height[2:] + height[:-2])
        height *= 0.9


def prepared(kind):
    global heat, cooler
    heat = (np.arange(120).reshape(10, 12) % 7).astype(kind)
    cooler = heat.copy()


table = np.array([[1.0, 0.5], [0.25, 0.125]] * 3).tolist()
weights = np.array(table)


@nprewrite.jit
def diffused():
    global heat, cooler
    for i in range(1, heat.shape[0] - 1):
        for j in range(1, heat.shape[1] - 1):
            around = heat[i - 1, j] + heat[i + 1, j] + heat[i, j - 1] + heat[i, j + 1]
            cooler[i, j] = around / 4 * weights[i % 6, j % 2]
    heat, cooler = cooler, heat


class Table:
    def __init__(self):
        self.values = np.zeros((300, 400))
        self.shown = np.array([1, 2])

    @nprewrite.jit
    def swept(self):
        k = 0
        while self.values[k, 0] < 1:
            for j in range(self.values.shape[1]):
                if j == 7:
                    continue
                if self.values[k, j] > 1:
                    break
                self.values[k, j] += self.shown[0] * j
            self.values[k, 0] = 2
            if k + 1 == len(self.values):
                return self.values.sum(), k
            k += 1


def shifted(offset):
    calls = 0

    @nprewrite.jit
    def inner(x, scale=offset + 1.0):
        nonlocal calls
        calls += 1
        return (x * x + offset * x) * scale, calls

    return inner
"""


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their arrays are small, and stand for large ones."""
    monkeypatch.setattr("nprewrite.regions.native.small_arrays._MOST", 0)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return loaded(PROGRAM, tmp_path, monkeypatch)


def loaded(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    path = tmp_path / "observed_program.py"
    path.write_text(program)
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
    assert "table_scale=table['scale']" in module.noisy.source


def test_a_loop_goes_on_as_written_once_it_has_shown_enough(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class of a relaxation, whose first observed run took five times as long."""
    monkeypatch.delenv("NPREWRITE_DISABLE")
    monkeypatch.setattr(observing, "_MOST_SHOWN", 1000)
    seen: list[int] = []
    note = observing.Observer.__call__

    def counted(self: Any, number: int, value: Any) -> Any:
        seen.append(number)
        return note(self, number, value)

    monkeypatch.setattr(observing.Observer, "__call__", counted)
    table, plain = module.Table(), module.Table()
    assert table.swept() == module.Table.swept.original(plain)
    np.testing.assert_array_equal(table.values, plain.values)
    assert 100 < len(seen) < 5000


def test_call_inside_of_an_expression(module: ModuleType) -> None:
    x = np.linspace(0.1, 1, 9)
    expected = module.relaxed.original(x, 4)
    for _ in range(3):
        np.testing.assert_array_equal(module.relaxed(x, 4), expected)
    assert "NPR409" in {each.code for each in module.relaxed.report().sites}
    assert "sort_value = np.sort(x)" in module.relaxed.source


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
        module.noisy(np.random.default_rng(3), 6, MappingProxyType({}))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.line == 'y = x * x + table["scale"] * x'
    # An empty range of columns would be shown by an empty line.
    assert (last.colno, last.end_colno) == (None, None)


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
    assert "bent(" not in module.integrated.source
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


def test_lambda_that_is_replaced(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.linspace(0.1, 1, 9)
    expected = module.doubled.original(x)
    for _ in range(2):
        np.testing.assert_array_equal(module.doubled(x), expected)
    assert "twice(" not in module.doubled.source
    monkeypatch.setattr(module, "twice", lambda value: value * 3)
    for _ in range(2):
        np.testing.assert_array_equal(module.doubled(x), module.doubled.original(x))
    assert (module.doubled(x) != expected).all()


def state(wave: Any) -> list[Any]:
    return [wave.u, wave.old, wave.time, wave.log]


@pytest.mark.parametrize("kind", ["Wave", "Guarded"])
def test_objects_that_keep_state(module: ModuleType, kind: str) -> None:
    wave, same = getattr(module, kind)(12), getattr(module, kind)(12)
    for _ in range(3):
        wave.step(0.1)
        module.Wave.step.original(same, 0.1)
        for new, old in zip(state(wave), state(same), strict=True):
            np.testing.assert_array_equal(new, old)
    assert regions(module.Wave.step) >= 2


def test_loop_over_state(module: ModuleType) -> None:
    wave, same = module.Wave(12), module.Wave(12)
    for steps in (3, 0, 1):
        assert wave.run(steps) == module.Wave.run.original(same, steps)
        for new, old in zip(state(wave), state(same), strict=True):
            np.testing.assert_array_equal(new, old)
    assert "_run_step.over(" in module.Wave.run.source
    assert "self_u=self.u" in module.Wave.run.source


def test_two_arguments_that_are_one_object(module: ModuleType) -> None:
    wave, same = module.Wave(12), module.Wave(12)
    for _ in range(3):
        result = wave.add(wave)
        np.testing.assert_array_equal(result, module.Wave.add.original(same, same))
        np.testing.assert_array_equal(wave.u, same.u)


def test_method_that_is_replaced(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    wave, same = module.Wave(12), module.Wave(12)
    wave.run(2), module.Wave.run.original(same, 2)
    monkeypatch.setattr(module.Wave, "curvature", lambda self, u: u * 0.5)
    assert wave.run(2) == module.Wave.run.original(same, 2)


def test_rows_of_an_array(module: ModuleType) -> None:
    points = np.arange(8.0).reshape(2, 4)
    for steps in (0, 3, 3):
        mine, theirs = points.copy(), points.copy()
        np.testing.assert_array_equal(module.drifted(mine, steps), module.drifted.original(theirs, steps))
        np.testing.assert_array_equal(mine, theirs)
    with pytest.raises(ValueError, match="unpack"):
        module.drifted(np.ones((3, 4)), 2)


def test_a_call_that_replaces_what_is_added_to(module: ModuleType) -> None:
    for _ in range(3):
        mine, theirs = module.Restarting(), module.Restarting()
        result = mine.pushed(1.0)
        np.testing.assert_array_equal(result, module.Restarting.pushed.original(theirs, 1.0))
        assert result is mine.u


def test_a_call_that_replaces_a_global_array(module: ModuleType) -> None:
    for _ in range(3):
        module.height = np.ones(5)
        np.testing.assert_array_equal(module.filled(1.0), np.arange(2.0, 7.0))
        np.testing.assert_array_equal(module.height, np.arange(2.0, 7.0))


def test_a_call_that_replaces_a_variable_of_the_function(module: ModuleType) -> None:
    for _ in range(3):
        x = np.arange(1.0, 4.0)
        np.testing.assert_array_equal(module.lowered(x, 2.0), [1.0, 2.0, 3.0])


def test_a_loop_that_changes_a_global_array(module: ModuleType) -> None:
    for kind in (np.float64, np.float64, np.float32):
        module.height = np.arange(9, dtype=kind) ** 2
        expected = module.height.copy()
        for _ in range(4):
            expected[1:-1] = 0.5 * (expected[2:] + expected[:-2])
            expected *= 0.9
        held = module.height
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", nprewrite.NprewriteWarning)
            module.smoothed(4)
        assert module.height is held
        np.testing.assert_array_equal(held, expected)
    assert "_smoothed_step.over(" in module.smoothed.source


def test_a_loop_over_arrays_of_the_module_that_another_function_makes(module: ModuleType) -> None:
    """Neither what makes them nor a call's arguments tell what they are; they change places at each call."""
    for kind in (np.float64, np.float32, np.int64):
        module.prepared(kind)
        for _ in range(5):
            module.diffused.original()
        expected = module.heat.copy(), module.cooler.copy()
        module.prepared(kind)
        for _ in range(5):
            module.diffused()
        assert module.heat.dtype == kind
        np.testing.assert_array_equal(module.heat, expected[0])
        np.testing.assert_array_equal(module.cooler, expected[1])
    assert "_diffused_loop(" in module.diffused.source
    module.heat = module.heat.tolist()
    with pytest.raises(AttributeError, match="shape"):
        module.diffused()
    del module.cooler
    module.prepared(np.float64)
    del module.cooler
    with pytest.raises(NameError, match="cooler"):
        module.diffused()


ONCE = """
import numpy as np
import nprewrite


class Pond:
    def __init__(self):
        self.level = np.linspace(0.0, 1.0, 5)


@nprewrite.jit
def main(pond):
    for k in range(20):
        pond.level = pond.level * 0.5 + np.roll(pond.level, 1)
    return pond.level
"""


def test_a_function_that_is_called_once_is_not_rewritten_for_a_call_that_never_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritings: list[str] = []
    rewrite = rewriting.rewrite_source

    def noted(*args: Any) -> Any:
        rewritings.append(args[4])
        return rewrite(*args)

    monkeypatch.setattr(rewriting, "rewrite_source", noted)
    module = loaded(ONCE, tmp_path, monkeypatch)
    results = [module.main(module.Pond())]
    assert rewritings == []
    results.append(module.main(module.Pond()))
    assert rewritings == ["main"]
    assert np.array_equal(*results)


SCRIPT = """
import numpy as np
import nprewrite
from table import read


@nprewrite.jit
def main():
    u = np.linspace(0.0, 1.0, 5000)
    name, rate = read()
    for k in range(20):
        u = u * 0.5 + np.roll(u, 1) * 0.25
    return u, name


if __name__ == "script":
    found = main()
"""


def test_a_function_that_the_script_calls_once_is_rewritten_for_this_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the call would show of ``name`` and ``rate`` comes too late; the text tells the rest."""
    (tmp_path / "table.py").write_text("def read():\n    return 'sea', 0.5\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "script", raising=False)
    module = importlib.import_module("script")
    assert "_main_step.over(" in module.main.source
    assert np.array_equal(module.found[0], module.main.original()[0])


@pytest.mark.parametrize(
    ("uses", "once", "seldom"),
    [
        ("main()", True, True),
        ("sys.exit(main(sys.argv))", True, True),
        ("if __name__ == '__main__':\n    with opened():\n        u = main(3)", True, True),
        ("", False, False),
        ("main()\nmain()", False, True),
        ("for k in range(3):\n    main()", False, False),
        ("for k in (0.1, 0.2):\n    main(k)\nmain(0.3)", False, True),
        ("for k in (0.1, 0.2):\n    for i in range(k):\n        main(k)", False, False),
        ("main()\nwhile main(): pass", False, False),
        ("results = [main() for k in range(3)]", False, False),
        ("def twice():\n    main()\n    main()", False, False),
        ("def twice():\n    main()\n    main()\ntwice()\ntwice()", False, True),
        ("def twice():\n    main()\n    main()\nfor k in cases:\n    twice()", False, False),
        ("run = main\nmain()", False, False),
        ("pool.map(main, cases)\nmain()", False, False),
        ("def main(): pass\nmain()", True, True),
    ],
)
def test_which_functions_a_script_calls_once_or_seldom(uses: str, once: bool, seldom: bool) -> None:
    tree = ast.parse(f"def main(*given): return given\n{uses}\n")
    assert is_called_once("main", tree) is once
    assert is_called_seldom("main", tree) is seldom


FIELD = """
class Field:
    def __init__(self, n):
        self.n = n
        self.start()

    def start(self):
        self.u = [0] * self.n

    def run(self, steps):
        for k in range(steps):
            self.step(k)
        self.finish()

    def step(self, k):
        self.u[0] = k

    def finish(self):
        return self.u


class Other:
    def shown(self):
        return 1
"""


@pytest.mark.parametrize(
    ("uses", "once"),
    [
        ("Field(3).run(4)", {"Field", "Field.__init__", "Field.start", "Field.run", "Field.finish"}),
        ("f = Field(3)\nf.run(4)\nf.run(4)", {"Field", "Field.__init__", "Field.start"}),
        ("f = Field(3)\nf.run(4)\ng = Field(4)", {"Field.run", "Field.finish"}),
        ("fields = [Field(k) for k in range(3)]", set()),
        (
            "class Another(Other):\n    def run(self): pass\nField(3).run(4)",
            {"Field", "Field.__init__", "Field.start"},
        ),
        ("callback = Field(3).run", {"Field", "Field.__init__", "Field.start"}),
    ],
)
def test_which_methods_a_script_calls_once(uses: str, once: set[str]) -> None:
    tree = ast.parse(f"{FIELD}\n\n{uses}\n")
    names = ["Field", *(f"Field.{each}" for each in ("__init__", "start", "run", "step", "finish"))]
    assert {each for each in names if is_called_once(each, tree)} == once


def test_a_method_that_calls_the_one_of_its_base_is_called_once() -> None:
    text = "class A(dict):\n    def __init__(self, *args):\n        super().__init__(*args)\n\n\n"
    assert is_called_once("A.__init__", ast.parse(f"{text}a = A([])\n"))
    assert is_called_once("f", ast.parse("def f(n):\n    g(n)\n\n\ndef g(n):\n    g = n\n\n\nf(3)\n"))


def test_methods_of_a_few_objects_are_called_seldom() -> None:
    tree = ast.parse(f"{FIELD}\n\nfor f in (Field(3), Field(4)):\n    f.run(5)\n")
    names = ["Field", *(f"Field.{each}" for each in ("__init__", "start", "run", "step", "finish"))]
    assert {each for each in names if is_called_seldom(each, tree)} == {*names} - {"Field.step"}
