"""The values on both sides of a case, judged against the oracle, bit for bit, or against NumPy alone."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nprewrite.comparison.arithmetic import AMPLITUDE, Rounding
from nprewrite.comparison.case import Case
from nprewrite.comparison.judge import (
    FEW_RUNS,
    RUNS,
    Judged,
    agreeing,
    as_number,
    error,
    identical,
    largest,
    near_half,
    too_many_flips,
)
from nprewrite.comparison.leaves import type_name
from nprewrite.comparison.memory import copy_arguments
from nprewrite.comparison.observe import Observation, RandomState, observe
from nprewrite.comparison.oracle import Answer, NoOracle, Oracle
from nprewrite.comparison.report import Cost, Errors, Flips, Worst
from nprewrite.comparison.single import SINGLE_TOLERANCE, cost, near_single
from nprewrite.comparison.widths import Unwidened, wide

Array = NDArray[Any]
Pairs = dict[str, tuple[Array, Array]]
"""The numbers on both sides, by place."""

# What copying raises for an argument that cannot be copied, such as a generator or an open file.
_COPY_ERRORS = (TypeError, AttributeError, ValueError, NotImplementedError, RecursionError, copy.Error)


@dataclass(frozen=True)
class Question:
    """How a case is judged; ``start`` is the state of the random generators before each call."""

    case: Case
    start: RandomState
    exact: bool
    oracle: Oracle | NoOracle
    reference: Callable[..., Any] | None
    single: bool = False


@dataclass
class Findings:
    """What the comparison has found so far."""

    judged: str
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    errors: Errors = field(default_factory=Errors)
    flips: Flips | None = None
    worst: Worst | None = None
    costs: list[Cost] = field(default_factory=list)


class CopyError(Exception):
    """The arguments of a case cannot be copied."""


def call(function: Callable[..., Any], question: Question) -> Observation:
    """Call a side on copies of the arguments; raises ``CopyError``, and the side's MemoryError."""
    try:
        args, kwargs = copy_arguments(question.case.args, question.case.kwargs)
    except _COPY_ERRORS as problem:
        raise CopyError(f"an argument cannot be copied: {problem}") from problem
    return observe(function, args, kwargs, question.start)


def judge_values(found: Findings, pairs: Pairs, question: Question, ours: Observation) -> None:
    """Judge numbers and add the outcome to ``found``; ``ours`` is what NumPy did."""
    if question.single:
        _judge_single(found, pairs, question)
        return
    if question.exact:
        _judge_plainly(found, pairs, identical, question)
        return
    oracle = question.oracle
    if isinstance(oracle, NoOracle):
        _judge_without(found, pairs, oracle, question)
        return
    answer = _usable(oracle(question.case, question.start), ours, pairs)
    if isinstance(answer, NoOracle):
        _judge_without(found, pairs, answer, question)
        return
    judged = [_judged(place, pair, answer) for place, pair in pairs.items()]
    runs = _explain(judged, oracle, question)
    found.judged = _oracle_name(judged)
    _judge_by_oracle(found, judged, runs)
    if question.reference is not None:
        _measure_reference(found, judged, question.reference, question)


def _judge_single(found: Findings, pairs: Pairs, question: Question) -> None:
    """Judge a program in single precision by NumPy in double precision, and note its errors."""
    found.judged = f"float32: {SINGLE_TOLERANCE:.1e} of the largest"
    found.costs += [cost(place, *pair) for place, pair in pairs.items() if pair[0].dtype.kind in "fc"]
    _judge_plainly(found, pairs, near_single, question)
    if found.differences:
        found.notes += _lost_digits(pairs, question)
    flips = [(new != old, new.size) for old, new in pairs.values() if old.dtype.kind not in "fc"]
    if flips:
        differ = sum(int(np.count_nonzero(wrong)) for wrong, _ in flips)
        found.flips = Flips(0, differ, sum(size for _, size in flips))


def _lost_digits(pairs: Pairs, question: Question) -> list[str]:
    """Whether NumPy's own results move as far where the digits that float32 lacks are drawn at random."""
    if isinstance(question.oracle, NoOracle):
        return []
    unexplained = {place: ~near_single(*pair) for place, pair in pairs.items()}
    for run in range(FEW_RUNS):
        answer = question.oracle(question.case, question.start, Rounding(run, single=True))
        if isinstance(answer, NoOracle):
            return []
        for place, (old, new) in pairs.items():
            number = as_number(answer.leaves.values.get(place))
            if number is not None and number.shape == old.shape:
                unexplained[place] &= error(new, old) > 2 * error(number, old)
        if not any(map(np.any, unexplained.values())):
            return ["digits that float32 lacks decide these elements: NumPy with such errors differs as much"]
    return ["NumPy with errors of float32's size does not differ as much"]


def _judge_without(found: Findings, pairs: Pairs, oracle: NoOracle, question: Question) -> None:
    found.judged = f"no oracle: {oracle.because}"
    found.notes.append("compared with NumPy: half of the digits, relative to the largest element")
    _judge_plainly(found, pairs, near, question)


def near(old: Array, new: Array) -> Array:
    """Where two arrays agree by the comparison with NumPy alone."""
    return agreeing(old, new) | near_half(old, new)


def _judge_plainly(
    found: Findings, pairs: Pairs, same: Callable[[Array, Array], Array], question: Question
) -> None:
    """Compare with NumPy alone."""
    if question.reference is not None:
        found.notes.append("reference: not measured, since errors are measured against the oracle")
    worst = 0.0
    for place, (old, new) in pairs.items():
        wrong = ~same(old, new)
        if not np.any(wrong):
            continue
        found.differences.append(f"{place}: {_count(wrong)} differ")
        distance = np.where(wrong, error(new, old), -1)
        # Bits may differ where values do not: -0.0 and 0.0.
        if found.worst is None or np.max(distance) > worst:
            worst = float(np.max(distance))
            found.worst = _worst(place, distance, old, new, None)


def _usable(answer: Answer | NoOracle, ours: Observation, pairs: Pairs) -> Answer | NoOracle:
    """The oracle's answer, or why it cannot be compared with NumPy's."""
    if isinstance(answer, NoOracle):
        return answer
    theirs = answer.observation
    if type_name(theirs.exception) != type_name(ours.exception):
        outcome = "returns" if theirs.exception is None else f"raises {theirs.exception!r}"
        return NoOracle(f"the program in higher precision {outcome}")
    for place, (old, _) in pairs.items():
        number = as_number(theirs.leaves.values.get(place))
        if number is None or number.shape != old.shape:
            return NoOracle(f"the program in higher precision gives another structure at {place}")
        try:
            expected = wide(old.dtype)
        except Unwidened as problem:
            return NoOracle(str(problem))
        value = ours.leaves.values[place]
        scalar = isinstance(value, float | complex) and not isinstance(value, np.generic)
        if number.dtype != expected and not (scalar and number.dtype.kind == old.dtype.kind):
            return NoOracle(
                f"the program in higher precision gives {number.dtype} at {place}, not {expected}"
            )
    return answer


def _judged(place: str, pair: tuple[Array, Array], answer: Answer) -> Judged:
    value = answer.leaves.values[place]
    size = answer.sums.size_of(value) if np.asarray(value).dtype.kind in "fc" else None
    return Judged.of(place, *pair, np.asarray(value), size)


def _explain(judged: list[Judged], oracle: Oracle, question: Question) -> int:
    """Make perturbed runs until all elements are explained or more runs are useless; return their number."""
    for run in range(RUNS):
        if not any(np.any(each.exceeding) for each in judged):
            return run
        if run >= FEW_RUNS and any(each.hopeless for each in judged):
            return run
        rounding = Rounding(run, AMPLITUDE * 2 ** (run // FEW_RUNS))
        answer = oracle(question.case, question.start, rounding)
        if isinstance(answer, NoOracle):
            continue
        for each in judged:
            number = as_number(answer.leaves.values.get(each.place))
            if number is not None and number.shape == each.before.shape:
                each.explain(number)
    return RUNS


def _judge_by_oracle(found: Findings, judged: list[Judged], runs: int) -> None:
    for each in judged:
        wrong = each.exceeding
        if each.different:
            found.differences.append(f"{each.place}: {_count(wrong)} differ by more than rounding explains")
        if too_many_flips(*each.flips):
            numpy, rewritten = each.flips
            found.differences.append(
                f"{each.place}: {rewritten} elements differ from the oracle's, of NumPy's {numpy}"
            )
    found.worst = _worst_judged(judged)
    floats = [each for each in judged if each.before.dtype.kind in "fc"]
    found.errors = Errors(
        max((each.largest(each.error_before) for each in floats), default=None),
        max((each.largest(each.error_after) for each in floats), default=None),
    )
    counts = [(*each.flips, each.before.size) for each in judged if each.before.dtype.kind not in "fc"]
    if counts:
        found.flips = Flips(*map(sum, zip(*counts, strict=True)))
    if runs:
        shaky = sum(int(np.count_nonzero(each.shaky)) for each in judged)
        left = sum(int(np.count_nonzero(each.exceeding)) for each in judged)
        found.notes.append(
            f"{runs} perturbed run{'s' * (runs > 1)}: {shaky} ill-conditioned elements, {left} unexplained"
        )


def _worst_judged(judged: list[Judged]) -> Worst | None:
    """The element that exceeds the rule most; if none does, the one that differs most from the oracle."""
    best: tuple[bool, float] = (False, 0.0)
    worst = None
    for each in judged:
        wrong = each.exceeding
        chosen = wrong if np.any(wrong) else ~each.agree
        if not np.any(chosen):
            continue
        unit = np.where(each.unit > 0, each.unit, 1)
        distance = np.where(chosen, each.error_after / unit, -1)
        rank = bool(np.any(wrong)), float(np.max(distance))
        if worst is None or rank > best:
            best = rank
            worst = _worst(each.place, distance, each.before, each.after, each.truth)
    return worst


def _worst(place: str, distance: Array, old: Array, new: Array, truth: Array | None) -> Worst:
    index = tuple(int(k) for k in np.unravel_index(int(np.argmax(distance)), distance.shape))
    return Worst(place, index, str(old[index]), str(new[index]), "" if truth is None else str(truth[index]))


def _measure_reference(
    found: Findings, judged: list[Judged], reference: Callable[..., Any], question: Question
) -> None:
    """The largest error and the flips of a reference kernel's result; what it leaves out is noted."""
    try:
        observation = call(reference, question)
    except MemoryError as problem:
        found.notes.append(f"reference: out of memory: {problem}")
        return
    if observation.exception is not None:
        found.notes.append(f"reference: raises {observation.exception!r}")
        return
    errors, flips = [], []
    for each in (each for each in judged if each.place.startswith("result")):
        number = as_number(observation.leaves.values.get(each.place))
        if number is None or number.shape != each.truth.shape:
            found.notes.append(f"reference: has no array of shape {each.truth.shape} at {each.place}")
        elif each.before.dtype.kind in "fc":
            errors.append(largest(error(number, each.truth), each.truth, each.before.dtype))
        else:
            flips.append(int(np.count_nonzero(number != each.truth)))
    found.errors = Errors(found.errors.numpy, found.errors.rewritten, max(errors, default=None))
    if found.flips is not None and flips:
        found.flips = replace(found.flips, reference=sum(flips))


def _oracle_name(judged: list[Judged]) -> str:
    # NumPy calls long double float96 or float128, by its padding.
    dtypes = {each.truth.real.dtype for each in judged if each.truth.dtype != each.before.dtype}
    names = sorted("long double" if dtype == np.longdouble else str(dtype) for dtype in dtypes)
    return f"oracle {', '.join(names)}" if names else "oracle"


def _count(wrong: Array) -> str:
    return f"{np.count_nonzero(wrong)} of {wrong.size} element{'s' * (wrong.size != 1)}"
