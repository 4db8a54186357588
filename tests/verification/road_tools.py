"""What the tests of the road from a file to a report share: tasks made of texts."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.verification.child import Limits
from nprewrite.verification.messages import Calls, CasesFile, Generated
from nprewrite.verification.program import Plan, Target, plan
from nprewrite.verification.road import Task
from nprewrite.verification.sides import Sides

WAVES = """
import numpy as np


class Box:
    def __init__(self, values):
        self.values = values

    def clip(self, n):
        x = np.zeros(n)
        x[x < 1] = 2
        return x + self.offset()

    def offset(self):
        return len(self.values)


def damp(box, n):
    x = np.array(box.values, dtype=float)
    for k in range(n):
        m = np.abs(x) > 0.1
        x[m] = x[m] * 0.9
    return x


def cut(n):
    x = np.arange(float(n))
    x[x > 2] = 0
    return x


def twice(n):
    return cut(n) + cut(n)


def untouched(n):
    return n + 1
"""

LIMITS = Limits(seconds=60.0, bytes=8 << 30)


def plan_of(text: str, wanted: str | None = None) -> Plan:
    """The plan of a text that is called waves.py."""
    return plan("waves.py", text, rewrite_source(text, "waves.py", Options()).sites, wanted)


def task(
    folder: Path,
    before: str,
    after: str | None = None,
    *,
    calls: Sequence[str] = (),
    cases: str | None = None,
    targets: Sequence[Target] | None = None,
    **options: Any,
) -> Task:
    """A task for ``before`` in waves.py; ``after`` is what nprewrite makes of it, unless it is given."""
    before = textwrap.dedent(before)
    path = folder / "waves.py"
    path.write_text(before)
    rewriting = rewrite_source(before, str(path), Options())
    source: Any = Calls(tuple(calls)) if calls else Generated()
    if cases is not None:
        (folder / "waves_cases.py").write_text(textwrap.dedent(cases))
        source = CasesFile(str(folder / "waves_cases.py"))
    chosen = plan(str(path), before, rewriting.sites) if targets is None else Plan(tuple(targets))
    text = rewriting.text if after is None else textwrap.dedent(after)
    return Task(path, before, text, chosen, source, **{"stage": "numpy", "limits": LIMITS, **options})


def target(name: str, *, direct: bool = True, exact: bool = True, loops: bool = False) -> Target:
    """A target, where a test gives the text after rewriting itself."""
    return Target(name, direct, exact, exact, loops)


def sides_of(folder: Path, before: str, after: str, *targets: str) -> Sides:
    """Both sides of a module called waves, in this process."""
    path, after_path = folder / "waves.py", folder / "after.py"
    path.write_text(before)
    after_path.write_text(after)
    return Sides("waves", str(path), before, after, str(after_path), [target(name) for name in targets])
