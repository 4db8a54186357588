"""The calls of one function that a program made, and what they tell about its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from nprewrite.types.values import Array, Scalar, Unknown, Value, may_be_array

_WORTH = 0.9
"""What takes more than this part of the time as written has not paid."""


@dataclass(frozen=True)
class Passed:
    """One type of an argument: its name for a report, and what the passes can know of it, if anything."""

    word: str
    value: Value | None


@dataclass(frozen=True)
class Trial:
    """The seconds of a function, or of a program, as written and as nprewrite makes it."""

    original: float
    rewritten: float

    @property
    def gain(self) -> float:
        """The seconds that are saved; negative where it takes longer."""
        return self.original - self.rewritten

    @property
    def paid(self) -> bool:
        """Whether it takes clearly less time than as written."""
        return self.rewritten < _WORTH * self.original


@dataclass(frozen=True)
class Seen:
    """The calls of the function ``name`` of the file ``path``: how many, and the types by parameter.

    ``trial`` are the seconds that all of them take without and with the decorator, where that was tried.
    """

    path: str
    name: str
    calls: int
    parameters: Mapping[str, tuple[Passed, ...]]
    trial: Trial | None = None

    def __str__(self) -> str:
        count = "1 call" if self.calls == 1 else f"{self.calls} calls"
        types = ", ".join(f"{name}: {' or '.join(words)}" for name, words in self.words().items())
        return f"observed {count} of {self.name}({types}){self._measured()}"

    def _measured(self) -> str:
        if self.trial is None:
            return ""
        verdict = "it gets the decorator" if self.trial.paid else "it gets no decorator"
        return f": {self.trial.original:.2g} s, decorated {self.trial.rewritten:.2g} s, so {verdict}"

    def words(self) -> dict[str, list[str]]:
        """The types of the arguments in a user's terms, by parameter."""
        return {name: [each.word for each in passed] for name, passed in self.parameters.items()}

    def given(self) -> dict[str, Value]:
        """What the calls suggest about the parameters; unknown where they disagree."""
        known = {name: _suggested(name, passed) for name, passed in self.parameters.items()}
        return {name: value for name, value in known.items() if value is not None}


def given_of(seen: Iterable[Seen]) -> dict[str, dict[str, dict[str, Value]]]:
    """What is known of the parameters, by file and qualified name of the function."""
    found: dict[str, dict[str, dict[str, Value]]] = {}
    for each in seen:
        found.setdefault(each.path, {})[each.name] = each.given()
    return found


def _suggested(name: str, passed: tuple[Passed, ...]) -> Value | None:
    """A suggestion only: what the next call passes may differ, and the guards of a step check it."""
    if len(passed) > 1:
        words = " and as ".join(each.word for each in passed)
        array = any(may_be_array(each.value) for each in passed)
        return Unknown(f"calls pass `{name}` as {words}", parameter=name, array=array)
    value = passed[0].value
    if isinstance(value, Scalar):
        return replace(value, proven=False)
    return replace(value, assumed=True) if isinstance(value, Array) else value
