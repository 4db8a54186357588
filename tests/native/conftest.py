"""Surroundings of the tests of compiled scalar loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from sources import function_of

from nprewrite.runtime import Native, native
from nprewrite.runtime.choosing import budget


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Loops run compiled, however short they are, and however long those of other tests took to compile."""
    pytest.importorskip("numba")
    monkeypatch.delenv("NPREWRITE_DISABLE", raising=False)
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.gathered"), "MINIMUM_WORK", 0)
    with budget.shared(object()):
        yield


@pytest.fixture
def make() -> Callable[[str], Native]:
    """Makes a compiled function of the text of a function ``f``."""
    return lambda text: native(function_of(text))
