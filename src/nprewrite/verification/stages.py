"""How far the rewritten program goes: NumPy alone, traced by torch, or compiled.

The stages are in the order of the layers: the first stage at which a case differs names the layer that
introduced the difference.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections import Counter
from types import ModuleType
from typing import Any

from nprewrite.decorated import turns
from nprewrite.runtime.api import step_runs
from nprewrite.runtime.api.backend import Array, Expected
from nprewrite.runtime.api.step import Step
from nprewrite.runtime.choosing import budget, waiting
from nprewrite.runtime.numba import gathered
from nprewrite.runtime.numba.decorator import Native
from nprewrite.runtime.numba.reduction import Reduction
from nprewrite.runtime.numba.sweep import Sweep
from nprewrite.runtime.torch.jobs import Shape
from nprewrite.runtime.torch.package import Results
from nprewrite.runtime.torch.portable import Portable, unpack

LAYERS = {"numpy": "the rewriting", "eager": "NumPy tracing", "inductor": "the compiler"}
STAGES = tuple(LAYERS)
_UNHURRIED_S = 3600.0


def earlier(stage: str) -> tuple[str, ...]:
    """The stages before ``stage``."""
    return STAGES[: STAGES.index(stage)]


def prepare(stage: str) -> None:
    """Make every step of this process run at ``stage``, on small arrays too, however long compiling takes.

    For a process of its own, whose parent watches the time.
    """
    os.environ["NPREWRITE_DISABLE"] = "1" if stage == "numpy" else "0"
    step_runs.MINIMUM_WORK = 0
    budget.SECONDS = _UNHURRIED_S
    waiting.always()
    gathered.MINIMUM_WORK = 0
    turns.ALWAYS = "rewritten"
    if stage == "eager":
        _compile_nothing()


def _compile_nothing() -> None:
    """Make torch.compile trace the step and then run its operations one by one."""
    artifacts: Any = importlib.import_module("nprewrite.runtime.torch.artifacts")
    artifacts.graph = _Traced


class _Traced:
    """Takes the place of a compiled graph."""

    operations = ()

    def __init__(self, step: Portable, expected: Expected, shape: Shape) -> None:
        torch: Any = importlib.import_module("torch")
        graphs: Any = importlib.import_module("nprewrite.runtime.torch.graph")
        # It is traced at the first call, and again for other arguments: its names have to stay.
        module = ModuleType(f"nprewrite_step_{step.digest()}")
        sys.modules[module.__name__] = module
        function = graphs.graph(unpack(step, module), expected, shape)
        self._compiled = torch.compile(function, fullgraph=True, backend="eager")
        self._tensor = torch.from_numpy

    def fits(self, *_: Array) -> bool:
        return True

    def __call__(self, *arrays: Array) -> Results:
        dtypes, same_shape, rest = self._compiled(*map(self._tensor, arrays))
        return dtypes, same_shape, [each.numpy() for each in rest]


def runs() -> Counter[str]:
    """How often the loops of this process ran in which way.

    Every step in memory is asked, because no name leads to the steps that the decorator keeps.
    """
    total: Counter[str] = Counter()
    for each in gc.get_objects():
        if type(each) in (Step, Native, Reduction, Sweep):
            total += each.runs
    return total
