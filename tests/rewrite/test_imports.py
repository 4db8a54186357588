"""The name under which rewritten code finds the runtime."""

from __future__ import annotations

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source

PROGRAM = """import numpy as np


def count(n: int):
    x = np.ones(10_000)
    for _ in range(n):
        x[1:-1] = x[:-2] + x[2:]
    return x


if __name__ == "__main__":
    import nprewrite.runtime as r

    print(r.__name__)
"""


def test_an_import_that_may_not_run_is_not_relied_on() -> None:
    text = rewrite_source(PROGRAM, "program.py", Options()).text
    assert "@npr.step" in text
    assert "import nprewrite.runtime as npr" in text


BELOW = """import numpy as np


def count():
    x = np.ones(10_000)
    for _ in range(100):
        x[1:-1] = x[:-2] + x[2:]
    return x


import nprewrite.runtime as npr

print(npr.__name__)
"""


def test_an_import_below_a_function_comes_too_late_for_its_steps() -> None:
    text = rewrite_source(BELOW, "program.py", Options()).text
    assert "import nprewrite.runtime as npr_1\n" in text
    assert "@npr_1.step" in text
