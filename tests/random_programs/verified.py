"""Ask the verifier about wrong rewrites of the catalogue's programs."""

from __future__ import annotations

import ast
import enum
import sys
import tomllib
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from differential import module
from generator import CASES, Program
from mutations import Mutant, mutants

from nprewrite.rewrite import Options, rewrite_source
from nprewrite.runtime.step import Step
from nprewrite.verification.case import Case
from nprewrite.verification.compare import compare
from nprewrite.verification.oracle import NoOracle, oracle_of
from nprewrite.verification.report import CaseReport, Verdict

sys.path.append(str(Path(__file__).parents[1] / "catalogue"))
from catalogue_cases import REWRITES
from catalogue_cases import Case as Folder

VARIANTS = 30


class Fate(enum.StrEnum):
    """What became of a wrong rewrite; a step that cannot run is refused, and its loop runs as written."""

    CAUGHT = "caught"
    REFUSED = "refused by the runtime"
    MISSED = "missed"
    EQUIVALENT = "equivalent"


__all__ = ["REWRITES", "Fate", "Verified", "called_wrong", "equivalents", "key", "verified"]


@dataclass(frozen=True)
class Verified:
    """A mutant of a program of the catalogue, and its fate."""

    folder: Folder
    mutant: Mutant
    fate: Fate


def key(verified: Verified) -> tuple[str, str, str]:
    """The program, the operator and the changed lines: what ``equivalents.toml`` lists."""
    return str(verified.folder), verified.mutant.label, verified.mutant.change


def equivalents() -> frozenset[tuple[str, str, str]]:
    """The mutants that are no mistakes, each listed with its reason in ``equivalents.toml``."""
    path = Path(__file__).with_name("equivalents.toml")
    listed = tomllib.loads(path.read_text("utf-8"))["mutant"]
    return frozenset((each["program"], each["operator"], each["change"].strip()) for each in listed)


def verified(folder: Folder) -> Iterator[Verified]:
    """Every mutant of a program of the catalogue, on the program's own cases and on variants of them."""
    name = "mutated_program"
    before = module(folder.before, name)
    text = rewrite_source(folder.before, str(folder.before_path), Options()).text
    named = {each[0] for each in before.cases()}
    asked = {each: _Asked(before, text, folder.before, each) for each in sorted(named)}
    for each in mutants(text):
        if each.function in named:
            yield Verified(folder, each, asked[each.function].fate(each))


class _Asked:
    """A function with its cases, its oracle, and the reasons for which the right rewrite runs as written."""

    def __init__(self, before: types.ModuleType, after: str, text: str, name: str) -> None:
        self.name = name
        self.function = getattr(before, name)
        self.oracle = oracle_of(text, f"{before.__name__}.py", name)
        self.cases = cases_of(before, text, name)
        self.reasons: frozenset[str] = frozenset()
        right = module(after, "right")
        for case in self.cases:
            compare(name, case, self.function, _with_own(right, name), oracle=NoOracle("only reasons count"))
        self.reasons = _reasons(right)

    def fate(self, mutant: Mutant) -> Fate:
        after = module(mutant.text, "mutant")
        for case in self.cases:
            report = compare(self.name, case, self.function, _with_own(after, self.name), oracle=self.oracle)
            if report.verdict is Verdict.DIFFERENT:
                return Fate.CAUGHT
        return Fate.REFUSED if _reasons(after) - self.reasons else Fate.MISSED


def _with_own(made: types.ModuleType, name: str) -> Callable[..., Any]:
    """The module's function, given the module's own functions where the arguments hold those of another."""
    function = getattr(made, name)

    def call(*arguments: Any) -> Any:
        own = [
            vars(made).get(getattr(each, "__name__", ""), each) if callable(each) else each
            for each in arguments
        ]
        return function(*own)

    return call


def _reasons(made: types.ModuleType) -> frozenset[str]:
    steps = [each for each in vars(made).values() if isinstance(each, Step)]
    return frozenset(reason for each in steps for reason in each.runs if reason != "numpy")


def called_wrong(program: Program) -> list[CaseReport]:
    """The cases of a random program in which the verifier says that rewriting changes it."""
    before = module(program.text, "random_program_before")
    text = rewrite_source(program.text, "random_program.py", Options()).text
    after = module(text, "random_program_after")
    oracle = oracle_of(program.text, "random_program.py", "run")
    cases = [Case(f"case {index}", program.arguments(index)) for index in range(CASES)]
    reports = [compare("run", case, before.run, after.run, oracle=oracle) for case in cases]
    return [report for report in reports if report.verdict is Verdict.DIFFERENT]


def cases_of(before: Any, text: str, function: str) -> list[Case]:
    """The program's own cases of a function, and variants with the numbers of the text in their arrays.

    A comparison with a limit is seen to be strict or not only where an element is equal to the limit.
    """
    own = [each[1] for each in before.cases() if each[0] == function]
    numbers = _numbers(text)
    rng = np.random.default_rng(len(text))
    made = [tuple(_varied(value, numbers, rng) for value in own[k % len(own)]) for k in range(VARIANTS)]
    return [Case(f"case {index}", each) for index, each in enumerate([*own, *made])]


def _numbers(text: str) -> list[float]:
    """The numbers in a text, their negatives and neighbours, and those that are special everywhere."""
    nodes = ast.walk(ast.parse(text))
    values = {
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) in (int, float)
    }
    near = {
        sign * value + by for value in values if abs(value) < 1e9 for sign in (1, -1) for by in (0, 0.25, 1)
    }
    return sorted(near | {0, 0.5, 1, -1})


def _varied(value: Any, numbers: list[float], rng: np.random.Generator) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return int(rng.choice([value, value + 1, 7, 9, 17]))
    if isinstance(value, float):
        return float(rng.choice([value, value, *numbers]))
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufc":
        return value
    special = [np.nan, np.inf, -np.inf] if value.dtype.kind in "fc" and rng.random() < 0.3 else []
    drawn = rng.choice([*numbers, *special], value.shape)
    if value.dtype.kind == "c":
        # Often real or imaginary, so that the size is one of the numbers too.
        drawn = drawn * rng.choice([1, 1j], value.shape) + rng.choice([0, 0.5, 1j], value.shape)
    varied = value.copy()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        varied[...] = (np.abs(drawn) if value.dtype.kind in "ub" else drawn).astype(value.dtype)
    return varied
