"""Numbers and arrays that another function binds while a loop runs: a step reads them in each iteration."""

from __future__ import annotations

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

GLOBAL = """
import numpy as np

dt = 0.1


def shorten():
    global dt
    {change}


def run(n: int):
    u = np.linspace(0, 1, 30_000)
    for i in range(n):
        u[1:-1] = u[1:-1] + dt * (u[2:] - 2 * u[1:-1] + u[:-2]) * np.sin(u[1:-1])
        shorten()
    return u
"""
NONLOCAL = """
import numpy as np


def run(n: int):
    u, factor = np.linspace(0, 1, 30_000), 1.0

    def adapt():
        nonlocal {name}
        {change}

    for i in range(n):
        u[1:-1] = u[1:-1] + factor * (u[2:] - 2 * u[1:-1] + u[:-2]) * np.sin(u[1:-1])
        adapt()
    return u
"""


def _rewritten(text: str) -> str:
    return rewrite_source(text, "program.py", Options(), only="run").text


def test_a_number_is_read_in_each_iteration() -> None:
    rewritten = _rewritten(NONLOCAL.format(name="factor", change="factor *= 0.5"))
    assert "_run_step.running(u=u)" in rewritten
    assert "advance(lambda: (factor,))" in rewritten


def test_a_global_number_is_not_handed_over_once() -> None:
    assert 'constants={"dt"' not in _rewritten(GLOBAL.format(change="dt *= 0.5"))


def test_a_number_that_is_only_read_elsewhere_is_handed_over_once() -> None:
    assert 'constants={"dt"' in _rewritten(GLOBAL.format(change="print(dt)"))


def test_an_array_is_not_kept_over_the_iterations() -> None:
    assert "running(" not in _rewritten(NONLOCAL.format(name="u", change="u = u * 1.01"))
