"""What the functions made by one definition share: its text, its rewritten versions, and its turns.

A factory makes a function with each call. What rewriting makes of the function depends on its code and on the
types of its arguments, of its closure's variables and of its defaults; the results are kept here. Nothing
here refers to one of the user's functions, or to a variable of one.
"""

from __future__ import annotations

import inspect
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

import numpy as np

from nprewrite.analysis.called_functions import loops
from nprewrite.analysis.called_once import is_called_once, is_called_seldom
from nprewrite.decorated import kept
from nprewrite.decorated.building import lines_of, module_text, standing_in
from nprewrite.decorated.observing import content
from nprewrite.decorated.original import as_written
from nprewrite.decorated.own_attributes import in_class
from nprewrite.decorated.turns import CallClass, call_class
from nprewrite.decorated.versions import Settings, Version
from nprewrite.engine.deep import with_room
from nprewrite.engine.outcomes import Watched
from nprewrite.engine.parsing import syntax
from nprewrite.program.flags import flags
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.source.excerpt import tree_of
from nprewrite.source.names import Stars, find_definition
from nprewrite.source.problems import SourceProblem
from nprewrite.source.stars import stars_of
from nprewrite.types.attributes import NO_CHAINS, Chains, chains
from nprewrite.types.observed import Observed
from nprewrite.types.values import Literals

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")

Callees = Mapping[tuple[type | None, str], Any]
"""Functions that were inlined or read, by class and name."""

_MOST = 64
"""How many definitions are kept after their last function is gone, and how many entries for each."""


class Recent(OrderedDict[Any, V]):
    """A dictionary that keeps only its latest entries."""

    def __setitem__(self, key: Any, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > _MOST:
            self.popitem(last=False)


@dataclass(frozen=True)
class Rewritten:
    """What a function becomes: a version without closure and defaults, of no function if nothing changes."""

    version: Version[..., Any]
    callees: Callees

    def of(self, original: Callable[P, R]) -> Version[P, R]:
        """The version for one of the functions."""
        made = self.version
        function = standing_in(made.function, original) if made.rewriting.changed else original
        return cast("Version[P, R]", replace(made, function=function))


@dataclass(eq=False)
class Definition:
    """The definition of a function in a module, whose names are in ``home``."""

    code: types.CodeType
    home: dict[str, Any]
    text: str | None
    lines: range = range(0)
    called_once: bool = False
    """Whether the script calls it once, so that what a call shows would serve no other."""
    called_seldom: bool = False
    """Whether the script calls it once or a few times, so that its loops may be long."""
    rewritten: Recent[Rewritten] = field(default_factory=Recent)
    watched: Recent[Watched | None] = field(default_factory=Recent)
    observed: Recent[tuple[Callees, Observed]] = field(default_factory=Recent)
    """What a call showed, and the functions that it ran, until another such call comes."""
    problem: str = "its source is not available"
    """Why there is no text, where there is none."""
    turns: Recent[dict[CallClass, Choice]] = field(default_factory=Recent)
    """The turns for each class of variables and defaults, by the class of the call."""

    @cached_property
    def flags(self) -> Mapping[str, Literals]:
        """Its parameters that tests compare with literals, found when it is first called."""
        return {} if self.text is None else flags(self.code.co_firstlineno, with_room(syntax)(self.text))

    @cached_property
    def stars(self) -> Stars:
        """What the stars of its module bind."""
        return {} if self.text is None else stars_of(self.text, self.code.co_filename)

    @cached_property
    def has_loops(self) -> bool:
        """Whether there are loops in it."""
        node = None if self.text is None else find_definition(tree_of(self.text), self.code.co_qualname)
        return node is not None and any(map(loops, node.body))

    @cached_property
    def _own_text(self) -> str:
        return "\n".join((self.text or "").splitlines()[self.lines.start - 1 : self.lines.stop - 1])

    @cached_property
    def is_brief(self) -> bool:
        """Whether its calls are so short that most of them pass unseen, in this process or an earlier one."""
        return kept.was_brief(self.code.co_qualname, self._own_text)

    def note_brief(self) -> None:
        """Note that its calls are brief, if others may want to know."""
        if self.has_loops and not self.is_brief:
            self.is_brief = True
            kept.keep_brief(self.code.co_qualname, self._own_text)

    @cached_property
    def shown(self) -> Observed:
        """What its calls have shown, in this process or an earlier one."""
        return kept.shown(self.code.co_qualname, self._own_text)

    def note_shown(self, seen: Observed) -> None:
        """Note what a call has shown, if others may want to know."""
        if not seen.items() <= self.shown.items():
            self.shown = {**self.shown, **seen}
            kept.keep_shown(self.code.co_qualname, self._own_text, self.shown)

    @cached_property
    def chains(self) -> Chains:
        """What the text takes of its names, found when the function is first called."""
        return NO_CHAINS if self.text is None else chains(with_room(syntax)(self.text))

    def known(self, key: Any) -> Rewritten | None:
        """What was made for a key, unless the functions that were read for it have changed."""
        found = self.rewritten.get(key)
        return found if found is not None and not is_stale(found.callees, self.home) else None

    def unreadable(self, problem: SourceProblem) -> None:
        """Note that the text is none that can be rewritten."""
        self.text = None
        self.problem = f"its file cannot be read as Python ({problem})"

    def private(self) -> Definition:
        """The same definition, for what must not outlive one of its functions."""
        return replace(self, rewritten=Recent(), watched=Recent(), observed=Recent(), turns=Recent())


def is_stale(callees: Callees, home: Mapping[str, Any]) -> bool:
    """Whether the name of a function that was read has been bound to something else since."""
    return any(
        now is not standing and (as_written(now) is None or as_written(now) is not as_written(standing))
        for now, standing in (
            (home.get(name) if kind is None else in_class(kind, name), standing)
            for (kind, name), standing in callees.items()
        )
    )


_definitions: WeakValueDictionary[Any, Definition] = WeakValueDictionary()
_recent: Recent[Definition] = Recent()


def definition_of(function: Callable[..., Any], settings: Settings) -> Definition:
    """The definition that made ``function``; a code object that is loaded again has a new one."""
    code, home = function.__code__, function.__globals__
    # The definition keeps these two alive, so that no other object has their addresses.
    key = id(code), id(home), settings
    found = _definitions.get(key)
    if found is None:
        found = _definitions[key] = read(function, module_text(function))
    if code.co_flags & inspect.CO_NESTED:
        # Kept when the last function is gone: the factory may be about to make another.
        _recent[key] = found
    return found


def read(function: Callable[..., Any], text: str | None) -> Definition:
    """The definition as it stands in the text of the function's module, if that can be read."""
    made = Definition(function.__code__, function.__globals__, text)
    try:
        tree = with_room(syntax)(made.text or "")
        made.lines = lines_of(function, tree)
        made.called_once = is_called_once(function.__qualname__, tree)
        made.called_seldom = is_called_seldom(function.__qualname__, tree)
    except SourceProblem as problem:
        made.unreadable(problem)
    return made


def types_around(function: Callable[..., Any]) -> tuple[Any, ...]:
    """The types of a function's variables and defaults, as far as they decide what it is rewritten to."""
    return tuple(map(_type, _around(function)))


def class_around(function: Callable[..., Any]) -> CallClass:
    """The class of a function's variables and defaults, as `call_class` has it for arguments."""
    sizes = (each for each in call_class(tuple(_around(function)), {}) if not issubclass(type(each), type))
    return *sizes, *types_around(function)


def _around(function: Callable[..., Any]) -> Iterator[Any]:
    """The variables and defaults of a function; functions among them as their code."""
    cells = map(content, function.__closure__ or ())
    for each in (*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        called = as_written(each)
        yield each if called is None else called.__code__


def _type(value: Any) -> Any:
    if type(value) is np.ndarray:
        return value.dtype, value.ndim
    # By name: a class made in a function would keep that function's variables alive.
    return value if type(value) is types.CodeType else f"{type(value).__module__}.{type(value).__qualname__}"
