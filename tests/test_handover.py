"""A function that is called once goes on, at one of its loops, in what the rest of it is rewritten to."""

from __future__ import annotations

import ast
import importlib
import inspect
import linecache
import os
import re
import subprocess
import sys
import textwrap
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.config import Choices
from nprewrite.decorated import handover, kept, rest, rest_of_loop
from nprewrite.decorated.building import rest_of
from nprewrite.decorated.deciding_names import is_literal_value
from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.rest import rests_of_function, rests_of_script
from nprewrite.decorated.shown_by_calls import in_place_of_calls
from nprewrite.decorated.stopping import stopping
from nprewrite.loading.script import _handing_over
from nprewrite.types.values import Scalar

HEAD = """
import numpy as np
import nprewrite
from elsewhere import start, seen


"""

ELSEWHERE = """
import numpy as np

kept = []


def start(n, dtype="float64"):
    return np.random.default_rng(0).random(n).astype(dtype)


def seen(value):
    kept.append(value)
    return value
"""

RANGE = """
@nprewrite.jit
def main():
    u = start(300)
    for k in range(12):
        u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
        v = np.sqrt(u) + k
    return u, v, k


found = main()
"""

STRIDE = """
@nprewrite.jit
def main():
    u, total = start(300), 0
    for k in range(40, 3, -5):
        u = u * 0.5 + np.roll(u, 1) * 0.25
        total += k
    return u, total, k


found = main()
"""

WHILE = """
@nprewrite.jit
def main():
    u, t, dt = start(300), 0, 0.25
    while t < 2:
        u = u + dt * (np.roll(u, 1) - u)
        dt = 0.2 * np.min(1 / (1 + u))
        if t + dt > 2:
            dt = 2 - t
        t += dt
    return u, t, dt


found = main()
"""

ITERATOR = """
def drawn():
    for k in range(9):
        yield seen(k), start(300) * k


@nprewrite.jit
def main():
    u = start(300)
    for k, (place, change) in enumerate(drawn()):
        u = u * 0.5 + change
        if k == 7:
            break
    return u, place, k


found = main()
"""

CONTINUES = """
@nprewrite.jit
def main():
    u, steps = start(300), 0
    for k in range(20):
        if k % 3 == 1:
            continue
        u = u * 0.5 + np.roll(u, 1) * 0.25
        steps += 1
        if steps == 9:
            return u, steps, k
    return u, steps, -1


found = main()
"""

ALIASES = """
@nprewrite.jit
def main():
    u = seen(start(300))
    inner = u[1:-1]
    history = [u]
    for k in range(12):
        inner += (u[:-2] + u[2:] - 2 * inner) * 0.25
        history.append(u.copy())
    return u, inner, history


found = main()
"""

NUMBERED = """
@nprewrite.jit
def main():
    rows, total = start(300).reshape(30, 10), np.zeros(31)
    for i, row in enumerate(rows):
        for k in range(10):
            total[i + 1] += row[k] * (i + 1) if row[k] > 0.5 else total[i] * 0.25
    return total, i


found = main()
"""

CHARACTERS = """
@nprewrite.jit
def main():
    words = "".join("ACGT"[int(each * 4) % 4] for each in start(90)), "GATTACA" * 5
    scores = np.zeros((91, 36))
    for i, a in enumerate(words[0]):
        for j, b in enumerate(words[1]):
            kept = scores[i, j] + (1 if a == b else -1)
            scores[i + 1, j + 1] = max(kept, scores[i, j + 1] - 1, scores[i + 1, j] - 1, 0)
    return scores, i


found = main()
"""

TWO_LOOPS = """
@nprewrite.jit
def main(n=300):
    import math

    global rounds
    shifts = np.array([0, 1, -1])
    u, rounds = start(n), 0
    names = {"field": u, "rate": 0.25}
    for k in range(2):
        u = u + 1.0
    for k in range(12):
        for shift in shifts:
            u = u + math.sin(0.1) * np.roll(names["field"], shift) * names["rate"]
        rounds += 1
    return u, rounds, [math.floor(each) for each in u[:3]]


def run():
    return main()


found = run()
"""

OBJECT = """
class Field:
    def __init__(self, n, seed):
        self.rng = np.random.default_rng(seed)
        self.u = start(n)
        self.hits = np.zeros(n, dtype=np.uint16)

    def near(self):
        full = self.u > 0.5
        near = np.zeros_like(full)
        near[1:] |= full[:-1]
        return near

    def step(self, edge):
        noise = self.rng.normal(size=self.u.shape)
        new = self.u.copy()
        new[(self.u < 0.25) & self.near()] = 0.75
        new += 0.01 * noise
        new[edge] = -new[edge - 1]
        self.hits += new > 0.5
        self.u = new
        return np.cosh(new).sum(), (new > 0.5).mean()


@nprewrite.jit
def main(n=300, rng=np.random.RandomState(4)):
    field, log, edge = Field(n, 3), [], n - 1
    for k in range(12):
        log.append(field.step(edge))
        noise = rng.rand(n) - 0.5
        if edge == n - 1:
            field.u += 0.125 * noise * np.sinh(noise)
    return field.u, field.hits, log, np.pad(noise, 1, mode="edge")


found = main()
"""

METHOD = """
class Base:
    def kind(self):
        return "base"


class Field(Base):
    def __init__(self, n):
        self.u = start(n)
        self.rate, self.__twice = 0.25, 2.0
        self.sums = []

    @nprewrite.jit
    def main(self, steps, scale=2.0):
        w, total = np.zeros_like(self.u), 0.0
        for k in range(steps):
            self.u = self.u * 0.5 + np.roll(self.u, 1) * self.rate
            w = np.sqrt(self.u) * scale + w * 0.5
            total += k * self.__twice
            self.sums.append(total)
        return w, total, k


field = Field(300)
found = (*field.main(12), field.u, field.sums)
main = vars(Field)["main"]
"""

BY_ITS_CLASS = METHOD.replace("return w, total, k", "return w, total, k, super().kind()")

SCRIPTS = {
    "method": METHOD,
    "range": RANGE,
    "stride": STRIDE,
    "while": WHILE,
    "iterator": ITERATOR,
    "continues": CONTINUES,
    "aliases": ALIASES,
    "two-loops": TWO_LOOPS,
    "object": OBJECT,
    "numbered": NUMBERED,
    "characters": CHARACTERS,
}


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What imports a script anew, with or without nprewrite."""
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(handover, "_WORTH_WAITING_S", 0.0)

    def imported(text: str, *, plain: bool = False) -> ModuleType:
        name = "script_plain" if plain else "script"
        decorated = HEAD + textwrap.dedent(text)
        (tmp_path / f"{name}.py").write_text(
            re.sub(" *@nprewrite.jit\n", "", decorated) if plain else decorated
        )
        for each in (name, "elsewhere"):
            monkeypatch.delitem(sys.modules, each, raising=False)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return imported


def took_over(main: Jitted[..., Any]) -> bool:
    """Whether the rest of one of its loops has run rewritten."""
    assert main._may_stop is not None
    watched = main._may_stop[0]
    return watched is not None and watched.took_over is not None


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_rest_gives_what_the_function_would_have_given(name: str, script: Any) -> None:
    expected = script(SCRIPTS[name], plain=True).found
    kept = sys.modules["elsewhere"].kept
    module = script(SCRIPTS[name])
    assert took_over(module.main)
    assert len(module.found) == len(expected)
    for ours, theirs in zip(module.found, expected, strict=True):
        assert type(ours) is type(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(sys.modules["elsewhere"].kept, kept, rtol=1e-12)


IN_BLOCKS = {
    "with": """
    with open(__file__) as lines:
        first = lines.readline()
        LOOP
    closed = lines.closed
    return u, v, k, closed
    """,
    "two loops in a block, and one behind it": """
    with open(__file__) as lines:
        LOOP
        w = u * 2
        for j in range(9):
            w = w * 0.5 + u
    for j in range(3):
        seen(w.sum())
    for j in range(9):
        w = w * 0.5 + np.sqrt(u)
    return u, w, j, lines.closed
    """,
    "finally": """
    done = []
    try:
        LOOP
        done.append(k)
    finally:
        done.append(len(u))
    return u, v, done
    """,
    "handlers that leave": """
    try:
        LOOP
    except ValueError:
        return None
    except ArithmeticError as error:
        raise ValueError("overflow") from error
    else:
        v = v + k
    return u, v
    """,
    "a branch": """
    if len(u) > 5:
        w = 2.0
        LOOP
    else:
        v = 1
    return u, v, w
    """,
    "another branch": """
    w = 1.0
    if len(u) < 5:
        v = 1
        for k in range(12):
            w = w * u
    elif len(u) < 6:
        w = 2.0
    else:
        half = 0.5
        w = half + w
        LOOP
    return u, v, w, k
    """,
    "blocks in blocks": """
    if n:
        with open(__file__) as lines:
            try:
                first = 0
                LOOP
            finally:
                seen(0)
            w = v.sum()
        seen(float(lines.closed))
    return u, v, w
    """,
    "what only some iterations set": """
    with open(__file__) as lines:
        for k in range(12):
            u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
            if k == 1:
                late = k
            v = np.sqrt(u)
    return u, v, late
    """,
    "while": """
    with open(__file__) as lines:
        t = 0.0
        while t < 3:
            u = u * 0.5 + np.roll(u, 1) * 0.25
            t += 0.25
    return u, t
    """,
}
OF_BLOCK = """
@nprewrite.jit
def main(n=300):
    u = start(n)
    {}

found = main()
"""
LOOP = """for k in range(12):
    u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
    v = np.sqrt(u) + k"""


def of_block(body: str) -> str:
    """The text of a function with such a body, in which ``LOOP`` stands for a loop."""
    lines = []
    for line in textwrap.dedent(body).strip().splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.indent(LOOP, indent).splitlines() if line.strip() == "LOOP" else [line]
    return OF_BLOCK.format("\n    ".join(lines))


@pytest.mark.parametrize("name", IN_BLOCKS)
def test_the_rest_of_a_block_leaves_what_the_block_would_have_left(
    name: str, script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("_POLL_S", "_WORTH_A_LOOK_S"):
        monkeypatch.setattr(handover, each, 0.0)
    text = of_block(IN_BLOCKS[name])
    expected = script(text, plain=True).found
    kept = sys.modules["elsewhere"].kept
    module = script(text)
    assert took_over(module.main)
    for ours, theirs in zip(module.found, expected, strict=True):
        assert type(ours) is type(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    np.testing.assert_allclose(sys.modules["elsewhere"].kept, kept, rtol=1e-12)


def test_each_loop_in_a_block_asks_once() -> None:
    tree = ast.parse(of_block(IN_BLOCKS["two loops in a block, and one behind it"]))
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    made = ast.unparse(stopping(node, rests_of_function(tree, "main", {"np"}), "asked", "probe"))
    assert [made.count(f"asked.trips({k}, range(") for k in range(5)] == [1, 1, 1, 1, 0]
    assert made.count("trips(") == 4


def test_names_that_nothing_reads_later_have_no_old_values(script: Any) -> None:
    """Whoever looks at the frame, as a debugger does, finds none that the loop has left behind."""
    body = """
    with open(__file__) as lines:
        w = 0.0
        for k in range(12):
            u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
            w = np.sqrt(u)
    seen([*sys._getframe(0).f_locals])
    return u, 1
    """
    text = "import sys\n\n\n" + of_block(body)
    module = script(text)
    assert took_over(module.main)
    (names,) = sys.modules["elsewhere"].kept
    assert {"u", "lines", "n"} <= {*names}
    assert {"w", "k"}.isdisjoint(names)


RAISING = """
    try:
        with open(__file__) as lines:
            for k in range(12):
                u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
                if k == 9:
                    raise ValueError(f"at {k}")
    except ValueError as error:
        seen(len(str(error)))
    seen(float(lines.closed))
    for k in range(3):
        u = u + 1
    return u, k
"""


def test_an_exception_leaves_the_block_as_before(script: Any) -> None:
    text = of_block(RAISING)
    expected, kept = script(text, plain=True).found, sys.modules["elsewhere"].kept
    module = script(text)
    assert took_over(module.main)
    np.testing.assert_allclose(module.found[0], expected[0], rtol=1e-12)
    assert module.found[1] == expected[1]
    assert sys.modules["elsewhere"].kept == kept == [4, 1.0]


NOT_IN_BLOCKS = {
    "a handler that reads": "try:\n    LOOP\nexcept ValueError:\n    print(k)\n    return 0\nreturn u",
    "a handler that goes on": "try:\n    LOOP\nexcept ValueError:\n    pass\nreturn v",
    "what is read at last": "try:\n    LOOP\nfinally:\n    print(k)\nreturn u",
    "what may catch": "with start(3):\n    LOOP\nreturn v",
    "what another object opens": "with start(3).open():\n    LOOP\nreturn v",
    "a return in the block": "with open(__file__):\n    LOOP\n    return v",
}


@pytest.mark.parametrize("name", NOT_IN_BLOCKS)
def test_blocks_that_stay_whole(name: str) -> None:
    text = of_block(NOT_IN_BLOCKS[name])
    assert rests_of_function(ast.parse(HEAD + text), "main", {"np"}) == []


def test_a_function_that_is_called_enumerate(script: Any) -> None:
    own = "def enumerate(values):\n    return zip([3, 2, 1, 0, 4] * 6, values)\n\n\n"
    expected, module = script(own + NUMBERED, plain=True).found, script(own + NUMBERED)
    np.testing.assert_array_equal(module.found[0], expected[0])


NAMESPACES = """
import types
import numpy as np

names = types.ModuleType("names").__dict__
names.update(a=1, b=2)


@nprewrite.jit
def main():
    total = 0
    for {over}:
        for k in range(3):
            total += k
    return total


found = main()
"""


@pytest.mark.parametrize(
    "over", ["name in names", "name, each in names.items()", "i, each in enumerate(names.values())"]
)
def test_nothing_looks_at_a_loop_over_the_names_of_a_module(
    over: str, script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NumPy loads parts of itself when they are asked for, and has further names then."""

    def stops(loop: Any, frame: Any) -> bool:
        names = sys.modules["script"].names
        names[f"further{len(names)}"] = 1
        return False

    monkeypatch.setattr(handover._Loop, "stops", stops)
    text = NAMESPACES.format(over=over)
    assert script(text).found == script(text, plain=True).found


BRIEF = """
import time
from elsewhere import start
import numpy as np


def closest(row, others):
    best, least = 0, 1e9
    for k in range(len(others)):
        d = (row[0] - others[k, 0]) ** 2 + (row[1] - others[k, 1]) ** 2
        if d < least:
            best, least = k, d
    return best


def label(rows, others):
    found = np.zeros(len(rows), dtype=int)
    for i, row in enumerate(rows):
        found[i] = closest(row, others)
    return found


rows = start(480_000).reshape(240_000, 2)
print(label(rows, rows[:3].copy()).sum())
"""


def test_brief_functions_are_inlined_where_the_rest_of_a_loop_calls_them(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    (tmp_path / "program.py").write_text(BRIEF)
    environment = {**os.environ, "NPREWRITE_CACHE_DIR": str(tmp_path / "cache")}
    environment.pop("NPREWRITE_WAIT", None)

    def ran(*command: str) -> str:
        words = [sys.executable, *command, "program.py"]
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    expected, deadline, made = ran(), time.monotonic() + 120, ""
    while "closest_least" not in made and time.monotonic() < deadline:
        assert ran("-m", "nprewrite", "run") == expected
        time.sleep(1.0)
        texts = (tmp_path / "cache" / "rewritten").glob("program-*.py")
        made = "".join(each.read_text() for each in texts)
    assert "closest_least" in made


def test_what_a_rest_is_made_of_warns_nobody() -> None:
    """A callback that is None stands for itself in a branch that is never taken."""
    text = "def relaxed(h, n):\n    if None and n > 3:\n        None(h)\n    return h\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rest_of(took_over, text, "relaxed")(1, 4) == 1


FILLED_BEFORE = """
@nprewrite.jit
def main():
    table, u = np.zeros(40), start(300)
    for k in range(40):
        table[k] = np.exp(-0.1 * k)
    noise = seen(u) * table.max()
    for k in range(12):
        u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25 + noise[1:-1]
    return u


found = main()
"""


@pytest.mark.parametrize(
    ("test", "over"),
    [
        ("side > 1", True),
        ("side >= 1", False),
        ("side / (side - 1) > 3", False),
        ("not (side == 1 or gap < tol)", True),
        ("gap > tol and side < 9", False),
        ("x > 4", False),
        ("left(side)", False),
        ("True", False),
        ("unknown < 3", False),
    ],
)
def test_a_loop_that_is_over_goes_on_nowhere(test: str, over: bool) -> None:
    text = f"def f(x, side, gap, tol):\n    while {test}:\n        x = x * 2 + 1\n        side -= 1\n"
    (found,) = rests_of_function(ast.parse(text), "f", ())
    assert found.is_over({"side": 1, "gap": 0.5, "tol": 1e-3, "x": np.float64(3)}) == over


def test_a_short_loop_is_not_the_one_to_wait_for(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = script(FILLED_BEFORE, plain=True).found
    monkeypatch.setattr(handover, "_WORTH_WAITING_S", 10.0)
    module = script(FILLED_BEFORE)
    [watched] = module.main._may_stop
    assert [*watched.rests] == [1]
    assert took_over(module.main)
    np.testing.assert_allclose(module.found, expected, rtol=1e-12)


def test_what_asks_for_its_class_runs_as_written(script: Any) -> None:
    expected = script(BY_ITS_CLASS, plain=True).found
    module = script(BY_ITS_CLASS)
    assert not took_over(module.main)
    assert module.found[3] == "base"
    np.testing.assert_allclose(module.found[0], expected[0], rtol=1e-12)


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether NumPy is faster for so few elements is a question of the machine, and of another test."""
    monkeypatch.setattr(kept, "keep_in_vain", lambda *_: None)


@pytest.mark.usefixtures("undecided")
def test_a_further_call_goes_on_in_the_same_rest(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script(RANGE)
    took_over = module.main._may_stop[0].took_over
    again = module.main()
    assert module.main._may_stop[0].took_over is took_over
    for ours, theirs in zip(again, module.found, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    # Other types have a rest of their own.
    monkeypatch.setattr(module, "start", lambda n: np.linspace(0.0, 1.0, n, dtype="float32"))
    assert module.main()[0].dtype == np.float32
    assert module.main._may_stop[0].took_over is not took_over


SHORT = """
@nprewrite.jit
def main():
    counts = np.zeros(4, dtype=int)
    for k in range(3):
        counts[k] += 1
    return (counts,)


found = main()
"""


def test_a_function_that_is_called_again_in_short_is_one_like_any_other(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Watching a loop of a few moments costs more than the loop, and shows nothing of it.
    monkeypatch.delenv("NPREWRITE_WAIT", raising=False)
    module = script(SHORT)
    assert not took_over(module.main)
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(module.main.specializations, "for_call", lambda *given, **_: asked.append(given))
    np.testing.assert_array_equal(module.main()[0], module.found[0])
    assert asked == [((), {})]


FLAG = """
@nprewrite.jit
def main(scheme=1):
    u = start(300)
    for k in range(12):
        if scheme == 1:
            u = u * 0.5 + np.roll(u, scheme) * 0.25
        else:
            u = u * 0.25 - np.roll(u, -scheme) * 0.5
    return (u,)


found = main()
"""


@pytest.mark.usefixtures("undecided")
def test_a_further_call_with_another_flag_has_a_rest_of_its_own(script: Any) -> None:
    plain, module = script(FLAG, plain=True), script(FLAG)
    took_over = module.main._may_stop[0].took_over
    for scheme in (2, 1, True):
        np.testing.assert_allclose(module.main(scheme)[0], plain.main(scheme)[0], rtol=1e-12)
        assert module.main._may_stop[0].took_over is not took_over
        took_over = module.main._may_stop[0].took_over


def test_what_others_hold_is_changed_in_place(script: Any) -> None:
    module = script(ALIASES)
    u, inner, history = module.found
    assert sys.modules["elsewhere"].kept[0] is u
    assert history[0] is u
    assert inner.base is u
    assert len(history) == 13


def test_an_exception_has_its_text_and_line(script: Any) -> None:
    text = """
    @nprewrite.jit
    def main():
        u = start(300)
        for k in range(12):
            u = u * 0.5 + np.roll(u, 1)
            if k == 8:
                u = u + np.ones(7)
        return u


    try:
        main()
    except ValueError as error:
        found = error
    """
    expected, error = script(text, plain=True).found, script(text).found
    assert str(error) == str(expected)
    lines = [traceback.extract_tb(each.__traceback__)[-1].line for each in (error, expected)]
    assert lines[0] == lines[1] == "u = u + np.ones(7)"


def test_a_fault_leaves_the_loop_as_written(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> str:
        raise KeyError("a fault")

    monkeypatch.setattr(rest.Rest, "text", failing)
    with pytest.warns(nprewrite.NprewriteWarning, match="a fault of nprewrite"):
        module = script(RANGE)
    assert not took_over(module.main)
    expected = script(RANGE, plain=True).found
    for ours, theirs in zip(module.found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


BEHIND = """
@nprewrite.jit
def main():
    u, steps = start(300), 0
    while not is_late():
        u = u * 0.5 + np.roll(u, 1) * 0.25
        steps += 1
    return u, steps


found = main()
"""

LATE = """

import sys
import time

ends = time.monotonic() + 120


def is_late():
    '''Whether the rest of the caller is what runs, or two minutes have passed.'''
    time.sleep(0.02)
    return sys._getframe(1).f_code.co_qualname.endswith(".<part>") or time.monotonic() > ends
"""


def test_another_process_rewrites_the_rest_while_the_loop_goes_on(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE + LATE)
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setattr(rest_of_loop, "_WORTH_REWRITING_S", 0.0)
    module = script("from elsewhere import is_late\n" + BEHIND)
    assert took_over(module.main)
    u, steps = module.found
    expected = module.start(300)
    for _ in range(steps):
        expected = expected * 0.5 + np.roll(expected, 1) * 0.25
    np.testing.assert_allclose(u, expected, rtol=1e-12)


WARNING = """
import sys
import warnings


def damped(u, k):
    warnings.warn(f"damped {k}", stacklevel=2)
    return u * 0.5


def tell(k):
    warnings.warn(f"shifted {k}", UserWarning, 2)


def shifted(u, k):
    tell(k)
    return np.roll(u, 1) * 0.25


def where():
    return sys._getframe(2).f_code.co_filename


@nprewrite.jit
def main():
    u, files = start(300), set()
    for k in range(12):
        v = damped(u, k)
        u = v + shifted(u, k)
        for i in range(1, 300):
            u[i] = u[i] * 0.5 + u[i - 1] * 0.25
        files.add(where())
    return u, files


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    found = main()
"""


def test_what_looks_at_the_frames_above_its_own_sees_those_of_the_program(script: Any) -> None:
    """A function that warns of its caller's line, and one whose line is warned of, stay calls."""
    plain, module = (script(WARNING, plain=each) for each in (True, False))
    assert took_over(module.main)
    np.testing.assert_allclose(module.found[0], plain.found[0], rtol=1e-12)
    told, expected = (
        [(str(each.message), linecache.getline(each.filename, each.lineno)) for each in caught]
        for caught in (module.caught, plain.caught)
    )
    assert told == expected
    assert module.__file__ in module.found[1]
    assert not any(each.endswith("rest_of_loop.py") for each in module.found[1])


NESTED = """
@nprewrite.jit
def main():
    u = start(300)
    for run in range(1):
        v = u + run
        for k in range(12):
            u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + v[2:]) * 0.25
    return u, v


found = main()
"""


@pytest.mark.parametrize("waits", [True, False])
def test_an_only_iteration_with_a_loop_in_it_begins_in_what_the_whole_loop_becomes(
    waits: bool, script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody waits, in a later process."""
    if not waits:
        monkeypatch.delenv("NPREWRITE_WAIT")
        monkeypatch.setattr(rest_of_loop, "_WORTH_REWRITING_S", 0.0)
    expected, deadline, took = script(NESTED, plain=True).found, time.monotonic() + 120, []
    while True not in took and time.monotonic() < deadline:
        module = script(NESTED)
        took.append(took_over(module.main))
        for ours, theirs in zip(module.found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        time.sleep(0.0 if waits else 0.1)
    assert took[0] == waits
    assert took[-1]


def cut(text: str) -> list[str]:
    """The texts of the rests of ``main``, without the lines that are left empty."""
    text = textwrap.dedent(text)
    found = rests_of_function(ast.parse(text), "main", {"np"})
    made = [each.text(text, each.names, ("first", "end") if each.ranged else ("over",), {}) for each in found]
    assert all(len(each.splitlines()) == len(text.splitlines()) for each in made)
    return ["\n".join(line for line in each.splitlines() if line) for each in made]


def test_a_rest_has_the_names_that_it_reads_and_the_constants() -> None:
    text = """
    def main(scale, *others):
        '''Some steps.'''
        import os
        n = 9
        half = n / 2
        weights = np.array([1, half])
        table = np.array([1, 2])
        table[0] = n
        u = read(scale, n)
        unused = u + 1
        for k in range(
            n
        ):
            v = u * weights
            u = v + table
        return u, os.sep
    """
    assert cut(text) == [
        "def main(table, u):\n"
        "    import os\n"
        "    n = 9\n"
        "    half = n / 2\n"
        "    weights = np.array([1, half])\n"
        "    for k in range(first, end):\n"
        "        v = u * weights\n"
        "        u = v + table\n"
        "    return u, os.sep"
    ]


@pytest.mark.parametrize(
    ("table", "use"),
    [
        ("[0, 1, -1]", "u = u + t[k]"),
        ("[0, 1, -1]", "u = u + sum(c for c in t)"),
        ("(0.5, 2)", "for c in t: u = u * c"),
        ("[[0, 1], [1, 0]]", "u = np.roll(u, t[k][1])"),
        ("[(0, 1), (1, 0)]", "for i, (x, y) in enumerate(t): u = x * u + i"),
        ("np.array([[0, 1], [1, 0]])", "u = u + t[k, 0]"),
        ("np.array([[0, 1], [1, 0]])", "for c in t: u = u * c[0]"),
    ],
)
def test_a_table_that_is_only_read_is_made_again(table: str, use: str) -> None:
    text = f"def main(u):\n    t = {table}\n    for k in range(2):\n        {use}\n    return u\n"
    assert cut(text) == [text.replace("(2)", "(first, end)").rstrip("\n")]


@pytest.mark.parametrize(
    ("table", "use"),
    [
        ("[0, 1, -1]", "t[k] = 5"),
        ("[0, 1, -1]", "t.append(k)"),
        ("[0, 1, -1]", "u = f(t)"),
        ("[[0, 1], [1, 0]]", "u = f(t[k])"),
        ("[[0, 1], [1, 0]]", "for c in t: c[0] = u"),
        ("[[0, 1], [1, 0]]", "for k, c in enumerate(t): c.append(k)"),
        ("np.array([[0, 1], [1, 0]])", "r = t[0]; r += 1"),
    ],
)
def test_a_table_that_others_may_change_is_passed_on(table: str, use: str) -> None:
    (found,) = cut(f"def main(u):\n    t = {table}\n    for k in range(2):\n        {use}\n    return u\n")
    assert "def main(t" in found.replace("main(u, t", "main(t")


def test_statements_that_share_a_line_are_not_made_again() -> None:
    text = """
    def main(u):
        import os; import sys
        n = 9; half = n / 2
        third = 3
        for k in range(5):
            u = u * half * third * n
        return u
    """
    assert cut(text) == [
        "def main(u, n, half):\n"
        "    import os; import sys\n"
        "    third = 3\n"
        "    for k in range(first, end):\n"
        "        u = u * half * third * n\n"
        "    return u"
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    for k in x:\n        yield k",
        "    for k in x:\n        pass\n    else:\n        pass",
        "    f = lambda: u\n    for k in x:\n        u = f()",
        "    u = 1\n    def f():\n        nonlocal u\n        u = 2\n    for k in x:\n        f()\n    x = u",
        "    for k in x:\n        u = locals()",
        "    match x:\n        case 1:\n            for k in x:\n                pass",
        "    import os; v = 2\n    for k in x: pass",
        "    if x:\n        global u\n    for k in x:\n        u = 1",
    ],
)
def test_what_is_not_cut(body: str) -> None:
    assert cut(f"def main(x):\n{body}\n") == []


def test_numbers_that_decide_stand_in_the_text() -> None:
    text = textwrap.dedent("""
    def main(u, order, n, by, name, steps, every, row):
        for k in range(steps):
            if order == 2 and k % every: u[n] = u[n - 2]; row = 3
            u = u + np.roll(u, by, axis=0)
            u[row] = 1
            print(f"{n} of {name}", min(steps, 4))
        return u
    """)
    (made,) = rests_of_function(ast.parse(text), "main", {"np"})
    assert made.deciding == {"order", "n", "by"}
    shown = made.text(text, ["u"], ("first", "end"), {"order": "2", "n": "9", "by": "-1"})
    assert [line.strip() for line in shown.splitlines() if line] == [
        "def main(u):",
        "for k in range(first, end):",
        "if (2) == 2 and k % every: u[(9)] = u[(9) - 2]; row = 3",
        "u = u + np.roll(u, (-1), axis=0)",
        "u[row] = 1",
        'print(f"{n} of {name}", min(steps, 4))',
        "return u",
    ]


@pytest.mark.parametrize("inside", ["lambda n: n", "[n for n in u]", "n := 3", "(x for x, n in u)"])
def test_names_that_are_bound_anew_decide_nothing(inside: str) -> None:
    text = f"def main(u, n):\n    for k in u:\n        u[n] = ({inside})\n"
    (made,) = rests_of_function(ast.parse(text), "main", set())
    assert made.deciding == set()


@pytest.mark.parametrize(
    ("value", "fits"), [(3, True), (None, True), ("upwind", True), (2.5, False), (2**40, False)]
)
def test_values_that_can_stand_in_the_text(value: object, fits: bool) -> None:
    assert is_literal_value(value) is fits


def test_a_list_in_the_text_is_no_constant_of_the_rest() -> None:
    (made,) = cut(
        "def main(x):\n    rows = [1, 2]\n    for k in x:\n        rows.append(k)\n    return rows\n"
    )
    assert made.startswith("def main(rows):\n    for k in over:")


SCRIPT = """
import sys
import numpy as np
from elsewhere import start

N = 300
rate = 0.25


def smoothed(u):
    return u * 0.5 + np.roll(u, 1) * rate


u = start(N)
steps = 0
text = "as"
for k in range(12):
    u = smoothed(u)
    if k == 3:
        text = '''a
string'''
    steps += 1
total = u.sum()
for k in range(5):
    u[u > total / N] *= 0.9
print(repr(u.sum()), steps, k, text)
"""

GUARDED = """
import numpy as np
from elsewhere import start

if __name__ == "__main__":
    u = start(300)
    shift = 3
    k = 0
    while k < 12:
        u = u * 0.5 + np.roll(u, shift)
        k += 1
    print(repr(u.sum()), k)
"""

SEEN = """
import numpy as np
from elsewhere import start

u = start(300)


def total():
    return u.sum()


for k in range(12):
    u = u * 0.5 + np.roll(u, 1)
    if k == 11:
        print(total())
"""

SET_BY_A_FUNCTION = """
import numpy as np
from elsewhere import start

u = start(300)
steps = 0


def smooth():
    global u, steps
    u = u * 0.5 + np.roll(u, 1)
    steps += 1


for k in range(12):
    smooth()
    w = np.sqrt(u * u + k)
    w[w > 1] *= 0.5
print(repr(u.sum()), repr(w.sum()), steps, k)
"""

SEEN_BEFORE = SEEN.replace("print(total())", "print(u.sum())").replace("for k", "print(total())\nfor k")
SEEN_FROM_A_CLASS = SEEN.replace(
    "for k", "class Sums:\n    def all(self):\n        return total()\n\n\nsums = Sums()\nfor k"
).replace("print(total())", "print(sums.all())")
SEEN_BY_WHAT_A_FUNCTION_MADE = SEEN.replace(
    "    return u.sum()\n", "    return lambda: u.sum()\n\n\nmade = total()\n"
).replace("print(total())", "print(made())")
SEEN_BY_A_GENERATOR = SEEN.replace(
    "    return u.sum()\n", "    while True:\n        yield u.sum()\n\n\nsums = total()\n"
).replace("print(total())", "print(next(sums))")
SEEN_BY_A_HELD_FUNCTION = SEEN.replace("for k", "held = [total]\nfor k").replace(
    "print(total())", "print(held[0]())"
)

FAILING = """
import numpy as np
from elsewhere import start

u = start(300)
for k in range(12):
    u = u * 0.5 + np.roll(u, 1)
    if k == 8:
        u = u + np.ones(7)
"""


CONSTANT_ABOVE = """
import numpy as np
from elsewhere import start

u = start(300)
rate = 0.25
for k in range(12):
    u = u * 0.5 + np.roll(u, 1) * rate
print(repr(u.sum()), k, rate)
"""

OVER_AN_ARRAY = """
import numpy as np
from elsewhere import start

rate = 0.25
ends = start(4)
times = np.arange(0.0, 3.0, 1e-4)


def slope(z, t):
    return np.array([z[1], -z[0] * rate - 0.1 * np.sin(t)])


z = np.array([1.0, 0.0])
xs = []
for t in times:
    xs.append(z[0])
    k1 = 1e-4 * slope(z, t)
    k2 = 1e-4 * slope(z + 0.5 * k1, t + 5e-5)
    z += k2
print(len(xs), xs[-1], type(xs[0]), z, t, ends.sum())
"""

LOOKING = "\nprint(sorted(name for name in globals() if not name.startswith('__')))\n"


@pytest.mark.parametrize(
    ("script", "takes_over"),
    [
        (SCRIPT, True),
        (SCRIPT + LOOKING, False),
        (GUARDED, True),
        (SEEN, False),
        (SEEN_BEFORE, True),
        (SET_BY_A_FUNCTION, True),
        (SEEN_FROM_A_CLASS, False),
        (SEEN_BY_WHAT_A_FUNCTION_MADE, False),
        (SEEN_BY_A_GENERATOR, False),
        (SEEN_BY_A_HELD_FUNCTION, False),
        (FAILING, True),
        (CONSTANT_ABOVE, True),
        (OVER_AN_ARRAY, True),
    ],
)
def test_scripts(script: str, takes_over: bool, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    (tmp_path / "program.py").write_text(script)
    environment = {**os.environ, "NPREWRITE_CACHE_DIR": str(tmp_path / "cache"), "NPREWRITE_WAIT": "1"}
    plain, ours = (
        subprocess.run(
            [sys.executable, *command, "program.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        for command in ((), ("-m", "nprewrite", "run", "--report"))
    )
    assert (ours.returncode, ours.stdout) == (plain.returncode, plain.stdout), ours.stderr
    if plain.returncode:
        assert ours.stderr.splitlines()[-1] == plain.stderr.splitlines()[-1]
    else:
        assert ("__main__, its own statements\n" in ours.stderr) is takes_over
        assert ("rewritten: the loop can run compiled" in ours.stderr) is (
            script in (SCRIPT, GUARDED, SEEN_BEFORE, CONSTANT_ABOVE, OVER_AN_ARRAY)
        )
    made = [each.read_text() for each in (tmp_path / "cache" / "rewritten").glob("program-*.py")]
    assert any("def script(" in each for each in made) is takes_over


@pytest.mark.parametrize(
    ("left", "may_stop"),
    [
        ("u = u + 0.1 * w + source[k]", True),
        ("for i in range(n):\n        print(i)", True),
        ("print(k)", False),
    ],
)
def test_a_script_of_which_the_text_tells_one_loop_enough(left: str, may_stop: bool) -> None:
    """The other loops may stop if they have anything to do."""
    start = "import numpy as np\nn = 4\nsource = np.zeros(n)\n"
    loops = "for k in range(n):\n    source[k] = k\n", f"for k in range(n):\n    {left}\n"
    text, rewritten = start + "".join(loops), start + "source[:] = np.arange(n)\n" + loops[1]
    assert (
        _handing_over("program.py", text, ast.parse(rewritten), set(), Choices(), {}) is not None
    ) is may_stop
    assert _handing_over("program.py", text, ast.parse(start), set(), Choices(), {}) is None


def test_a_nest_above_a_function_is_not_left_for_a_loop_below() -> None:
    """What is left of a script holds no functions, so that the nest cannot stop; the text told enough."""
    start = "import numpy as np\nn = 4\na = np.zeros((n, n))\n"
    nest = "for k in range(9):\n    for i in range(1, n):\n        a[i, k % n] += a[i - 1, k % n]\n"
    rest = "def shown(x):\n    return x.sum()\ns = 0.0\nfor k in range(n):\n    print(k + shown(a))\n"
    moved = "for k in range(9):\n    loop(a, k)\n"
    simple = "for i in range(1, n):\n    a[i] += a[i - 1]\n"

    def stops(before: str, after: str) -> bool:
        tree = ast.parse(start + after + rest)
        return _handing_over("program.py", start + before + rest, tree, set(), Choices(), {}) is not None

    assert not stops(nest, moved)
    assert stops(nest, nest)
    assert stops(simple, "loop(a)\n")


LATER = """
import sys
import numpy as np
import nprewrite
from elsewhere import start


@nprewrite.jit
def main():
    u = start(20_000)
    for k in range(30_000):
        u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
    return u


u = main()
loaded = [name in sys.modules for name in ("nprewrite.engine.pipeline", "libcst")]
print(*loaded, globals()["main"].version.source.count("_main_step"))
"""


def test_a_later_process_finds_the_rest_rewritten(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE)
    (tmp_path / "script.py").write_text(LATER)
    environment = {**os.environ, "NPREWRITE_CACHE_DIR": str(tmp_path / "cache")}
    outputs = []
    for waits in ("1", "0"):
        environment["NPREWRITE_WAIT"] = waits
        done = subprocess.run(
            [sys.executable, "script.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.split())
    assert outputs[0][:2] == ["True", "True"]
    assert outputs[1][:2] == ["False", "False"]
    assert outputs[0][2] == outputs[1][2] != "0"


@pytest.mark.parametrize(
    ("runs", "spared_s", "again"),
    [
        ({}, 0.0, False),
        ({"as written: compiling": 1}, 0.0, True),
        ({"compiled": 1}, 0.1, True),
        ({"compiled": 1}, 0.0, False),
    ],
)
def test_a_rest_in_which_numpy_was_faster_stays_as_written(
    runs: dict[str, int], spared_s: float, again: bool, script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless one of its loops over elements spares enough, or will be compiled in the next process."""
    step = SimpleNamespace(kept="original")
    loop = SimpleNamespace(runs=Counter(runs), spared_s=spared_s)
    monkeypatch.setattr("nprewrite.decorated.versions.Version.choices", lambda _: iter([step]))
    monkeypatch.setattr("nprewrite.decorated.versions.Version._natives", lambda _: iter([loop]))
    assert took_over(script(RANGE).main)
    assert took_over(script(RANGE).main) == again


def test_nothing_is_watched_where_nothing_is_to_run_rewritten(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    module = script(RANGE)
    assert module.main._may_stop is None
    assert isinstance(module.main, type(nprewrite.jit(lambda: None)))


SHOWN = """
@nprewrite.jit
def bent(u):
    w = seen(u * 2.0)
    return np.sqrt(w * w + 1.0) - w


before = bent(start(300)), bent(start(300))


@nprewrite.jit
def main():
    u = start(300)
    for k in range(12):
        u = u * 0.5 + bent(u)
    return u


found = [main()]
"""


def test_what_calls_of_a_function_showed_serves_where_it_is_inlined(script: Any) -> None:
    """Nothing is known of the result of `seen`, and no second call of `main` will show it."""
    expected = script(SHOWN, plain=True).found
    module = script(SHOWN)
    assert took_over(module.main)
    np.testing.assert_allclose(module.found, expected, rtol=1e-12)
    watched = module.main._may_stop[0]
    assert "np.sqrt(bent_w * bent_w + 1.0)" in watched.took_over.source
    assert any("bent_w" in inspect.signature(each.function).parameters for each in watched.took_over.steps)


OF_MODULE = """
rate, table = seen(0.5), start(300)


def bent(u):
    return np.sqrt(u * rate + table)


@nprewrite.jit
def main():
    u = start(300)
    for k in range(12):
        u = u * rate + bent(u)
    return u


found = [main()]
"""


def test_variables_of_the_module_are_known_in_functions_that_are_inlined(script: Any) -> None:
    """Nothing in the text tells what `rate` and `table` are."""
    plain, module = script(OF_MODULE, plain=True), script(OF_MODULE)
    assert took_over(module.main)
    np.testing.assert_allclose(module.found, plain.found, rtol=1e-12)
    for each in plain, module:
        each.rate, each.table = np.float32(0.25), np.ones(300, "float32")
    found, wanted = module.main(), plain.main()
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert found.dtype == wanted.dtype
    steps = module.main._may_stop[0].took_over.steps
    assert any({"rate", "table"} <= inspect.signature(each.function).parameters.keys() for each in steps)


def test_names_of_what_calls_showed() -> None:
    def bent(u: float, v: float = 1.0) -> float:
        w = u + v
        return w * u

    seen = {(3, "w"): Scalar("float"), (3, "u"): Scalar("float"), (4, "start(w, u)[v]"): Scalar("float")}
    places = [*in_place_of_calls(bent, seen)]
    assert places == [(3, "bent_w"), (3, "u"), (4, "start(bent_w, u)[v]")]


def test_the_rest_of_a_method_keeps_the_indentation_of_its_class() -> None:
    """A class may be indented with tabs."""
    body = "\tdef run(self, u):\n\t\tfor k in range(9):\n\t\t\tu = u + k\n\t\treturn u\n"
    text = f"class A:\n{body}\n\tdef end(self):\n\t\treturn 1\n"
    (found,) = rests_of_function(ast.parse(text), "A.run", {"np"})
    made = found.text(text, ["self", "u", "first", "end"], ["first", "end"], {})
    assert "\tdef run(self, u, first, end):" in made
    ast.parse(made)


def test_the_rest_of_a_script_may_begin_right_below_another_loop() -> None:
    text = "import numpy as np\nfor k in range(9):\n    u = k\nfor k in range(9):\n    u = u + k\nprint(u)\n"
    (found,) = rests_of_script(ast.parse(text), "script", {"np"})
    made = found.text(text, ["u", "first", "end"], ["first", "end"], {})
    assert "\ndef script(u, first, end):\n    for k in range(first, end):\n        u = u + k\n" in made
    ast.parse(made)


@pytest.mark.parametrize("over", ["product(range(3), range(n))", "np.ndindex(3, n)", "np.ndenumerate(u)"])
def test_loops_that_are_only_compiled_whole_are_not_left(over: str) -> None:
    loops = f"    for i, j in {over}:\n        u = u + i\n    for k in range(n):\n        u = u + k\n"
    text = f"def run(u, n):\n{loops}    return u\n"
    (found,) = rests_of_function(ast.parse(text), "run", {"np"})
    assert found.loop.lineno == 4
