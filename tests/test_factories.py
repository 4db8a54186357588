"""Functions that one definition makes again and again: what depends on the code alone is done once."""

from __future__ import annotations

import gc
import importlib
import linecache
import sys
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns

PROGRAM = """
import numpy as np
import nprewrite


def make(k, by=None):
    @nprewrite.jit
    def damp(x, n):
        for _ in range(n):
            m = np.abs(x) > 1.0
            x[m] = x[m] * k
        return x if by is None else by(x)
    return damp


def defaults():
    return [nprewrite.jit(lambda x, k=k: np.sin(x) * k + np.cos(x) * k) for k in (1.0, 2.0, 3.0)]


def classes():
    for k in (1.0, 2.0):
        class Model:
            @nprewrite.jit
            def damp(self, x):
                m = np.abs(x) > 1.0
                x[m] = x[m] * k
                return x
        yield Model()


def factory_of_cells(array):
    @nprewrite.jit
    def summed(x, n):
        for _ in range(n):
            x = x * 0.5 + array
        return x
    return summed
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "factories.py").write_text(PROGRAM)
    monkeypatch.delitem(sys.modules, "factories", raising=False)
    importlib.invalidate_caches()
    return importlib.import_module("factories")


@pytest.fixture
def rewritings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that were rewritten, in their order."""
    rewriting = importlib.import_module("nprewrite.decorated.rewriting")
    found: list[str] = []
    rewrite = rewriting.rewrite_source

    def counted(text: str, file: str, options: Any, given: Any, name: str, *others: Any) -> Any:
        found.append(name)
        return rewrite(text, file, options, given, name, *others)

    monkeypatch.setattr(rewriting, "rewrite_source", counted)
    return found


def test_a_thousand_closures_are_rewritten_as_one(module: ModuleType, rewritings: list[str]) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    first = module.make(0.5)
    np.testing.assert_array_equal(first(x.copy(), 2), first.original(x.copy(), 2))
    done = len(rewritings)
    kept = [module.make(k) for k in np.linspace(0.1, 0.9, 1000).tolist()]
    for function in (kept[0], kept[500], kept[-1]):
        np.testing.assert_array_equal(function(x.copy(), 2), function.original(x.copy(), 2))
        assert function.version.source == first.version.source
        assert function.version.steps == first.version.steps
    assert len(rewritings) == done


def test_those_that_are_called_once_and_dropped(module: ModuleType, rewritings: list[str]) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    module.make(0.5)(x.copy(), 2)
    gc.collect()
    done = len(rewritings)
    assert module.make(0.25)(x.copy(), 1)[0] == -0.5
    assert len(rewritings) == done


def test_variables_of_another_type_are_another_function(module: ModuleType, rewritings: list[str]) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    for array in (np.ones(9), np.ones(9, np.complex128), np.ones(9, np.float32), np.ones((3, 9))):
        function = module.factory_of_cells(array)
        for _ in range(2):
            result = function(x, 3)
            expected = function.original(x, 3)
            assert result.dtype == expected.dtype
            np.testing.assert_array_equal(result, expected)
    assert len(rewritings) == 4


def test_functions_among_the_variables(module: ModuleType) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    for by in (np.sum, lambda a: a[:2], lambda a: a + 1j, str):
        function = module.make(0.5, by)
        assert str(function(x.copy(), 2)) == str(function.original(x.copy(), 2))


def test_lambdas_methods_and_defaults(module: ModuleType, rewritings: list[str]) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    for function in module.defaults():
        np.testing.assert_allclose(function(x), function.original(x))
    for model in module.classes():
        np.testing.assert_array_equal(model.damp(x.copy()), type(model).damp.original(model, x.copy()))
    # Of one lambda and of one class: the other one has the same text and attributes of the same types.
    assert len(rewritings) == 2


def test_what_the_user_drops_is_gone(module: ModuleType) -> None:
    array = np.ones(9)
    held = weakref.ref(array)
    function = module.factory_of_cells(array)
    function(array, 3)
    gone = weakref.ref(function.original)
    del function, array
    gc.collect()
    assert gone() is None
    assert held() is None
    decorated = (each.original.__globals__ for each in nprewrite.decorated.jitted.decorated())
    assert not any(home is vars(module) for home in decorated)


def test_a_class_that_is_dropped_is_gone(module: ModuleType) -> None:
    first, second = module.classes()
    for model in (first, second):
        model.damp(np.linspace(-2.0, 2.0, 9))
    gone = weakref.ref(type(first)), weakref.ref(type(second))
    del first, second, model
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_a_module_that_is_loaded_anew(module: ModuleType, rewritings: list[str], tmp_path: Path) -> None:
    x = np.linspace(-2.0, 2.0, 9)
    old = module.make(0.5)
    assert old(x.copy(), 1)[0] == -1.0
    (tmp_path / "factories.py").write_text(
        PROGRAM.replace("* k\n        return x if", "* k * k\n        return x if")
    )
    linecache.checkcache()
    importlib.invalidate_caches()
    done = len(rewritings)
    new = importlib.reload(module).make(0.5)
    assert new(x.copy(), 1)[0] == -0.5
    assert new(np.array([4.0]), 1).tolist() == [1.0]
    assert old(np.array([4.0]), 1).tolist() == [2.0]
    assert len(rewritings) > done
    assert "k * k" in new.version.source


def test_code_that_is_equal_in_two_texts() -> None:
    """Compiled from another text, with another helper."""
    made = []
    for number in (1, 2):
        text = f"import numpy as np\ndef helper(x):\n    return x * {number}.0\n"
        text += (
            "def make():\n    def f(x):\n        return np.sin(helper(x)) + np.cos(helper(x))\n    return f\n"
        )
        name = f"<exec {number}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        names: dict[str, Any] = {}
        exec(compile(text, name, "exec"), names)
        made.append(nprewrite.jit(names["make"]()))
    x = np.linspace(0.0, 1.0, 5)
    for function in made:
        np.testing.assert_allclose(function(x), function.original(x))
    assert made[0](x)[1] != made[1](x)[1]
