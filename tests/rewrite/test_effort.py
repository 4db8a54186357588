"""What the rewriter does grows with the text, not with its square."""

from __future__ import annotations

import runpy
import sys
import tracemalloc
from cProfile import Profile
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from nprewrite.decorated import turns
from nprewrite.decorated.jitted import Jitted
from nprewrite.engine.deep import on_deep_stack
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.program.function import Module
from nprewrite.source.document import Document

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from lengths import BEGIN, FORMS, ROADS, rewrite

FUNCTION = """
def scale_{number}(values, factor=2.0):
    def doubled(x):
        return x * 2.0 if x > 0.0 else x
    for n in range(10):
        values = values * factor
    if factor > 1.0:
        values = helper(values)
    return np.vectorize(doubled)(values)

scale_{number}(np.ones(10), 3.0)
"""
HEAD = "import numpy as np\n\ndef helper(values):\n    return values + 1.0\n"
MOST = 2.4
"""How often the calls of a text may be those of one half as long."""


def calls(text: str, road: str) -> int:
    """How many calls of functions it takes to rewrite a text."""
    profile = Profile()

    def profiled() -> None:
        with profile:
            rewrite(text, road)

    # A deep expression would be rewritten in another thread, which is not profiled.
    on_deep_stack(profiled)
    return sum(each.callcount for each in profile.getstats())


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("form", FORMS)
def test_effort_grows_with_the_length_of_a_function(form: str, road: str) -> None:
    size = 200 if form == "masked" else 80
    half, whole = (calls(FORMS[form](each), road) for each in (size, 2 * size))
    assert whole < MOST * half


def test_what_is_known_before_each_loop_is_not_held_for_each() -> None:
    def held(loops: int) -> int:
        lines = (f"    for i in range(k):\n        x_{number} = x * 0.5\n" for number in range(loops))
        (_, function) = Module(Document(BEGIN + "".join(lines)), {}).functions
        tracemalloc.start()
        assert function.facts
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return size

    # Tables grow in jumps of two, and those of the process are filled by whoever comes first.
    held(200)
    assert held(400) < MOST**2 * held(100)


def test_a_fresh_name_is_not_searched_for_from_the_first() -> None:
    names = Document("x = 1\n").names
    lines = 0

    def traced(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return traced

    around = sys.gettrace()
    sys.settrace(traced)
    for _ in range(400):
        names.fresh("x")
    sys.settrace(around)
    assert lines < 400 * 20


@pytest.mark.parametrize("road", ROADS)
def test_symbols_for_shapes_are_bounded(road: str) -> None:
    # Each statement would double the text of the shape that the one before it has.
    assert rewrite(FORMS["masked"](60), road)
    part = "import numpy as np\ndef f(x: np.ndarray, y: np.ndarray, z: np.ndarray, k: int):\n"
    assert rewrite(part + "    x = x[1:-1] + x[2:]\n" * 60 + "    return x\n", road)


def test_effort_grows_with_the_number_of_functions() -> None:
    def of(functions: int) -> int:
        text = HEAD + "".join(FUNCTION.format(number=number) for number in range(functions))
        profile = Profile()
        with profile:
            rewrite_source(text, "module.py", Options())
        return sum(each.callcount for each in profile.getstats())

    assert of(24) < MOST * of(12)


def test_effort_of_all_decorated_functions_grows_with_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")

    def of(functions: int) -> int:
        text = "import nprewrite\n" + FORMS["functions"](5 * functions).replace(
            "def ", "@nprewrite.jit\ndef "
        )
        (tmp_path / f"module_{functions}.py").write_text(text)
        profile = Profile()
        with profile:
            module = runpy.run_path(str(tmp_path / f"module_{functions}.py"))
            for each in [each for each in module.values() if isinstance(each, Jitted)]:
                each(np.ones(5), np.ones(5), np.ones(5), 3)
        return sum(each.callcount for each in profile.getstats())

    of(5)
    assert of(32) < MOST * of(16)
