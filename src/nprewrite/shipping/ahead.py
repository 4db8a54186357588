"""Compiling ahead of time: the program runs here, waits for compilers, and the cache keeps what it needs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from nprewrite.config import Configurations
from nprewrite.decorated.original import as_written
from nprewrite.loading.finder import install
from nprewrite.loading.program import CannotRun, Program, run
from nprewrite.verification import stages
from nprewrite.verification.inputs import Inputs
from nprewrite.verification.messages import Source
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target
from nprewrite.verification.script import script_of
from nprewrite.verification.sides import module_name
from nprewrite.verification.ways import refusals, ways_of

_ROUNDS = 2
"""A first call may only show types, for which the next one is compiled."""


@dataclass(frozen=True)
class Called:
    """A call that was made, and how its loops ran."""

    label: str
    ways: tuple[str, ...]


class _Loaded:
    """A module as its program has it."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def functions(self) -> list[str]:
        """The names of the functions that the module defines."""
        own = self.module.__name__
        return [name for name, each in vars(self.module).items() if _is_function(each, own)]

    def enter_before(self) -> None:
        """Nothing to do: there is no other side."""

    def before(self, name: str) -> Callable[..., Any]:
        found: Any = self.module
        for part in name.split("."):
            found = getattr(found, part, None)
        if not callable(found):
            raise CannotVerify(f"{self.module.__file__} has no function {name}")
        function: Callable[..., Any] = found
        return function


def _is_function(value: object, module: str) -> bool:
    function = as_written(value)
    return function is not None and function.__module__ == module


def by_calls(
    path: Path, source: Source, wanted: str | None, configurations: Configurations
) -> Iterator[Called]:
    """Make calls of a file's functions, or of the one that is ``wanted``, as ``nprewrite run`` would.

    Raises ``CannotVerify``.
    """
    stages.prepare("inductor")
    name, folder = module_name(path)
    sys.path.insert(0, str(folder))
    install(configurations, str(folder))
    try:
        loaded = _Loaded(importlib.import_module(name))
    except Exception as error:
        raise CannotVerify(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    names = [wanted] if wanted is not None else loaded.functions()
    targets = [Target(each, direct=True, exact=False, exact_compiled=False, loops=True) for each in names]
    for number in range(_ROUNDS):
        for function, case in Inputs(source, loaded, targets).cases():
            called = _called(loaded.before(function), case.label, case.args, case.kwargs)
            if number == _ROUNDS - 1:
                yield called


def _called(function: Callable[..., Any], label: str, args: Any, kwargs: Any) -> Called:
    ran = stages.runs()
    try:
        function(*args, **kwargs)
    except Exception as error:
        raise CannotVerify(f"{label} raises {type(error).__name__}: {error}") from error
    return Called(label, tuple(ways_of(stages.runs() - ran, {}) or refusals(function)))


def by_command(command: str, configurations: Configurations) -> Called:
    """Run a program once with its arguments, as ``nprewrite run`` does. Raises ``CannotVerify``."""
    script = script_of(command, "--observe")
    stages.prepare("inductor")
    program = Program(script.name, script.is_module, script.argv[1:], None, configurations)
    try:
        run(program)
    except CannotRun as problem:
        raise CannotVerify(str(problem)) from problem
    except SystemExit as end:
        if end.code:
            raise CannotVerify(f'"{command}" ended with {end.code}') from end
    return Called(command, tuple(ways_of(stages.runs(), {})))
