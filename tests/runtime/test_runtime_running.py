"""A step inside of a loop that does other things too: what the user sees between two iterations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr
from nprewrite.runtime.api.refusal import TooEarly
from nprewrite.runtime.api.step_runs import StepRuns

Array = np.ndarray[Any, Any]


@npr.step(
    scalars={"t": "float64"},
    constants={"rate": "float64"},
    inputs={"source": "float64"},
    state={"u": "float64"},
    carried={"v": "float64"},
    out={"top": "float64"},
    once=True,
    compile=True,
)
def _step(t: Array, rate: Array, source: Array, u: Array, v: Array) -> tuple[Array, ...]:
    u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2]) + source[1:-1]
    v = v + t * u
    top = np.abs(v).max()
    return u, v, top


@npr.step(state={"a": "float64", "b": "float64"}, rotates={"a": "b", "b": "a"}, once=True, compile=True)
def _turns(a: Array, b: Array) -> tuple[Array, ...]:
    b[1:-1] = 0.5 * (a[2:] + a[:-2])
    return a, b


@pytest.fixture(params=["compiled", "numpy"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "numpy":
        monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    return str(request.param)


class Seen:
    """A loop with the step and as written, and what is seen in it."""

    def __init__(self, size: int = 8) -> None:
        self.u = np.linspace(0, 1, size) ** 2
        self.v = np.zeros(size)
        self.source = np.ones(size)
        self.seen: list[Any] = []

    def written(self, t: float) -> None:
        self.u[1:-1] += 0.1 * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]) + self.source[1:-1]
        self.v = self.v + t * self.u
        self.top = np.abs(self.v).max()

    def loop(self, trips: int, others: Any, with_step: bool, numbers: Any = float) -> None:
        run = _step.running(rate=0.1, source=self.source, u=self.u, v=self.v) if with_step else None
        if run is None:
            for n in range(trips):
                self.written(numbers(n))
                others(self, n, lambda: None, lambda array: array)
            return
        with run:
            for n in range(trips):
                if run.advance(lambda n=n: (numbers(n),)):  # type: ignore[misc]
                    self.v, self.top = run.results
                else:
                    self.written(numbers(n))
                others(self, n, run.store, run.own)


def both(others: Any, trips: int = 7, numbers: Any = float) -> tuple[Seen, Seen]:
    """The loop as written and the one with the step, after both have run."""
    plain, stepped = Seen(), Seen()
    plain.loop(trips, others, False, numbers)
    stepped.loop(trips, others, True, numbers)
    for name in ("u", "v", "source"):
        np.testing.assert_allclose(getattr(stepped, name), getattr(plain, name), rtol=1e-12)
    assert len(plain.seen) == len(stepped.seen)
    for ours, theirs in zip(stepped.seen, plain.seen, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    return plain, stepped


def test_numbers_are_given_in_each_iteration(way: str) -> None:
    before = _step.runs[way]
    _, stepped = both(lambda loop, n, store, own: loop.seen.append(loop.top))
    assert _step.runs[way] == before + 1
    assert all(type(each) is np.float64 for each in stepped.seen)


def test_stored_and_owned_arrays_are_seen_and_kept(way: str) -> None:
    def others(loop: Seen, n: int, store: Any, own: Any) -> None:
        if n % 3 == 0:
            store()
            loop.v = own(loop.v)
            loop.seen += [loop.u.copy(), loop.v]

    both(others)


def test_changes_between_iterations_are_read(way: str) -> None:
    def others(loop: Seen, n: int, store: Any, own: Any) -> None:
        store()
        loop.v = own(loop.v)
        loop.u[2] = n
        loop.v[3] = -n
        loop.source *= 0.5

    both(others)


def test_other_layouts_are_read_again(way: str) -> None:
    u, v = np.zeros((8, 3))[:, 0], np.linspace(0, 1, 16)[::2]
    plain_u, plain_v, source = u.copy(), v.copy(), np.linspace(0, 1, 24)[::3]
    plain_source = source.copy()
    with _step.running(rate=0.1, source=source, u=u, v=v) as run:
        for n in range(4):
            assert run.advance(lambda n=n: (float(n),))  # type: ignore[misc]
            v, _ = run.results
            run.store()
            u[1] += 1
            source[:] = n
    for n in range(4):
        plain_u[1:-1] += 0.1 * (plain_u[2:] - 2 * plain_u[1:-1] + plain_u[:-2]) + plain_source[1:-1]
        plain_v = plain_v + float(n) * plain_u
        plain_u[1] += 1
        plain_source[:] = n
    np.testing.assert_allclose(u, plain_u, rtol=1e-12)
    np.testing.assert_allclose(v, plain_v, rtol=1e-12)


def test_an_exception_leaves_the_state_of_its_iteration(way: str) -> None:
    def others(loop: Seen, n: int, store: Any, own: Any) -> None:
        if n == 3:
            raise KeyError(n)

    plain, stepped = Seen(), Seen()
    for loop, with_step in ((plain, False), (stepped, True)):
        with pytest.raises(KeyError):
            loop.loop(9, others, with_step)
    np.testing.assert_allclose(stepped.u, plain.u, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::nprewrite.base.errors.NprewriteWarning")
def test_another_type_of_number_leaves_the_rest_as_written(way: str) -> None:
    def number(n: int) -> Any:
        return np.float32(n) if n == 4 else float(n)

    before = _step.runs["as written: type of t"]
    both(lambda loop, n, store, own: loop.seen.append(loop.top), numbers=number)
    assert _step.runs["as written: type of t"] == before + 1


@pytest.mark.filterwarnings("ignore::nprewrite.base.errors.NprewriteWarning")
def test_errors_of_numbers_come_from_the_loop_as_written(way: str) -> None:
    def number(n: int) -> float:
        return 1 / (n - 2)

    plain, stepped = Seen(), Seen()
    for loop, with_step in ((plain, False), (stepped, True)):
        with pytest.raises(ZeroDivisionError):
            loop.loop(9, lambda *_: None, with_step, number)
    np.testing.assert_allclose(stepped.u, plain.u, rtol=1e-12)


def test_buffers_that_change_places(way: str) -> None:
    for trips in range(5):
        a, b = np.linspace(0, 1, 9) ** 2, np.zeros(9)
        first, second, plain_a, plain_b = a, b, a.copy(), b.copy()
        with _turns.running(a=a, b=b) as run:
            for n in range(trips):
                assert run.advance()
                a, b = run.results
                assert a is (second if n % 2 == 0 else first)
                if n == 2:
                    run.store()
                    a[4] = 5.0
        for n in range(trips):
            plain_b[1:-1] = 0.5 * (plain_a[2:] + plain_a[:-2])
            plain_a, plain_b = plain_b, plain_a
            if n == 2:
                plain_a[4] = 5.0
        np.testing.assert_allclose(a, plain_a, rtol=1e-12)
        np.testing.assert_allclose(b, plain_b, rtol=1e-12)


def test_arrays_that_share_memory_run_as_written(way: str) -> None:
    base = np.zeros(12)
    run = _step.running(rate=0.1, source=base[:8], u=base[2:10], v=np.zeros(8)).__enter__()
    for _ in range(2):
        assert not run.advance(lambda: (1.0,))
    with pytest.warns(match="share memory"):
        run.__exit__(None, None, None)
    assert not base.any()


def test_wrong_names_are_errors() -> None:
    with pytest.raises(TypeError, match=r"running\(\) got other arguments than the step declares: rate"):
        _step.running(source=np.zeros(3), u=np.zeros(3), v=np.zeros(3))


@npr.step(inputs={"noise": "float64"}, state={"u": "float64"}, given=("noise",), once=True, compile=True)
def _driven(noise: Array, u: Array) -> tuple[Array, ...]:
    u[1:] += 0.5 * noise[:-1]
    u *= 0.9
    return (u,)


def test_arrays_are_given_with_each_iteration(way: str) -> None:
    rng = np.random.default_rng(4)
    u = np.zeros(9)
    plain = np.zeros(9)
    with _driven.running(u=u) as run:
        for _ in range(5):
            noise = rng.standard_normal(9)
            assert run.advance(noise=noise)
            plain[1:] += 0.5 * noise[:-1]
            plain *= 0.9
    np.testing.assert_allclose(u, plain, rtol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda u: np.zeros(1), r"shape \(1,\), expected \(9,\) as before"),
        (lambda u: np.zeros(9, np.float32), "dtype float32"),
        (lambda u: [0.0] * 9, "expected exactly numpy.ndarray"),
        (lambda u: u[::-1], "share memory"),
    ],
)
def test_an_array_of_another_kind_runs_as_written(wrong: Any, words: str, way: str) -> None:
    u = np.zeros(9)
    run = _driven.running(u=u).__enter__()
    assert run.advance(noise=np.ones(9))
    assert not run.advance(noise=wrong(u))
    np.testing.assert_allclose(u, [0.0] + [0.45] * 8)
    assert not run.advance(noise=np.ones(9))
    with pytest.warns(match=words):
        run.__exit__(None, None, None)


def test_other_names_than_those_given_are_errors() -> None:
    with _driven.running(u=np.zeros(9)) as run, pytest.raises(TypeError, match="declares: noise, other"):
        run.advance(other=np.zeros(9))
    with pytest.raises(ValueError, match="given"):
        npr.step(state={"u": "float64"}, given=("u",), once=True)(lambda u: (u,))


@pytest.mark.parametrize("renamed", [False, True])
def test_iterations_with_little_work_so_far_run_as_written(
    way: str, renamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later ones run in the step, with what the names stand for by then, if that can be known."""
    held, early = StepRuns.held, iter(range(3))

    def late(*given: Any, goes_on: bool) -> Any:
        if next(early, None) is not None:
            raise TooEarly
        return held(*given, goes_on=goes_on)

    monkeypatch.setattr(StepRuns, "held", late)
    u, v, source, written = np.linspace(0, 1, 8) ** 2, np.zeros(8), np.ones(8), 0
    plain = Seen()
    with _step.running(rate=0.1, source=source, u=u, v=v + 0 if renamed else v) as run:
        for n in range(7):
            plain.written(float(n))
            if run.advance(lambda n=n: (float(n),)):  # type: ignore[misc]
                v, top = run.results
            else:
                written += 1
                u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) + source[1:-1]
                v = v + n * u
                top = np.abs(v).max()
    assert written == (7 if renamed else 3)
    for got, wanted in ((u, plain.u), (v, plain.v), (top, plain.top)):
        np.testing.assert_allclose(got, wanted, rtol=1e-13)
