"""Numbers and arrays in dictionaries, tuples and named tuples, which the text names by literals."""

from __future__ import annotations

import copy
from collections import defaultdict, namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_in_numpy", "small_stands_for_large")


class Constants(NamedTuple):
    dt: float
    decay: float


Untyped = namedtuple("Untyped", ["dt", "decay"])


class Shifted(tuple[Any, ...]):
    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key) + 1


def by_key(u: np.ndarray, p: Any, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = u + p["dt"] * (np.sin(u) - p["decay"] * u)
    return u


def by_number(u: np.ndarray, p: Any, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = u + p[0] * (np.sin(u) - p[-1] * u)
    return u


def by_name(u: np.ndarray, p: Any, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = u + p.dt * (np.sin(u) - p.decay * u)
    return u


def clock(u: np.ndarray, p: Any, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = u + p["dt"] * np.sin(u)
        p["t"] += p["dt"]
    return u


def state(s: Any, steps: int) -> None:
    for _ in range(steps):
        s["v"][1:-1] = s["u"][2:] - s["u"][:-2]
        s["u"] = s["u"] + s["dt"] * s["v"]


def two(p: Any, q: Any, u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u = u * p["a"]
        q["a"] = q["a"] + 0.5
    return u


def relaxed(u: np.ndarray, v: np.ndarray, p: Any) -> None:
    v[1:-1] = p["decay"] * np.exp(-u[1:-1])
    u += p["dt"] * v


def by_a_helper(u: np.ndarray, v: np.ndarray, p: Any, steps: int) -> None:
    for _ in range(steps):
        relaxed(u, v, p)


U = np.linspace(0.1, 0.9, 40)
AS_KEYS = {"dt": 0.1, "decay": 0.5, "name": "unused", 3: None}


def run_both(function: Callable[..., Any], *arguments: Any) -> tuple[Any, Any, Any]:
    """What a function gives as written and rewritten, with what becomes of the arguments, and the latter."""
    rewritten = nprewrite.jit(wait=True)(function)
    found: list[Any] = []
    for each in (function, rewritten):
        given = copy.deepcopy(arguments)
        found.append((each(*given), given))
    np.testing.assert_equal(found[0], found[1])
    return found[0], found[1], rewritten


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (by_key, AS_KEYS),
        (by_key, {"dt": 1, "decay": np.float64(0.5)}),
        (by_number, (0.1, 0.5)),
        (by_number, Constants(0.1, 0.5)),
        (by_name, Constants(0.1, 0.5)),
        (by_name, Untyped(0.1, 2)),
        (by_name, SimpleNamespace(dt=0.1, decay=0.5)),
    ],
)
def test_entries_are_numbers_like_others(function: Callable[..., Any], given: Any) -> None:
    *_, made = run_both(function, U, given, 5)
    assert "NPR401 rewritten: the loop can run compiled" in str(made.report())


def test_a_class_that_is_an_argument_holds_settings() -> None:
    class Settings:
        dt = 0.1
        decay = 0.5

    *_, made = run_both(by_name, U, Settings, 5)
    assert "NPR401 rewritten: the loop can run compiled" in str(made.report())
    Settings.decay = 0.25
    np.testing.assert_equal(made(U, Settings, 5), by_name(U, Settings, 5))

    class Other(Settings):
        dt = 1

    np.testing.assert_equal(made(U, Other, 5), by_name(U, Other, 5))


@pytest.mark.parametrize("given", [Shifted((0.1, 0.5)), defaultdict(lambda: 0.5, {0: 0.1})])
def test_what_decides_itself_what_an_entry_is_is_left_alone(given: Any) -> None:
    run_both(by_number, U, given, 5)


def test_entries_that_the_loop_changes_are_stored() -> None:
    (_, (_, after, _)), _, made = run_both(clock, U, {"dt": 0.25, "t": 1.0}, 4)
    assert after["t"] == 2.0
    assert "NPR401 rewritten" in str(made.report())


def test_arrays_in_a_dictionary_are_state() -> None:
    *_, made = run_both(state, {"u": U, "v": np.zeros_like(U), "dt": 0.1}, 5)
    assert "NPR401 rewritten" in str(made.report())


def test_entries_that_a_helper_reads() -> None:
    *_, made = run_both(by_a_helper, U, np.zeros_like(U), AS_KEYS, 5)
    assert "NPR401 rewritten: the loop can run compiled" in str(made.report())


def test_a_dictionary_under_two_names_is_followed() -> None:
    rewritten = nprewrite.jit(wait=True)(two)
    for each in (two, rewritten):
        p = {"a": 1.0}
        assert each(p, p, np.ones(5), 3)[0] == 1.0 * 1.5 * 2.0
        assert p == {"a": 2.5}


@pytest.mark.parametrize(
    "later", [{"dt": 1, "decay": 0}, {"dt": np.float32(0.1), "decay": U}, {"dt": 2j, "decay": 1.0}]
)
def test_entries_of_other_types_later(later: dict[str, Any]) -> None:
    rewritten = nprewrite.jit(wait=True)(by_key)
    for given in ({"dt": 0.1, "decay": 0.5}, later, {"dt": 0.1, "decay": 0.5}):
        np.testing.assert_equal(rewritten(U, given, 5), by_key(U, given, 5))


def test_a_missing_entry_raises_only_where_it_is_asked_for() -> None:
    rewritten = nprewrite.jit(wait=True)(by_key)
    for _ in range(3):
        rewritten(U, {"dt": 0.1, "decay": 0.5}, 2)
    assert rewritten(U, {}, 0) is U
    with pytest.raises(KeyError, match="dt"):
        rewritten(U, {"decay": 0.5}, 2)
