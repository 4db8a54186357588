"""What is to be observed of a function, what calls showed, and what it was rewritten to.

It is kept between processes, in ``functions`` of the cache directory: a later process needs neither an
observed call nor the rewriter. What calls showed are suggestions there too, which guards check at each call.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nprewrite.base import notes
from nprewrite.engine.outcomes import Options, Outcome, Rewriting, Site, Watched
from nprewrite.passes.level import Level
from nprewrite.source.names import Stars
from nprewrite.types.observed import Observed, Place
from nprewrite.types.values import Array, Scalar, Unknown, Value, suggested

_FOLDER = "functions"

READS = True
"""Whether what an earlier process kept is read; who explains what the passes do has them run."""


@dataclass(frozen=True)
class Question:
    """All that decides what a function is rewritten to, except for what calls showed.

    ``around`` are the types of its variables and defaults, ``own`` the functions of its module that it sees,
    and ``stars`` what the stars of the module bind.
    """

    text: str
    qualname: str
    line: int
    options: Options
    given: Mapping[str, Mapping[str, Value]]
    around: tuple[Any, ...]
    own: frozenset[str]
    stars: Stars

    @property
    def stem(self) -> str:
        """The beginning of the names of its files."""
        return _stem(self.qualname)

    def name(self, *others: object) -> str:
        """The name of what the question and some further values decide."""
        return notes.name_of([coded(self), *map(coded, others)])


@dataclass(frozen=True)
class Answer:
    """What a function is rewritten to; ``only_prepared`` where only passes that serve others rewrote it."""

    rewriting: Rewriting
    only_prepared: bool


def watched(question: Question) -> Watched | None:
    """The text of the function that shows unknown expressions; None where that is not known."""
    found = _read(question, "watched")
    if found is None:
        return None
    places = tuple(map(_place, found["places"]))
    return Watched(found["text"], tuple(found["lines"]), places, found["observer"])


def keep_watched(question: Question, shown: Watched | None) -> None:
    """Keep the text that shows unknown expressions, or, for None, that none need be shown."""
    if shown is None:
        keep_observed(question, {})
    else:
        found = {"text": shown.text, "lines": shown.lines, "places": shown.places, "observer": shown.name}
        _write(question, found, "watched")


def observed(question: Question) -> Observed | None:
    """What an observed call showed; nothing where the text tells everything, None where none is known."""
    found = _read(question, "observed")
    return None if found is None else _seen(found)


def keep_observed(question: Question, seen: Observed) -> None:
    """Keep what an observed call showed."""
    _write(question, _as_json(seen), "observed")


def answer(question: Question, seen: Observed) -> Answer | None:
    """What the function was rewritten to; None where that is not known."""
    found = _read(question, "rewritten", seen)
    if found is None:
        return None
    sites = tuple(_site(each) for each in found["sites"])
    text = question.text if found["text"] is None else found["text"]
    rewriting = Rewriting(question.text, text, sites, origins=tuple(found["origins"]))
    return Answer(rewriting, found["only_prepared"])


def keep_answer(question: Question, seen: Observed, made: Answer) -> None:
    """Keep what the function is rewritten to."""
    rewriting = made.rewriting
    found = {
        "text": rewriting.text if rewriting.changed else None,
        "origins": rewriting.origins,
        "sites": [dataclasses.asdict(each) for each in rewriting.sites],
        "only_prepared": made.only_prepared,
    }
    _write(question, found, "rewritten", seen)


def is_in_vain(question: Question, seen: Observed) -> bool:
    """Whether NumPy was faster in all that the function was rewritten to."""
    return _read(question, "in vain", seen) is not None


def keep_in_vain(question: Question, seen: Observed) -> None:
    """Keep that NumPy was faster in all that the function was rewritten to."""
    _write(question, {}, "in vain", seen)


def was_brief(qualname: str, text: str) -> bool:
    """Whether the calls of the function with this text have been brief in an earlier process."""
    return _read_of(qualname, text, "brief") is not None


def keep_brief(qualname: str, text: str) -> None:
    """Keep that the calls of the function with this text are brief."""
    _write_of(qualname, text, "brief", {})


def shown(qualname: str, text: str) -> Observed:
    """What calls of the function with this text have shown, whatever their arguments were."""
    found = _read_of(qualname, text, "shown")
    return {} if found is None else _seen(found)


def keep_shown(qualname: str, text: str, seen: Observed) -> None:
    """Keep what calls of the function with this text have shown."""
    _write_of(qualname, text, "shown", _as_json(seen))


def _read(question: Question, *others: object) -> dict[str, Any] | None:
    return _notes(question.stem, question.name(*others))


def _write(question: Question, found: Mapping[str, Any], *others: object) -> None:
    _keep(question.stem, question.name(*others), found)


def _read_of(qualname: str, text: str, what: str) -> dict[str, Any] | None:
    return _notes(_stem(qualname), notes.name_of([text, what]))


def _write_of(qualname: str, text: str, what: str, found: Mapping[str, Any]) -> None:
    _keep(_stem(qualname), notes.name_of([text, what]), found)


def _notes(stem: str, name: str) -> dict[str, Any] | None:
    return notes.read(_FOLDER, stem, name) if READS else None


def _keep(stem: str, name: str, found: Mapping[str, Any]) -> None:
    # A full disk or a read-only home: the next process finds out again.
    with contextlib.suppress(OSError):
        notes.write(_FOLDER, stem, name, found)


def _as_json(seen: Observed) -> dict[str, Any]:
    places = ((line, text, _described(value)) for (line, text), value in seen.items())
    return {"places": [each for each in places if each[2] is not None]}


def _seen(found: dict[str, Any]) -> Observed:
    return {_place(each): _value(each[2]) for each in found["places"]}


def _stem(qualname: str) -> str:
    return qualname.rpartition(".")[2].strip("<>")


def _site(fields: dict[str, Any]) -> Site:
    level = None if fields["level"] is None else Level(fields["level"])
    return Site(**{**fields, "outcome": Outcome(fields["outcome"]), "level": level})


def _place(found: list[Any]) -> Place:
    return found[0], found[1]


def _described(value: Value) -> list[Any] | None:
    """A value that a run showed as JSON; None for one that has other facts than those."""
    match value:
        case Array(dtype, tuple() as shape, shown=shown) if value == suggested(Array(dtype, shape)):
            return ["array", _dtype(dtype), shape, shown]
        case Scalar(kind, dtype, symbol=symbol) if value == suggested(Scalar(kind, dtype, symbol=symbol)):
            return ["scalar", kind, None if dtype is None else _dtype(dtype), symbol, value.shown]
        case Unknown(why, string=text, listed=listed, mapped=mapped) if value == Unknown(
            why, string=text, listed=listed, mapped=mapped
        ):
            return ["unknown", why, text, listed, mapped]
    return None


def _value(found: list[Any]) -> Value:
    if found[0] == "array":
        shown = None if found[3] is None else tuple(found[3])
        return suggested(Array(_as_dtype(found[1]), tuple(found[2]), shown=shown))
    if found[0] == "unknown":
        return Unknown(found[1], string=found[2], listed=found[3], mapped=found[4])
    dtype = None if found[2] is None else _as_dtype(found[2])
    return suggested(Scalar(found[1], dtype, symbol=found[3], shown=found[4]))


def _dtype(dtype: np.dtype[Any]) -> str:
    """A dtype in NumPy's own words, which tell the fields of records too."""
    return repr(np.lib.format.dtype_to_descr(dtype))


def _as_dtype(text: str) -> np.dtype[Any]:
    return np.lib.format.descr_to_dtype(ast.literal_eval(text))


@functools.cache
def _compared(kind: type) -> tuple[str, ...] | None:
    """The fields that tell instances of a dataclass apart; None for other classes."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(each.name for each in dataclasses.fields(kind) if each.compare)


def coded(value: object) -> Any:
    """A value as text, numbers and lists that are the same in every process."""
    kind: Any = type(value)
    fields = _compared(kind)
    if fields is not None:
        return [kind.__name__, *(coded(getattr(value, name)) for name in fields)]
    match value:
        case None | bool() | str() | int():
            return value
        case frozenset() | set():
            return sorted(repr(coded(each)) for each in value)
        case Mapping():
            return [[coded(key), coded(each)] for key, each in value.items()]
        case tuple() | list():
            return [coded(each) for each in value]
        case np.dtype():
            return _dtype(value)
        case type():
            return f"{value.__module__}.{value.__qualname__}"
        case types.CodeType():
            return [value.co_filename, value.co_qualname, value.co_firstlineno]
    return repr(value)
