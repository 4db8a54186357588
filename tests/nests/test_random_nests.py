"""Random nests before and after: the same results, types, mutation and exceptions, or the nest as written."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from catalogue_compare import Closeness, differences, observe
from random_nests import NestMaker, calls

from nprewrite.engine.outcomes import Options, Rewriting
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.passes.level import Level

OPTIONS = Options(select=frozenset(["NPR405"]))

# 12636: an integer 0 became a float, which has a sign. 40660: a sum of Python numbers or of NumPy's.
# 50404: a number that is an array from the second trip on. 418: an else over the bounds of its if.
# 993: the variable of a loop inside of slices of no elements. 64311: a number set under a test that stays.
# 64729: an element looked at before the test of its index. 68442: a sum over one of three lanes.
# 82150: every second lane, turned. 102720: the last value of a variable whose range depends on another one.
SEEDS = [*range(60), 418, 993, 2586, 12636, 40660, 50404, 64311, 64729, 68442, 82150, 102720]


def rewriting(seed: int) -> Rewriting:
    """The rewriting of a random nest."""
    return rewrite_source(NestMaker(seed).text(), "nest.py", OPTIONS)


def function(text: str) -> Callable[..., Any]:
    """The function of a text; ``ran`` collects the calls in which whole arrays ran."""
    module: dict[str, Any] = {"__name__": "nest"}
    exec(compile(text, "nest.py", "exec", dont_inherit=True), module)
    made: Callable[..., Any] = module["f"]
    return made


def copied(arguments: dict[str, Any]) -> tuple[Any, ...]:
    """Copies that share memory where the arguments do."""
    bases: dict[int, np.ndarray] = {}
    found: list[Any] = []
    for value in arguments.values():
        if not isinstance(value, np.ndarray):
            found.append(value)
            continue
        base = value.base if isinstance(value.base, np.ndarray) else value
        new = bases.setdefault(id(base), base.copy())
        offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        same = value is base
        found.append(new if same else np.ndarray(value.shape, value.dtype, new, offset, value.strides))
    return tuple(found)


def check_same_behaviour(after: Rewriting, maker: NestMaker) -> None:
    """The rewritten function does what the written one does, in every call of the maker's."""
    rounds = any(site.level is Level.ROUNDING for site in after.sites)
    before, changed = function(after.source), function(after.text)
    for arguments in calls(maker) if after.changed else ():
        expected, seen = observe(before, copied(arguments)), observe(changed, copied(arguments))
        assert differences(expected, seen, Closeness(rounding=rounds)) == [], after.text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", SEEDS)
def test_same_behaviour(seed: int) -> None:
    check_same_behaviour(rewriting(seed), NestMaker(seed))


def test_many_are_rewritten_and_many_refused() -> None:
    """The generator makes nests of both kinds, and whole arrays do run."""
    texts = [rewriting(seed) for seed in range(60)]
    reasons = {site.reason for each in texts for site in each.sites}
    assert sum(each.changed for each in texts) >= 8
    assert {"loop-carried", "cast-raises", "index-not-linear"} <= reasons
    ran = sum(_runs(seed, each) for seed, each in enumerate(texts) if each.changed)
    assert ran >= 30


def _runs(seed: int, after: Rewriting) -> int:
    """How many calls run over whole arrays: those in which the loops as written would fail."""
    text = re.sub(
        r"^( +)else:\n(?= +for )", r"\1else:\n\1    raise RuntimeError\n", after.text, flags=re.MULTILINE
    )
    broken = function(text)
    done = 0
    for arguments in calls(NestMaker(seed)):
        try:
            observe(broken, copied(arguments))
        except RuntimeError:
            continue
        done += 1
    return done


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_second_run_changes_nothing(seed: int) -> None:
    once = rewriting(seed).text
    assert rewrite_source(once, "nest.py", OPTIONS).text == once
