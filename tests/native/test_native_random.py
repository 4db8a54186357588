"""Random programs of scalar loops give the same as written and compiled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scalar_programs import Outcome, Writer, arguments

from nprewrite.runtime import Native


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [9, 20, 24, 41])
def test_same_outcome(seed: int, make: Callable[[str], Native]) -> None:
    compiled = make(Writer(seed).function())
    for number in range(2):
        given = arguments(10 * seed + number)
        assert Outcome.of(compiled, given) == Outcome.of(compiled.function, given)
