"""What is known of a value without running the program; ``Unknown`` says why nothing is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from nprewrite.base.stand_ins import is_stand_in
from nprewrite.numpy_api.random import Of, of_generator

Kind = Literal["bool", "int", "float", "complex"]
Shape = tuple[Any, ...] | str
"""A tuple of dimensions (integers or symbols) when the rank is known, else one symbol."""

PARTS = ("slice@", "part(", "index@")
"""Found in symbols for the lengths of parts."""

MAYBE_NUMBERS = ("index@", "result@", "squeezed@", "shape@", "#")
"""Found in symbols of shapes that may have no axes; ``#`` marks symbols that are digests."""

_LONGEST_SYMBOL = 200

PYTHON: dict[Kind, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
_KINDS: dict[type, Kind] = {python: kind for kind, python in PYTHON.items()}
_MOST_NUMBERS = 8
"""Tuples of more numbers are data rather than a place or a size."""
_OF_DTYPE: dict[str, Kind] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_ZERO: dict[Kind, Any] = {"bool": False, "int": 0, "float": 0.0, "complex": 0j}


Literals = frozenset[bool | int | str]
FLAG_TYPES = (bool, int, str)


@dataclass(frozen=True)
class Flag:
    """What a call shows of a parameter: its value, if it is one ``of`` the literals it is compared with."""

    value: bool | int | str | None
    of: Literals


@dataclass(frozen=True)
class Unknown:
    """Nothing is known, and why; ``parameter`` is the one whose type at a call would tell, if any.

    ``comparison`` is True for a comparison of such values: it may be a mask. ``array`` is True where a run,
    or the text of a class, has shown arrays. ``string`` is True for a Python string, ``listed`` for a list,
    ``mapped`` for a dictionary or a set.
    ``converted`` is the array that NumPy makes of a list or tuple of numbers, as a call suggests.
    """

    because: str
    parameter: str | None = None
    comparison: bool = False
    array: bool = False
    string: bool = False
    listed: bool = False
    mapped: bool = False
    converted: Array | None = None
    flag: Flag | None = None

    @property
    def is_of_python(self) -> bool:
        """Whether it is known for a string or a container of Python's own, which is no array."""
        return self.string or self.listed or self.mapped


@dataclass(frozen=True)
class Absent(Unknown):
    """``None``: as it is written, or as a call has shown it for a parameter."""

    because: str = "it is None"


@dataclass(frozen=True)
class Array:
    """An ``np.ndarray`` with a proven dtype.

    ``shape`` is symbolic: equal symbols mean equal shapes. ``under`` is set for a compressed read
    ``x[m]``: the mask (as a versioned expression) whose active elements the array holds.
    ``fresh`` means that no other name can see the memory. ``assumed`` means that an annotation or a
    call suggests the type, which only a run-time guard makes certain: a subclass satisfies an annotation.
    ``shown`` is the shape that a call has shown, which proves nothing about other calls.
    """

    dtype: np.dtype[Any]
    shape: Shape | None = None
    under: str | None = None
    fresh: bool = False
    assumed: bool = False
    shown: tuple[int, ...] | None = field(default=None, compare=False, repr=False)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, when known."""
        return len(self.shape) if isinstance(self.shape, tuple) else None


@dataclass(frozen=True)
class Scalar:
    """A Python number (``dtype`` None: weakly typed) or a NumPy scalar.

    ``symbol`` names the value for symbolic shapes; ``constant`` holds a literal's value; ``shown`` is the
    integer that a call has shown, which proves nothing about other calls;
    ``proven`` is False where only a default value or a call suggests the type. ``of_array`` means
    that the value is computed from an array's elements: in a loop, only the iteration knows it. ``flag``
    tells of the value of a parameter.
    """

    kind: Kind
    dtype: np.dtype[Any] | None = None
    constant: int | float | complex | bool | None = None
    symbol: str | None = None
    proven: bool = True
    of_array: bool = False
    flag: Flag | None = None
    shown: int | None = field(default=None, compare=False, repr=False)

    def __eq__(self, other: object) -> bool:
        """Equal in every field but what is shown; to NumPy, no dtype is the same as float64."""
        return (
            isinstance(other, Scalar)
            and same_dtype(self.dtype, other.dtype)
            and (self.kind, self.constant, self.symbol, self.proven, self.of_array, self.flag)
            == (other.kind, other.constant, other.symbol, other.proven, other.of_array, other.flag)
        )

    @property
    def operand(self) -> Any:
        """What ``np.ufunc.resolve_dtypes`` takes for this operand."""
        return self.dtype if self.dtype is not None else PYTHON[self.kind]

    @property
    def promoting(self) -> Any:
        """What ``np.result_type`` takes for this operand: a Python number leaves dtypes as they are."""
        return self.dtype if self.dtype is not None else _ZERO[self.kind]

    @property
    def own_dtype(self) -> np.dtype[Any]:
        """The dtype of an array that is made of this number alone."""
        return self.dtype if self.dtype is not None else np.asarray(_ZERO[self.kind]).dtype


@dataclass(frozen=True)
class ShapeOf:
    """The value of ``x.shape``."""

    shape: Shape


@dataclass(frozen=True)
class DtypeValue:
    """The value of ``x.dtype``, ``np.float32``, ``"float32"`` ... where a dtype is asked for."""

    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Items:
    """A tuple or list display of known length; ``changes`` for a list, which later statements may change."""

    values: tuple[Value, ...] = ()
    changes: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Callee:
    """A function that calls pass as an argument; a guard must check that it is this one.

    One of the module is known by its ``name``. Any other has its ``source``, which begins at a ``line`` of
    the same file, and the ``variables`` that it takes from around it, in the order of its closure; a method
    that is ``bound`` to an object has that as the only one.
    """

    name: str
    source: str = ""
    line: int = 0
    variables: tuple[tuple[str, Value], ...] = ()
    bound: bool = False

    def variable(self, number: int) -> Value | None:
        """What is known of a variable; None where it has none of that number."""
        return self.variables[number][1] if number < len(self.variables) else None

    def path(self, number: int) -> tuple[str, ...]:
        """The attributes and entries that lead from the function to a variable."""
        return ("__self__",) if self.bound else ("__closure__", str(number), "cell_contents")


@dataclass(frozen=True)
class Instance:
    """An object of a class that keeps its attributes as plain data.

    ``attributes`` holds what is known of those that are numbers and arrays, ``methods`` the line in the file
    at which each method of its class is defined.
    """

    kind: type
    attributes: tuple[tuple[str, Value], ...] = ()
    methods: tuple[tuple[str, int], ...] = ()


ELEMENT = "*"
"""What stands for an attribute of a list, which is known as an ``Instance``: the objects that it holds."""


@dataclass(frozen=True)
class Generator:
    """A generator of random numbers; ``of`` says whose methods it has."""

    of: Of = "generator"


Value = Array | Scalar | ShapeOf | DtypeValue | Items | Callee | Instance | Generator | Unknown


def objects_in(value: Value | None) -> Instance | None:
    """What is known of each object in a list of objects of one class; None for any other value."""
    held = dict(value.attributes).get(ELEMENT) if isinstance(value, Instance) and value.kind is list else None
    return held if isinstance(held, Instance) else None


def same_dtype(left: np.dtype[Any] | None, right: np.dtype[Any] | None) -> bool:
    """Whether both are the same dtype, or both None (``None == np.dtype(float)`` holds in NumPy)."""
    return left == right if left is not None and right is not None else left is right


def is_number(value: Value) -> bool:
    """Whether Python computes a value, and no array is needed for it."""
    return isinstance(value, Scalar) and not value.of_array


def may_be_array(value: Value | None) -> bool:
    """Whether a value is an array, or something of which its use as one is all that is known."""
    return isinstance(value, Array) or (isinstance(value, Unknown) and value.array)


def suggested(value: Value) -> Value:
    """The value as one that an annotation, a call or a run suggests but nothing proves."""
    if isinstance(value, Scalar):
        return replace(value, proven=False, constant=None)
    if isinstance(value, Items):
        return replace(value, values=tuple(map(suggested, value.values)))
    return replace(value, assumed=True, fresh=False) if isinstance(value, Array) else value


def kind_of(dtype: np.dtype[Any]) -> Kind | None:
    """The Python kind that a dtype corresponds to; None for objects, strings, dates, records."""
    return _OF_DTYPE.get(dtype.kind)


def real_part(array: Array) -> Array:
    """What ``x.real`` and ``x.imag`` are: views of ``x`` in the dtype of its parts."""
    if array.dtype.kind != "c":
        return replace(array, fresh=False)
    return replace(array, dtype=np.dtype(array.dtype.type(0).real.dtype), fresh=False)


def python_kind(value: object) -> Kind | None:
    """The kind of a Python number; None for anything else, subclasses of the number types included."""
    return _KINDS.get(type(value))


def value_of(argument: object, symbol: str) -> Value | None:
    """What is known of a number, an array with axes, or a string; ``symbol`` names its value or shape."""
    kind = python_kind(argument)
    if kind is not None:
        return Scalar(kind, symbol=symbol, shown=argument if type(argument) is int else None)
    if type(argument) is np.ndarray and argument.dtype.isnative and argument.ndim:
        shape = tuple(f"{symbol}.{axis}" for axis in range(argument.ndim))
        return Array(argument.dtype, shape, shown=argument.shape)
    if type(argument) is str:
        return Unknown("it is a string", string=True)
    if type(argument) is list:
        return Unknown("it is a list", listed=True)
    # Of an object that stands in for another, `isinstance` would ask what that is.
    if issubclass(type(argument), dict | set) and _are_numbers_in(argument):
        return Unknown("it is a dictionary or a set", mapped=True)
    if is_stand_in(argument) or not isinstance(argument, np.generic):
        return None
    number = kind_of(argument.dtype)
    return None if number is None else Scalar(number, argument.dtype, symbol=symbol)


def _are_numbers_in(given: Any) -> bool:
    """Whether the first item of a dictionary or a set is one of numbers, or of lists of these."""
    first = next(iter(given.items() if isinstance(given, dict) else given), None)
    key, *under = first if isinstance(given, dict) and first is not None else (first,)
    if under and type(under[0]) is list:
        under = under[0][:1]
        under = [*under[0]] if under and type(under[0]) is tuple else under
    parts = [*(key if type(key) is tuple else (key,)), *under]
    return all(each is None or python_kind(each) or isinstance(each, np.number) for each in parts)


def numbers_of(argument: object, symbol: str) -> Items | None:
    """What is known of a short tuple of numbers."""
    if type(argument) is not tuple or not 0 < len(argument) <= _MOST_NUMBERS:
        return None
    found = [value_of(each, f"{symbol}.{k}") for k, each in enumerate(argument)]
    numbers = tuple(each for each in found if isinstance(each, Scalar))
    return Items(numbers) if len(numbers) == len(found) else None


def with_flag(value: Value, argument: object, of: Literals) -> Value:
    """The value of a parameter, with what an argument shows of it as a flag."""
    if type(argument) not in FLAG_TYPES or not isinstance(value, Scalar | Unknown):
        return value
    return replace(value, flag=Flag(argument if argument in of else None, of))


def without_flag(value: Value | None) -> Value | None:
    """The value as that of any name."""
    return replace(value, flag=None) if isinstance(value, Scalar | Unknown) and value.flag else value


def generator_of(argument: object) -> Generator | None:
    """What is known of a generator of random numbers; None for any other object."""
    of = of_generator(argument)
    return Generator(of) if of is not None else None


def shown_number(value: Value) -> int | None:
    """The integer that is written out, or that a call has shown."""
    if not isinstance(value, Scalar) or value.kind != "int":
        return None
    return value.constant if type(value.constant) is int else value.shown


def constant(value: object) -> Value:
    """The value of a literal."""
    if value is None:
        return Absent()
    kind = python_kind(value)
    if kind is not None and isinstance(value, int | float | complex):
        return Scalar(kind, constant=value)
    return Unknown(f"a {type(value).__name__} literal", string=type(value) is str)


def broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """The symbolic shape of an elementwise result; None when nothing relates the two."""
    if left == right or right == ():
        return left
    if left == ():
        return right
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        return _broadcast(left, right)
    rank = max(len(left), len(right))
    first = (1,) * (rank - len(left)) + left
    second = (1,) * (rank - len(right)) + right
    return tuple(_dimension(a, b) for a, b in zip(first, second, strict=True))


def _dimension(left: Any, right: Any) -> Any:
    if left == right or right == 1:
        return left
    if left == 1:
        return right
    return _broadcast(left, right)


def _broadcast(left: Any, right: Any) -> str:
    return derived("broadcast({}, {})".format(*sorted((str(left), str(right)))))


def derived(text: str) -> str:
    """The symbol for what is computed from other symbols, which ``text`` names.

    A long one is replaced by a digest: symbols of symbols would double in length with each statement.
    """
    if len(text) <= _LONGEST_SYMBOL:
        return text
    parts = "".join(word for word in PARTS if word in text)
    return f"{parts}#{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}"


def join(left: Value | None, right: Value | None) -> Value:
    """What is known where two paths of the program meet."""
    if left is None or right is None:
        return Unknown("it is not set on every path")
    if left == right:
        return left
    if isinstance(left, Array) and isinstance(right, Array):
        return _joined(left, right)
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        return _joined_numbers(left, right)
    for side in (left, right):
        if isinstance(side, Unknown) and not isinstance(side, Absent):
            return side
    return _MAYBE_NONE if isinstance(left, Absent) or isinstance(right, Absent) else _CHANGES


def either(left: Value, right: Value) -> Value:
    """What is known of an element that is one of two; for pairs, part by part."""
    if isinstance(left, Items) and isinstance(right, Items) and len(left.values) == len(right.values):
        return Items(tuple(map(either, left.values, right.values)))
    return join(left, right)


_MAYBE_NONE = Unknown("it may be None")
_CHANGES = Unknown("its type changes from one path to another")


def _joined_numbers(left: Scalar, right: Scalar) -> Value:
    """One of two numbers: of one type, or, where the two are real, one that serves as a float.

    As where an annotation says ``float``, an integer or NumPy's float64 may come, which a guard finds where
    it matters.
    """
    of_array = left.of_array or right.of_array
    if left.kind == right.kind and same_dtype(left.dtype, right.dtype):
        return Scalar(left.kind, left.dtype, proven=left.proven and right.proven, of_array=of_array)
    if _serves_as_float(left) and _serves_as_float(right):
        return Scalar("float", proven=False, of_array=of_array)
    return _CHANGES


def _serves_as_float(number: Scalar) -> bool:
    return number.kind in ("int", "float") if number.dtype is None else number.dtype == np.float64


def _joined(left: Array, right: Array) -> Value:
    if left.dtype != right.dtype or left.under != right.under:
        return _CHANGES
    shape = left.shape if left.shape == right.shape else None
    fresh, assumed = left.fresh and right.fresh, left.assumed or right.assumed
    return replace(left, shape=shape, fresh=fresh, assumed=assumed)
