"""Python's complex numbers beside arrays that are held as pairs: their digits, and the dtype of the array."""

from __future__ import annotations

import numpy as np
import pytest
from differential import module

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime import Step

NUMBERS = [
    *("np.sqrt(0.1 * 0.5j)", "np.sqrt(k * 1j)", "np.exp(0.5j)", "np.log(1 + 0.5j)", "np.angle(1j)"),
    *("(1 + 0.5j) / (2 - 1j)", "1 / (3 + 4j)", "2 / (3 - 0.0j)", "k * (1 + 0.5j) / (2 - 1j)", "1j / (z + 2)"),
    *("(1 + 0.5j) ** -2", "1j ** k", "abs(1 + 0.5j)", "complex(k, 0.3) / 3", "np.complex64(1j) * 0.1"),
]
STATEMENTS = ["z *= {}", "z = z * {} + c", "z[np.abs(z) > 0.3] = {}", "u = u * np.abs({})"]
PROGRAM = """
import numpy as np

def run(n, k):
    z = np.linspace(-0.5, 0.5, n).astype(np.{dtype}) * np.complex64(1 + 0.25j)
    c, u = z * np.float32(0.5), z.real.copy()
    for _ in range(4):
        {statement}
        z = z * np.float32(0.5)
        u = u + z.real
    return z, u
"""


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.usefixtures("steps_in_numpy")
@pytest.mark.filterwarnings("ignore")
def test_complex_numbers_keep_digits_and_dtypes(dtype: str, statement: str) -> None:
    stepped = 0
    for number in NUMBERS:
        text = PROGRAM.format(dtype=dtype, statement=statement.format(f"({number})"))
        before, after = module(text, "before"), module(rewrite_source(text, "f.py", Options()).text, "after")
        try:
            expected = before.run(9, 3)
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                after.run(9, 3)
            continue
        for one, other in zip(after.run(9, 3), expected, strict=True):
            assert one.dtype == other.dtype, text
            np.testing.assert_allclose(one, other, rtol=400 * np.finfo(other.dtype).eps, err_msg=text)
        stepped += any(isinstance(each, Step) and each.runs["numpy"] for each in vars(after).values())
    assert stepped
