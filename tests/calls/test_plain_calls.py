"""``out=``, ``where=``, open bounds and lists of arrays: the decorated function does what NumPy does."""

from __future__ import annotations

import importlib.util
import itertools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated import turns
from nprewrite.decorated.jitted import Jitted

PROGRAM = """
import numpy as np


def added(a, b, c):
    np.add(a, b, out=c)
    return c * 2


def by_position(a, b, c):
    np.multiply(a, b, c)
    np.sqrt(c, c)


def given_back(a, b, c):
    return np.subtract(a, b, out=c)


def named(a, b, c):
    d = np.maximum(a, b, out=c)
    d += 1
    return c


def same_name(a, b, c):
    a = np.add(a, b, out=a)
    return a + c


def in_a_loop(a, b, c):
    for _ in range(3):
        np.multiply(c, c, c)
        np.add(c, a, out=c)
        b[...] = c / 8


def in_a_region(a, b, c):
    d = np.add(a, b, a) * 2
    np.multiply(c, c, c)
    return d + c


def inside_another(a, b, c):
    d = np.exp(np.multiply(a, b, out=c))
    return np.add(np.sqrt(b, out=np.zeros_like(b), where=b > 0), a, dtype=float) * b + d * 2 + c


def into_a_new_array(a, b, c):
    d = np.divide(a, b, out=np.zeros_like(c), where=b != 0)
    a = np.sqrt(a, out=np.zeros_like(a), where=a > 0)
    try:
        b = np.add(a, b, np.ones(c.shape))
    except ValueError:
        b = d * 2
    return a + b + d * 2


def into_a_view(a, b, c):
    np.add(a, b, out=c[...])
    np.exp(c[:-1], out=c[1:])
    return c


def divided(a, b, c):
    np.divide(a, b, out=c, where=b != 0)
    return c


def logarithms(a, b, c):
    m = a > 0
    np.log(a, out=c, where=m)
    return c + np.sqrt(b, out=np.zeros_like(b), where=b > 0)


def clipped(a, b, c):
    np.clip(a, 0.25, None, out=c)
    return np.clip(b, a_min=None, a_max=0.5) + np.clip(a, a_min=-0.5, a_max=0.5) + c


def with_keywords(a, b, c):
    np.add(a, b, out=c, casting="unsafe")
    return c


def stacked(a, b, c):
    rates = np.array([a * b - c, b - a, c * c])
    return rates.sum(axis=0) + np.asarray((a, b))[0]


def overlapping(a, b, c):
    np.add(a[1:], a[:-1], out=a[1:])
    return a
"""
NAMES = [line[4:].partition("(")[0] for line in PROGRAM.splitlines() if line.startswith("def ")]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("calls") / "calls.py"
    path.write_text(PROGRAM)
    spec = importlib.util.spec_from_file_location("calls_program", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(autouse=True)
def rewritten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(turns, "ALWAYS", "rewritten")


def array(dtype: str, shape: tuple[int, ...], seed: int) -> np.ndarray[Any, Any]:
    drawn = np.random.default_rng(seed).integers(-3, 4, shape)
    return drawn.astype(dtype) if dtype != "?" else drawn > 0


def outcome(function: Callable[..., Any], given: list[Any]) -> tuple[Any, list[Any], set[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*given)
        except (TypeError, ValueError, IndexError) as error:
            result = type(error)
    return result, given, {str(each.message) for each in caught}


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(one, other, strict=True)
    else:
        assert one == other


DTYPES = [
    ("f8", "f8", "f8"),
    ("f4", "f8", "f4"),
    ("i8", "i8", "f8"),
    ("f8", "f8", "i8"),
    ("f8", "i4", "c16"),
    ("?", "i2", "f4"),
]
SHAPES = [
    ((4, 3), (4, 3), (4, 3)),
    ((3,), (4, 3), (4, 3)),
    ((1, 3), (3,), (3,)),
    ((4, 3), (3,), (3,)),
    ((3,), (1,), (4, 3)),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_as_numpy(program: Any, name: str) -> None:
    """Same values, dtypes, stores into arguments, errors and warnings, whatever the dtypes and shapes."""
    original = getattr(program, name)
    for number, (dtypes, shapes) in enumerate(itertools.product(DTYPES, SHAPES)):
        # Decorated anew: a function is rewritten for a few signatures only.
        decorated = nprewrite.jit(original)
        given = [array(*each) for each in zip(dtypes, shapes, range(number, number + 3), strict=True)]
        wanted = outcome(original, [each.copy() for each in given])
        found = outcome(decorated, [each.copy() for each in given])
        assert_same(found[0], wanted[0])
        for one, other in zip(found[1], wanted[1], strict=True):
            assert_same(one, other)
        assert found[2] == wanted[2], decorated.source


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("added", "c[...] = np.add(a, b)"),
        ("by_position", "c[...] = np.multiply(a, b)"),
        ("given_back", "return c"),
        ("named", "d = c"),
        ("in_a_loop", "in_a_loop_step.over(range(3), a=a, c=c, b=b)"),
        (
            "into_a_new_array",
            "d[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), d)",
        ),
        ("in_a_region", "c[...] = np.multiply(c, c)"),
        ("into_a_view", "c[...] = np.add(a, b)"),
        ("divided", "c[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), c)"),
        ("clipped", "c[...] = np.maximum(a, 0.25)"),
        ("clipped", "np.minimum(b, 0.5) + np.clip(a, -0.5, 0.5)"),
        ("stacked", "np.stack([a * b - c, b - a, c * c])"),
        ("overlapping", "a[1:] = np.add(a[1:], a[:-1])"),
    ],
)
def test_what_becomes_of_a_call(program: Any, name: str, text: str) -> None:
    decorated: Jitted[..., Any] = nprewrite.jit(getattr(program, name))
    decorated(*(array("f8", (4, 3), seed) for seed in range(3)))
    assert text in decorated.source
    assert any(site.code == "NPR607" for site in decorated.report().sites)


def test_a_call_inside_another_is_in_no_step(program: Any) -> None:
    """Its type is known from the first call, which has run."""
    decorated: Jitted[..., Any] = nprewrite.jit(program.inside_another)
    for _ in range(2):
        decorated(*(array("f8", (4, 3), seed) for seed in range(3)))
    stay = ["multiply_value = np.multiply(a, b, out=c)", "add_value = np.add(np.sqrt(b, out=np.zeros_like(b)"]
    assert all(each in decorated.source for each in [*stay, "inside_another_region.over("])
    assert decorated.source.count("out=c") == decorated.source.count("out=np") == 1


def test_other_keywords_stay(program: Any) -> None:
    decorated: Jitted[..., Any] = nprewrite.jit(program.with_keywords)
    decorated(*(array("f8", (4, 3), seed) for seed in range(3)))
    assert 'casting="unsafe"' in decorated.source


def test_a_list_of_arrays_goes_from_one_iteration_to_the_next(tmp_path: Path) -> None:
    """The type of ``u`` rests on what ``np.array`` gives of its own rows."""
    path = tmp_path / "system.py"
    path.write_text(
        "import numpy as np\n\n\ndef run(u, trips):\n    for _ in range(trips):\n        x, y = u\n"
        "        u = u + 0.1 * np.array([y - x, x * y])\n    return u\n"
    )
    spec = importlib.util.spec_from_file_location("system_program", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    decorated: Jitted[..., Any] = nprewrite.jit(made.run)
    u = np.linspace(0, 1, 10).reshape(2, 5)
    assert_same(decorated(u, 4), made.run(u, 4))
    assert "np.stack([y - x, x * y])" in decorated.source
