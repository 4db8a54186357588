"""Products of arrays in steps: those that mean the same in torch."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

TEXT = """\
import numpy as np
import numpy.typing as npt
import nprewrite


@nprewrite.jit
def projected(x: npt.NDArray[np.float64]):
    u = x.reshape({shape}) * 2.0
    shares = np.sqrt(np.{product}(np.cos(u), np.sin(u)) + 1.0)
    return np.exp(-shares) * shares + shares**2
"""


@pytest.mark.parametrize(
    ("product", "shape", "times"),
    [("dot", "(2, 200, 200)", 1), ("matmul", "(2, 200, 200)", 2), ("dot", "(200, 200)", 2)],
)
def test_dot_of_more_than_two_axes_is_no_matmul(product: str, shape: str, times: int) -> None:
    done = rewrite_source(
        TEXT.format(product=product, shape=shape), "projected.py", Options(), only="projected"
    )
    assert "_projected_region" in done.text
    assert done.text.count(f"np.{product}(") == times
