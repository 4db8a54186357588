"""Run a random program before and after rewriting, and say where they differ."""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import re
import sys
import types
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from generator import CASES, DECORATOR, Program

from nprewrite.comparison.case import Case
from nprewrite.comparison.compare import compare
from nprewrite.comparison.oracle import oracle_of
from nprewrite.comparison.report import Verdict
from nprewrite.engine.outcomes import Options, Outcome, Rewriting
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.passes.level import Level
from nprewrite.runtime.api.step import Step
from nprewrite.runtime.numba.decorator import Native

# pytest adds the catalogue's folder only where it collects from it.
sys.path.append(str(Path(__file__).parents[1] / "catalogue"))
from catalogue_compare import Closeness, Observation, differences, observe

# NumPy adds in the order of the memory, and has other code for contiguous arrays.
_BY_LAYOUT = re.compile(r"sum|mean|std|norm|prod|@|dot|arctan2|hypot|\*\* 3|np\.(sin|cos|tanh|exp|log)")
# Of two zeros NumPy takes one by the element's place in the array: lanes of a step lie at other places.
_BY_PLACE = re.compile(r"fmax|fmin")
_SEED = 11
"""Of the global generators of random numbers."""
_OTHER_LAYOUT = re.compile(r"\.T\b|::|flip|swapaxes|transpose")


@dataclass
class Comparison:
    """What became of one program: the first difference, and how its steps ran."""

    program: Program
    rewriting: Rewriting | None = None
    difference: str | None = None
    runs: Counter[str] = field(default_factory=Counter)
    calls: int = 0

    @property
    def rewritten(self) -> bool:
        """Whether the text changed."""
        return self.rewriting is not None and self.rewriting.changed


def compared(program: Program, *, compiled: bool = False, calls: int | None = None) -> Comparison:
    """Rewrite the program and compare both on its arguments, at most ``calls`` tuples of them.

    Every error of the rewriter is a difference. ``compiled`` allows rounding in all floats.
    """
    # The texts of the programs before this one are not asked for again.
    for file in [each for each in linecache.cache if each.startswith("random_program")]:
        del linecache.cache[file]
    found = Comparison(program)
    name = f"random_program_{program.seed}"
    try:
        found.rewriting = rewrite_source(program.text, f"{name}.py", Options())
        if not found.rewritten and DECORATOR not in program.text:
            return found
        text = found.rewriting.text
        # The rewriter takes most of the time, and the catalogue asks of each pass what a second run does.
        again = rewrite_source(text, f"{name}.py", Options()).text if program.seed % 5 == 0 else text
    except Exception as error:  # noqa: BLE001 - whatever the rewriter raises is what is looked for
        found.difference = f"the rewriter raises {type(error).__name__}: {error}"
        return found
    if again != found.rewriting.text:
        found.difference = "a second run changes the text"
    else:
        found.difference = _first_difference(found, compiled, calls)
    return found


def _first_difference(found: Comparison, compiled: bool, calls: int | None) -> str | None:
    assert found.rewriting is not None
    program = found.program
    before = module(program.as_written, "random_program_before")
    try:
        after = module(found.rewriting.text, "random_program_after")
    except Exception as error:  # noqa: BLE001 - as above
        return f"the rewritten module raises {type(error).__name__}: {error}"
    exact = not compiled and _exact(found.rewriting)
    wrong = None
    for index in range(CASES)[:calls]:
        wrong = _difference(program, index, before, after, exact)
        found.calls += 1
        if wrong is not None:
            shown = ", ".join(" ".join(repr(each).split()) for each in program.arguments(index))
            wrong = f"case {index}, run({shown}): {wrong}"
            break
    for value in vars(after).values():
        if isinstance(value, Step | Native):
            found.runs.update(value.runs)
    return wrong


def _difference(
    program: Program, index: int, before: types.ModuleType, after: types.ModuleType, exact: bool
) -> str | None:
    """Why one call differs; where rounding may decide a comparison, the oracle has the last word."""
    ours, theirs, again = (program.arguments(index) for _ in range(3))
    other_layout = _other_layout(ours) or bool(_OTHER_LAYOUT.search(program.text))
    rounding = not exact or (other_layout and bool(_BY_LAYOUT.search(program.text)))
    rounding = rounding or (DECORATOR in program.text and _has_complex(program.text, ours))
    rounding = rounding or bool(_BY_PLACE.search(program.text))
    wrong = differences(_observed(before, ours), _observed(after, theirs), Closeness(rounding=rounding))
    if not wrong or not rounding:
        return wrong[0] if wrong else None
    oracle = oracle_of(program.as_written, "random_program.py", "run")
    report = compare("run", Case(f"case {index}", again), before.run, after.run, oracle=oracle)
    return None if report.verdict is Verdict.SAME else f"{wrong[0]}; {'; '.join(report.differences)}"


def module(text: str, name: str) -> types.ModuleType:
    """Run the text as a module of that name, which torch.compile looks up; Numba's loops need its source."""
    made = types.ModuleType(name)
    sys.modules[name] = made
    # A file is read once: the texts of one name are several.
    file = f"{name}_{zlib.crc32(text.encode())}.py"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec", dont_inherit=True), vars(made))
    return made


def _observed(made: types.ModuleType, arguments: tuple[Any, ...]) -> Observation:
    np.random.seed(_SEED)
    random.seed(_SEED)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        seen = observe(made.run, arguments)
    # What the program keeps in its module's globals is seen with the arguments, and what it said.
    kept = tuple(vars(made).get(name) for name in ("history", "global_state"))
    # The next numbers tell how many were drawn.
    said = printed.getvalue(), str(seen.exception), np.random.randn(), np.random.rand(), random.gauss(0, 1)
    return Observation(seen.result, seen.exception, (*seen.arguments, kept, said))


def _other_layout(arguments: tuple[Any, ...]) -> bool:
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    return not all(each.flags.c_contiguous for each in arrays)


def _has_complex(text: str, arguments: tuple[Any, ...]) -> bool:
    """Whether a decorated function may see complex arrays, which it holds as pairs whatever the text says."""
    return "1j" in text or any(np.iscomplexobj(each) for each in arguments)


def _exact(rewriting: Rewriting) -> bool:
    """Whether NumPy against NumPy keeps every bit: compiling (NPR601) is not in it.

    NumPy's complex products are fused or not by the layout of the operands. What is left to the first call
    may be either.
    """
    deferred = any(site.outcome is Outcome.DEFERRED for site in rewriting.sites)
    if "complex" in rewriting.source or deferred:
        return False
    done = [site for site in rewriting.sites if site.outcome is Outcome.REWRITTEN and site.code != "NPR601"]
    return all(site.level is Level.EXACT for site in done)
