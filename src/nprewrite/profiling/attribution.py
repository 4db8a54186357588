"""From samples to functions, loops and lines: whose time it was, and what a person would look at first.

The time of a function is its own and that of the functions that it calls once in a run of it, which are
read with it. A function that is called in a loop stands for itself: the loop is the place where a program
spends its time, and what the loop calls is what has to become faster.
"""

from __future__ import annotations

import ast
import dis
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import CodeType

from nprewrite.numpy_api.methods import is_method
from nprewrite.profiling.sampling import Frame, Samples, Stack, Variables
from nprewrite.profiling.source import MODULE, Loop, Source, place_of
from nprewrite.profiling.timing import corrected, own_times

_OPERATORS = frozenset(
    {
        *("BINARY_OP", "BINARY_SUBSCR", "BINARY_SLICE", "COMPARE_OP", "CONTAINS_OP"),
        *("STORE_SUBSCR", "STORE_SLICE", "UNARY_INVERT", "UNARY_NEGATIVE"),
    }
)
_ARRAY_LIBRARIES = ("numpy", "scipy")
_WRAPPER = 0.8
"""A function whose callee has this part of its time only passes the work on."""
_SMALLEST = 0.01
"""The least part of the time for which a function is listed."""

Key = tuple[str, str]
"""The file and the qualified name of a function."""


@dataclass
class Unit:
    """A function (or a module's own statements), with the seconds that were spent in it.

    ``own`` is the time of its own lines with what they call of libraries, ``whole`` with what it calls of the
    user's as well, ``weight`` with what it calls outside of loops. ``array`` is the part of ``weight`` in
    operations on arrays. ``lines`` and ``loops`` divide ``own``.
    """

    source: Source
    name: str
    own: float = 0.0
    whole: float = 0.0
    weight: float = 0.0
    array: float = 0.0
    lines: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    covered: defaultdict[tuple[str, int], float] = field(default_factory=lambda: defaultdict(float))
    """The seconds of ``weight`` by the file and line on which they were spent."""
    passed_on: defaultdict[Key, float] = field(default_factory=lambda: defaultdict(float))
    """The seconds of ``weight`` that were spent in functions which it calls directly, by function."""
    variables: Variables = field(default_factory=Variables)
    calls: int = 0

    @property
    def key(self) -> Key:
        """Its file and name."""
        return self.source.path, self.name

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.source.functions.get(self.name, range(1, 2)).start

    @property
    def label(self) -> str:
        """What a person calls it."""
        if self.name == MODULE:
            return f"{self.source.name}, outside of functions"
        return self.name.replace(".<locals>", "")

    @cached_property
    def loop(self) -> Loop | None:
        """The innermost loop in which most of its own time was spent."""
        most = [each for each in self.source.loops.get(self.name, ()) if self._spent_in(each) > self.own / 2]
        return max(most, key=lambda each: each.line, default=None)

    @cached_property
    def focus(self) -> dict[tuple[str, int], float]:
        """The seconds of ``covered`` that a person would look at: those in its loop, where it has one.

        What comes before a loop over time is done once.
        """
        if self.loop is None:
            return dict(self.covered)
        outer = self.source.loops_around(self.name, self.loop.body)[0]
        own = self.source.path
        return {at: s for at, s in self.covered.items() if at[0] == own and outer.body <= at[1] <= outer.last}

    @property
    def time(self) -> float:
        """The seconds of its ``focus``."""
        return sum(self.focus.values())

    def seconds_on(self, lines: Collection[int]) -> float:
        """The seconds of its ``focus`` on lines of its file."""
        return sum(s for (path, line), s in self.focus.items() if path == self.source.path and line in lines)

    def _spent_in(self, loop: Loop) -> float:
        return sum(s for line, s in self.lines.items() if loop.body <= line <= loop.last)


@dataclass
class Attribution:
    """All units, and the seconds that were sampled: all but imports, array code, imports."""

    units: dict[Key, Unit]
    sources: dict[str, Source]
    total: float
    array: float
    imports: float
    stacks: dict[Stack, float]

    def ranked(self) -> list[Unit]:
        """The units that hold the time, the one that a person would pick first."""
        listed = [each for each in self.units.values() if each.time >= _SMALLEST * self.total]
        order = sorted(listed, key=lambda each: (-each.time, -each.own))
        return [each for each in order if not self._is_passing_on(each)]

    def _is_passing_on(self, unit: Unit) -> bool:
        """Whether one function that it calls has nearly all of its time."""
        most = max(unit.passed_on.values(), default=0.0)
        return most >= _WRAPPER * unit.weight


def attributed(samples: Samples, owns: Callable[[str], bool]) -> Attribution:
    """Whose time the samples show; ``owns`` says of a file whether it is the user's."""

    def is_users(code: CodeType) -> bool:
        return owns(code.co_filename)

    found, stacks = _Attributing(), corrected(samples, is_users)
    for stack, seconds in stacks.items():
        found.add(stack, seconds)
    for code, (_, calls) in own_times(samples.timed, is_users).items():
        key = code.co_filename, function_of(code)
        if key in found.units and not code.co_name.startswith("<"):
            found.units[key].calls += calls
    for code, seen in samples.variables.items():
        key = code.co_filename, function_of(code)
        if key in found.units:
            found.units[key].variables = _both(found.units[key].variables, seen)
    total = found.total - found.imports
    return Attribution(found.units, found.sources, total, found.array, found.imports, stacks)


def _both(one: Variables, other: Variables) -> Variables:
    parameters = {name: {**one.parameters.get(name, {}), **kinds} for name, kinds in other.parameters.items()}
    return Variables(
        one.looks + other.looks, {**one.parameters, **parameters}, max(one.largest, other.largest)
    )


class _Attributing:
    def __init__(self) -> None:
        self.units: dict[Key, Unit] = {}
        self.sources: dict[str, Source] = {}
        self.array = self.imports = self.total = 0.0

    def add(self, stack: Stack, seconds: float) -> None:
        """Add the seconds of one stack to the units on it."""
        self.total += seconds
        inner, line = self._at(stack.frames[0])
        if line in inner.source.imports:
            self.imports += seconds
            return
        inner.own += seconds
        inner.lines[line] += seconds
        arrays = seconds if self._is_array_code(stack) else 0.0
        self.array += arrays
        seen: set[Key] = set()
        absorbs, callee = True, None
        for frame in stack.frames:
            unit, at = self._at(frame)
            if unit.key not in seen:
                unit.whole += seconds
            # What is called in a loop stands for itself, and so does what calls itself.
            looped = callee is not None and bool(unit.source.loops_around(unit.name, at))
            absorbs = absorbs and not looped and unit.key not in seen
            if absorbs:
                unit.weight += seconds
                unit.array += arrays
                unit.covered[inner.source.path, line] += seconds
                if callee is not None:
                    unit.passed_on[callee] += seconds
            seen.add(unit.key)
            callee = unit.key

    def _at(self, frame: Frame) -> tuple[Unit, int]:
        """The unit that a frame belongs to, and the line that it had reached."""
        code, offset = frame
        path, name = code.co_filename, function_of(code)
        if path not in self.sources:
            self.sources[path] = Source.of(path)
        key = path, name
        if key not in self.units:
            self.units[key] = Unit(self.sources[path], name)
        return self.units[key], place_of(code, offset)[0]

    def _is_array_code(self, stack: Stack) -> bool:
        if stack.library is not None:
            return any(f"/{each}/" in stack.library.replace("\\", "/") for each in _ARRAY_LIBRARIES)
        code, offset = stack.frames[0]
        operation = _operations(code).get(offset, "")
        if operation in _OPERATORS:
            # Only while compiled code has released the interpreter is an operator seen.
            return True
        call = self.sources[code.co_filename].calls.get(place_of(code, offset)[1] or (0, 0, 0, 0))
        return call is not None and _calls_numpy(call, self.sources[code.co_filename])


def _calls_numpy(call: ast.Call, source: Source) -> bool:
    """Whether a call is one of NumPy's functions, or of a method that arrays have."""
    root = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    module = source.modules.get(root.id) if isinstance(root, ast.Name) else None
    if module is not None:
        return module.partition(".")[0] in _ARRAY_LIBRARIES
    return isinstance(call.func, ast.Attribute) and is_method(call.func.attr)


def function_of(code: CodeType) -> str:
    """The qualified name of the function that code belongs to: a comprehension is a part of it."""
    name = code.co_qualname
    while name != MODULE and name.rpartition(".")[2].startswith("<"):
        name = name.removesuffix(name.rpartition(".")[2]).removesuffix(".").removesuffix(".<locals>")
        if not name:
            return MODULE
    return name


@cache
def _operations(code: CodeType) -> dict[int, str]:
    return {each.offset: each.opname for each in dis.get_instructions(code)}
