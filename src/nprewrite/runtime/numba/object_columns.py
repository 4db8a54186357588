"""Lists of objects as compiled loops take them: a column for each attribute, which the objects get back.

The objects stay the ones that the program has. Their attributes change once, when the run is over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from nprewrite.base.syntax import root_name, walk
from nprewrite.lowering.object_columns import Columned, with_columns
from nprewrite.lowering.object_lists import NUMBER, VECTOR, Column, Member
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.written_lists import Resolve
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.numba.set_attributes import made_function

Array = np.ndarray[Any, Any]
_OTHER = "objects of a list"


class ObjectColumns:
    """The lists of objects, with the ``members`` that are used, of what the function ``written`` gets.

    Of ``tree`` the columns are the last parameters.
    """

    def __init__(self, written: ast.FunctionDef, members: Sequence[str], resolve: Resolve) -> None:
        self.tree = written
        self._columns: tuple[Column, ...] = ()
        if not members:
            return
        self._made = _followed(written, [*map(Member.read, members)], resolve)
        self.tree, self._columns = self._made.function, self._made.columns
        given = [each.arg for each in written.args.args]
        left = {each.arg for each in self.tree.args.args}
        self._kept = [k for k, name in enumerate(given) if name in left]
        self._owners = [*dict.fromkeys(each.member.owner for each in self._columns)]
        self._read = made_function(given, f"return {', '.join(self._owners)},")
        parts = (each for each in walk(self.tree) if isinstance(each, ast.Subscript))
        self._stored = {root_name(each) for each in parts if not isinstance(each.ctx, ast.Load)}

    def __bool__(self) -> bool:
        return bool(self._columns)

    @contextmanager
    def lent(self, arguments: Sequence[Any]) -> Iterator[tuple[Sequence[Any], Sequence[Array]]]:
        """The arguments of ``tree`` for those of the function; what its run does is done to the objects.

        With them come the vectors of the objects, which no other argument may be. Where the run is refused,
        it has done nothing. Raises ``Refused`` where the lists hold something else.
        """
        try:
            lists = dict(zip(self._owners, self._read(*arguments), strict=True))
        except (AttributeError, LookupError) as error:
            raise Refused("an attribute without a value", silent=True) from error
        self._check(lists)
        kept = [arguments[k] for k in self._kept]
        taken = [_Taken(each, lists[each.member.owner], each.name in self._stored) for each in self._columns]
        vectors = [array for each in taken for array in each.arrays]
        if len({*map(id, vectors)}) < len(vectors):
            raise _other("has objects with one array")
        try:
            yield [*kept, *(part for each in taken for part in each.arguments)], vectors
        except Refused:
            raise
        except BaseException:
            _give_back(taken)
            raise
        _give_back(taken)

    def _check(self, lists: dict[str, Any]) -> None:
        """Refuse what is no list of plain objects of one class, each of them once."""
        every: list[Any] = []
        for each in lists.values():
            if type(each) is not list or len({*map(type, each)}) != 1:
                raise _other("is no list of objects of one class")
            every += each
            _check_class(type(each[0]), self._columns, compares=self._made.compares)
        if len({*map(id, every)}) < len(every):
            raise _other("holds an object twice")


class _Taken:
    """A column while a loop runs: the ``arguments`` that the loop takes for it."""

    def __init__(self, column: Column, objects: Sequence[Any], stored: bool) -> None:
        self._column, self._stored = column, stored
        self._objects = objects
        attribute, kind = column.member.attribute, column.member.kind
        try:
            self._before = [getattr(each, attribute) for each in objects]
        except AttributeError as error:
            raise _other(f"has objects without `{attribute}`") from error
        self.arrays: list[Array] = self._before if kind == VECTOR else []
        self._texts = [*column.texts]
        if kind == VECTOR:
            self._values: Any = _rows(self._before, attribute)
        else:
            self._values = [*self._before] if kind == NUMBER else self._places()
        self.arguments: list[Any] = [self._values]
        if column.bound:
            self._bound, self._old = np.zeros(len(objects), np.int64), self._values.copy()
            self.arguments += [self._bound, self._old]

    def _places(self) -> list[int]:
        """The strings as their places among those that stand in the loop, and further ones."""
        places = {text: k for k, text in enumerate(self._texts)}
        for each in self._before:
            if type(each) is not str:
                raise _other(f"holds `{type(each).__name__}`, expected strings")
            if each not in places:
                places[each] = len(self._texts)
                self._texts.append(each)
        return [places[each] for each in self._before]

    def give_back(self) -> None:
        """Set the attributes to what they are after the loop."""
        if self._column.member.kind == VECTOR:
            self._give_back_vectors()
            return
        if not self._stored:
            return
        attribute = self._column.member.attribute
        numbers = self._column.member.kind == NUMBER
        for each, value, before in zip(self._objects, self._values, self._before, strict=True):
            new = value if numbers else self._texts[value]
            if new is not before:
                setattr(each, attribute, new)

    def _give_back_vectors(self) -> None:
        """The arrays get what was stored into them, under whatever name, and new ones take their places."""
        bound = self._bound if self._column.bound else np.zeros(len(self._objects), np.int64)
        for k, (each, array) in enumerate(zip(self._objects, self._before, strict=True)):
            array[...] = self._old[k] if bound[k] else self._values[k]
            if bound[k]:
                setattr(each, self._column.member.attribute, self._values[k].copy())


def _give_back(taken: Sequence[_Taken]) -> None:
    for each in taken:
        each.give_back()


def _rows(given: Sequence[Any], attribute: str) -> Array:
    """Vectors that are alike, each with memory of its own, as the rows of an array."""
    kinds = {(type(each), each.dtype, each.shape) if isinstance(each, np.ndarray) else None for each in given}
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind is None or kind[0] is not np.ndarray or len(kind[2]) != 1:
        raise _other(f"has objects whose `{attribute}` are no vectors of one kind")
    if not all(each.flags.owndata and each.flags.writeable for each in given):
        raise _other(f"has objects whose `{attribute}` are views")
    return np.array(given)


def check_apart(vectors: Sequence[Array], arguments: Sequence[Any]) -> None:
    """Refuse where an argument is a vector of an object, or a view of one."""
    known = {*map(id, vectors)}
    for each in arguments if known else ():
        base = each
        while isinstance(base, np.ndarray):
            if id(base) in known:
                raise _other("has objects with an array that the loop has too")
            base = base.base


def _check_class(kind: type, columns: Sequence[Column], *, compares: bool) -> None:
    """Refuse objects that do more than hold their attributes."""
    of_object: Any = object
    ways = ["__getattribute__", "__setattr__", *(["__eq__"] if compares else [])]
    plain = all(getattr(kind, each) is getattr(of_object, each) for each in ways)
    if not plain or not kind.__dictoffset__ or hasattr(kind, "__getattr__"):
        raise _other(f"holds objects of `{kind.__qualname__}`, which have ways of their own")
    for name in (each.member.attribute for each in columns):
        held = [vars(base)[name] for base in kind.__mro__ if name in vars(base)]
        if any(hasattr(type(each), "__get__") for each in held):
            raise _other(f"holds objects whose `{name}` is a property")


def _followed(written: ast.FunctionDef, members: Sequence[Member], resolve: Resolve) -> Columned:
    try:
        return with_columns(written, members, resolve)
    except NotNative as error:
        raise Refused(error.code, error.message, silent=True) from error


def _other(text: str) -> Refused:
    """A list holds what nobody could know before."""
    return Refused(_OTHER, f"a list {text}", passing=True)
