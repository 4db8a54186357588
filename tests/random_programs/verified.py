"""Ask the verifier about wrong rewrites of the catalogue's programs and of random programs."""

from __future__ import annotations

import ast
import copy
import enum
import functools
import signal
import sys
import tomllib
import types
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from differential import module
from generator import CASES, Program
from mutations import Mutant, mutants

from nprewrite.comparison.arithmetic import Rounding
from nprewrite.comparison.case import Case
from nprewrite.comparison.compare import compare
from nprewrite.comparison.observe import RandomState
from nprewrite.comparison.oracle import Answer, NoOracle, Oracle, oracle_of
from nprewrite.comparison.report import CaseReport, Verdict
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime.api.step import Step

sys.path.append(str(Path(__file__).parents[1] / "catalogue"))
from catalogue_cases import REWRITES
from catalogue_cases import Case as Folder
from catalogue_compare import Closeness, differences, observe

VARIANTS = 30
SECONDS = 2.0


class Fate(enum.StrEnum):
    """What became of a wrong rewrite; a step that cannot run is refused, and its loop runs as written."""

    CAUGHT = "caught"
    REFUSED = "refused by the runtime"
    MISSED = "missed"
    EQUIVALENT = "equivalent"
    UNSEEN = "unseen by the arguments"


@dataclass(frozen=True)
class Subject:
    """A program and the cases of its functions."""

    name: str
    text: str
    cases: Mapping[str, list[Case]]


@dataclass(frozen=True)
class Verified:
    """A mutant of a program, and its fate."""

    subject: Subject
    mutant: Mutant
    fate: Fate


def key(verified: Verified) -> tuple[str, str, str]:
    """The program, the operator and the changed lines: what ``equivalents.toml`` lists."""
    return verified.subject.name, verified.mutant.label, verified.mutant.change


def equivalents() -> frozenset[tuple[str, str, str]]:
    """The mutants that are no mistakes, each listed with its reason in ``equivalents.toml``."""
    path = Path(__file__).with_name("equivalents.toml")
    listed = tomllib.loads(path.read_text("utf-8"))["mutant"]
    return frozenset((each["program"], each["operator"], each["change"].strip()) for each in listed)


def catalogue() -> list[Folder]:
    """The programs of the catalogue that are rewritten.

    Without those that ask for float32: their decorator makes steps of its own in place of the changed ones.
    """
    return [folder for folder in REWRITES if "precision=" not in folder.before]


def sample(every: int) -> list[Folder]:
    """About one program of the catalogue in ``every``: by name, so that new programs leave the others in."""
    return [each for each in catalogue() if zlib.crc32(str(each).encode()) % every == 0]


def subject_of(folder: Folder) -> Subject:
    """A program of the catalogue with its own cases and variants of them."""
    before = module(folder.before, "mutated_program")
    named = {each[0] for each in before.cases()}
    return Subject(
        str(folder), folder.before, {each: cases_of(before, folder.before, each) for each in sorted(named)}
    )


def _cases(made: Program) -> list[Case]:
    return [Case(f"case {index}", made.arguments(index)) for index in range(CASES)]


@functools.cache
def rewritten(text: str) -> str:
    """What the rewriter makes of a program."""
    return rewrite_source(text, "mutated_program.py", Options()).text


def verified(subject: Subject) -> Iterator[Verified]:
    """Every mutant of a program's rewrite that changes a function with cases, and its fate."""
    text = rewritten(subject.text)
    asked = {each: _Asked(subject, text, each) for each in subject.cases}
    for each in mutants(text):
        if each.function in asked:
            yield Verified(subject, each, asked[each.function].fate(each))


def verified_random(made: Program) -> Iterator[Verified]:
    """The mutants of a random program's rewrite; unseen is what differs in no case, but for rounding.

    Random programs compute much that is not returned, and select with masks that are empty.
    """
    before = module(made.text, "random_program_before")
    for each in verified(Subject(f"seed {made.seed}", made.text, {"run": _cases(made)})):
        if each.fate is Fate.MISSED and not _seen(made, before, each.mutant):
            each = replace(each, fate=Fate.UNSEEN)
        yield each


def _seen(made: Program, before: types.ModuleType, mutant: Mutant) -> bool:
    after = module(mutant.text, "mutant")
    rounding = Closeness(rounding=True)
    return any(
        differences(observe(before.run, made.arguments(k)), observe(after.run, made.arguments(k)), rounding)
        for k in range(CASES)
    )


@dataclass(frozen=True)
class _Remembering(Oracle):
    """An oracle that keeps its answers, which do not depend on the mutant that is judged."""

    answers: dict[Any, Answer | NoOracle] = field(default_factory=dict)

    def __call__(
        self, case: Case, start: RandomState | None = None, rounding: Rounding | None = None
    ) -> Answer | NoOracle:
        drawn = rounding and (str(rounding._generator.bit_generator.state), rounding._amplitude)
        asked = (case.label, str((start or RandomState.now()).comparable()), drawn)
        if asked not in self.answers:
            self.answers[asked] = super().__call__(case, start, rounding)
        return self.answers[asked]


class _Asked:
    """A function with its cases, its oracle, and the reasons for which the right rewrite runs as written."""

    def __init__(self, subject: Subject, after: str, name: str) -> None:
        self.name = name
        self.function = getattr(module(subject.text, "mutated_program"), name)
        oracle = oracle_of(subject.text, "mutated_program.py", name)
        self.oracle = oracle if isinstance(oracle, NoOracle) else _Remembering(**vars(oracle))
        self.cases = subject.cases[name]
        right = module(after, "right")
        for case in self.cases:
            compare(name, case, self.function, _with_own(right, name), oracle=NoOracle("only reasons count"))
        self.reasons = _reasons(right)

    def fate(self, mutant: Mutant) -> Fate:
        after = module(mutant.text, "mutant")
        changed = ending(_with_own(after, self.name))
        for case in self.cases:
            report = compare(self.name, case, self.function, changed, oracle=self.oracle)
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


def called_wrong(made: Program) -> list[CaseReport]:
    """The cases of a random program in which the verifier says that rewriting changes it."""
    before = module(made.text, "random_program_before")
    text = rewrite_source(made.text, "random_program.py", Options()).text
    after = module(text, "random_program_after")
    oracle = oracle_of(made.text, "random_program.py", "run")
    reports = [compare("run", case, before.run, after.run, oracle=oracle) for case in _cases(made)]
    return [report for report in reports if report.verdict is Verdict.DIFFERENT]


def cases_of(before: Any, text: str, function: str) -> list[Case]:
    """The program's own cases of a function, and variants with the numbers of the text in their arrays.

    A comparison with a limit is seen to be strict or not only where an element is equal to the limit.
    """
    own = [each[1] for each in before.cases() if each[0] == function]
    numbers = _numbers(text)
    rng = np.random.default_rng(len(text))
    made = [tuple(_varied(value, numbers, rng) for value in own[k % len(own)]) for k in range(VARIANTS)]
    ends = [each for each in made if _ends(getattr(before, function), each)]
    return [Case(f"case {index}", each) for index, each in enumerate([*own, *ends])]


def ending(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which raises ``TimeoutError`` where it does not end: a wrong test of a loop may never."""

    def call(*arguments: Any) -> Any:
        before = signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return function(*arguments)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return call


def _stop(*_: object) -> None:
    raise TimeoutError(f"it does not end in {SECONDS} s")


def _ends(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Whether the original ends for arguments of ours: a loop up to a tolerance of zero may not."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            ending(function)(*copy.deepcopy(arguments))
        except TimeoutError:
            return False
        except Exception:  # noqa: BLE001 (what it raises is for the comparison to see)
            return True
    return True


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
