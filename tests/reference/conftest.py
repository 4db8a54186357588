"""The kernels, where this installation has them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nprewrite import reference


@pytest.fixture(scope="session")
def kernels() -> ModuleType:
    """The extension; its absence is judged by test_reference_build.py."""
    if (reason := reference.unavailable_because()) is not None:
        pytest.skip(f"reference unavailable: {reason}")
    return pytest.importorskip("nprewrite_reference")


@pytest.fixture(params=["float32", "float64"])
def real(request: pytest.FixtureRequest) -> np.dtype[Any]:
    """The type of the real numbers of a test."""
    return np.dtype(request.param)


@pytest.fixture
def random(real: np.dtype[Any]) -> Any:
    """Draws an array of standard normal numbers of the type and the given shape."""
    rng = np.random.default_rng(7)

    def draw(*shape: int) -> NDArray[Any]:
        return rng.standard_normal(shape).astype(real)

    return draw
