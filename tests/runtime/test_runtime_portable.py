"""A step as bytes: the same function in another process, whatever module it came from."""

from __future__ import annotations

import math
import pickle
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.runtime.torch.portable import NotPortable, pack, unpack


def made(text: str, **names: Any) -> Callable[..., Any]:
    """The last function of a text, in a module of its own that cannot be imported."""
    module: dict[str, Any] = {"__name__": "nowhere", "np": np, **names}
    exec(text, module)
    function: Callable[..., Any] = module["f"]
    return function


def again(function: Callable[..., Any]) -> types.FunctionType:
    return unpack(pickle.loads(pickle.dumps(pack(function))), types.ModuleType("elsewhere"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(x): return np.sqrt(x) + 1", {}),
        ("def f(x): return x * pi + base", {"pi": math.pi, "base": np.e}),
        ("def f(x): return root(x) + pi(x)", {"root": np.sqrt, "pi": lambda x: x * math.pi}),
        ("def f(x): return npr.absolute(x, x)", {"npr": npr}),
        ("def g(x): return np.exp(x)\ndef f(x, y=2.0): return g(x) + y", {}),
        ("def f(x): return np.array([each + 1 for each in x])", {}),
        ("def f(x): return abs(max(x, key=lambda each: -each))", {}),
        ("f = (lambda scale: lambda x: scale(x))(np.tanh)", {}),
        ("def f(x): return x.sqrt if hasattr(x, 'sqrt') else x", {"sqrt": object()}),
    ],
)
def test_round_trip(text: str, names: dict[str, Any]) -> None:
    function, x = made(text, **names), np.linspace(0, 1, 5)
    np.testing.assert_array_equal(again(function)(x), function(x))


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        ("def f(x): return x * rate", {"rate": 0.5}, "reads 'rate', which is float"),
        ("def f(x): return x + table", {"table": np.ones(3)}, "reads 'table', which is ndarray"),
        ("def f(x): return helper.run(x)", {"helper": types.ModuleType("mine")}, "reads 'helper'"),
        ("def f(x): return f(x)", {}, "calls itself"),
        ("def f(x, table=[]): return x", {}, "defaults that are no numbers"),
        ("def f(x, *, y=1): return x", {}, "not a plain Python function"),
        ("f = np.sqrt", {}, "not a plain Python function"),
    ],
)
def test_refused(text: str, names: dict[str, Any], why: str) -> None:
    with pytest.raises(NotPortable, match=why):
        pack(made(text, **names))


def test_one_name_with_two_meanings() -> None:
    helper = made("def f(x): return root(x)", root=np.cbrt)
    with pytest.raises(NotPortable, match="'root' means two things"):
        pack(made("def f(x): return root(x) + helper(x)", root=np.sqrt, helper=helper))


def test_names_of_functions_do_not_depend_on_lines() -> None:
    text = "def f(x): return np.sqrt(x) + 1"
    assert pack(made(text)).digest() == pack(made("\n\n\n" + text)).digest()
    assert pack(made(text)).digest() != pack(made(text.replace("1", "2"))).digest()
    assert pack(made(text)).digest() != pack(made(text.replace("sqrt", "cbrt"))).digest()
