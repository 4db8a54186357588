"""The decorator's choices: which version runs, what is compared, and what becomes of a fallback."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.base import forks
from nprewrite.decorated import turns
from nprewrite.decorated.turns import call_class

pytestmark = pytest.mark.usefixtures("nothing_beside")

PROGRAM = """
import numpy as np
import nprewrite


@nprewrite.jit
def spread(x, y):
    d = np.abs(x - y)
    return np.sqrt((d * d).sum(axis=0)) + 1


@nprewrite.jit(verify="first-call")
def checked(x):
    return (x * x).sum() + x.max()


@nprewrite.jit(on_fallback="raise")
def strict(x, trips):
    for _ in range(trips):
        x = x * 0.5 + 1
    return x


@nprewrite.jit
def total(x, m):
    return x[m].sum()


@nprewrite.jit
def flow(u):
    d = np.zeros_like(u)
    for i in range(len(u) - 1):
        d[i] += 0.5 * (u[i + 1] - u[i])
    return d


@nprewrite.jit(wait=True)
def likelihood(a, r):
    if a >= 1:
        return 1e10
    s = ll = 0.0
    for x in r:
        s = a * s + x * x
        ll += s - x / (s + 1)
    return ll


@nprewrite.jit
def picked(u, wanted):
    d = np.zeros_like(u)
    for i in range(len(u)):
        if wanted[i] > 0:
            d[i] = 0.5 * u[i]
    return d


@nprewrite.jit
def carried(u):
    for i in range(1, len(u)):
        u[i] += 0.5 * u[i - 1]
    return u


@nprewrite.jit
def folded(table, shifts):
    for i in range(1, len(table)):
        w = shifts[i]
        table[i] = table[i - 1]
        table[i, w:] = np.exp(-np.sqrt(table[i - 1, w:] + table[i - 1, : table.shape[1] - w]))
    return table


@nprewrite.jit
def substituted(lower, x):
    for i in range(len(x)):
        # Native loops have no order of complex numbers.
        x[i] = (x[i] - np.dot(lower[i, :i], x[:i][::-1])) / np.max(lower[i, : i + 1])


@nprewrite.jit
def plain(items):
    return sorted(items)


@nprewrite.jit
def smoothed(x, rate):
    y = np.zeros_like(x)
    state = 0.0
    for i in range(len(x)):
        state = state + rate * (x[i] - state)
        y[i] = state
    return y


class Signal:
    def __init__(self, x):
        self.x = x


@nprewrite.jit
def smoothed_signal(signal, rate):
    y = np.zeros_like(signal.x)
    state = 0.0
    for i in range(len(signal.x)):
        state = state + rate * (signal.x[i] - state)
        y[i] = state
    return y


@nprewrite.jit
def grown(image):
    strong = image > 0.8
    weak = (image > 0.3) & ~strong
    for i in range(1, len(image)):
        for j in range(1, image.shape[1]):
            if weak[i, j] and (strong[i - 1, j] or strong[i, j - 1]):
                strong[i, j] = True
    return strong.astype(np.uint8) * 255


@nprewrite.jit
def positive(x):
    if x.min() <= 0:
        raise ValueError("not positive")
    return np.sqrt(x + choose(x))


def choose(x):
    return x.max()
"""


def imported(text: str, folder: Path, name: str) -> ModuleType:
    """The module of that name made of ``text``."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "0")
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    return imported(PROGRAM, tmp_path, "choices")


@pytest.fixture
def numbers() -> tuple[Any, Any]:
    return np.arange(12.0).reshape(3, 4), np.ones((3, 4))


def test_versions_take_turns_and_one_is_kept(module: ModuleType, numbers: tuple[Any, Any]) -> None:
    wanted = module.spread.original(*numbers)
    for _ in range(20):
        np.testing.assert_allclose(module.spread(*numbers), wanted, rtol=1e-14)
    report = module.spread.report()
    (line,) = report.turns
    assert line.startswith("called with (float64[2 axes, below 2**4 elements, shape #1], float64[2 axes")
    assert "is kept: " in line
    assert "; waited " in line
    ways, choice = report.steps
    assert ways.startswith("`_spread_region` ran ")
    assert choice.startswith("`_spread_region` for arrays below 2**4 elements: ")
    assert "ms against NumPy's" in choice
    # Which side of a part is faster decides nothing where the whole function runs as written.
    told = str(report).endswith(choice.removeprefix("`_spread_region` "))
    assert told is ("the rewritten version is kept" in line)


def test_a_size_that_is_called_once_leaves_the_others_to_decide(
    module: ModuleType, numbers: tuple[Any, Any]
) -> None:
    """Its turns stay open: nothing of them is taken in the calls of another size."""
    module.spread(np.ones((30, 40)), np.ones((30, 40)))
    for _ in range(40):
        module.spread(*numbers)
    once, often = module.spread.report().turns
    assert "not decided yet" in once
    assert "is kept: " in often


def test_the_choice_is_remembered(
    module: ModuleType, numbers: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 0.5, 0.5))
    module.spread(*numbers)
    ((_, turn),) = module.spread._turns.items()
    turn.seconds["original"] = [1.0, 1.0]
    turn.note("original", 1.0)
    turn.note("rewritten", 9.0)
    again = imported(PROGRAM, tmp_path, "choices_again")
    again.spread(*numbers)
    assert "as remembered" in again.spread.report().turns[0]


def test_no_turns_in_a_fork_that_lacks_threads(
    module: ModuleType, numbers: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both run as written there: what is slower by chance must not be remembered."""
    module.spread(*numbers)
    ((_, turn),) = module.spread._turns.items()
    before = {side: list(seconds) for side, seconds in turn.seconds.items()}
    for name in ("is_fork_of_torch", "lacks_threads"):
        monkeypatch.setattr(forks, name, lambda: True)
    for _ in range(9):
        np.testing.assert_array_equal(module.spread(*numbers), module.spread.original(*numbers))
    assert (turn.kept, turn.seconds) == (None, before)
    assert "9 x as written: a fork of a process that has torch" in str(module.spread.report())


def test_small_work_stays_in_numpy(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 1 << 20)
    module.spread(np.ones((2, 3)), np.ones((2, 3)))
    assert "NumPy is kept: nothing of it ran compiled" in module.spread.report().turns[0]


def test_a_scalar_loop_is_compiled_after_calls_enough(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.numba.gathered"), "MINIMUM_WORK", 1 << 12)
    x = np.sin(np.arange(500.0))
    expected = module.smoothed.original(x, 0.25)
    for _ in range(2):
        module.smoothed(x, 0.25)
    assert "NumPy is kept: too little work to compile for in less than " in str(module.smoothed.report())
    for _ in range(12):
        np.testing.assert_array_equal(module.smoothed(x, 0.25), expected)
    assert module.smoothed.version.compiled_runs


def test_a_scalar_loop_that_had_nothing_to_do_at_first_is_compiled(module: ModuleType) -> None:
    for _ in range(30):
        module.smoothed(np.ones(2), 0.25)
    for _ in range(30):
        module.smoothed(np.sin(np.arange(5000.0)), 0.25)
    assert module.smoothed.version.compiled_runs


@pytest.mark.parametrize("calls", [3, 200])
def test_an_object_that_holds_more_than_the_first_one_is_judged_anew(module: ModuleType, calls: int) -> None:
    """The class of a call does not tell how long the arrays of an object are."""
    short, long = (module.Signal(np.sin(np.arange(float(n)))) for n in (2, 20000))
    jitted = module.smoothed_signal
    for _ in range(calls):
        module.smoothed_signal(short, 0.25)
    assert not jitted.version.compiled_runs
    expected = jitted.original(long, 0.25)
    for _ in range(60):
        np.testing.assert_array_equal(module.smoothed_signal(long, 0.25), expected)
    assert jitted.version.compiled_runs, str(jitted.report())


def test_a_scalar_loop_after_array_code_is_compiled(module: ModuleType) -> None:
    """What a region has computed has the types of the statements as written."""
    image = np.random.default_rng(0).random((40, 50))
    for _ in range(4):
        np.testing.assert_array_equal(module.grown(image), module.grown.original(image))
    assert "strong, weak) = region.results" in module.grown.source
    assert "_grown_loop(" in module.grown.source


def test_a_call_that_raises_is_prepared_once(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []
    rewriting = importlib.import_module("nprewrite.decorated.rewriting")
    watched = rewriting.watched
    monkeypatch.setattr(rewriting, "watched", lambda *given: prepared.append(0) or watched(*given))
    for _ in range(3):
        with pytest.raises(ValueError, match="not positive"):
            module.positive(np.zeros(3))
    assert len(prepared) == 1
    assert module.positive(np.ones(3)).tolist() == [np.sqrt(2)] * 3


def test_slices_are_faster_than_loops_where_nothing_is_compiled(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 1 << 20)
    u = np.arange(900.0) ** 2
    expected = module.flow.original(u)
    for _ in range(10):
        np.testing.assert_array_equal(module.flow(u), expected)
    report = module.flow.report()
    assert any(site.code == "NPR405" and site.verdict == "rewritten" for site in report.sites)
    assert "the rewritten version is kept" in report.turns[0]


@pytest.mark.parametrize(
    ("name", "spared"), [("flow", True), ("carried", True), ("picked", False), ("spread", False)]
)
def test_nobody_waits_for_long_loops_in_python(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str, spared: bool
) -> None:
    """Once the rewritten side has shown that the loop is long; array code may do more than one does."""
    monkeypatch.setattr(importlib.import_module("nprewrite.decorated.jitted"), "_LONG_LOOP_S", 0.0)
    function = getattr(module, name)
    arguments = [np.linspace(0, 1, 60_000)]
    arguments += [arguments[0] - 0.5] * (name in ("picked", "spread"))
    expected = function.original(*[each.copy() for each in arguments])
    for _ in range(30):
        np.testing.assert_allclose(function(*[each.copy() for each in arguments]), expected, rtol=1e-14)
    (turn,) = function._turns.values()
    assert turn.kept is not None
    assert ("spares Python" in turn.why) == spared
    assert not (spared and turn.seconds["original"])


def test_rows_too_long_for_a_native_loop_are_left_to_array_code(module: ModuleType) -> None:
    """Which takes the calls of that size alone."""
    codes, shifts = {}, np.arange(12)
    for length in (20, 40_000):
        table = np.linspace(0, 1, 12 * length).reshape(12, length)
        for _ in range(4):
            expected = module.folded.original(table.copy(), shifts)
            np.testing.assert_allclose(module.folded(table.copy(), shifts), expected, rtol=1e-13)
        sites = module.folded.report().sites
        codes[length] = {each.code for each in sites if each.verdict == "rewritten"}
    assert "NPR410" in codes[20]
    assert "NPR410" not in codes[40_000]


def test_classes_of_calls() -> None:
    x = np.ones((3, 4))
    assert call_class((x, 3, 2.0), {}) == call_class((x * 2, 2, -1.0), {})
    others = [
        (x.astype(np.float32), 3, 2.0),
        (x[0], 3, 2.0),
        (np.ones((30, 40)), 3, 2.0),
        (x, 300, 2.0),
        (x, 3, 2),
        (x, 3, np.float64(2)),
        (x, x, 2.0),
        (x, x.reshape(4, 3), 2.0),
    ]
    assert len({call_class(each, {}) for each in [(x, 3, 2.0), *others]}) == 1 + len(others)
    assert call_class((x,), {"trips": 3}) != call_class((x, 3), {})


def test_a_version_for_equal_shapes_is_kept_for_those_alone(module: ModuleType) -> None:
    """A mask of another shape raises in NumPy, and broadcasts in the select that equal shapes allow."""
    assert module.total(np.ones((4, 1)), np.ones((4, 1), bool)) == 4
    assert "np.where" in module.total.source
    with pytest.raises(IndexError, match="boolean index"):
        module.total(np.ones((4, 1)), np.ones((1, 4), bool))


def test_a_function_that_was_only_prepared_stays_as_it_is(module: ModuleType) -> None:
    """`value = x[:i]` before each statement costs, where no region follows."""
    lower, x = np.tril(np.ones((6, 6), complex)), np.arange(6.0) + 0j
    for _ in range(2):
        module.substituted(lower, x.copy())
    assert "NPR604" in {site.code for site in module.substituted.report().sites}
    assert module.substituted._kept
    assert module.substituted.choices == ()


def test_first_call_is_verified(module: ModuleType) -> None:
    x = np.arange(1.0, 7.0)
    assert module.checked(x) == module.checked.original(x)


@pytest.mark.parametrize("on_mismatch", ["raise", "warn"])
def test_a_mismatch_is_told(
    module: ModuleType, on_mismatch: str, monkeypatch: pytest.MonkeyPatch, numbers: tuple[Any, Any]
) -> None:
    jitted = nprewrite.jit(verify="first-call", on_mismatch=on_mismatch)(module.spread.original)
    version = jitted.specializations.for_call(numbers, {}, waits=True)
    versions = jitted.specializations._versions
    monkeypatch.setitem(versions, next(reversed(versions)), version)
    object.__setattr__(version, "function", lambda x, y: module.spread.original(x, y) * (1 + 1e-9))
    if on_mismatch == "raise":
        with pytest.raises(nprewrite.MismatchError, match="other answers"):
            jitted(*numbers)
        return
    with pytest.warns(nprewrite.MismatchWarning, match="the original runs"):
        result = jitted(*numbers)
    np.testing.assert_array_equal(result, module.spread.original(*numbers))


def test_fallbacks_raise_where_asked(module: ModuleType) -> None:
    with np.errstate(all="raise"), pytest.raises(nprewrite.FallbackError, match=r"np\.seterr"):
        module.strict(np.ones(64), 9)


@pytest.mark.usefixtures("small_stands_for_large")
def test_closures_are_no_fallback() -> None:
    rate = 0.5

    @nprewrite.jit(on_fallback="raise")
    def decay(trips: int) -> Any:
        x = np.ones(8)
        for _ in range(trips):
            x = x * 0.5 + 1
        return x * rate

    np.testing.assert_array_equal(decay(3), np.full(8, 0.9375))
    assert "_decay_step.over(range(trips), x=x)" in decay.source


@pytest.mark.parametrize("option", ["verify", "on_mismatch", "on_fallback"])
def test_unknown_words(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} is one of .*, not 'maybe'"):
        nprewrite.jit(**{option: "maybe"})


def test_report_of_all_functions(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    nprewrite.report()
    printed = capsys.readouterr().out
    assert "choices.spread\n    " in printed
    assert "choices.plain\n    " in printed


def test_verify_is_at_hand() -> None:
    assert nprewrite.verify(np.sin, np.sin, [(np.ones(3),)]).same
    assert not nprewrite.verify(np.sin, np.cos, [(np.ones(3),)], exact=True).same


def test_turns_can_be_switched_off(
    module: ModuleType, numbers: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", nprewrite.NprewriteWarning)
        module.spread(*numbers)
    assert not told
    assert module.spread.report().turns == ()


def test_a_call_that_comes_to_no_step_does_not_decide(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A likelihood outside of its bounds returns at once; NumPy was kept because of it."""
    pytest.importorskip("numba")
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.numba.gathered"), "MINIMUM_WORK", 0)
    r = np.linspace(0, 1, 300_000)
    for a in (0.5, 0.4, 2.0, 3.0, *[0.5] * 6):
        assert module.likelihood(a, r) == module.likelihood.original(a, r)
    (line,) = module.likelihood.report().turns
    assert "the rewritten version is kept" in line
