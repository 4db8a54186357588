"""A function and its rewritten version take turns; see ``runtime.choosing.choice``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from types import CodeType, MethodType
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy import ndarray

from nprewrite.base.code_objects import beginning
from nprewrite.decorated.original import as_written, is_named
from nprewrite.runtime.choosing.choice import Side

CallClass = tuple[Any, ...]
P = ParamSpec("P")
R = TypeVar("R")

ALWAYS: Side | None = None
"""The side that every call takes, without turns; verification sets it."""


def recurring(function: Callable[P, R], calls: int, then: Callable[[], None]) -> Callable[P, R]:
    """A function that runs as written; ``then`` is called after a number of calls."""
    left = calls

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal left
        left -= 1
        if left == 0:
            then()
        return function(*args, **kwargs)

    return call


def raising(function: Callable[P, R], then: Callable[[], object]) -> Callable[P, R]:
    """A function whose calls raise: it runs as written until one returns, then ``then`` is called."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        result = function(*args, **kwargs)
        then()
        return result

    return call


class WhileShort(Generic[P, R]):
    """A function that runs as written, until a call takes more than ``seconds``: then ``then`` gets its time.

    The class of a call does not tell how large the arrays are that an object or a global name holds.
    """

    def __init__(self, function: Callable[P, R], seconds: float, then: Callable[[float], None]) -> None:
        self._function = function
        self.seconds = seconds
        self._then = then

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function; raises what it raises."""
        started = perf_counter()
        result = self._function(*args, **kwargs)
        seconds = perf_counter() - started
        if seconds > self.seconds:
            self._then(seconds)
        return result


class Meanwhile(Generic[P, R]):
    """A function that runs as written; after a number of ``calls``, or once these took ``seconds`` in all,
    ``then`` gets the arguments, and whether calls are that short.

    Calls of a recursion count one by one, but their time is that of the outermost one.
    """

    def __init__(
        self, function: Callable[P, R], seconds: float, calls: int, then: Callable[..., None]
    ) -> None:
        self._function = function
        self._left = seconds
        self._calls = calls
        self._then = then
        self._since: float | None = None
        self._is_over = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function; raises what it raises."""
        outermost, since = self._since is None, self._since or perf_counter()
        self._since = since
        try:
            result = self._function(*args, **kwargs)
        finally:
            if outermost:
                self._since = None
        self._calls -= 1
        left = self._left - (perf_counter() - since)
        if outermost:
            self._left = left
        if not self._is_over and (left <= 0 or self._calls <= 0):
            self._is_over = True
            self._then(args, kwargs, self._calls <= 0)
        return result


def call_class(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallClass:
    """What decides which version runs: dtypes, ranks, equal shapes, sizes and integers by magnitude.

    Arrays of the same shape have the same number: a version may rely on two shapes being equal.
    """
    shapes: dict[tuple[int, ...], int] = {}
    # Arrays without a further call: this is most of the overhead of a call that is kept in NumPy.
    kind = tuple(
        [
            (
                each.dtype.char,
                each.ndim,
                each.size.bit_length(),
                shapes.setdefault(each.shape, len(shapes)),
            )
            if type(each) is ndarray
            else _class_of(each, shapes)
            for each in args
        ]
    )
    return (*kind, *[(name, _class_of(each, shapes)) for name, each in kwargs.items()]) if kwargs else kind


def _class_of(argument: Any, shapes: dict[tuple[int, ...], int]) -> Any:
    kind = type(argument)
    if kind is ndarray:
        shape = shapes.setdefault(argument.shape, len(shapes))
        return argument.dtype.char, argument.ndim, argument.size.bit_length(), shape
    if kind is int:
        return argument.bit_length()
    # Another function, or class, makes another program. Those without a global name could be endlessly many.
    if kind is type:
        return f"{argument.__module__}.{argument.__name__}" if is_named(argument) else kind
    if kind is MethodType:
        owner = type(argument.__self__)
        return f"{_class_of(argument.__func__, shapes)} of {owner.__module__}.{owner.__qualname__}"
    function = as_written(argument)
    if function is None:
        return kind
    if as_written(function.__globals__.get(function.__name__)) is function:
        return f"{function.__module__}.{function.__name__}"
    return f"{function.__module__}.{function.__name__}:{_place(function.__code__)}"


def class_of(value: Any) -> Any:
    """The class of a value as that of an argument that is no array."""
    return _class_of(value, {}) if type(value) is not ndarray else ndarray


def _place(code: CodeType) -> str:
    """Where the code of a function stands; two lambdas may stand on one line."""
    found = _places.get(code)
    if found is None:
        line, column = beginning(code)
        found = _places[code] = f"{code.co_firstlineno}:{line}:{column}"
    return found


_places: WeakKeyDictionary[CodeType, str] = WeakKeyDictionary()


def described(kind: CallClass) -> str:
    """The class in words: ``called with (float64[2 axes, below 2**20 elements, shape #1], int, f=float)``."""
    return f"called with ({', '.join(_argument(each) for each in kind)})"


def _argument(kind: Any) -> str:
    match kind:
        case (str() as char, int() as rank, int() as magnitude, int() as shape):
            axes = "1 axis" if rank == 1 else f"{rank} axes"
            return f"{np.dtype(char)}[{axes}, below 2**{magnitude} elements, shape #{shape + 1}]"
        case (str() as name, inner):
            return f"{name}={_argument(inner)}"
        case int():
            return f"int below 2**{kind}"
    return kind if isinstance(kind, str) else str(kind.__name__)
