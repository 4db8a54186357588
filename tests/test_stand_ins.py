"""Objects that import a module, or raise, where any of their attributes is read: nothing reads one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite


class Missing:
    """Stands for a module that is not installed, as packages keep one under the module's name."""

    def __getattribute__(self, name: str) -> Any:
        raise ModuleNotFoundError("No module named 'missing'")


missing = Missing()


def of_globals(x: Any) -> Any:
    if len(x) > 10**6:
        return missing.area(x)
    return _decayed(x)


def of_defaults(x: Any, areas: Any = missing) -> Any:
    return _decayed(x)


def _decayed(x: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = 0.5 * out[i - 1] + x[i]
    return out


def _closed() -> Callable[[Any], Any]:
    areas = missing

    def of_closures(x: Any) -> Any:
        return areas.area(x) if len(x) > 10**6 else _decayed(x)

    return of_closures


class Model:
    def __init__(self) -> None:
        self.areas = missing

    def of_instances(self, x: Any) -> Any:
        return self.areas.area(x) if len(x) > 10**6 else _decayed(x)


CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "globals": (of_globals, ()),
    "defaults": (of_defaults, ()),
    "arguments": (of_defaults, (missing,)),
    "closures": (_closed(), ()),
    "instances": (Model.of_instances, ()),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wait", [False, True])
def test_is_left_alone(name: str, wait: bool) -> None:
    function, more = CALLS[name]
    decorated = nprewrite.jit(wait=wait)(function)
    owner = (Model(),) if name == "instances" else ()
    x = np.linspace(0.0, 1.0, 400)
    for _ in range(9):
        np.testing.assert_allclose(decorated(*owner, x, *more), _decayed(x))
    assert str(decorated.report())
