"""The judgement is sharp and never false: right rewrites pass, wrong ones are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import judged_programs as programs
import numpy as np
import pytest

from nprewrite.comparison import Case, CaseReport, Verdict, verify
from nprewrite.comparison.compare import Arrays, compare
from nprewrite.comparison.judge import Judged, identical, too_many_flips
from nprewrite.comparison.oracle import NoOracle, oracle_from_function

Function = Callable[..., Any]

RANDOM = np.random.default_rng(5)
ROW = RANDOM.normal(size=1000)
MATRIX = RANDOM.normal(size=(12, 12))


def judged(before: Function, after: Function, *args: Any, exact: bool = False) -> CaseReport:
    """The report of one case."""
    return verify(before, after, [Case("", args)], exact=exact).cases[0]


@pytest.mark.parametrize(
    ("before", "after", "args"),
    [
        (programs.escape, programs.escape_in_parts, (40, 200)),
        (programs.escape, programs.escape_in_parts, (61, 50, 2.0**40)),
        (programs.escape, programs.escape_in_parts, (30, 80, 2.0, "complex128")),
        (programs.logistic, programs.logistic_expanded, (200, 300)),
        (programs.sums, programs.sums_in_order, (ROW,)),
        (programs.quotient, programs.quotient_by_inverse, (ROW[1:], ROW[:-1])),
        (
            programs.quotient,
            programs.quotient_by_inverse,
            (ROW[1:].astype("float32"), ROW[:-1].astype("float32")),
        ),
        (programs.heat, programs.heat_grouped, (ROW, 30)),
        (programs.heat, programs.heat_grouped, (ROW.astype("float32"), 30)),
        (programs.heat, programs.heat_grouped, (ROW.astype("float16"), 3)),
        (programs.solve, programs.solve_by_inverse, (MATRIX, MATRIX[0])),
        (programs.solve, programs.solve_by_inverse, (MATRIX.astype("float32"), MATRIX[0].astype("float32"))),
        (programs.norm_by_math, programs.norm_by_hypot, (0.1, 0.7)),
        (programs.spread, programs.spread_by_updating, (MATRIX + 1e4,)),
        (programs.spread, programs.spread_by_updating, (MATRIX.astype("float32"),)),
    ],
)
def test_right_rewrites_are_the_same(before: Function, after: Function, args: tuple[Any, ...]) -> None:
    report = judged(before, after, *args)
    assert report.verdict is Verdict.SAME, report
    assert judged(before, before, *args).verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("before", "after", "args"),
    [
        (programs.escape, programs.escape_without_imaginary_part, (40, 200)),
        # c = -2 stays on the horizon for ever: one pixel, whose operations are all exact.
        (programs.escape, programs.escape_at_horizon, (31, 200)),
        (programs.escape, programs.escape_one_less, (40, 50)),
        (programs.escape, programs.escape_one_element, (100, 50)),
        (programs.escape, programs.escape_one_count, (100, 50)),
        (programs.logistic, programs.logistic_swapped, (200, 10)),
        (programs.sums, programs.sums_missing_last, (ROW,)),
        (programs.heat, programs.heat_short, (ROW, 5)),
        (programs.heat, programs.heat_short, (ROW.astype("float32"), 1)),
        (programs.steps, programs.steps_strict, (np.linspace(0, 1, 11),)),
        (programs.steps, programs.steps_strict, (np.linspace(0, 1, 11, dtype="float32"),)),
        (programs.quotient, programs.quotient_apart, (ROW[1:], ROW[:-1])),
        (programs.spread, programs.spread_corrected, (MATRIX,)),
        (programs.solve, programs.solve_wrong, (MATRIX, MATRIX[0])),
    ],
)
def test_wrong_rewrites_are_different(before: Function, after: Function, args: tuple[Any, ...]) -> None:
    report = judged(before, after, *args)
    assert report.verdict is Verdict.DIFFERENT
    assert report.differences
    assert report.worst is not None


def test_horizon_pixel_is_named() -> None:
    worst = judged(programs.escape, programs.escape_at_horizon, 31, 200).worst
    assert worst is not None
    # c = -2 and c = -2i are points of the grid.
    assert worst.index in ((20, 0), (0, 20))
    assert worst.before == worst.oracle != worst.after


def test_flips_are_counted_and_shown() -> None:
    report = judged(programs.escape, programs.escape_in_parts, 100, 200)
    assert report.verdict is Verdict.SAME
    assert report.flips is not None
    assert report.flips.numpy > 0
    assert report.flips.rewritten > 0
    assert "perturbed run" in report.notes[0]


def test_flips_may_not_multiply() -> None:
    assert not too_many_flips(1000, 1012)
    assert not too_many_flips(0, 3)
    assert too_many_flips(0, 20)
    assert too_many_flips(1000, 2500)


def half(x: Any) -> Any:
    return x * 0.5


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_well_conditioned_element_is_never_excused(dtype: str) -> None:
    """One element of a thousand moves by one unit, and by four."""
    x = np.full(1000, 1.25, dtype)

    def moved(x: Any, by: float) -> Any:
        made = half(x)
        made[7] *= 1 + by * np.finfo(dtype).eps
        return made

    assert judged(half, lambda x: moved(x, 0.8), x).verdict is Verdict.SAME
    assert judged(half, lambda x: moved(x, 4), x).verdict is Verdict.DIFFERENT


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_parts_of_an_overflowing_product_depend_on_fused_multiplications(dtype: str) -> None:
    """The imaginary part is -inf where the real part was, and nan where the real part was inf - inf."""
    large = np.sqrt(np.sqrt(np.finfo(dtype).max)) * (4 + 5j)
    z = np.array([large, 0.5 + 0.25j], dtype)
    report = judged(programs.squares, programs.squares_in_parts, z)
    assert report.verdict is Verdict.SAME
    assert judged(programs.squares, programs.squares_held, z).verdict is Verdict.DIFFERENT


def test_complex_errors_are_measured_by_the_modulus() -> None:
    z = np.array([1e8 + 1e-8j])

    def rotated(z: Any) -> Any:
        return z * 0.5 + 1e-9j

    assert judged(half, rotated, z).verdict is Verdict.SAME
    assert judged(half, lambda z: half(z).real + 0j, np.array([1 + 1j])).verdict is Verdict.DIFFERENT


def test_exact_asks_for_every_bit() -> None:
    def negated_zero(x: Any) -> Any:
        return np.negative(-x)

    def plus_zero(x: Any) -> Any:
        return x + 0.0

    zeros = np.array([-0.0, 1.0])
    assert judged(negated_zero, plus_zero, zeros).verdict is Verdict.SAME
    report = judged(negated_zero, plus_zero, zeros, exact=True)
    assert report.verdict is Verdict.DIFFERENT
    assert report.judged == "exact"
    assert judged(negated_zero, negated_zero, zeros, exact=True).verdict is Verdict.SAME


def test_nan_of_any_payload_is_the_same_bits() -> None:
    quiet = np.array([np.nan])
    other = quiet.view("uint64") | np.uint64(1)
    assert identical(quiet, other.view("float64")).all()
    assert not identical(np.array([0j]), np.array([complex(0.0, -0.0)])).any()


@pytest.mark.parametrize("wrong", [np.nan, -np.inf, 1.0])
def test_what_is_not_finite_must_stay(wrong: float) -> None:
    def overflow(x: Any) -> Any:
        return x * np.float32(1e30)

    def other(x: Any) -> Any:
        made = overflow(x)
        made[0] = wrong
        return made

    x = np.array([1e30, 1.0], dtype="float32")
    assert judged(overflow, overflow, x).verdict is Verdict.SAME
    assert judged(overflow, other, x).verdict is Verdict.DIFFERENT


def test_without_oracle_the_reason_is_said() -> None:
    report = judged(programs.solve, programs.solve_by_inverse, MATRIX, MATRIX[0])
    assert report.judged == "no oracle: np.solve has no long double"
    assert report.errors.rewritten is None
    assert report.notes == ("compared with NumPy: half of the digits, relative to the largest element",)
    single = judged(programs.solve, programs.solve, MATRIX.astype("float32"), MATRIX[0].astype("float32"))
    assert single.judged == "oracle float64"


def third(x: Any) -> Any:
    return x / 3


def test_errors_are_in_units_in_the_last_place() -> None:
    def ulp_away(x: Any) -> Any:
        return np.nextafter(x / 3, 1)

    errors = judged(third, ulp_away, np.array([1.0])).errors
    assert errors.numpy == pytest.approx(1 / 3, abs=1e-3)
    assert errors.rewritten == pytest.approx(2 / 3, abs=1e-3)


def test_reference_has_a_column_and_no_vote() -> None:
    report = compare(
        "sums",
        Case("", (ROW,)),
        programs.sums,
        programs.sums,
        oracle=oracle_from_function(programs.sums),
        reference=lambda x: tuple(each * 2 for each in programs.sums(x)),
    )
    assert report.verdict is Verdict.SAME
    assert report.errors.reference is not None
    assert report.errors.reference > 1e10


def test_many_right_rewrites_are_never_called_wrong() -> None:
    """Chaotic programs of many sizes, in which nearly every element is judged by perturbed runs."""
    sizes = np.random.default_rng(11)
    grids = [(int(sizes.integers(5, 30)), int(sizes.integers(5, 150))) for _ in range(30)]
    maps = [(int(sizes.integers(5, 100)), int(sizes.integers(1, 150))) for _ in range(20)]
    escapes = verify(programs.escape, programs.escape_in_parts, grids)
    assert escapes.same, str(escapes)
    logistics = verify(programs.logistic, programs.logistic_expanded, maps)
    assert logistics.same, str(logistics)


def ill_conditioned(size: int, wrong: list[float]) -> Judged:
    """``size`` elements whose runs lose half of their digits, the first of them wrong by more."""
    truth = np.ones(size, np.longdouble)
    after = np.ones(size)
    after[: len(wrong)] += wrong
    made = Judged.of("result", np.ones(size), after, truth, None)
    made.explain(truth + 1e-6)
    return made


def test_few_unexplained_among_many_ill_conditioned_are_chance() -> None:
    assert not ill_conditioned(600, [1e-6]).exceeding.any()
    assert ill_conditioned(600, [0.1] * 2).exceeding.sum() == 2
    assert not ill_conditioned(600, [0.1] * 2).different
    assert ill_conditioned(600, [0.1] * 3).different
    assert ill_conditioned(200, [0.1]).different


def test_sound_element_is_not_excused_by_its_neighbours() -> None:
    judged = ill_conditioned(600, [0.1])
    judged.noise[0] = 1e-15
    assert judged.different


def test_elements_without_digits_share_their_noise() -> None:
    truth = np.ones(3, np.longdouble)
    judged = Judged.of("result", np.ones(3), np.array([50.0, 1.0, 50.0]), truth, None)
    judged.explain(np.array([2.0, 41.0, 1.0]))
    assert judged.exceeding.tolist() == [False, False, True]


def test_runs_stop_where_there_is_no_hope() -> None:
    assert not ill_conditioned(600, [0.1] * 2).hopeless
    assert ill_conditioned(600, [0.1] * 60).hopeless


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_nothing_finite_is_near_what_is_not(value: float) -> None:
    judged = Judged.of("result", np.array([1.0]), np.array([value]), np.ones(1, np.longdouble), None)
    assert judged.exceeding.all()
    truth = np.array([value], np.longdouble)
    judged = Judged.of("result", np.array([value]), np.array([1.0]), truth, None)
    assert judged.exceeding.all()


def test_reference_without_oracle_is_noted() -> None:
    for exact in (True, False):
        report = compare(
            "half", Case("", (ROW,)), half, half, exact=exact, oracle=NoOracle("of a test"), reference=half
        )
        assert report.verdict is Verdict.SAME
        assert any(note.startswith("reference: not measured") for note in report.notes)


def test_arrays_of_the_worst_place_are_kept() -> None:
    kept: list[Arrays] = []
    for after in (programs.heat, programs.heat_short):
        compare(
            "heat",
            Case("", (ROW, 3)),
            programs.heat,
            after,
            oracle=oracle_from_function(programs.heat),
            keep=kept.append,
        )
    (arrays,) = kept
    assert arrays.place == "result"
    assert np.flatnonzero(arrays.before != arrays.after).max() == len(ROW) - 2
