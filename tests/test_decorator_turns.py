"""Whose turn it is, call by call, by a clock that stands still but for what is told to take time."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import pickle
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from nprewrite.base.tracebacks import without_own_frames
from nprewrite.decorated import jitted, turns
from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.original import as_written
from nprewrite.decorated.signatures import signature_of
from nprewrite.runtime.api.loop import Loop
from nprewrite.runtime.api.refusal import Compilation, Compiling
from nprewrite.runtime.api.step import Step
from nprewrite.runtime.choosing import choice
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.runtime.numba import build, gathered

pytestmark = pytest.mark.usefixtures("nothing_beside", "small_stands_for_large")

PROGRAM = """
import numpy as np
import nprewrite


@nprewrite.jit
def one(x, y):
    d = np.abs(x - y)
    return np.sqrt((d * d).sum(axis=0)) + 1


@nprewrite.jit
def two(x, y):
    d = np.abs(x - y)
    e = np.sqrt(d * d) + 1
    print(end="")
    f = np.exp(-e) * 2 - x
    return f / (f * f + 1)


@nprewrite.jit
def looped(x, y):
    trips = 0
    while np.ptp(x) > 0 and trips < 40:
        before = x.copy()
        x[1:-1] = 0.5 * (before[:-2] + before[2:])
        x[0] = x[-1] = 0.5 * (x[0] + x[-1])
        trips += 1
    return x


@nprewrite.jit
def outer(x, y):
    inside = one(x, y)
    d = np.abs(x - y)
    return np.sqrt((d * d).sum(axis=0)) + inside


@nprewrite.jit
def short(x, n=2):
    for k in range(n):
        x = x * 0.5 + k
    return x


class Rates:
    decay = 0.5


class Fast(Rates):
    decay = 0.25


@nprewrite.jit
def damped(rates, x, n=2):
    for k in range(n):
        x = x * rates.decay + k
    return x


@nprewrite.jit
def applied(f, x, n=2):
    for k in range(n):
        x = f(x) * 0.5 + k
    return x


@nprewrite.jit
def deep(x, n):
    if n == 0:
        return x
    d = np.abs(x - n)
    return deep(np.sqrt(d * d) + 1, n - 1)


@nprewrite.jit
def followed(x, i):
    while x[i] != i:
        i = x[i]
    return i


class Kernel:
    def __call__(self, x):
        return self.total(x)

    @nprewrite.jit
    def total(self, x):
        return x.sum()


paths = []


@nprewrite.jit
def ways(n):
    paths.append(n)
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


class Field:
    @nprewrite.jit
    def total(self, x):
        return x.sum()

    @nprewrite.jit
    def fall(self, x, n):
        return x if n == 0 else self.bounce(np.abs(x - n) + 1, n - 1)

    @nprewrite.jit
    def bounce(self, x, n):
        return x if n == 0 else self.fall(x * 0.5, n - 1)


@nprewrite.jit
def chosen(x, y, which):
    if which > 0.5:
        d = np.abs(x - y)
        return np.sqrt((d * d).sum(axis=0)) + 1
    raise ValueError(which)
"""


class Played:
    """The sides that have run: ``c`` and ``w`` for a part, compiled and as written, ``o`` for the original.

    ``takes`` says how long, by the part's name and side; the original takes what its parts take as written.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.sides = ""
        self.takes: defaultdict[str, dict[str, float]] = defaultdict(lambda: {"c": 0.05, "w": 0.43})

    def plays(self, name: str, side: str) -> None:
        self.sides += side
        self.now += self.takes[name][side]

    def calls(self, function: Jitted[..., Any], *arguments: Any) -> str:
        """The sides of one call."""
        before = len(self.sides)
        function(*arguments)
        return self.sides[before:]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "0")
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)
    monkeypatch.setattr("nprewrite.runtime.choosing.budget.SECONDS", 600.0)
    path = tmp_path / "turned.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location("turned", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "turned", made)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def played(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Played:
    made = Played()
    run, as_written = Step.run, Loop._as_written
    standing_aside, ran_again = Step.standing_aside, Step.ran_again

    def compiled(step: Step, *given: Any) -> Any:
        made.plays(step.__name__, "c")
        return run(step, *given)

    def written(loop: Loop, turns: Choice) -> Iterator[Any]:
        def played_in(iterable: Any) -> Iterator[Any]:
            made.plays(loop._step.__name__, "w")
            yield from iterable

        loop._written = played_in(loop._written)
        return as_written(loop, turns)

    def aside(step: Step, *given: Any) -> Any:
        loop = standing_aside(step, *given)
        if loop is not None:
            made.plays(step.__name__, "w")
        return loop

    def again(step: Step, *given: Any) -> Any:
        ran = ran_again(step, *given)
        if ran is not None:
            made.plays(step.__name__, "c")
        return ran

    def original(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*arguments: Any) -> Any:
            made.plays(function.__name__, "o")
            return function(*arguments)

        return called

    monkeypatch.setattr(Step, "run", compiled)
    monkeypatch.setattr(Loop, "_as_written", written)
    monkeypatch.setattr(Step, "standing_aside", aside)
    monkeypatch.setattr(Step, "ran_again", again)
    monkeypatch.setattr(choice, "now", lambda: made.now)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 0.5, 0.5))
    for name in ("one", "two", "looped", "outer", "chosen"):
        function = getattr(module, name)
        function.original = original(function.original)
        made.takes[name] = {"o": 0.43}
    return made


@pytest.fixture
def numbers() -> tuple[Any, Any]:
    return np.arange(12.0).reshape(3, 4), np.ones((3, 4))


def test_one_call_as_written_decides(module: ModuleType, played: Played, numbers: tuple[Any, Any]) -> None:
    """The first loads compiled code; the whole function has no turn of its own."""
    assert [played.calls(module.one, *numbers) for _ in range(8)] == ["c", "c", "w", *"ccccc"]
    (turn,) = module.one.choices
    assert str(turn) == "the rewritten version is kept: 50 ms against NumPy's 430 ms"


def test_each_part_decides_for_itself(module: ModuleType, played: Played, numbers: tuple[Any, Any]) -> None:
    played.takes["_two_region_1"] = {"c": 0.9, "w": 0.1}
    assert [played.calls(module.two, *numbers) for _ in range(6)] == ["cc", "cc", "ww", "cw", "cw", "cw"]


def test_a_function_whose_parts_lose_is_the_original(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    """And its parts take turns again when that costs next to nothing."""
    played.takes["_one_region"] = {"c": 1.29, "w": 0.43}
    assert [played.calls(module.one, *numbers) for _ in range(5)] == ["c", "c", "w", "o", "o"]
    sides = "".join(played.calls(module.one, *numbers) for _ in range(400))
    assert sides.strip("o") == "cw"
    assert sides.index("c") > 190


def test_a_part_in_a_loop_decides_within_one_call(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    assert played.calls(module.looped, *numbers) == "ccw" + 37 * "c"
    assert played.calls(module.looped, *numbers) == 40 * "c"


def test_functions_that_are_called_decide_for_themselves(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    """The first call shows types: it runs as written, but for the function that it calls."""
    sides = [played.calls(module.outer, *numbers) for _ in range(6)]
    assert sides == ["c", "cc", "wc", "cw", "cc", "cc"]


def test_a_choice_is_remembered_for_both_levels(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    for _ in range(4):
        module.one(*numbers)
    module.one._start_anew()
    assert [played.calls(module.one, *numbers) for _ in range(3)] == ["c", "c", "c"]
    assert [each.why for each in module.one.choices] == ["as remembered"]


def test_calls_that_raise_run_as_written_until_one_returns(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    for _ in range(9):
        with pytest.raises(ValueError, match=r"^0\.0$"):
            module.chosen(*numbers, 0.0)
    assert played.sides == 6 * "o"
    assert played.calls(module.chosen, *numbers, 1.0) == "o"
    assert [played.calls(module.chosen, *numbers, 1.0) for _ in range(5)] == ["c", "c", "w", "c", "c"]
    with pytest.raises(ValueError, match=r"^0\.0$"):
        module.chosen(*numbers, 0.0)


def frames_of(function: Jitted[..., Any], *arguments: Any) -> list[str]:
    """The functions of the decorator's that are entered in a call."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "nprewrite" in frame.f_code.co_filename:
            entered.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return entered


def settle(function: Callable[..., Any], *arguments: Any) -> None:
    """Call a function that gains nothing until it has been settled."""
    for _ in range(100):
        function(*arguments)


def test_a_settled_function_stands_in_its_place(module: ModuleType) -> None:
    x, decorated = np.ones(3), module.short
    settle(decorated, x)
    short = module.short
    assert type(short) is FunctionType
    assert short(x).tolist() == decorated(x).tolist() == short.original(x).tolist()
    assert frames_of(short, x) == frames_of(decorated, x) == []
    assert short(x=x, n=1).tolist() == [0.5] * 3
    with pytest.raises(TypeError, match=r"short\(\) missing 1 required positional argument: 'x'"):
        short()
    assert pickle.loads(pickle.dumps(short)) is short
    for each in (short, decorated):
        assert each.original is short.__wrapped__
        assert "NPR401" in str(each.report())
        assert each.source == decorated.source
        assert as_written(each) is decorated.original
    assert inspect.getsource(short) == inspect.getsource(decorated.original)
    assert repr(decorated) == f"Jitted({short.original!r})"


def test_a_traceback_shows_a_call_of_a_settled_function_once(module: ModuleType) -> None:
    """Also that of a call that is looked at, and goes the long way."""
    settle(module.short, np.ones(3))
    shown, frames = set(), set()
    for _ in range(210):
        with pytest.raises(TypeError) as caught:
            module.short("x")
        frames.add(sum(1 for _ in traceback.walk_tb(caught.value.__traceback__)))
        without_own_frames(caught.value)
        _, *below = traceback.extract_tb(caught.value.__traceback__)
        shown.add(tuple((each.name, each.line) for each in below))
    assert len(frames) > 1
    (((name, line),),) = shown
    assert (name, line) == ("short", "x = x * 0.5 + k")


def test_a_name_that_was_bound_to_something_else_stays_so(module: ModuleType) -> None:
    decorated, module.short = module.short, len
    settle(decorated, np.ones(3))
    assert module.short is len
    assert frames_of(decorated, np.ones(3)) == []


@pytest.mark.parametrize(
    "arguments", [(np.ones(4000), 2), (np.ones(3), 400), ([1.0], 2), (np.float64(3), 2), (np.ones(3), 2.5)]
)
def test_other_calls_of_a_settled_function_go_the_long_way(module: ModuleType, arguments: Any) -> None:
    def entered(*args: Any) -> str:
        with suppress(TypeError):
            return ", ".join(frames_of(module.short, *args))
        return "_turn"

    settle(module.short, np.ones(3))
    ways = [entered(*arguments) for _ in range(210)]
    first = next(number for number, each in enumerate(ways) if each)
    assert first <= 200
    assert "_turn" in ways[first]
    # From then on each is looked at.
    assert all(ways[first : first + 5])


def test_calls_of_several_types_are_settled(module: ModuleType) -> None:
    settle(module.short, np.ones(3))
    for _ in range(800):
        module.short(np.ones(3))
        module.short(np.float64(3))
    for arguments in ((np.ones(3),), (np.float64(3),), (np.zeros(2), 1)):
        assert not any("_turn" in frames_of(module.short, *arguments) for _ in range(210))
        # One in some calls is timed where no array is an argument.
        assert not all(frames_of(module.short, *arguments) for _ in range(2))


def test_further_integers_are_as_those_for_which_numpy_was_kept(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    decorated = module.short
    for magnitude in range(3, 9):
        settle(decorated, np.ones(3), 2**magnitude)
    tried = len(decorated.choices)
    assert tried == 4
    monkeypatch.setattr(jitted, "_LONGER", 0.0)
    monkeypatch.setattr(jitted, "_LONG_CALL_S", 0.0)
    for _ in range(2):
        # The first one takes longer than those that decided, and the next one its turn.
        Jitted.__call__(decorated, np.ones(3), 2**11)
    assert len(decorated.choices) == tried + 1


def test_a_function_that_gets_a_class_is_settled_for_that_class(module: ModuleType) -> None:
    x = np.ones(3)
    for _ in range(100):
        module.damped(module.Rates, x)
    assert frames_of(module.damped, module.Rates, x) == []
    assert any("_turn" in frames_of(module.damped, module.Fast, x) for _ in range(210))
    assert module.damped(module.Fast, x)[0] == 1.0 / 16 + 1
    made = type("Rates", (module.Rates,), {"decay": 2.0})
    assert module.damped(made, x)[0] == 5.0


@pytest.mark.parametrize("kind", ["second name", "lambda", "method"])
def test_a_function_that_gets_functions_without_a_name_is_settled(kind: str, module: ModuleType) -> None:
    x, second = np.ones(3), module.short
    settle(second, x)
    made = {"second name": lambda: second, "lambda": lambda: lambda v: v / 2, "method": lambda: Halving().of}
    assert module.short is not second
    for _ in range(100):
        module.applied(made[kind](), x)
    assert frames_of(module.applied, made[kind](), x) == []
    assert module.applied(made[kind](), x).tolist() == module.applied.original(made[kind](), x).tolist()
    assert any("_turn" in frames_of(module.applied, abs, x) for _ in range(210))


class Halving:
    def of(self, x: Any) -> Any:
        return x / 2


def test_a_larger_call_of_a_settled_function_gains(
    module: ModuleType, played: Played, numbers: tuple[Any, Any]
) -> None:
    played.takes["_one_region"], played.takes["one"] = {"c": 1e-4, "w": 1e-5}, {"o": 1e-5}
    settle(module.one, *numbers)
    assert "_turn" not in frames_of(module.one, *numbers)
    played.takes["_one_region"] = {"c": 0.05, "w": 0.43}
    larger = np.ones((30, 40)), np.zeros((30, 40))
    assert [played.calls(module.one, *larger) for _ in range(5)] == [*"ccwcc"]
    assert played.calls(module.one, *numbers) == "o"


@pytest.mark.parametrize("kind", ["Field", "Kernel"])
def test_a_method_is_settled(kind: str, module: ModuleType) -> None:
    field = getattr(module, kind)()
    for _ in range(80):
        assert field.total(np.ones(3)) == 3
    assert type(getattr(module, kind).total) is FunctionType
    assert frames_of(field.total, np.ones(3)) == []
    assert field.total(np.ones(5000)) == 5000


def test_short_calls_are_left_alone_while_a_loop_of_theirs_is_compiled(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiling(*_: object, **__: object) -> None:
        raise Compiling(Compilation())

    monkeypatch.setattr(build.Loop, "run_for", compiling)
    monkeypatch.setattr(gathered, "MINIMUM_WORK", 0)
    monkeypatch.setattr(gathered, "MINIMUM_S", 0.0)
    monkeypatch.setattr("nprewrite.decorated.jitted.WORTH_ASKING_S", 1000.0)
    monkeypatch.setattr("nprewrite.decorated.jitted._LONG_CALL_S", 1000.0)
    signatures: list[Any] = []

    def counted(*given: Any) -> Any:
        signatures.append(signature_of(*given))
        return signatures[-1]

    monkeypatch.setattr("nprewrite.decorated.specializations.signature_of", counted)
    for _ in range(50):
        assert module.followed(np.array([1, 2, 2]), 0) == 2
    assert len(signatures) < 5


def test_methods_call_each_other_as_deep_as_written(module: ModuleType) -> None:
    """Their calls pass through the decorator at each level, and a recursion without end still raises."""
    before, field = sys.getrecursionlimit(), module.Field()
    sys.setrecursionlimit(800)
    try:
        for _ in range(3):
            assert field.fall(np.ones(3), 600).shape == (3,)
            with pytest.raises(RecursionError):
                field.fall(np.ones(3), -1)
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize("calls", [0, 1, 400])
def test_a_recursion_whose_name_becomes_another_function(module: ModuleType, calls: int) -> None:
    """As courses do, `ways = memoize(ways)`: without it, 40 would take days."""
    for _ in range(calls):
        module.ways(8)
    module.ways = functools.lru_cache(module.ways)
    module.paths.clear()
    assert module.ways(40) == 165580141
    assert sorted(module.paths) == [*range(41)]


def test_the_time_of_a_recursion_is_that_of_its_outermost_call(monkeypatch: pytest.MonkeyPatch) -> None:
    now, told = [0.0], []
    monkeypatch.setattr(turns, "perf_counter", lambda: now[0])

    def deep(n: int) -> int:
        now[0] += 1.0
        return n if n == 0 else recursion(n - 1)

    recursion = turns.Meanwhile(deep, 20.0, 100, lambda *given: told.append(given))
    recursion(9)
    assert not told
    recursion(11)
    assert told == [((0,), {}, False)]


def test_a_recursion_is_as_deep_as_written(module: ModuleType) -> None:
    depth, expected = sys.getrecursionlimit() // 2, np.ones(3)
    for n in range(depth, 0, -1):
        expected = np.abs(expected - n) + 1
    for _ in range(3):
        np.testing.assert_allclose(module.deep(np.ones(3), depth), expected, rtol=1e-12)
