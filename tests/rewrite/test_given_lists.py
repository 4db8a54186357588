"""Lists of pairs that a function is given: a call shows the lists, their use that items are pairs."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.types.values import Unknown

LISTED = Unknown("it is a list", listed=True)


@pytest.mark.parametrize(
    "body",
    [
        "    for i in range(len(xs)):\n        u, v = xs[i]\n        s += u * v",
        "    for i in range(len(xs)):\n        p = xs[order[i]]\n        s += p[0] * p[1]",
        "    for i in range(len(xs)):\n        s += xs[order[i]][0] * xs[i][1]",
        "    for p in xs:\n        for q in xs:\n            s += p[0] * q[1]",
        "    for u, v in xs:\n        for q in xs:\n            s += u * q[1] - v",
    ],
)
def test_their_loops_are_compiled(body: str) -> None:
    text = f"import numpy as np\ndef f(xs, order):\n    s = 0.0\n{body}\n    return s\n"
    found = rewrite_source(text, "f.py", Options(), {"f": {"xs": LISTED, "order": LISTED}}, "f")
    assert "NPR407" in [each.code for each in found.sites if each.outcome is Outcome.REWRITTEN]
