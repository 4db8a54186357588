"""Functions that get the decorator as their module is loaded, and are read once their calls took long."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nprewrite.config import Choices
from nprewrite.decorated import unproven
from nprewrite.decorated.unproven import Loaded, Unproven
from nprewrite.loading import store
from nprewrite.loading.decorating import (
    Home,
    compiled,
    decorated,
    functions_that_may_compute,
    only_decorated,
)

TEXT = """
import time

def slow(x):
    time.sleep(0.3)
    return x + 1

def brief(x):
    return x + 1

def raises(x):
    return 1 / x

def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

spent = [0.0]

def nested(n):
    spent[0] += 0.01
    return 0 if n == 0 else 1 + nested(n - 1)

def once(x):
    return x * 2

found = once(3)
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, Any]]:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NPREWRITE_WAIT", raising=False)
    monkeypatch.setattr(unproven, "_has_torch", lambda: False)
    path = tmp_path / "long.py"
    path.write_text(TEXT)

    def loaded() -> dict[str, Any]:
        tree = ast.parse(TEXT)
        decorated(tree, {"slow", "brief", "raises", "deep", "nested", "once"}, tree)
        names: dict[str, Any] = {"__name__": "long", "__file__": str(path)}
        exec(compiled(tree, str(path), Home(TEXT, Choices())), names)
        return names

    return loaded


def test_a_function_is_read_once_its_calls_took_long(load: Callable[[], dict[str, Any]]) -> None:
    module = load()
    slow, brief = module["slow"], module["brief"]
    assert (type(slow), type(brief), type(module["once"])) == (Unproven, Unproven, Loaded)
    assert [slow(1), *map(brief, range(3))] == [2, 1, 2, 3]
    assert (type(slow), type(brief)) == (Loaded, Unproven)
    assert slow.is_awaited
    assert not brief.is_awaited
    assert "too little time" in str(brief.report())
    assert slow(2) == 3


def test_the_next_process_reads_it_at_once(load: Callable[[], dict[str, Any]]) -> None:
    load()["slow"](1)
    module = load()
    assert (type(module["slow"]), type(module["brief"])) == (Loaded, Unproven)


def test_to_programs_that_look_at_functions_they_are_functions(load: Callable[[], dict[str, Any]]) -> None:
    """A table of benchmarks or checks is collected by `inspect.isfunction`."""
    module = load()
    module["slow"](1)
    for name in ("slow", "brief", "once"):
        function = module[name]
        assert isinstance(function, types.FunctionType)
        assert inspect.isfunction(function)
        assert inspect.getsourcelines(function)[0][0] == f"def {name}(x):\n"
        assert repr(function).startswith(f"<function {name} at")
        assert str(inspect.signature(function)) == "(x)"


def test_errors_are_raised_as_without(load: Callable[[], dict[str, Any]]) -> None:
    raises = load()["raises"]
    with pytest.raises(ZeroDivisionError):
        raises(0)
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = raises.nothing_of_the_kind


def test_a_recursion_goes_as_deep_as_without(load: Callable[[], dict[str, Any]]) -> None:
    assert load()["deep"](900) == 900


def test_the_time_of_a_recursion_is_that_of_its_outermost_call(
    load: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load()
    nested = module["nested"]
    monkeypatch.setattr(unproven, "perf_counter", lambda: module["spent"][0])
    assert nested(9) == 9
    assert type(nested) is Unproven
    nested(9)
    assert type(nested) is Loaded


def test_who_asks_what_it_became_has_it_read(load: Callable[[], dict[str, Any]]) -> None:
    brief = load()["brief"]
    assert "return x + 1" in brief.source
    assert type(brief) is Loaded
    assert brief(1) == 2


@pytest.mark.parametrize("name", ["waits", "device"])
def test_who_waits_or_names_a_device_has_all_read(
    load: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if name == "waits":
        monkeypatch.setenv("NPREWRITE_WAIT", "1")
    else:
        monkeypatch.setattr("nprewrite.runtime.device.devices.asked_for", lambda *_: "cpu")
    assert type(load()["brief"]) is Loaded


def test_tensors_are_computed_where_they_lie(
    load: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = load()["brief"]
    monkeypatch.setattr(unproven, "_has_torch", lambda: True)
    monkeypatch.setattr(unproven.Jitted, "__call__", lambda _, x: f"decorated {x}")
    assert brief(1) == "decorated 1"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("import nprewrite\nimport os\n@nprewrite.jit\ndef f(x):\n    return x\n", ("f",)),
        ("import nprewrite as n\nimport os\n@n.jit\ndef f(x):\n    return x\n", ("f",)),
        ("import nprewrite\nimport os\n@nprewrite.jit\ndef f(x):\n    return x + 1\n", ()),
        ("import nprewrite\nimport os\ndef f(x):\n    return x\n", ()),
        ("import os\ndef f(x):\n    return x\n", ()),
    ],
)
def test_what_differs_in_decorators_only(after: str, expected: tuple[str, ...]) -> None:
    before = "import os\ndef f(x):\n    return x\n"
    assert only_decorated(ast.parse(before), ast.parse(after)) == expected


def test_functions_that_get_the_decorator_are_kept(load: Callable[[], dict[str, Any]]) -> None:
    assert load
    entry = store.Entry(None, (), {"deferred[unknown-call]": 1}, decorated=("f", "Model.step"))
    assert store.write("a", "name", entry) == store.read("a", "name") == entry


AROUND = """
import functools

def timed(f):
    @functools.wraps(f)
    def around(*args):
        return f(*args)
    return around

@timed
def total(n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    return s
"""


def test_decorators_of_the_file_take_what_a_function_became(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NPREWRITE_WAIT", raising=False)
    monkeypatch.setattr(unproven, "_has_torch", lambda: False)
    tree = ast.parse(AROUND)
    assert functions_that_may_compute(tree) == {"total"}
    decorated(tree, {"total"}, tree)
    names: dict[str, Any] = {"__name__": "around"}
    exec(compiled(tree, "around.py", Home(AROUND, Choices())), names)
    total = names["total"]
    assert type(total.__wrapped__) is Unproven
    assert (total(4), total.__name__, total.__wrapped__.__code__.co_firstlineno) == (3.0, "total", 10)
