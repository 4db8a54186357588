"""Random numbers that a loop draws one by one, from the state that the program's own calls go on with.

What is drawn is what NumPy 1.17 and later, and CPython, draw, bit for bit: the next double of the bit
generator; integers of a range by masked rejection (``RandomState``), by Lemire's multiplication
(``Generator``; ACM TOMACS 29, 2019) or by rejected bits (``random``); normal numbers by the polar method, the
ziggurat, or that of Box and Muller; waiting times by logarithms or the ziggurat; numbers of events by
products, or by transformed rejection (Hörmann, Insurance: Mathematics and Economics 12, 1993), and numbers of
successes by inversion, or by BTPE (Kachitvichyanukul and Schmeiser, CACM 31, 1988); gamma numbers by the
method of Marsaglia and Tsang (ACM TOMS 26, 2000), and beta numbers from them, or by Jöhnk's method.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nprewrite.lowering.forms import Form
from nprewrite.lowering.numbers import FLOAT, INT, NUMPY, Number
from nprewrite.lowering.plans import wrapped
from nprewrite.lowering.problems import Event, NotNative
from nprewrite.lowering.values import Code, Value, as_float, of_each_type
from nprewrite.numpy_api.random import Of, native_drawing

_MODULES: dict[str, Of] = {"numpy.random": "state", "random": "python"}
_INTEGER_METHODS: dict[Of, str] = {"state": "masked", "generator": "lemire", "python": "bits"}
_NORMAL_METHODS: dict[Of, str] = {"state": "polar_normal", "generator": "ziggurat_normal", "python": "gauss"}
_MOST_EVENTS = 1e15
_LEAST_SHAPE = 1e-9
_ZERO = Value({INT: "np.int64(0)"}, form=Form(0), literal=0)
_LARGEST = 2**32 - 2
"""What a range may hold beside its first integer: for a longer one, NumPy draws 64 bits."""


@dataclass(frozen=True)
class Source:
    """Where a loop's random numbers come from: ``numpy.random``, ``random``, or a generator of its own."""

    name: str
    of: Of


@dataclass(frozen=True)
class Draws:
    """A source of a loop's random numbers; with ``keeps_normal`` one normal number may wait."""

    source: Source
    keeps_normal: bool
    functions: frozenset[str]
    """The names of the functions that draw."""


def source_of_module(dotted: str) -> Source | None:
    """The source of a function such as ``numpy.random.rand``."""
    owner, _, _ = dotted.rpartition(".")
    return Source(owner, _MODULES[owner]) if owner in _MODULES else None


class Drawer:
    """Writes the draws of one loop."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._draws: dict[Source, Draws] = {}

    @property
    def draws(self) -> tuple[Draws, ...]:
        """What the loop draws from, in the order of ``r_random0``, ``r_random1``."""
        return tuple(self._draws.values())

    def picks(self, name: str, source: Source) -> bool:
        """Whether a function picks one of several values."""
        return native_drawing(name, source.of)[0] == "pick"

    def position(self, size: Value, source: Source, node: ast.Call) -> Value:
        """The position of what is picked, of a value of one integer type."""
        self._draw_from(source, "choice")
        return self._below(_ZERO, size, source, node, INT)

    def weighted_position(self, size: Value, chances: str, source: Source, node: ast.Call) -> Value:
        """`position` with a chance for each, of a vector of floats that is named ``chances``."""
        self._draw_from(source, "choice")
        self._code.end_if(f"{chances}.shape[0] != {self._integer(size, node)}", Event.REPLAY)
        place = self._code.temporary(f"weighted_place({self._state(source)}, {chances})")
        self._code.end_if(f"{place} < 0", Event.REPLAY)
        most = self._code.symbols.upper(size.form) if size.form is not None else _LARGEST
        return Value({INT: place}, form=self._code.symbols.between(0, most - 1))

    def number(
        self, name: str, source: Source, arguments: Sequence[tuple[str, Value]], node: ast.Call
    ) -> Value:
        """A number that is drawn; ``arguments`` come with their names, which are empty for positions."""
        kind, parameters = native_drawing(name, source.of)
        given = _by_position(arguments, parameters, node)
        self._draw_from(source, name)
        match kind, given:
            case "unit", []:
                return self._float(f"next_double({self._state(source)})")
            case "span", _ if len(given) == 2 or (source.of != "python" and len(given) < 2):
                return self._span(_filled(given), source, node)
            case "standard normal", []:
                return self._float(self._normal(source))
            case "normal", _ if len(given) < 3:
                return self._scaled(_filled(given), source, node)
            case "standard exponential", []:
                return self._float(self._waiting(source))
            case "exponential", _ if len(given) < 2:
                mean = self._parameter(given[0] if given else None, source, node)
                return self._float(f"{mean} * {self._waiting(source)}")
            case "rate", [Value() as rate]:
                text = self._as_float(rate, source, node)
                self._code.end_if(f"{text} == 0.0", Event.REPLAY)
                return self._float(f"{self._waiting(source)} / {text}")
            case "events", _ if len(given) < 2:
                mean = self._parameter(given[0] if given else None, source, node)
                self._code.rounds = True
                self._code.end_if(f"{mean} > {_MOST_EVENTS}", Event.REPLAY)
                text = self._code.temporary(f"events({self._state(source)}, {mean})")
                return Value({INT: text}, form=self._code.symbols.between(0, 2**62))
            case "successes", [Value() as trials, Value() as chance]:
                return self._successes(trials, chance, source, node)
            case "standard gamma", [Value() as shape]:
                return self._float(self._gamma(self._parameter(shape, source, node), source))
            case "gamma", [Value() as shape, *scale] if len(scale) < 2:
                first = self._parameter(shape, source, node)
                width = self._parameter(scale[0] if scale else None, source, node)
                return self._float(f"{width} * {self._gamma(first, source)}")
            case "chi square", [Value() as degrees]:
                half = self._code.temporary(f"{self._positive(degrees, source, node)} / 2.0")
                return self._float(f"2.0 * {self._gamma(half, source)}")
            case "beta", [Value() as first, Value() as second]:
                one, other = (self._positive(each, source, node) for each in (first, second))
                return self._float(self._beta(one, other, source))
            case "whole below", [Value() as high]:
                return self._below(_ZERO, high, source, node)
            case "whole below", [Value() as low, Value() as high]:
                return self._below(low, high, source, node)
            case "whole", [Value() as low, Value() as last]:
                return self._below(low, last, source, node, last=True)
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported", node)

    def _draw_from(self, source: Source, name: str) -> None:
        before = self._draws.get(source) or Draws(source, False, frozenset())
        self._draws[source] = replace(before, functions=before.functions | {name})

    def _state(self, source: Source, name: str = "r_random") -> str:
        return f"{name}{[*self._draws].index(source)}"

    def _float(self, text: str) -> Value:
        return Value({FLOAT: self._code.temporary(text)})

    def _normal(self, source: Source) -> str:
        keeps = source.of != "generator"
        self._draws[source] = replace(self._draws[source], keeps_normal=keeps)
        # Logarithms and sines are those of the C library, unless Numba has a library of its own.
        self._code.rounds = True
        kept = f", {self._state(source, 'r_normal')}" if keeps else ""
        return f"{_NORMAL_METHODS[source.of]}({self._state(source)}{kept})"

    def _waiting(self, source: Source) -> str:
        """A waiting time with the mean 1."""
        self._code.rounds = True
        drawing = "ziggurat_exponential" if source.of == "generator" else "logarithmic"
        return self._code.temporary(f"{drawing}({self._state(source)})")

    def _gamma(self, shape: str, source: Source) -> str:
        """A number of the gamma distribution with the scale 1."""
        normal = self._normal(source)
        return self._code.temporary(f"{normal.replace('_normal(', '_gamma(')[:-1]}, {shape})")

    def _beta(self, first: str, second: str, source: Source) -> str:
        """One of two numbers of the gamma distribution as a part of their sum, or by Jöhnk's method."""
        found = self._code.temporary(f"small_beta({self._state(source)}, {first}, {second})")
        self._code.end_if(f"{found} == -2.0", Event.REPLAY)
        with self._code.block(f"if {found} < 0.0:"):
            one, other = (self._gamma(each, source) for each in (first, second))
            self._code.line(f"{found} = {one} / ({one} + {other})")
        return found

    def _successes(self, trials: Value, chance: Value, source: Source, node: ast.Call) -> Value:
        """How many of some trials succeed; where NumPy raises, the loop as written does."""
        count, share = self._integer(trials, node), self._as_float(chance, source, node)
        self._code.rounds = True
        self._code.end_if(f"{count} < 0 or not ({share} >= 0.0 and {share} <= 1.0)", Event.REPLAY)
        drawn = f"successes({self._state(source)}, {count}, {share})"
        if source.of == "generator":
            # A legacy state draws a number that cannot matter, too.
            drawn = f"np.int64(0) if {count} == 0 or {share} == 0.0 else {drawn}"
        text = self._code.temporary(drawn)
        most = self._code.symbols.upper(trials.form) if trials.form is not None else 2**63 - 1
        return Value({INT: text}, form=self._code.symbols.between(0, most))

    def _positive(self, value: Value, source: Source, node: ast.Call) -> str:
        """A parameter that is above 0, where NumPy does not raise; for the least ones its versions differ."""
        text = self._as_float(value, source, node)
        self._code.end_if(f"not {text} >= {_LEAST_SHAPE}", Event.REPLAY)
        return text

    def _parameter(self, value: Value | None, source: Source, node: ast.Call) -> str:
        """A mean, 1 where it is left out; for a negative one the loop as written raises."""
        if value is None:
            return "np.float64(1.0)"
        text = self._as_float(value, source, node)
        self._code.end_if(f"np.isnan({text}) or np.signbit({text})", Event.REPLAY)
        return text

    def _span(self, bounds: Sequence[Value], source: Source, node: ast.Call) -> Value:
        first, last = (self._as_float(each, source, node) for each in bounds)
        width = self._code.temporary(f"{last} - {first}")
        # NumPy raises for some of these; Python's own function computes.
        if source.of != "python":
            self._code.end_if(f"not (np.isfinite({width}) and {width} >= 0.0)", Event.REPLAY)
        return self._float(f"{first} + {width} * next_double({self._state(source)})")

    def _scaled(self, parameters: Sequence[Value], source: Source, node: ast.Call) -> Value:
        center, width = (self._as_float(each, source, node) for each in parameters)
        if source.of != "python":
            self._code.end_if(f"np.isnan({width}) or np.signbit({width})", Event.REPLAY)
        return self._float(f"{center} + {self._code.temporary(self._normal(source))} * {width}")

    def _as_float(self, value: Value, source: Source, node: ast.Call) -> str:
        # ``random`` adds what it is given: with a NumPy scalar the sum is one.
        if source.of == "python" and (value.only is None or not value.only.weak):
            raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported for such numbers", node)
        return of_each_type(self._code, value, FLOAT.dtype, _exact_float)

    def _below(
        self,
        low: Value,
        high: Value,
        source: Source,
        node: ast.Call,
        number: Number | None = None,
        *,
        last: bool = False,
    ) -> Value:
        """An integer from ``low`` on, below ``high``, or up to it where it is the ``last``."""
        first, stop = (self._integer(each, node) for each in (low, high))
        most = self._code.temporary(wrapped(ast.Sub, stop, first))
        if not last:
            most = self._code.temporary(wrapped(ast.Sub, most, "1"))
        # For an empty range the loop as written raises.
        self._code.end_if(f"{most} < 0 or {most} > {_LARGEST}", Event.REPLAY)
        text = self._code.temporary(f"{first} + {_INTEGER_METHODS[source.of]}({self._state(source)}, {most})")
        symbols = self._code.symbols
        least = symbols.lower(low.form) if low.form is not None else -(2**63)
        greatest = symbols.upper(high.form) if high.form is not None else 2**63 - 1
        form = symbols.between(least, greatest if last else greatest - 1)
        own = NUMPY["int64"] if source.of == "generator" else INT
        return Value({number or own: text}, form=form)

    def _integer(self, value: Value, node: ast.Call) -> str:
        number = value.only
        if number is None or not number.is_integer or number.dtype.name == "uint64":
            raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported for such numbers", node)
        return self._code.temporary(f"np.int64({value.code})")


def _exact_float(code: Code, text: str, number: Number, form: Form | None, _: object) -> str:
    return as_float(code, Value({number: text}, form=form), number, exactly=True)


def as_elements(code: Code, values: Sequence[Value], node: ast.Call) -> list[Value]:
    """Numbers as the elements of the array that NumPy makes of a list of them."""
    kinds = {each.only for each in values}
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind not in (INT, FLOAT):
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` picks one of several types", node)
    assert kind is not None
    return [Value({NUMPY[kind.kept]: each.code}, form=each.form) for each in values]


def _by_position(
    arguments: Sequence[tuple[str, Value]], parameters: Sequence[str], node: ast.Call
) -> list[Value | None]:
    """The arguments in the order of the parameters, with None for those that are left out between others."""
    given: list[Value | None] = [value for name, value in arguments if not name]
    named = {name: value for name, value in arguments if name}
    given += [named.pop(each, None) for each in parameters[len(given) :]]
    while given and given[-1] is None:
        given.pop()
    if named:
        raise NotNative("unknown-call", f"`{ast.unparse(node)}` is not supported", node)
    return given


def _filled(given: Sequence[Value | None]) -> list[Value]:
    """Two parameters: what is left out is 0 or 1, for all that have defaults."""
    padded = zip([*given, None, None], (0.0, 1.0), strict=False)
    return [each or Value({FLOAT: f"np.float64({other})"}, literal=other) for each, other in padded]
