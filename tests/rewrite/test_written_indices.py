"""Names of slices that are written out where they are indices, and near twins that stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

_PROGRAM = """
import numpy as np
import numpy.typing as npt

rows = slice(0, 2)


def of(index):
    return index


def moved(f: npt.NDArray[np.float64], n: int):
    m = 1
{statements}
    return f
"""

_WRITTEN = [
    "inner = slice(1, -1)\nf[inner] *= 2.0",
    "inner = slice(1, None, 2)\nf[inner, inner] = f[0, 0]",
    "inner = slice(None)\nfor k in range(n):\n    f[k, inner] += k",
    "inner = np.s_[1:-1, ::2]\nf[inner] += f[inner]",
    "inner = np.index_exp[m:, 0]\nf[inner] = 1.0",
    "for k in range(n):\n    part = slice(k, k + 2)\n    f[part] *= f[part] + k",
    "a = slice(n - 1)\nb = (a, slice(n // 2, None))\nif n > 1:\n    f[b] = 0.0\nf[a] += 1.0",
    "inner = (slice(1, -1), 0)\nf[inner] = f[inner][::-1]",
    "inner = slice(1, -1)\nf = f[inner] + [f[inner] for _ in range(2)][0]",
    "inner = slice(0, -(n - 1))\nf[inner] = 0.0",
    "inner = slice((n - 1) * 2, None)\nf[inner, inner] = 0.0",
    "inner = slice(2, -(n - 1))\nboth = (0, inner)\nf[both] = 0.0",
]
_LEFT = [
    "inner = slice(1, -1)\nf[inner] *= 2.0\ninner = slice(2)\nf[inner] = 0.0",
    "inner = slice(1, -1)\nf[[inner][0]] *= 2.0",
    "inner = slice(1, -1)\nf[inner] *= inner.start",
    "f[rows] *= 2.0",
    "for k in range(n):\n    if k:\n        f[part] *= 2.0\n    part = slice(k, k + 2)",
    "if n > 1:\n    part = slice(n)\nelse:\n    m = 3\nf[part if n > 1 else m] = 0.0",
    "part = slice(m, None)\nm = 2\nf[part] = 1.0",
    "def inside():\n    return part\npart = slice(1)\nf[part] = 1.0",
    "part = slice(1)\nf[part] = 1.0\ndel part",
    "part = slice(len(f))\nf[part] = 1.0",
    "a = np.s_[1:, 1:]\nf[a] = 2.0\nf = np.stack([f, f])\nf[0, a] if n > 9 else f[a]",
    "part = [1, 2]\nf[part] = 0.0",
    "slice = of\npart = slice(1)\nf[part] = 1.0",
    "pair = 1, 2\nf[pair] = 0.0",
    "part = slice(n)\nn += 1\nf[part] = 1.0",
]


def _program(statements: str) -> str:
    return _PROGRAM.format(statements="\n".join(f"    {line}" for line in statements.split("\n")))


def _answers(text: str) -> list[Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return [names["moved"](np.arange(42.0).reshape(6, 7), n) for n in (2, 4)]


def _rewritten(statements: str) -> tuple[str, set[str]]:
    made = rewrite_source(_program(statements), "a.py", Options(), only="moved")
    return made.text, {each.code for each in made.sites if each.outcome is Outcome.REWRITTEN}


@pytest.mark.parametrize("statements", _WRITTEN)
def test_slices_are_written_out(statements: str) -> None:
    text, codes = _rewritten(statements)
    assert "NPR610" in codes
    assert "slice(" not in text.partition("def moved")[2]
    assert "np.s_" not in text
    np.testing.assert_equal(_answers(text), _answers(_program(statements)))


@pytest.mark.parametrize("statements", _LEFT)
def test_names_that_stand_for_more_stay(statements: str) -> None:
    text, codes = _rewritten(statements)
    assert "NPR610" not in codes
    np.testing.assert_equal(_answers(text), _answers(_program(statements)))
