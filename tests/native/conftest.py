"""Surroundings of the tests of compiled scalar loops."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native, native

_numbers = count()


@pytest.fixture(scope="session")
def native_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for what all tests compile."""
    return tmp_path_factory.mktemp("native")


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch: pytest.MonkeyPatch, native_cache: Path) -> None:
    """Loops run compiled, however short they are."""
    pytest.importorskip("numba")
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(native_cache))
    monkeypatch.setattr(import_module("nprewrite.runtime.native"), "MINIMUM_WORK", 0)


def function_of(text: str) -> Callable[..., Any]:
    """The last function that ``text`` defines; its source can be read as if it stood in a file."""
    name = f"<native test {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np, "math": math}
    exec(compile(text, name, "exec"), names)
    return names["f"]  # type: ignore[no-any-return]


@pytest.fixture
def make() -> Callable[[str], Native]:
    """Makes a compiled function of the text of a function ``f``."""
    return lambda text: native(function_of(text))
