"""Calls that are known to gain nothing, or nothing for a while: they cost next to nothing.

One in so many is looked at, whether its arguments have the types of settled calls and are no larger; once one
had others, all are for a while, and for good where some may gain. Any other call takes the long way.
"""

from __future__ import annotations

import ast
import copy
import inspect
import math
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, repeat
from time import perf_counter
from typing import Any, ParamSpec, Self, TypeVar, cast

import numpy as np

from nprewrite.base.syntax import fresh_name, name_nodes, put_on_line, text_tree, walk
from nprewrite.base.tracebacks import leaves_calls
from nprewrite.decorated.building import made_with, module_text, standing_in
from nprewrite.decorated.original import as_written, decorated_by, is_named
from nprewrite.decorated.own_attributes import in_class
from nprewrite.decorated.recursion import DEEP, nesting
from nprewrite.source.excerpt import tree_of
from nprewrite.source.names import find_definition

P = ParamSpec("P")
R = TypeVar("R")

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
_SPECIAL = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_SEES_NAMES = frozenset(("locals", "vars", "dir", "eval", "exec"))
_CALLS, _CALLS_OF_OBJECTS = 200, 16
"""How many calls run between two that are looked at; the second number is for functions that may find arrays
of any size in objects or by global names."""
_MOST_CALLS, _LOOKS = 128, 32
"""So many they are at most: they become twice as many after so many looks."""
_WHILE = 500
"""How many calls are looked at after one with others than the known arguments."""
_LONG_WAY = 64
"""How many calls take the long way after one that took longer than the settled ones."""
_FEW = 16
"""Below it, sizes and integers, which may be positions in a small table, do not make another call."""
_SIZED = (np.ndarray, int, float, complex, bool, str, np.generic)


@dataclass(frozen=True)
class Itself:
    """In place of a type: a class or a function, with which a call is another program than with others."""

    value: object


@dataclass(frozen=True)
class Made:
    """The same for functions and methods that are made again and again: the type, and what all of them have
    under an attribute."""

    of: type
    attribute: str
    value: object


Kind = type | Itself | Made


@dataclass(frozen=True)
class Known:
    """The arguments of settled calls: for each parameter the kind, and an upper bound where sizes matter.

    Those that take more than ``seconds`` have more to do.
    """

    arguments: tuple[tuple[str, Kind, int], ...]
    seconds: float = math.inf

    @property
    def parameters(self) -> list[str]:
        return [name for name, _, _ in self.arguments]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(kind for _, kind, _ in self.arguments)

    @property
    def tells_sizes(self) -> bool:
        """Whether all arrays are arguments, as far as types tell."""
        known = all(isinstance(each, type) and issubclass(each, _SIZED) for each in self.kinds)
        return known and np.ndarray in self.kinds

    def joined(self, earlier: Known | None) -> Known:
        """These arguments joined with those of earlier calls of the same kinds."""
        if earlier is None:
            return self
        pairs = zip(self.arguments, earlier.arguments, strict=True)
        joined = tuple((name, kind, max(limit, other)) for (name, kind, limit), (_, _, other) in pairs)
        return Known(joined, max(self.seconds, earlier.seconds))


def known_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Known | None:
    """The arguments of a call; None where a check of them is not cheap, or would not tell enough."""
    signature = inspect.signature(function)
    if any(each.kind not in _NAMED for each in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    found = [(name, _kind(each), _limit(each)) for name, each in bound.arguments.items()]
    known = tuple((name, kind, limit) for name, kind, limit in found if kind is not None)
    return Known(known) if len(known) == len(found) else None


def _kind(argument: Any) -> Kind | None:
    """The kind of an argument; None for what is called and has no name, of which there may be any number.

    Objects of the user's classes may be called, too: a kernel, a layer. A decorated function may have a
    second name, under which it stays what it was when something else took its place.
    """
    called = in_class(type(argument), "__call__")
    if not callable(argument) or (as_written(argument) is None and as_written(called) is not None):
        return type(argument)
    if is_named(argument) or decorated_by(argument) is not None:
        return Itself(argument)
    if type(argument) is types.MethodType:
        return Made(types.MethodType, "__func__", argument.__func__)
    return (
        Made(types.FunctionType, "__code__", argument.__code__)
        if type(argument) is types.FunctionType
        else None
    )


def _limit(argument: Any) -> int:
    if type(argument) is np.ndarray:
        return max(1 << argument.size.bit_length(), _FEW)
    return max(1 << argument.bit_length(), _FEW) if type(argument) is int else 0


class Looks:
    """Looks at one call in so many, and at each once others than the known have been seen."""

    def __init__(
        self,
        parameters: Sequence[str],
        function: Callable[..., Any],
        otherwise: Callable[..., Any],
        may_gain: Callable[[], bool],
    ) -> None:
        """``otherwise`` is the long way, ``function`` runs as written; ``may_gain`` tells of other calls."""
        self.parameters = parameters
        self._function, self._otherwise, self._may_gain = function, otherwise, may_gain
        self.turns = types.CellType()
        """For each call what looks at it, and returns what runs it, or None."""
        self._passing: dict[tuple[Kind, ...], Known] = {}
        self._until = 0.0
        self._seconds, self._between, self._timed_calls = math.inf, _CALLS, 0

    def take(self, settled: Collection[Known], known: Known, seconds: float) -> None:
        """Let settled calls run as written, and further ones for so long."""
        if perf_counter() > self._until:
            self._passing.clear()
        self._passing[known.kinds] = known.joined(self._passing.get(known.kinds))
        self._unsettled, self._others = _others(settled), _others(self._passing.values())
        self._until = max(self._until, perf_counter() + seconds)
        unsized = [each for each in settled if not each.tells_sizes]
        self._sized = _others(unsized)
        limits = [each.seconds for each in unsized if each.seconds < math.inf]
        self._seconds = max(limits, default=math.inf)
        self._between, self._timed_calls = _CALLS_OF_OBJECTS if unsized else _CALLS, 0
        self.turns.cell_contents = self._some()

    def _some(self) -> Iterator[Self | None]:
        return cycle([self, *repeat(None, self._between)])

    def forget(self) -> None:
        """Look at all calls, none of which is known any more."""
        self._passing.clear()
        self._unsettled = self._others = _others(())
        self.turns.cell_contents = repeat(self)

    def _look_less(self, *_: object) -> None:
        self.turns.cell_contents = repeat(self) if self._may_gain() else self._some()

    def __call__(self, *args: Any) -> Callable[..., Any] | None:
        """What runs a call that is timed; the long way for one that is another than the known ones, or where
        their time is over; None for any other, and where calls are nested deep."""
        if nesting.calls > DEEP:
            return None
        if not self._unsettled(*args):
            return None if self._sized(*args) else self._timed
        if not self._others(*args) and perf_counter() <= self._until:
            return None
        # Iterators of Python's own: a generator must not run in two threads.
        self.turns.cell_contents = chain(repeat(self, _WHILE), repeat(self._look_less))
        return self._otherwise

    def _timed(self, *args: Any) -> Any:
        started = perf_counter()
        nesting.calls += 1
        try:
            result = self._function(*args)
        finally:
            nesting.calls -= 1
        if perf_counter() - started > self._seconds:
            # The function itself finds out whether further ones have more to do.
            self.turns.cell_contents = chain(repeat(lambda *_: self._otherwise, _LONG_WAY), self._some())
            return result
        self._timed_calls += 1
        if self._between < _MOST_CALLS and self._timed_calls % _LOOKS == 0:
            self._between *= 2
            self.turns.cell_contents = self._some()
        return result


def looking(original: Callable[P, R], looks: Looks) -> Callable[P, R] | None:
    """The function as written, which looks at some of its calls.

    None where what looks cannot stand at its beginning: calling it from another function would take as long
    as a short function does.
    """
    text, code = module_text(original), cast("types.FunctionType", original).__code__
    found = None if text is None else find_definition(tree_of(text), original.__qualname__)
    if not isinstance(found, ast.FunctionDef) or code.co_flags & _SPECIAL:
        return None
    if any(each.id in _SEES_NAMES for each in name_nodes(found)):
        return None
    taken = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    look, turns = (fresh_name(name, taken) for name in ("look", "turns"))
    given = ", ".join(looks.parameters)
    (statement,) = text_tree(
        f"for {look} in {turns}:\n    if {look} is not None and ({look} := {look}({given})) is not None:\n"
        f"        return {look}({given})\n    break"
    ).body
    node = copy.deepcopy(found)
    for each in walk(statement):
        if isinstance(each, ast.expr | ast.stmt):
            put_on_line(each, node.lineno)
    node.body.insert(int(ast.get_docstring(node, clean=False) is not None), statement)
    # One variable around it: each costs every call some time.
    made = made_with(original, node, [turns, *code.co_freevars])(None, *code.co_freevars)
    leaves_calls(made.__code__)
    return standing_in(made, original, {turns: looks.turns})


def _others(known: Collection[Known]) -> Callable[..., bool]:
    """A function that tells of arguments whether they are others than the known ones."""
    if not known:
        return lambda *_: True
    parameters = next(iter(known)).parameters
    type_ = fresh_name("type", {*parameters})
    home: dict[str, Any] = {type_: type}
    alike = " or ".join(f"({_alike(each, type_, home)})" for each in known)
    return cast("Callable[..., bool]", eval(f"lambda {', '.join(parameters)}: not ({alike})", home))


def _alike(known: Known, type_: str, home: dict[str, Any]) -> str:
    """The test whether arguments are like the known ones, whose types get names in ``home``."""
    tests = []
    for name, kind, limit in known.arguments:
        kind_ = fresh_name(f"kind_{len(home)}", {*known.parameters})
        match kind:
            case Itself(value=value):
                home[kind_] = value
                tests.append(f"{name} is {kind_}")
            case Made(attribute=attribute, value=value):
                home |= {kind_: kind.of, f"{kind_}_": value}
                tests.append(f"{type_}({name}) is {kind_} and {name}.{attribute} is {kind_}_")
            case _:
                home[kind_] = kind
                tests.append(f"{type_}({name}) is {kind_}")
        if limit:
            tests.append(f"{name}{'.size' if kind is np.ndarray else ''} < {limit}")
    return " and ".join(tests) or "True"
