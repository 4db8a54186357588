"""Random programs do the same before and after rewriting; ``hunt.py`` searches further."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module

import pytest
from differential import compared
from generator import CASES, FORMS, program

pytestmark = pytest.mark.filterwarnings("ignore")

SEEDS = range(300)
BLOCK = 50
FEW = range(12)
# Integers, masks, complex slices, selects, signs, remainders: each compiles one step, in about a second.
COMPILED = (2, 10, 21, 28, 31, 34)


@pytest.mark.parametrize("first", SEEDS[::BLOCK])
@pytest.mark.usefixtures("steps_in_numpy")
def test_same_behaviour(first: int) -> None:
    """Refusing everything is no way to pass: a third of the programs is rewritten, and their steps run."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + BLOCK):
        found = compared(program(seed))
        assert found.difference is None, f"seed {seed}: {found.difference}\n{found.program.text}"
        counts["rewritten"] += found.rewritten
        counts["stepped"] += bool(found.runs["numpy"])
    assert counts["rewritten"] >= BLOCK // 3, counts
    assert counts["stepped"] >= BLOCK // 4, counts


@pytest.mark.parametrize("form", ["calls", "elements", "masks", "objects", "straight"])
@pytest.mark.usefixtures("steps_in_numpy")
def test_same_behaviour_of_other_forms(form: str) -> None:
    rewritten = 0
    for seed in FEW:
        found = compared(program(seed, form))
        assert found.difference is None, f"seed {seed}: {found.difference}\n{found.program.text}"
        rewritten += found.rewritten
    assert rewritten


@pytest.mark.parametrize("form", FORMS)
def test_programs_are_repeatable(form: str) -> None:
    for seed in FEW:
        assert program(seed, form) == program(seed, form)
        for index in range(CASES):
            given = program(seed, form).arguments(index)
            assert repr(given) == repr(program(seed, form).arguments(index))


@pytest.mark.parametrize("form", FORMS)
def test_programs_differ(form: str) -> None:
    assert len({program(seed, form).text for seed in FEW}) == len(FEW)


def test_every_statement_occurs() -> None:
    """What the rewriter is for occurs in the programs, and what it must refuse."""
    texts = [program(seed).text for seed in SEEDS]
    for wanted in (
        "[m]",
        ".sum()",
        "[1:-1",
        "np.roll",
        "@ ",
        "astype",
        "range(1, trips)",
        "complex64",
        "def update",
    ):
        assert any(wanted in text for text in texts), wanted
    nodes = {type(node) for text in texts for node in ast.walk(ast.parse(text))}
    assert nodes >= {ast.If, ast.Lambda, ast.AugAssign, ast.Slice, ast.Continue, ast.With}


@pytest.mark.usefixtures("steps_in_numpy")
def test_a_wrong_rewrite_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: a rewriter that loses a statement of steps is caught at once."""
    differential = import_module("differential")
    right = differential.rewrite_source

    def wrong(text: str, *rest: object) -> object:
        rewriting = right(text, *rest)
        lost = rewriting.text.replace("np.where(", "np.zeros_like(", 1)
        return (
            type(rewriting)(rewriting.source, lost, rewriting.sites)
            if text == rewriting.source
            else rewriting
        )

    monkeypatch.setattr(differential, "rewrite_source", wrong)
    assert any(compared(program(seed)).difference for seed in SEEDS[:50])


@pytest.mark.parametrize("seed", COMPILED)
@pytest.mark.usefixtures("steps_compiled")
def test_same_behaviour_compiled(seed: int) -> None:
    pytest.importorskip("torch")
    found = compared(program(seed), compiled=True, calls=1)
    assert found.difference is None, f"{found.difference}\n{found.program.text}"
    assert found.runs["compiled"], found.runs
