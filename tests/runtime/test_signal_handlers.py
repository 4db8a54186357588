"""Exceptions that handlers of signals raise while compiled loops run."""

from __future__ import annotations

import inspect
import os
import runpy
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.base.signal_handlers import interrupts
from nprewrite.decorated import turns

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")


def evolve(u: np.ndarray, c: np.ndarray, n: int) -> None:
    for _ in range(n):
        u[1:-1] += 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        c += 1


def lanes(u: np.ndarray, c: np.ndarray, n: int) -> None:
    for _ in range(n):
        u += 0.5 * np.sin(u)
        c += 1


def scalar(a: np.ndarray, n: int) -> float:
    total = 0.0
    for k in range(n):
        for i in range(1, len(a)):
            a[i] = 0.5 * (a[i] + a[i - 1]) + 1e-9 * (k + 1)
            total += a[i]
    return total


def too_long(*_: Any) -> None:
    raise TimeoutError("too long")


class Watchdog:
    def bark(self, *_: Any) -> None:
        raise RuntimeError("too long")

    def __call__(self, *_: Any) -> None:
        raise ValueError("too long")


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any, float], None]]:
    """Sets a handler that is called after some seconds; rewritten code runs, however small the arrays are."""
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")
    monkeypatch.setattr("nprewrite.runtime.api.step_runs.MINIMUM_WORK", 0)
    # All tests wait for the same few functions.
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    before = signal.getsignal(signal.SIGALRM)

    def handle(handler: Any, seconds: float) -> None:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    yield handle
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("function", [evolve, lanes])
@pytest.mark.parametrize("handler", [too_long, partial(too_long), Watchdog().bark, Watchdog()])
def test_a_handler_ends_a_compiled_loop_between_two_iterations(
    function: Callable[..., None], handler: Any, handled: Callable[[Any, float], None]
) -> None:
    rewritten = nprewrite.jit(wait=True)(function)
    u, c = np.linspace(0, 1, 2000), np.zeros(2000)
    # Of fewer iterations it would be compiled in the second call, while the clock runs.
    rewritten(u.copy(), c.copy(), 10_000)
    ended, count = u.copy(), c.copy()
    handled(handler, 0.2)
    with pytest.raises((TimeoutError, RuntimeError, ValueError), match="too long"):
        rewritten(ended, count, 10**8)
    assert count.min() == count.max() > 0
    function(u, c, int(count[0]))
    np.testing.assert_allclose(ended, u, rtol=1e-9)


@pytest.mark.parametrize(
    ("function", "place"),
    [
        (scalar, "nprewrite.runtime.numba.objects.make"),
        (lanes, "nprewrite.runtime.torch.compiler.ask"),
        (lanes, "nprewrite.runtime.torch.artifacts._loaded"),
    ],
)
@pytest.mark.usefixtures("small_stands_for_large")
def test_a_handler_ends_a_program_that_waits_for_a_compiler(
    function: Callable[..., Any],
    place: str,
    handled: Callable[[Any, float], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A TimeoutError is an OSError, an ordinary error of a file, but not where a handler raised it."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    handled(too_long, 60)

    def interrupted(*_: Any) -> None:
        signal.raise_signal(signal.SIGALRM)

    # What other tests know of the same function would be known here as long as it is there.
    program = tmp_path / "program.py"
    program.write_text(f"import numpy as np\n\n\n{inspect.getsource(function)}")
    rewritten = nprewrite.jit(wait=True)(runpy.run_path(str(program))[function.__name__])
    arguments = (np.ones(500), 10_000) if function is scalar else (np.ones(20_000), np.zeros(20_000), 500)
    with monkeypatch.context() as patched:
        patched.setattr(place, interrupted)
        with pytest.raises(TimeoutError, match="too long"):
            rewritten(*arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rewritten(*arguments)


def test_other_threads_run_beside_a_native_loop(handled: Callable[[Any, float], None]) -> None:
    rewritten = nprewrite.jit(wait=True)(scalar)
    rewritten(np.ones(500), 3)
    a = np.ones(500)
    threading.Thread(target=_interrupt_once_changed, args=(a,), daemon=True).start()
    late: list[int] = []

    def end(number: int, _: Any) -> None:
        late.append(number)
        too_long()

    # The clock is not kept by a thread: it ends the loop where that one waits for ever.
    handled(end, 60)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            rewritten(a, 10**8)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not late


def _interrupt_once_changed(a: np.ndarray) -> None:
    """Interrupt the program when the loop is under way."""
    while a[1] == 1:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def test_errors_of_a_step_are_not_those_of_a_handler(handled: Callable[[Any, float], None]) -> None:
    handled(too_long, 60)
    with pytest.raises(ValueError, match="other") as found:
        raise ValueError("other")
    assert not interrupts(found.value)
    assert interrupts(KeyboardInterrupt())
    with pytest.raises(TimeoutError) as ended:
        too_long()
    assert interrupts(ended.value)
