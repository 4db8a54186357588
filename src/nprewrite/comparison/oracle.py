"""The original program in higher precision: what the answers should be.

The module's own text is run again with its arithmetic widened (``widening``, ``calls``): float16 in float32,
float32 in float64, float64 in long double, and complex numbers accordingly. Widened arguments share memory as
before. Integers stay integers, computed from the wider values.

There is no oracle, and the reason is reported, where long double has no more digits than float64, where a
function of NumPy's lacks long double (``np.linalg``), where the arithmetic is in another module than the
function, and where the widened program raises or returns another structure.

Random numbers are those of the program. A perturbed run rounds as ``arithmetic`` describes.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import io
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nprewrite.comparison.arithmetic import Rounding
from nprewrite.comparison.calls import Calls
from nprewrite.comparison.case import Case
from nprewrite.comparison.leaves import Leaves
from nprewrite.comparison.memory import copy_arguments
from nprewrite.comparison.observe import Observation, RandomState, observe
from nprewrite.comparison.reductions import Sums
from nprewrite.comparison.widening import RUNTIME, widened_module
from nprewrite.comparison.widths import Unwidened, widened, widened_group


@dataclass(frozen=True)
class NoOracle:
    """Why this function or case cannot be evaluated in higher precision."""

    because: str


@dataclass(frozen=True)
class Answer:
    """What the widened program did, and its last sums."""

    observation: Observation
    sums: Sums

    @property
    def leaves(self) -> Leaves:
        """The values that the caller sees."""
        return self.observation.leaves


@dataclass(frozen=True)
class Oracle:
    """The widened program of one function; call it with a case."""

    text: str
    filename: str
    function: str
    code: Any

    def __call__(
        self, case: Case, start: RandomState | None = None, rounding: Rounding | None = None
    ) -> Answer | NoOracle:
        """Run the widened program on widened copies of the arguments, perturbed if ``rounding`` says so.

        ``start`` is the state of the global random generators, by default the present one. What the program
        prints is hidden. Never raises what the program raises.
        """
        module = types.ModuleType(Path(self.filename).stem.replace("__main__", "main"))
        calls = Calls(rounding or Rounding(), module.__dict__)
        start = start or RandomState.now()
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                function = self._function(module, calls)
                args, kwargs = copy_arguments(case.args, case.kwargs, widened_group, widened)
                args = tuple(self._own(value, module) for value in args)
                kwargs = {name: self._own(value, module) for name, value in kwargs.items()}
                observation = observe(function, args, kwargs, start)
        except Unwidened as error:
            return NoOracle(str(error))
        except MemoryError as error:
            return NoOracle(f"not enough memory for higher precision: {error}")
        if isinstance(observation.exception, Unwidened):
            return NoOracle(str(observation.exception))
        return Answer(observation, calls.sums)

    def _function(self, module: types.ModuleType, calls: Calls) -> Callable[..., Any]:
        """The function from a new run of its module; raises ``Unwidened`` where that fails."""
        vars(module).update({"__file__": self.filename, "__builtins__": builtins, RUNTIME: calls})
        try:
            with _registered(module):
                exec(self.code, vars(module))
            found: Any = functools.reduce(getattr, self.function.split("."), module)
        except Unwidened:
            raise
        except (Exception, SystemExit) as error:  # the user's module may raise anything
            raise Unwidened(f"the module, run again, raises {type(error).__name__}: {error}") from error
        return found  # type: ignore[no-any-return]

    def _own(self, value: Any, module: types.ModuleType) -> Any:
        """A value of the program; a function of its file becomes that of the widened module."""
        if not isinstance(value, types.FunctionType) or value.__code__.co_filename != self.filename:
            return value
        return vars(module).get(value.__qualname__, value)


@contextlib.contextmanager
def _registered(module: types.ModuleType) -> Iterator[None]:
    """Keep the module in ``sys.modules``, where dataclasses look it up while they are made."""
    present = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if present is not None:
            sys.modules[module.__name__] = present


def oracle_of(text: str, filename: str, function: str) -> Oracle | NoOracle:
    """The oracle of a function, given its qualified name and the original source of its module.

    The module is not run yet. ``NoOracle`` if the text is not Python, or no definition at module level has
    the name.
    """
    if "<locals>" in function:
        return NoOracle(f"{function} is defined inside of a function")
    try:
        code = widened_module(text, filename)
    except SyntaxError as error:
        return NoOracle(f"{filename} does not parse: {error.msg}")
    return Oracle(text, filename, function, code)


def oracle_from_function(function: Callable[..., Any]) -> Oracle | NoOracle:
    """The oracle of a function, from the source of its module."""
    name = getattr(function, "__qualname__", None)
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if name is None or module is None:
        return NoOracle("the function has no module whose source could be read")
    try:
        text = inspect.getsource(module)
    except (OSError, TypeError):
        return NoOracle(f"the source of {module.__name__} cannot be read")
    return oracle_of(text, inspect.getsourcefile(module) or module.__name__, name)
