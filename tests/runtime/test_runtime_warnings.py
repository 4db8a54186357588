"""Where filters or a handler look at what NumPy warns of, everything runs as written."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite import NprewriteWarning
from nprewrite.base import errors
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.refusal import Refused

LOOKED_AT: dict[str, Callable[[], None]] = {
    "errors": lambda: warnings.simplefilter("error"),
    "all": lambda: warnings.simplefilter("always"),
    "errors of the category": lambda: warnings.simplefilter("error", RuntimeWarning),
    "errors of complex numbers": lambda: warnings.simplefilter("error", np.exceptions.ComplexWarning),
    "some texts": lambda: warnings.filterwarnings("error", "invalid value", RuntimeWarning),
    "some modules": lambda: warnings.filterwarnings("error", module="solver"),
    "all but some": lambda: (
        warnings.simplefilter("error"),
        warnings.filterwarnings("ignore", "invalid value", RuntimeWarning),
    )[0],
}
PRINTED: dict[str, Callable[[], None]] = {
    "nothing said": warnings.resetwarnings,
    "printed": lambda: warnings.simplefilter("default"),
    "printed once": lambda: warnings.simplefilter("once"),
    "ignored": lambda: warnings.simplefilter("ignore"),
    "other categories": lambda: warnings.simplefilter("error", DeprecationWarning),
    "fits of polynomials": lambda: warnings.simplefilter("always", np.exceptions.RankWarning),
    "ignored before errors": lambda: (
        warnings.simplefilter("error"),
        warnings.simplefilter("ignore", RuntimeWarning),
    )[0],
}


check_warnings = guards.check_warnings


@pytest.fixture(autouse=True)
def clean_filters(in_numpy: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # The other tests of the runtime go without it.
    monkeypatch.setattr(guards, "check_warnings", check_warnings)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        yield


@pytest.mark.parametrize("name", LOOKED_AT)
def test_filters_that_look(name: str) -> None:
    LOOKED_AT[name]()
    with pytest.raises(Refused, match="filtered by") as refusal:
        guards.check_warnings()
    assert refusal.value.silent


@pytest.mark.parametrize("name", PRINTED)
def test_filters_that_print(name: str) -> None:
    PRINTED[name]()
    guards.check_warnings()


def test_filters_that_are_changed_in_place() -> None:
    for _ in range(2):
        warnings.simplefilter("error")
        assert not npr.quiet()
        warnings.resetwarnings()
        assert npr.quiet()


def test_a_handler_of_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnings, "showwarning", lambda *_: None)
    with pytest.raises(Refused, match="showwarning"):
        guards.check_warnings()
    warnings.simplefilter("ignore", RuntimeWarning)
    guards.check_warnings()


def test_warnings_that_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings(record=True):
        guards.check_warnings()
        # pytest records the warnings of each test.
        monkeypatch.delitem(sys.modules, "_pytest")
        with pytest.raises(Refused, match="recorded") as refusal:
            guards.check_warnings()
        assert refusal.value.silent
        warnings.simplefilter("ignore", RuntimeWarning)
        guards.check_warnings()


def inverse(n: Any, x: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return (x + 1 / (x * 0),)


def test_a_loop_of_a_step() -> None:
    step = npr.step(counter="n", scalars={"n": "int64"}, state={"x": "float64"})(inverse)
    assert list(step.over(range(2), x=np.ones(3))) == []
    warnings.simplefilter("error")
    assert list(step.over(range(2), x=np.ones(3))) == [0, 1]
    assert step.runs == {"numpy": 1, "as written: NumPy's warnings are filtered by 'error'": 1}


def test_a_step_in_a_loop_of_the_users() -> None:
    step = npr.step(state={"x": "float64"}, once=True)(lambda x: inverse(0, x))
    with step.running(x=np.ones(3)) as run:
        assert run.advance()
        run.store()
        warnings.simplefilter("error")
        assert not run.advance()


def test_numbers_of_a_generator() -> None:
    def trips(x: Any) -> Any:
        yield (x / 0.0,)
        return ()

    step = npr.step(scalars={"n": "float64"}, state={"x": "float64"})(lambda n, x: (x + n,))
    warnings.simplefilter("error")
    with np.errstate(all="warn"):
        assert list(step.over(trips(np.float64(1.0)), x=np.ones(3))) == [None]


def test_a_native_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    loop = npr.native(ratios)
    loop.waits = False
    monkeypatch.delenv("NPREWRITE_DISABLE")
    with np.errstate(all="warn"):
        loop(np.zeros(3))
        assert loop.runs == {"compiled": 1}
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="divide by zero encountered in scalar divide"):
            loop(np.zeros(3))


def ratios(x: np.ndarray[Any, Any]) -> None:
    for i in range(len(x)):
        x[i] = 1.0 / x[i]


def test_own_warnings_end_no_program(capfd: pytest.CaptureFixture[str]) -> None:
    step = npr.step(counter="n", scalars={"n": "int64"}, state={"x": "float64"})(inverse)
    warnings.simplefilter("error")
    for _ in range(2):
        assert list(step.over("ab", x=np.ones(3))) == ["a", "b"]
    told = capfd.readouterr().err
    assert told.count("NprewriteWarning: ") == 1
    assert f"{__file__}:" in told
    with pytest.warns(NprewriteWarning, match="range"):
        list(step.over("ab", x=np.ones(3)))


def test_the_user_is_told_apart_from_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as heard, errors.unheard_by_the_program():
        warnings.simplefilter("always")
        errors.warn("one", "a.py", 3)
        warnings.simplefilter("ignore", NprewriteWarning)
        errors.warn("two", "a.py", 3)
        warnings.filterwarnings("error", "thr")
        errors.warn("three", "a.py", 3)
    assert not heard
    assert capfd.readouterr().err == "a.py:3: NprewriteWarning: one\na.py:3: NprewriteWarning: three\n"
