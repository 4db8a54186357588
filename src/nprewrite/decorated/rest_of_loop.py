"""The rest of a loop for names of some types, and who finds out what it is rewritten to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nprewrite.base.tracebacks import part_of
from nprewrite.decorated import kept, turns
from nprewrite.decorated.ahead import Asked, Task
from nprewrite.decorated.building import filename, rest_of
from nprewrite.decorated.deciding_names import is_literal_value
from nprewrite.decorated.rest import Rest
from nprewrite.decorated.signatures import Signature
from nprewrite.decorated.specializations import Specializations
from nprewrite.decorated.versions import Settings, Version
from nprewrite.engine.outcomes import Outcome, Site
from nprewrite.runtime.choosing import budget
from nprewrite.types.observed import Observed
from nprewrite.types.values import Array, Value

_WORTH_REWRITING_S = 0.2
"""A loop that has run for so long is rewritten by another process."""
_SHORT_AXIS = 16
"""The length of an axis up to which it decides what is written: components, directions of a lattice."""


@dataclass(eq=False)
class Home:
    """What holds the loop: a function, or a script, of which ``original`` is any function.

    ``parts`` are what the parameters are called that say over what the rest of a loop runs.
    """

    original: Callable[..., Any]
    text: str
    settings: Settings
    parts: tuple[str, ...]


class RestOfLoop:
    """The rest of a function for names of some types, and who finds out what it is rewritten to."""

    def __init__(
        self,
        home: Home,
        rest: Rest,
        values: Mapping[str, Any],
        owned: frozenset[str],
        seen: Observed,
    ) -> None:
        parts = [each for each in home.parts if each in values]
        self._rest = rest
        self._said = self._said_by(values)
        text = rest.text(home.text, [*values], parts, self._said)
        self._function = rest_of(home.original, text, rest.place.qualname)
        self._specializations = Specializations(self._function, home.settings, text, home.text)
        # No view of the dictionary, which would keep its arrays.
        self._names = tuple(values)
        self._signature = self._signature_of(values, owned)
        self._question = self._specializations.question(self._signature)
        self._seen_here, self._shown = seen, self._specializations.shown_by_callees()
        self._seen = {**seen, **self._shown}
        self._asked: Asked | None = None
        self.version: Version[..., Any] | None = None
        """What it is rewritten to, as far as that is known."""
        self._home = home

    def suits(self, values: Mapping[str, Any], owned: frozenset[str]) -> bool:
        """Whether these are the names that were asked for, with values of the same types.

        Those that stand in the text must be the same values, and functions that it calls be as brief and have
        shown no more.
        """
        if tuple(values) != self._names or self._said_by(values) != self._said:
            return False
        if self._signature_of(values, owned) != self._signature:
            return False
        if self._specializations.shown_by_callees() != self._shown:
            return False
        return self._specializations.functions_read(self._signature) == self._question.own

    @property
    def leaves_out(self) -> bool:
        """Whether it calls functions that are rewritten for calls of their own."""
        return self._specializations.leaves_out

    def saw(self, seen: Observed) -> bool:
        """Whether what the rest reads was the same when it was asked for."""
        return self._seen_here == seen

    @property
    def is_awaited(self) -> bool:
        """Whether another process was asked, and what it found has not been looked at."""
        return self._asked is not None and self.version is None

    def gains(self, elapsed: float) -> bool | None:
        """Whether the rest becomes more than what prepares for other passes; None as long as nobody knows."""
        if self.version is None:
            if kept.is_in_vain(self._question, self._seen):
                return False
            if not self._is_found(elapsed):
                return None
            with budget.current().spending("rewriting"):
                self.version = self._specializations.version_for(self._signature, self._seen)
            if self.version.function is not None:
                code = self.version.function.__code__
                self.version.function.__code__ = part_of(code, code.co_name)
        return self.version.rewriting.changed and not self.version.only_prepared

    def left_as_written(self) -> Iterator[Site]:
        """What was refused, as far as that is known."""
        if self.version is not None:
            yield from (each for each in self.version.rewriting.sites if each.outcome is Outcome.REFUSED)

    def _is_found(self, elapsed: float) -> bool:
        """Whether what the rest becomes is known, or is found out here; else another process is asked."""
        if elapsed == float("inf") or kept.answer(self._question, self._seen) is not None:
            return True
        self.ask(elapsed)
        return self._asked is not None and self._asked.is_over

    def ask(self, elapsed: float) -> None:
        """Have another process find out what the rest becomes, if the loop has run for so long."""
        if self._asked is None and elapsed >= _WORTH_REWRITING_S:
            self._asked = Asked(Task(self._question, filename(self._home.original), self._seen))

    def rewritten(self) -> Callable[..., Any]:
        """The rest as it is rewritten, for a call."""
        assert self.version is not None
        for step in self.version.steps:
            step.takes_turns = turns.ALWAYS is None
        return self.version.function

    def ended(self) -> None:
        """Keep for other processes that it is in vain, if its run has shown so."""
        assert self.version is not None
        if self.version.is_in_vain:
            kept.keep_in_vain(self._question, self._seen)

    def _said_by(self, values: Mapping[str, Any]) -> dict[str, str]:
        """The values that stand in the text of the rest, as they are written there."""
        named = {name: values[name] for name in self._rest.deciding & values.keys()}
        return {name: repr(value) for name, value in named.items() if is_literal_value(value)}

    def _signature_of(self, values: Mapping[str, Any], owned: frozenset[str]) -> Signature:
        """The signature of the only call that will be: short axes count too, and whose memory it is."""
        signature = self._specializations.signature(tuple(values.values()), {})
        assert signature is not None
        known = ((name, _of_one_call(value, name in owned)) for name, value in signature.values)
        return Signature(tuple(known))


def _of_one_call(value: Value, owned: bool) -> Value:
    if not isinstance(value, Array) or value.shown is None or not isinstance(value.shape, tuple):
        return value
    lengths = zip(value.shape, value.shown, strict=True)
    shape = tuple(length if length <= _SHORT_AXIS else symbol for symbol, length in lengths)
    return replace(value, shape=shape, fresh=owned)
