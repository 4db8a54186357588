"""What other compilers take as written, and the reason where they do not."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Any

import numpy as np
import pytest

from nprewrite.benching.peers import NotApplicable, peer_of


def double(x: Any) -> Any:
    return np.sin(x) * 2


class Box:
    def method(self) -> None:
        """Not a function of a module."""


def test_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotApplicable, match="no methods"):
        peer_of("torch.compile", Box.method)
    with pytest.raises(NotApplicable, match="plain functions"):
        peer_of("torch.compile", np.sin)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotApplicable, match="jax is not installed"):
        peer_of("JAX", double)


def test_numba() -> None:
    pytest.importorskip("numba")
    compiled = peer_of("Numba", double)
    assert np.array_equal(compiled(np.ones(3)), double(np.ones(3)))


def test_jax_itself() -> None:
    pytest.importorskip("jax")
    argument = np.linspace(0, 3, 7)
    result = peer_of("JAX", double)(argument)
    assert result.dtype == np.float64
    assert result.flags.writeable
    assert np.allclose(result, double(argument), rtol=1e-15)


def test_jax_gets_its_own_numpy_in_double_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a jax that traces nothing: what is asked of it, and what comes back."""
    fake = types.ModuleType("jax")
    settings: dict[str, bool] = {}
    fake_numpy = types.SimpleNamespace(sin=lambda x: [float(each) + 1 for each in x])
    jitted: list[Any] = []

    def jit(function: Any) -> Any:
        jitted.append(function)
        return function

    parts = {
        "config": types.SimpleNamespace(update=settings.__setitem__),
        "numpy": fake_numpy,
        "jit": jit,
        "tree_util": types.SimpleNamespace(tree_map=lambda make, value: make(value)),
    }
    vars(fake).update(parts)
    monkeypatch.setitem(sys.modules, "jax", fake)
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: fake if name == "jax" else find(name))
    found = peer_of("JAX", double)([1.0, 2.0])
    assert settings == {"jax_enable_x64": True}
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [2.0, 3.0, 2.0, 3.0]
    assert jitted[0].__globals__["np"] is fake_numpy
    assert double.__globals__["np"] is np
