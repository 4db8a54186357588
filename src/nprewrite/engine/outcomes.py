"""What the rewriter says of a file: sites, their outcomes, and the text between passes."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nprewrite.base.errors import FAULTS
from nprewrite.passes.level import Level
from nprewrite.types.observed import Place
from nprewrite.types.precision import Precision
from nprewrite.types.values import Value

Given = Mapping[str, Mapping[str, Value]]
"""What calls have shown of parameters, by the function's qualified name and the parameter's name."""


class Outcome(enum.StrEnum):
    """What became of a site."""

    REWRITTEN = "rewritten"
    REFUSED = "refused"
    DEFERRED = "deferred"
    UNUSED = "unused"
    """A comment that suppresses nothing."""


@dataclass(frozen=True)
class Site:
    """One place in the user's file that a pass looked at; line and column count from 1.

    ``level`` is how far the rewrite may move from the original; None where nothing was rewritten.
    """

    line: int
    column: int
    code: str
    pass_name: str
    outcome: Outcome
    message: str
    reason: str | None = None
    help: str | None = None
    level: Level | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Its line and column."""
        return self.line, self.column

    @property
    def verdict(self) -> str:
        """``rewritten``, ``deferred`` or ``refused[reason]``."""
        return f"{self.outcome}[{self.reason}]" if self.reason else str(self.outcome)

    @property
    def explanation(self) -> str:
        """The message, and what would help."""
        return f"{self.message} ({self.help})" if self.help else self.message

    def describe(self, filename: str) -> str:
        """The one line that reports print: place, code, verdict, explanation, what would help."""
        return f"{filename}:{self.line}:{self.column} {self.code} {self.verdict}: {self.explanation}"


@dataclass(frozen=True)
class Watched:
    """A module's text that shows unknown expressions, at some places, to an observer of this name.

    ``lines`` holds, for each line of the text, the user's line that it stands for.
    """

    text: str
    lines: tuple[int, ...]
    places: tuple[Place, ...]
    name: str


@dataclass(frozen=True)
class Stage:
    """The whole text before and after one pass that changed something.

    The origins give, for each line of a text, the line of the user's text that it stands for.
    """

    code: str
    pass_name: str
    before: str
    after: str
    origins_before: tuple[int, ...] = ()
    origins_after: tuple[int, ...] = ()


class Decorated(enum.Enum):
    """What gets the decorator where its array code stays as written: a call will show more than the text."""

    NOTHING = enum.auto()
    LOOPS = enum.auto()
    ARRAY_CODE = enum.auto()


@dataclass(frozen=True)
class Options:
    """What a user may choose; ``select`` and ``ignore`` hold pass codes such as ``NPR101``.

    ``verify`` ("first-call") puts ``@nprewrite.jit(verify=...)`` on functions in place of rewriting them in
    the file; ``on_fallback`` ("warn", "raise") is written into what the rewriting adds. ``precision`` asks
    for single precision, by the decorator too: the types of arguments decide what has to be cast.
    ``decorated`` says what gets the decorator where it stays as written, if all passes run.
    ``paid`` and ``unpaid`` are functions for which the decorator was measured: those get it, these do not.
    """

    level: Level = Level.ROUNDING
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    stop_after: str | None = None
    verify: str | None = None
    on_fallback: str = "warn"
    precision: Precision | None = None
    decorated: Decorated = Decorated.NOTHING
    paid: frozenset[str] = frozenset()
    unpaid: frozenset[str] = frozenset()

    @property
    def leaves_to_the_decorator(self) -> bool:
        """Whether functions that would change get the decorator instead of being rewritten in the file."""
        return self.verify is not None or self.computes_in_single

    @property
    def computes_in_single(self) -> bool:
        """Whether functions shall compute in single precision, which the level allows."""
        return self.precision is not None and self.level is Level.FAST

    @property
    def leaves_array_code(self) -> bool:
        """Whether functions get the decorator: all passes have to run, and at "exact" it does little."""
        chosen = self.select is not None or self.ignore or self.stop_after is not None
        return not chosen and self.level > Level.EXACT and self.decorated is not Decorated.NOTHING

    def runs(self, code: str) -> bool:
        """Whether the pass with this code is selected."""
        return (self.select is None or code in self.select) and code not in self.ignore

    @property
    def jit_arguments(self) -> str:
        """The arguments of ``nprewrite.jit`` that say the same, empty where they are its defaults."""
        given = {
            "level": None if self.level is Level.ROUNDING else self.level.name.lower(),
            "verify": self.verify,
            "on_fallback": None if self.on_fallback == "warn" else self.on_fallback,
        }
        words = [f'{name}="{value}"' for name, value in given.items() if value is not None]
        if self.precision is not None and self.computes_in_single:
            words += self.precision.arguments
        return ", ".join(words)


@dataclass(frozen=True)
class Rewriting:
    """The outcome for one text: ``text`` equals ``source`` when nothing changed."""

    source: str
    text: str
    sites: tuple[Site, ...] = ()
    stages: tuple[Stage, ...] = field(default=())
    origins: tuple[int, ...] = ()
    """For each line of ``text`` the line of ``source`` that it stands for; empty where nothing changed."""
    faults: tuple[str, ...] = ()
    """For each fault of nprewrite, what failed and what stays as written because of it."""

    @property
    def changed(self) -> bool:
        """Whether any byte differs."""
        return self.text != self.source


class InternalError(Exception):
    """A pass failed, or produced text that does not compile: a fault of nprewrite, never of the user.

    ``functions`` are the qualified names of the user's functions without which the rest can be rewritten.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.functions: frozenset[str] = frozenset()


@contextlib.contextmanager
def faults_of(what: str) -> Iterator[None]:
    """Raise ``InternalError`` for a mistake in what is done here: ``what`` names it.

    A ``RecursionError`` comes from deeply nested expressions instead.
    """
    try:
        yield
    except RecursionError:
        raise
    except FAULTS as error:
        raise InternalError(f"{what} failed: {type(error).__name__}: {error}") from error
