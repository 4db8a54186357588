"""Whatever a loop stores into its arrays between two steps, the next step reads, however it holds them."""

from __future__ import annotations

from collections import Counter

import pytest
from differential import compared
from random_between import STEPS, between

pytestmark = pytest.mark.filterwarnings("ignore")

SEEDS = range(400)
BLOCK = 100
# float32 strided, complex pairs, float64, a name that takes the array of another: wrong once.
COMPILED = (18, 36, 42, 359)


@pytest.mark.parametrize("first", SEEDS[::BLOCK])
@pytest.mark.usefixtures("steps_in_numpy", "small_stands_for_large")
def test_stores_between_steps_are_read(first: int) -> None:
    stepped: Counter[str] = Counter()
    for seed in range(first, first + BLOCK):
        found = compared(between(seed), calls=1)
        assert found.difference is None, f"seed {seed}: {found.difference}\n{found.program.text}"
        text = found.program.text
        stepped.update(kind for kind, lines in STEPS.items() if lines[0] in text and found.runs["numpy"])
    assert stepped.keys() == STEPS.keys()
    assert stepped.total() >= BLOCK // 2


@pytest.mark.parametrize("seed", COMPILED)
@pytest.mark.usefixtures("steps_compiled", "small_stands_for_large")
def test_stores_between_compiled_steps_are_read(seed: int) -> None:
    pytest.importorskip("torch")
    found = compared(between(seed), compiled=True, calls=1)
    assert found.difference is None, f"{found.difference}\n{found.program.text}"
    assert found.runs["compiled"], found.runs
