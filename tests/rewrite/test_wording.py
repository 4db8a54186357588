"""Reports speak of the user's names and lines, and advise nothing that would not help."""

from __future__ import annotations

import pytest

from nprewrite.engine.outcomes import Options, Outcome, Site
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.engine.wording import obstacles, own_words, places

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

TEXT = """
def force(pos, mass):
    gap = pos - pos.T
    return gap * mass

for step in range(100):
    pos = pos + force(pos, mass)
    total = gap.sum()
"""
LINES = TEXT.splitlines()


@pytest.mark.parametrize(
    ("said", "line", "told"),
    [
        ("`pos` is read", 7, "`pos` is read"),
        ("`gap_2` is read", 7, "`gap` is read"),
        ("`force_gap` and `pos` share memory", 7, "`gap` and `pos` share memory"),
        ("`force_gap_1 * float(mass)` may raise", 7, "`gap * float(mass)` may raise"),
        ("`np.fft.fftn(force_gap)` stays", 7, "`np.fft.fftn(gap)` stays"),
        ("`np.fft.fftn(value)` stays", 7, "`pos = pos + force(pos, mass)` stays"),
        ("the type of `value_1` is not known", 6, "the type of what it computes is not known"),
        ("convert it: `np.asarray(x, dtype=...)`", 7, "convert it: `np.asarray(x, dtype=...)`"),
        ("`value` is read", 99, "`value` is read"),
    ],
)
def test_own_words(said: str, line: int, told: str) -> None:
    assert own_words(said, line, LINES) == told


def _refused(line: int, reason: str, message: str, help_text: str | None = None) -> Site:
    return Site(line, 1, "NPR101", "masked-store", Outcome.REFUSED, message, reason, help_text)


def test_one_line_for_a_reason_and_none_for_what_another_tells() -> None:
    sites = [
        _refused(7, "unknown-call", "`pos` is not known", "nothing to do: it is not NumPy's"),
        _refused(8, "unknown-call", "`gap` is not known", "nothing to do: it is not NumPy's"),
        _refused(8, "loop-not-extracted", "the loop around it is not rewritten", "see the loop"),
    ]
    told = [str(each) for each in obstacles(sites, TEXT)]
    assert told == ["lines 7 and 8: `pos` is not known (`gap` alike) (it is not NumPy's)"]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("t += dt", "compute it from the loop variable: `t = k * dt`"),
        ("t *= 2.0", "nothing to do: each iteration needs a number of the one before it"),
    ],
)
def test_a_number_that_is_carried(statement: str, told: str) -> None:
    text = f"""
import numpy as np

def run(n: int, dt: float):
    u, t = np.linspace(0.0, 1.0, 1000), 0.0
    for k in range(n):
        v = np.sin(u)
        {statement}
        u[1:-1] = u[1:-1] + t * (v[2:] - v[:-2])
        print(t)
    return u
"""
    sites = rewrite_source(text, "run.py", Options()).sites
    assert [each.help for each in sites if each.reason == "scalar-carried"] == [told]


def test_what_several_passes_say_of_one_place_is_said_once() -> None:
    sites = [
        _refused(
            7, "dtype-unknown", "the type of `pos` is not known: the type of parameter `pos` is missing"
        ),
        _refused(7, "dtype-unknown", "the type of parameter `pos` is missing", "annotate it"),
        _refused(
            4, "not-array-code", "`return gap` does not return whole arrays", "nothing to do: as written"
        ),
    ]
    told = [str(each) for each in obstacles(sites, TEXT)]
    assert told == ["line 7: the type of parameter `pos` is missing; would help: annotate it"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([3], "line 3"),
        ([3, 4], "lines 3 and 4"),
        ([3, 4, 5, 9], "lines 3 to 5 and 9"),
        ([3, 4, 5], "lines 3 to 5"),
        ([*range(1, 30, 2)], "lines 1, 3, 5, 7, 9, 11, 13 and 8 more"),
    ],
)
def test_places(lines: list[int], told: str) -> None:
    assert places(lines) == told
