"""Functions that compute in float32: dtypes, memory of the caller, options, and what verify says of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite
from nprewrite.decorated.decorator import options_of
from nprewrite.decorated.jitted import Jitted
from nprewrite.engine.pipeline import rewrite_source


@pytest.fixture(autouse=True)
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared is NumPy with NumPy."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")


def single(function: Callable[..., Any], **options: Any) -> Jitted[..., Any]:
    """The function in single precision."""
    made: Jitted[..., Any] = nprewrite.jit(level="fast", precision="float32", **options)(function)
    return made


def drift(u, v, dt):
    w = u + dt * v
    return w, w.mean(), (w > 1).sum()


def damp(u, out, k):
    out[1:-1] = u[1:-1] - k * (u[2:] - u[:-2])
    out *= 2
    return out


def fill(u, rows):
    for row in range(rows):
        u[row] = u[row - 1] * 0.5
        if row == 3:
            raise ValueError("three")


def scaled(u, k):
    u = u * k
    return u / np.arange(1, u.size + 1)


def seen(u):
    return u[1:], u * 2


def relaxed(u, n):
    for _ in range(n):
        u = u + 0.1 * (np.roll(u, 1) + np.roll(u, -1) - 2 * u)
    return u


def leapt(u, v, n):
    kept = u
    for _ in range(n):
        u, v = v, u + 0.5 * v
    return u, kept * 2


def held(u, n):
    hold = [None]
    for _ in range(n):
        u[1:] = u[:-1] * 0.5
        hold[0] = u[1:3]
        hold[0][0] = 0.25
    return u, hold


def swapped(u, n):
    hold = [None, n]
    v = u * 2
    hold[0], hold[1] = u, v
    u[2] = 5.0
    v[1] = 9.0
    hold[0][0] = 3.0
    return u, hold


def own(u, n):
    hold, z = [None], (u * 0.5)[::2]
    w = z.real
    for _ in range(n):
        z[1:] += 0.1 * z[:-1]
        if hold[0] is not None:
            hold[0][...] = 0.25
        hold[0] = z
    return z, w


def dot(a, b):
    return a @ b, np.dot(a, a), np.interp(a, b, b)


def reduced(u):
    return np.add.reduce(u), np.maximum.reduce(u)


def random(n):
    rng = np.random.default_rng(3)
    x = rng.normal(size=n)
    return x * np.sqrt(np.float64(2)), x


def branches(u, kind, limit):
    v = u + limit
    if kind == "other":
        v = np.where(u > 0.5, u, -u)
    return np.clip(v, 0, 1), f"{kind} {limit}"


def test_results_are_single() -> None:
    u, v = np.random.default_rng(0).random((2, 50))
    w, mean, count = single(drift)(u, v, 0.1)
    assert (w.dtype, type(mean), type(count)) == (np.float32, np.float32, np.int64)
    np.testing.assert_allclose(w, u + 0.1 * v, rtol=1e-6)


KEPT: list[float] = []
TABLES = {"rate": np.full(5, 0.5), "runs": np.zeros(1)}


def told(u):
    w = u * TABLES["rate"]
    print("once")
    return w


def kept(u):
    w = u * TABLES["rate"]
    KEPT.append(w.sum())
    return w


def counted(u):
    w = u * TABLES["rate"]
    TABLES["runs"][0] += 1
    return w


@pytest.mark.parametrize("function", [told, kept, counted])
def test_what_others_see_of_a_first_call_happens_once(
    function: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that shows types would have to be followed by one that is rewritten for them."""
    KEPT.clear()
    TABLES["runs"][0] = 0
    made = single(function)
    first, second = (made(np.ones(5)) for _ in range(2))
    assert first.dtype == second.dtype == ("float64" if function is kept else "float32")
    seen = {"told": capsys.readouterr().out.count("once"), "kept": len(KEPT), "counted": TABLES["runs"][0]}
    assert seen[function.__name__] == 2


def test_scalars_of_numpy_do_not_widen() -> None:
    u, v = np.random.default_rng(0).random((2, 50))
    assert single(drift)(u, v, np.float64(0.1))[0].dtype == np.float32
    assert single(scaled)(u, np.int64(3)).dtype == np.float32
    assert single(scaled)(u.astype(np.float32), np.float64(3)).dtype == np.float32


def test_sums_by_ufuncs_accumulate_in_double_as_others_do() -> None:
    jitted, u = single(reduced), np.full(1_000_000, 0.1)
    total, largest = jitted(u)
    assert (type(total), type(largest)) == (np.float32, np.float32)
    assert total == np.float32(np.add.reduce(u.astype(np.float32), dtype=np.float64))
    assert jitted.source.count("dtype=np.float64") == 1


def test_output_dtypes_are_kept_on_request() -> None:
    u, v = np.random.default_rng(0).random((2, 50))
    w, mean, _ = single(drift, keep_output_dtype=True)(u, v, 0.1)
    assert (w.dtype, type(mean)) == (np.float64, np.float64)
    assert not np.array_equal(w, u + 0.1 * v)


def test_the_callers_array_is_stored_into() -> None:
    u = np.linspace(0, 1, 9)
    for out in (np.zeros(9), u):
        expected, given = out.copy(), out.copy()
        damp(u if out is not u else expected, expected, 0.3)
        made = single(damp)(u if out is not u else given, given, 0.3)
        assert made is given
        assert given.dtype == np.float64
        np.testing.assert_allclose(given, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("function", [held, swapped, own])
def test_lists_hold_the_array_and_no_copy(function: Callable[..., Any]) -> None:
    u, again = np.linspace(0, 1, 8), np.linspace(0, 1, 8)
    expected, made = function(u, 4), single(function)(again, 4)
    for ours, theirs in zip((u, expected[0], *expected[1]), (again, made[0], *made[1]), strict=True):
        np.testing.assert_allclose(theirs, ours, rtol=1e-6)


def test_views_of_each_other_are_seen() -> None:
    base, other = np.linspace(0, 1, 12), np.linspace(0, 1, 12)
    damp(base[:-1], base[1:], 0.3)
    single(damp)(other[:-1], other[1:], 0.3)
    np.testing.assert_allclose(other, base, rtol=1e-6, atol=1e-6)


def test_an_exception_leaves_what_was_stored() -> None:
    ours, theirs = np.random.default_rng(1).random((2, 6, 3)).copy()
    theirs[...] = ours
    with pytest.raises(ValueError, match="three"):
        fill(ours, 5)
    with pytest.raises(ValueError, match="three"):
        single(fill)(theirs, 5)
    np.testing.assert_allclose(theirs, ours, rtol=1e-6)


def test_a_view_that_is_returned_stays_the_callers() -> None:
    u = np.linspace(0, 1, 9)
    part, twice = single(seen)(u)
    assert np.shares_memory(part, u)
    assert twice.dtype == np.float32


def test_a_parameter_that_is_bound_anew_is_computed_in_single() -> None:
    """Whether the loop has a trip or not; what the caller passed stays what it is."""
    u, v = np.random.default_rng(0).random((2, 9))
    before = u.copy()
    for trips in (0, 1, 5):
        made = single(relaxed)(u, trips)
        assert made.dtype == np.float32
        np.testing.assert_allclose(made, relaxed(u, trips), rtol=1e-6)
        assert single(relaxed, keep_output_dtype=True)(u, trips).dtype == np.float64
        for one, other in zip(single(leapt)(u, v, trips), leapt(u, v, trips), strict=True):
            assert one.dtype == np.float32
            np.testing.assert_allclose(one, other, rtol=1e-5)
    np.testing.assert_array_equal(u, before)


def test_products_and_functions_of_numpy() -> None:
    a = np.linspace(0, 1, 20)
    given = single(dot)(a, a + 0.1)
    for one, other in zip(given, dot(a, a + 0.1), strict=True):
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.filterwarnings("ignore::nprewrite.NprewriteWarning")
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_numbers_start_as_they_are_where_nothing_is_narrowed_then(dtype: type) -> None:
    """``s`` is Python's in the first iteration and NumPy's in the others; ``mask * 0`` is int64."""
    c = np.linspace(0, 1, 9).astype(dtype)

    for one, other in zip(single(carried)(c), carried(c), strict=True):
        assert type(one) is type(other)
        assert np.result_type(one) == np.result_type(other)
        np.testing.assert_array_equal(one, other)


def test_random_numbers_are_the_same_ones() -> None:
    given = single(random)(7)
    for one, other in zip(given, random(7), strict=True):
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("kind", ["plain", "other"])
def test_branches(kind: str) -> None:
    u = np.linspace(0, 1, 20)
    v, text = single(branches)(u, kind, 2)
    assert v.dtype == np.float32
    assert text == f"{kind} 2"
    np.testing.assert_allclose(v, branches(u, kind, 2)[0], rtol=1e-6)


def test_other_precisions_stay() -> None:
    u = np.arange(6, dtype=np.float32)
    function = single(drift)
    assert function(u, u, 0.5)[0].dtype == np.float32
    assert not any(site.code == "NPR502" and site.outcome == "refused" for site in function.report().sites)


def test_verify_reports_the_cost() -> None:
    u, v = np.random.default_rng(0).random((2, 50))
    report = nprewrite.verify(drift, single(drift), [(u, v, 0.1)])
    assert report.same, str(report)
    costs = {each.place: each for each in report.cases[0].costs}
    assert 0 < costs["result[0]"].absolute < 1e-6
    assert 0 < costs["result[0]"].relative < 1e-6
    assert "largest error" in str(report)
    assert report.to_json()["cases"][0]["costs"][0]["place"] == "result[0]"


def test_verify_sees_what_float32_loses() -> None:
    def cancelled(u):
        return (u + 1e6) - 1e6

    def narrow(u):
        return (u.astype(np.float32) + 1e6) - 1e6

    u = np.linspace(0, 1, 50)
    report = nprewrite.verify(cancelled, narrow, [(u,)], single=True)
    assert not report.same
    assert not nprewrite.verify(drift, single(drift), [(u, u, 0.1)], single=False).same


def carried(c):
    c, kept, s = c.copy(), [], 0
    for _ in range(3):
        c = c * 0.5 + s
        kept.append((np.abs(c) > 0.2) * s)
        kept.append(s)
        s = 0.5 * np.min(np.abs(c))
    return [c, *kept]


def jumped(u):
    c = np.linspace(-0.5, 0.5, 36)
    c[np.abs(c) > 0.3] = 0.2
    return c, np.where(u > 0.3, 1.0, 2.0), u.sum() > 1


def test_verify_says_where_digits_that_float32_lacks_decide() -> None:
    """0.30000000000000004 is 0.3 in float32: of an argument, and of what the function makes."""
    u = np.array([0.1, 0.1 + 0.2, 0.5])
    (case,) = nprewrite.verify(jumped, single(jumped), [(u,)]).cases
    assert case.differences == ("result[0]: 1 of 36 elements differ", "result[1]: 1 of 3 elements differ")
    assert case.notes == (
        "digits that float32 lacks decide these elements: NumPy with such errors differs as much",
    )


def test_verify_says_where_float32_explains_nothing() -> None:
    def wrong(u):
        c, chosen, large = jumped(u)
        return c.astype(np.float32), chosen.astype(np.float32)[::-1], large

    (case,) = nprewrite.verify(jumped, wrong, [(np.array([0.1, 0.3, 0.5]),)], single=True).cases
    assert case.notes == ("NumPy with errors of float32's size does not differ as much",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": "float32"}, 'needs level="fast"'),
        ({"level": "fast", "precision": "float16"}, "precision is one of None, float32"),
        ({"level": "fast", "precision": "float32", "accumulate": "float16"}, "accumulate is one of"),
        ({"level": "fast", "keep_output_dtype": True}, 'need precision="float32"'),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nprewrite.jit(**options)


def test_files_get_the_decorator() -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    return x * 2.5 + np.ones(3)\n"
    options = options_of("fast", "float32", keep_float64=["s"])
    once = rewrite_source(text, "f.py", options)
    assert '@nprewrite.jit(level="fast", precision="float32", keep_float64=["s"])\ndef f(x)' in once.text
    assert rewrite_source(once.text, "f.py", options).text == once.text
    assert [site.verdict for site in once.sites if site.code == "NPR502"] == ["deferred"]


def test_level_fast_alone_changes_no_dtype() -> None:
    text = "import numpy as np\n\n\ndef f(n):\n    return np.ones(n) * 2.5\n"
    assert rewrite_source(text, "f.py", options_of("fast")).text == text


ENDS = """
import math
import numpy as np
import nprewrite

@nprewrite.jit(level="fast", precision="float32")
def iterated(n: int, given: float):
    x, norm = np.linspace(0, 1, n), np.linalg.norm(np.ones(n))
    eps = np.finfo(float).eps
    limit = {limit}
    error = {start}
    for _ in range(100):
        y = np.cos(x)
        error = {error}
        {ends}
        x = y
    return x
"""
OUT_OF_REACH = [
    {"ends": "if error < 1e-9 * norm: break"},
    {"ends": "if error <= limit: break", "limit": "1e-9 * norm"},
    {"ends": "if error < limit: break", "limit": "10 * eps"},
    {"ends": "if error < limit * norm: break", "limit": "1e-4 ** 2"},
    {"ends": "if error / norm < 1e-9: return y"},
    {"ends": "if 1e9 * error < 1.0: break"},
    {"ends": "if error < given * norm: break"},
    {"ends": "if error < 1e-9: break", "error": "float(np.abs(y - x).max())", "start": "np.inf"},
    {"ends": "done = error < 1e-9\n        if done: break"},
    {"ends": "same = np.abs(y - x) < 1e-9\n        if same.all(): break"},
    {"ends": "if np.allclose(x, y, atol=1e-12): break"},
    {"ends": "if np.allclose(x, y, given): break"},
    {"ends": "if np.array_equal(x, y): break"},
    {"ends": "if math.isclose(error, norm): break"},
]
IN_REACH = [
    {"ends": "if error < 1e-4 * norm: break"},
    {"ends": "if error < 1e-8 + 1e-4 * norm: break"},
    {"ends": "if error < limit: break", "limit": "max(1e-9, 1e-4)"},
    {"ends": "if error > 1e9: break"},
    {"ends": "if error < 1e-4: break", "error": "float(np.abs(y - x).max())"},
    {"ends": "if np.allclose(x, y): break"},
    {"ends": "if math.isclose(error, norm, rel_tol=1e-4): break"},
    {"ends": "if _ > 50: break"},
]


def tolerance_reasons(parts: dict[str, str]) -> list[str]:
    usual = {"limit": "1e-4", "start": "1.0", "error": "np.abs(y - x).max()"}
    text = ENDS.format(**{**usual, **parts})
    sites = rewrite_source(text, "program.py", options_of("fast", "float32")).sites
    assert any(site.code == "NPR502" for site in sites)
    return [site.reason for site in sites if site.code == "NPR502" and site.reason]


@pytest.mark.parametrize("parts", OUT_OF_REACH, ids=lambda parts: parts["ends"])
def test_tolerances_that_float32_does_not_reach_are_refused(parts: dict[str, str]) -> None:
    assert tolerance_reasons(parts) == ["tolerance-out-of-reach"]


@pytest.mark.parametrize("parts", IN_REACH, ids=lambda parts: parts["ends"])
def test_tolerances_that_float32_reaches_are_not(parts: dict[str, str]) -> None:
    assert tolerance_reasons(parts) == []


@pytest.mark.filterwarnings("error")
def test_a_number_out_of_range_is_refused_without_a_warning() -> None:
    text = "import numpy as np\n\n\ndef f():\n    return np.zeros(3) * 1e300\n"
    options = options_of(level="fast", precision="float32")
    (site, *_) = rewrite_source(text, "f.py", options, only="f").sites
    assert site.message == "1e+300 is out of the range of float32"
