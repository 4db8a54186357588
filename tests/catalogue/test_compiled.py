"""Some of the catalogue's programs through torch.compile: the same results, and few graphs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from catalogue_cases import CATALOGUE, Call, Case, calls, function_of, load, module_name, steps_of
from catalogue_compare import Closeness, differences, observe

from nprewrite.engine.outcomes import Options

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.usefixtures("steps_compiled"), pytest.mark.filterwarnings("ignore")]

# Case and function; each takes some seconds, so the first calls of one function a case have to do.
COMPILED = [
    ("complex-pairs/rewrites/mandelbrot", "mandelbrot"),
    ("complex-pairs/rewrites/mandelbrot-double", "mandelbrot"),
    ("complex-pairs/rewrites/julia", "julia"),
    ("complex-pairs/rewrites/newton", "newton"),
    ("extract-step/rewrites/step-function", "mandelbrot"),
    ("extract-step/rewrites/logistic-map", "logistic"),
    ("extract-step/rewrites/growing-mask", "tide"),
    ("extract-step/rewrites/loop-variable-after-the-loop", "preset"),
    ("masked-store/rewrites/added-in-a-loop", "drift"),
    ("extract-step/rewrites/views-within-a-trip", "react"),
    ("extract-step/rewrites/arrays-made-in-each-trip", "decayed"),
    ("compile-region/rewrites/arrays-made-in-it", "bordered"),
    ("compile-region/rewrites/grid-of-coordinates", "crossed"),
    ("compile-region/rewrites/ruled-and-filled", "ruled"),
    ("compile-region/rewrites/slopes", "steepness"),
    ("compile-region/rewrites/lengths-are-parameters", "smeared"),
    ("compile-region/rewrites/length-with-a-name", "padded"),
    ("extract-step/rewrites/two-time-levels", "damped"),
    ("extract-step/rewrites/elements-are-numbers", "exchange"),
    ("extract-step/rewrites/masks-over-whole-arrays", "heated"),
    ("extract-step/rewrites/reductions-of-whole-arrays", "sphere"),
    ("extract-step/rewrites/numpy-scalar-in-the-loop", "spread"),
    ("extract-step/rewrites/changed-then-rebound", "streamed"),
    ("extract-step/rewrites/integers-that-fit", "mixed"),
    ("unroll-loop/rewrites/lattice-directions", "boltzmann"),
    ("extract-part/rewrites/recorded-numbers", "ensemble"),
    ("extract-part/rewrites/snapshots", "wave"),
    ("extract-part/rewrites/ends-in-the-loop", "relaxed"),
    ("extract-part/rewrites/changed-between-iterations", "pushed"),
    ("extract-part/rewrites/number-into-bytes", "pressed"),
    ("float32/rewrites/time-steps", "heat"),
    ("float32/rewrites/reductions", "moments"),
    ("float32/rewrites/complex-numbers", "spiral"),
    ("slice-accumulate/rewrites/oscillators", "rate"),
    ("slice-accumulate/rewrites/counts", "neighbours"),
    ("loop-in-graph/rewrites/in-place", "diffused"),
    ("loop-in-graph/rewrites/integers", "counted"),
    ("loop-in-graph/rewrites/new-arrays", "oscillators"),
    ("loop-in-graph/rewrites/ping-pong", "smoothed"),
    ("loop-in-graph/rewrites/three-levels", "wave"),
    ("compile/rewrites/boxed-scalars", "drive"),
    ("compile/rewrites/dtypes", "integers"),
    ("compile/rewrites/quotients-of-integers", "shares"),
    ("compile/rewrites/other-words", "wrap"),
]
CALLS_A_CASE = 2


def _rewritten(case: Case, tmp_path: Path) -> ModuleType:
    # Through torch.compile, however small the arrays are.
    options = Options() if case.pass_name == "loop-in-graph" else Options(ignore=frozenset({"NPR404"}))
    text = case.rewritten(options).text
    path = tmp_path / "after.py"
    path.write_text(text, encoding="utf-8", newline="")
    return load(path, module_name(case, "compiled"))


def _first_calls(module: ModuleType, function: str) -> list[Call]:
    return [call for call in calls(module) if call.function == function][:CALLS_A_CASE]


@pytest.mark.parametrize(("name", "function"), COMPILED)
def test_same_results_compiled(name: str, function: str, tmp_path: Path) -> None:
    case = Case(CATALOGUE / name)
    before = load(case.before_path, module_name(case, "before"))
    after = _rewritten(case, tmp_path)
    allowed = case.comparison
    closeness = Closeness(rounding=True, differing_lanes=allowed.differing_lanes, single=allowed.single)
    pairs = list(zip(_first_calls(before, function), _first_calls(after, function), strict=True))
    assert len(pairs) == CALLS_A_CASE
    for ours, theirs in pairs:
        expected = observe(function_of(before, function), ours.arguments)
        seen = observe(function_of(after, function), theirs.arguments)
        assert differences(expected, seen, closeness) == [], f"{function}{ours.arguments}"
    for step, runs in steps_of(after).items():
        assert not runs["numpy"], f"{step} was not compiled: {dict(runs)}"
    ran = {step: dict(runs) for step, runs in steps_of(after).items()}
    assert sum(runs.get("compiled", 0) for runs in ran.values()) >= CALLS_A_CASE, ran


def test_no_recompilation_for_other_numbers(tmp_path: Path) -> None:
    """Once a chunk and a single trip are compiled, other trips, bounds and horizons compile nothing."""
    case = Case(CATALOGUE / "complex-pairs/rewrites/mandelbrot")
    before = load(case.before_path, module_name(case, "before"))
    after = _rewritten(case, tmp_path)
    after.mandelbrot(-2.25, 0.75, -1.25, 1.25, 24, 17, 25, 2.0)
    closeness = Closeness(rounding=True, differing_lanes=case.comparison.differing_lanes)
    with torch.compiler.set_stance("fail_on_recompile"):
        for trips, horizon, left in ((41, 3.0, -2.0), (19, 2.0**40, -2.25), (203, 100.0, -1.5)):
            arguments = (left, 0.75, -1.25, 1.25, 24, 17, trips, horizon)
            expected = observe(before.mandelbrot, arguments)
            assert differences(expected, observe(after.mandelbrot, arguments), closeness) == []
    (runs,) = steps_of(after).values()
    assert runs == {"compiled": 4}
