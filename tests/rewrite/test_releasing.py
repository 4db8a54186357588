"""Names that rewriting adds are let go of after their last use, as temporary values would be."""

from __future__ import annotations

import ast
import textwrap

import numpy as np
import pytest

import nprewrite
from nprewrite.engine.parsing import parse
from nprewrite.engine.releasing import releases


def released(original: str, rewritten: str) -> str:
    """The statements of the function after which names are deleted, with the names."""
    document = parse(textwrap.dedent(rewritten))
    (function,) = (each for each in document.tree.body if isinstance(each, ast.FunctionDef))
    before = ast.parse(textwrap.dedent(original))
    return document.replaced([*releases(function, before)]).text


USERS = """
def f(u, flag, records):
    for k in range(3):
        u = u * 2
    return u
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("value = g(u); u = value + 1", ["value"]),
        ("value = g(u); u = value + 1; u = u + value", ["value"]),
        ("value = g(u)\n        if flag:\n            u = value", ["value"]),
        ("u = value = g(u)", []),
        ("records.append(lambda: value)\n        value = g(u); u = value + 1", []),
        ("value = g(u); records.append(lambda: value)", []),
        ("if flag:\n            value = g(u)\n        u = value", []),
        ("if flag:\n            value = g(u)\n            u = value + 1", ["value"]),
        ("u = u + value; value = g(u); u = value", []),
        ("value = g(u)\n        return value", []),
        (
            "for once in (region := s.over(u)):\n            value = g(u)\n"
            "        if region.finished:\n            (value,) = region.results\n"
            "        u = value + region.left",
            ["region", "value"],
        ),
        # Nothing reads what the region computes, so that a compiled one does not give it back.
        (
            "for once in (region := s.over(u)):\n            value = g(u)\n"
            "        for once in (loop := s.over(u)):\n            value = u * 2\n            u = value",
            [],
        ),
    ],
)
def test_what_is_let_go_of(body: str, wanted: list[str]) -> None:
    text = f"def f(u, flag, records):\n    for k in range(3):\n        {body}\n    return u\n"
    made = released(USERS, text)
    deleted = [each for each in ast.walk(ast.parse(made)) if isinstance(each, ast.Delete)]
    names = [target.id for each in deleted for target in each.targets if isinstance(target, ast.Name)]
    assert sorted(names) == wanted


def shifted(v, k):
    h = np.fft.fft(v)
    w = np.real(np.fft.ifft(1j * k * h))
    return w * 2 + v


def relaxed(v, k, trips):
    for i in range(trips):
        a = shifted(v, k)
        if i % 2:
            a = shifted(a, k)
        v = v + 0.1 * (a * a - v) + np.sqrt(np.abs(v)) * 0.01
    return v


def test_results_are_the_same() -> None:
    jitted = nprewrite.jit(relaxed)
    v = np.linspace(0, 1, 1000)
    np.testing.assert_allclose(jitted(v, v, 5), relaxed(v, v, 5), rtol=1e-12)
    assert "del " in jitted.source


def settled(p, b, least):
    error = 1.0
    before = p.copy()
    while error > least:
        before = p.copy()
        p[1:-1] = 0.5 * (before[2:] + before[:-2]) - b[1:-1]
        p[0] = p[1]
        error = np.sum(np.abs(p - before)) / np.sum(np.abs(before))
    return p


def flow(u, p, b, least, trips):
    for i in range(trips):
        w = u.copy()
        b[1:-1] = 0.001 * (w[2:] - w[:-2]) * i
        p = settled(p, b, least)
        u[1:-1] = w[1:-1] + 0.1 * (p[2:] - p[:-2])
    return u


@pytest.mark.parametrize("side", ["rewritten", None])
def test_what_nothing_reads_is_not_let_go_of(monkeypatch: pytest.MonkeyPatch, side: str | None) -> None:
    """A copy that the first statement of the loop behind it makes again: as in many solvers for pressures."""
    monkeypatch.setattr("nprewrite.decorated.turns.ALWAYS", side)
    jitted = nprewrite.jit(flow)
    for _ in range(4):
        u, p, b = np.linspace(0, 1, 60_000), np.linspace(1, 2, 60_000) ** 2, np.zeros(60_000)
        theirs = flow(u.copy(), p.copy(), b.copy(), 1e-4, 3)
        np.testing.assert_allclose(jitted(u, p, b, 1e-4, 3), theirs, rtol=1e-9)
