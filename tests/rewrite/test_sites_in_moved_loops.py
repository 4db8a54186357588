"""Of a loop that runs compiled whole nothing else is reported: no other pass could do more for it."""

from __future__ import annotations

from nprewrite.engine.outcomes import Options, Outcome
from nprewrite.engine.pipeline import rewrite_source

TEXT = """\
import numpy as np


def walk(x: float, steps: int):
    track = np.zeros(steps)
    for k in range(steps):
        draw = np.random.random()
        if draw < 0.5:
            x = -x
        track[k] = x + draw
    for name in ("a", "b"):
        print(name)
    return track
"""


def test_what_is_compiled_is_not_refused() -> None:
    made = rewrite_source(TEXT, "walk.py", Options())
    found = {(each.line, each.code, each.outcome) for each in made.sites}
    assert (6, "NPR407", Outcome.REWRITTEN) in found
    assert not [each for each in made.sites if 7 <= each.line <= 10]
