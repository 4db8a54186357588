"""The object that the decorator puts in a function's place, and the function as written behind it."""

from __future__ import annotations

import contextlib
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from nprewrite.types.observed import Observed

P = ParamSpec("P")
R = TypeVar("R")


def _of_original(name: str) -> property:
    """An attribute of the function as written, which a program may set."""

    def set_it(standing: Standing[..., Any], value: object) -> None:
        setattr(standing.original, name, value)
        standing.forget()

    return property(attrgetter(f"original.{name}"), set_it)


class Standing(Generic[P, R]):
    """Takes the place of a function, with that function's code, defaults and names.

    ``original`` is the function as written. To ``isinstance`` this is not a function: Dynamo guards what it
    takes for one by the identity of its bound methods, which are new each time.
    """

    # The decorator keeps everything in slots: ``functools.wraps`` copies the dictionary into whatever a user
    # wraps around the function, which would then seem to be decorated too.
    __slots__ = ("__dict__", "__weakref__", "original")

    original: Callable[P, R]

    __code__ = property(attrgetter("original.__code__"))
    __globals__ = property(attrgetter("original.__globals__"))
    __closure__ = property(attrgetter("original.__closure__"))
    __defaults__ = _of_original("__defaults__")
    __kwdefaults__ = _of_original("__kwdefaults__")

    def forget(self) -> None:
        """Forget what is known of the function as written: the program has changed it."""

    @property
    def loops_by_itself(self) -> bool:
        """Whether it has loops of its own, and calls that are not brief."""
        return True

    @property
    def shown(self) -> Observed:
        """What its calls have shown of expressions in it, in this process or an earlier one."""
        return {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.original!r})"

    def __reduce__(self) -> str:
        """Pickled by name, as functions are."""
        return self.original.__qualname__

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind to an instance, as a function in a class body does."""
        return self if instance is None else types.MethodType(cast("Callable[..., R]", self), instance)


_in_place: weakref.WeakKeyDictionary[types.FunctionType, weakref.ref[Standing[..., Any]]] = (
    weakref.WeakKeyDictionary()
)


def put_in_place(
    function: Callable[..., Any], standing: Standing[..., Any], attributes: Mapping[str, Any]
) -> None:
    """Let a function stand where a decorated one stands in its module or class, with these attributes."""
    if decorated_by(_in_its_place(standing)) is not standing:
        return
    vars(function).update(attributes)
    functools.update_wrapper(function, standing.original)
    _in_place[cast("types.FunctionType", function)] = weakref.ref(standing)
    _place(standing, function)


@contextlib.contextmanager
def standing_aside(standing: Standing[..., Any]) -> Iterator[None]:
    """Let the function as written stand in its module or class meanwhile, if the decorated one does."""
    here = _in_its_place(standing)
    if decorated_by(here) is not standing:
        yield
        return
    _place(standing, standing.original)
    try:
        yield
    finally:
        # The program may have given the name something else.
        if _in_its_place(standing) is standing.original:
            _place(standing, here)


def _in_its_place(standing: Standing[..., Any]) -> Any:
    """What stands in its module or class under its name."""
    owner = standing.original.__qualname__.rpartition(".")[0]
    home = standing.__globals__ if not owner else getattr(standing.__globals__.get(owner), "__dict__", {})
    return home.get(standing.original.__name__)


def _place(standing: Standing[..., Any], function: Any) -> None:
    name, owner = standing.original.__name__, standing.original.__qualname__.rpartition(".")[0]
    if owner:
        setattr(standing.__globals__[owner], name, function)
    else:
        standing.__globals__[name] = function


def decorated_by(value: object) -> Standing[..., Any] | None:
    """The decorated function that a value is, or in whose place it stands."""
    if issubclass(type(value), Standing):
        return cast("Standing[..., Any]", value)
    found = _in_place.get(value) if type(value) is types.FunctionType else None
    return None if found is None else found()


def is_named(value: Any) -> bool:
    """Whether a class or a function is what its module holds under its name."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    return getattr(module, "__dict__", {}).get(getattr(value, "__name__", None)) is value


def as_written(value: object) -> types.FunctionType | None:
    """The function as written behind a decorated one, or a function itself; None for anything else.

    Objects that only claim to be functions, as proxies do, may do anything when they are called.
    """
    standing = decorated_by(value)
    if standing is not None:
        return cast("types.FunctionType", standing.original)
    return value if type(value) is types.FunctionType else None
