"""Random programs whose choices hypothesis draws: one that differs is shrunk, and drawn again next time."""

from __future__ import annotations

import random
from importlib import import_module

import pytest
from differential import compared
from generator import FORMS, drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from smallest import smallest

pytestmark = pytest.mark.filterwarnings("ignore")

DICE = st.randoms(use_true_random=False)
SEEDS = st.integers(0, 1000)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("steps_in_numpy")
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(dice=DICE, seed=SEEDS)
def test_same_behaviour(form: str, dice: random.Random, seed: int) -> None:
    found = compared(drawn(dice, seed, form))
    assert found.difference is None, f"{found.difference}\n{found.program.text}"


def _wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the rewriter lose what a select takes where the mask does not hold."""
    differential = import_module("differential")
    right = differential.rewrite_source

    def wrong(text: str, *rest: object) -> object:
        rewriting = right(text, *rest)
        lost = rewriting.text.replace("np.where(", "np.zeros_like(", 1)
        if text != rewriting.source:
            return rewriting
        return type(rewriting)(rewriting.source, lost, rewriting.sites)

    monkeypatch.setattr(differential, "rewrite_source", wrong)


@pytest.mark.usefixtures("steps_in_numpy")
def test_a_program_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    _wrong(monkeypatch)
    made = next(
        each
        for seed in range(50)
        if compared(each := drawn(random.Random(seed), seed)).difference is not None
    )
    found = smallest(made)
    assert compared(found).difference is not None
    assert len(found.text) < len(made.text) / 2
    assert "def run(" in found.text
