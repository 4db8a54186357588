"""Steps that stand aside often, because NumPy is kept for their arrays, pass most calls without a look."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.runtime.api.aside import ONCE, Aside
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.runtime.device import devices

step_runs = importlib.import_module("nprewrite.runtime.api.step_runs")
CALLS = step_runs._OFTEN + 3 * (step_runs._UNSEEN + 1)


@dataclass
class Made:
    step: Any
    choice: Choice

    def over(self, x: Any) -> Any:
        return self.step.over(range(1), scalars=None, x=x)


@pytest.fixture
def kept() -> Made:
    """A step with the choice of NumPy for four elements."""

    @npr.step(inputs={"x": "float64"}, out={"y": "float64"}, once=True, compile=True)
    def doubled(x):
        y = x * 2.0
        return (y,)

    choice = Choice(None, kept="original")
    doubled._asides = (Aside(choice, range(1), {"x": np.ones(4)}, ()),)
    doubled.takes_turns = True
    return Made(doubled, choice)


def test_every_call_counts_and_few_are_looked_at(kept: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    look = Aside.loop
    monkeypatch.setattr(Aside, "loop", lambda *given: looks.append(1) or look(*given))
    for _ in range(CALLS):
        (once,) = made = kept.over(np.ones(4))
        assert (made, once, made.finished) == (ONCE, 0, False)
    assert kept.choice.asked == kept.step.runs["as written: NumPy is faster"] == CALLS
    assert len(looks) == step_runs._OFTEN + 3


def test_arrays_that_grow_are_noticed_soon(kept: Made) -> None:
    for _ in range(CALLS):
        kept.over(np.ones(4))
    seen = [kept.over(np.ones(400_000)) is not ONCE for _ in range(step_runs._UNSEEN + 2)]
    assert any(seen)
    assert "over" not in vars(kept.step)
    assert kept.over(np.ones(4)) is ONCE
    assert "over" not in vars(kept.step)


def test_each_call_is_looked_at_where_the_sides_take_turns_again_soon(kept: Made) -> None:
    kept.choice.lasts = kept.choice._left = step_runs._OFTEN + step_runs._UNSEEN
    for _ in range(step_runs._OFTEN + step_runs._UNSEEN):
        assert kept.over(np.ones(4)) is ONCE
        assert "over" not in vars(kept.step)
    assert kept.over(np.ones(4)) is not ONCE


@pytest.mark.parametrize("anew", ["rewritten", "device"])
def test_who_asks_for_the_rewritten_side_or_a_device_gets_it(
    kept: Made, monkeypatch: pytest.MonkeyPatch, anew: str
) -> None:
    for _ in range(CALLS):
        kept.over(np.ones(4))
    if anew == "device":
        monkeypatch.setattr(devices, "current", lambda: object())
    else:
        monkeypatch.setattr(kept.step, "takes_turns", False)
    assert kept.over(np.ones(4)) is not ONCE
