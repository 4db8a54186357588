"""The verifier finds wrong rewrites, and calls no right one wrong; ``hunt.py`` asks about all of them."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from differential import compared
from generator import program
from mutations import Mutant, mutants
from verified import (
    Fate,
    called_wrong,
    catalogue,
    equivalents,
    key,
    rewritten,
    sample,
    subject_of,
    verified,
    verified_random,
)

pytestmark = [pytest.mark.usefixtures("steps_in_numpy"), pytest.mark.filterwarnings("ignore")]

# One of so many programs of the catalogue; ``hunt.py --mutants`` takes all, with a bar of 99 %.
EVERY = 12
BAR = 0.97
RIGHT = range(1000, 1060)
MUTATED = range(2000, 2012)


@pytest.fixture(scope="module")
def made() -> dict[str, tuple[Mutant, ...]]:
    """The mutants of some programs of the catalogue."""
    return {str(folder): mutants(rewritten(folder.before)) for folder in sample(8)}


def test_there_are_many_of_each_kind(made: dict[str, tuple[Mutant, ...]]) -> None:
    labels = Counter(each.label for group in made.values() for each in group)
    assert labels.total() >= 400
    assert len(labels) >= 25
    assert min(labels.values()) >= 1


def test_each_is_another_program(made: dict[str, tuple[Mutant, ...]]) -> None:
    for name, group in made.items():
        texts = {ast.dump(ast.parse(each.text)) for each in group}
        assert len(texts) == len(group), name
        for each in group:
            compile(each.text, name, "exec", dont_inherit=True)
            assert each.change


def test_mutants_are_caught() -> None:
    known = equivalents()
    fates: Counter[Fate] = Counter()
    missed = []
    for folder in sample(EVERY):
        for each in verified(subject_of(folder)):
            fate = Fate.EQUIVALENT if key(each) in known else each.fate
            fates[fate] += 1
            missed += [key(each)] if fate is Fate.MISSED else []
    assert fates[Fate.CAUGHT] >= 100
    assert fates[Fate.CAUGHT] >= BAR * (fates[Fate.CAUGHT] + fates[Fate.MISSED]), missed


def test_mutants_of_random_programs_are_caught() -> None:
    """What the plain comparison sees, with its tolerance, the verifier sees too."""
    fates = Counter(each.fate for seed in MUTATED for each in verified_random(program(seed)))
    assert fates[Fate.CAUGHT] >= 100
    assert fates[Fate.CAUGHT] >= BAR * (fates[Fate.CAUGHT] + fates[Fate.MISSED]), fates


def test_right_rewrites_are_not_called_wrong() -> None:
    right = 0
    for seed in RIGHT:
        found = compared(program(seed))
        if found.rewritten and found.difference is None:
            right += 1
            assert called_wrong(program(seed)) == [], f"seed {seed}\n{found.program.text}"
    assert right >= len(RIGHT) // 4


def test_equivalents_have_reasons() -> None:
    listed = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text("utf-8"))["mutant"]
    assert all(each["reason"].endswith(".") for each in listed)
    programs = {*map(str, catalogue())}
    assert {each["program"] for each in listed} <= programs
