"""Refusals in a user's words: their own names and lines, one sentence for all places with the same reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nprewrite.engine.outcomes import Outcome, Site

NOTHING_HELPS = "nothing to do: "
"""The beginning of help that names a limit and no advice."""
_CODE = re.compile(r"`([^`]*)`")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_LONGEST = 60
_MOST_LINES = 8
_SHORT, _MOST_NAMES = 30, 5


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way on some lines, and what would help; where nothing would, ``limit`` says so."""

    lines: tuple[int, ...]
    message: str
    help: str | None
    limit: str | None

    def __str__(self) -> str:
        if self.help:
            return f"{places(self.lines)}: {self.message}; would help: {self.help}"
        return f"{places(self.lines)}: {self.message}" + (f" ({self.limit})" if self.limit else "")


@dataclass
class Said:
    """Messages that differ only in the code that they quote, and their lines."""

    messages: list[str] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)

    def add(self, message: str, line: int) -> None:
        """Take in one more."""
        self.messages.append(message)
        self.lines.add(line)

    def __str__(self) -> str:
        """The first message, with the names in which the others differ."""
        first, *others = dict.fromkeys(self.messages)
        names = dict.fromkeys(each[1] for message in others if (each := _CODE.search(message)))
        quoted = [f"`{each}`" for each in names if len(each) <= _SHORT]
        if not quoted or len(quoted) > _MOST_NAMES:
            return first
        last = f" and {quoted[-1]}" if len(quoted) > 1 else quoted[-1]
        return f"{first} ({', '.join(quoted[:-1])}{last} alike)"


def alike(message: str) -> str:
    """What messages have in common that differ only in the code that they quote."""
    return _CODE.sub("", message)


def obstacles(sites: Iterable[Site], source: str) -> tuple[Obstacle, ...]:
    """The refusals among the sites, those that can be helped first; ``source`` is the user's text."""
    lines = source.splitlines()
    found: dict[tuple[str | None, str | None, str], Said] = {}
    for site in sites:
        if site.outcome is Outcome.REFUSED:
            message = own_words(site.message, site.line, lines)
            found.setdefault((site.reason, site.help, alike(message)), Said()).add(message, site.line)
    made = [_obstacle(str(said), help_text, said.lines) for (_, help_text, _), said in found.items()]
    return tuple(sorted(made, key=lambda each: (each.help is None, each.lines)))


def _obstacle(said: str, help_text: str | None, found: set[int]) -> Obstacle:
    limit = None
    if help_text and help_text.startswith(NOTHING_HELPS):
        limit = help_text.removeprefix(NOTHING_HELPS)
        help_text = None
    return Obstacle(tuple(sorted(found)), said, help_text, limit)


def own_words(message: str, line: int, lines: list[str]) -> str:
    """The message, with the user's line in place of code that holds names which the user never wrote."""
    known = set(_NAME.findall("\n".join(lines)))
    here = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    here = here if len(here) <= _LONGEST else f"{here[: _LONGEST - 1].rstrip()}…"

    def written(match: re.Match[str]) -> str:
        foreign = set(_NAME.findall(match[1])) - known
        return f"`{here}`" if foreign and here and not match[1].startswith(("np.", "A = np.")) else match[0]

    return " ".join(_CODE.sub(written, message).split())


def places(lines: Iterable[int]) -> str:
    """``line 3``, ``lines 3, 7 and 9``."""
    numbers = [str(each) for each in sorted(set(lines))]
    if len(numbers) > _MOST_LINES:
        return f"lines {', '.join(numbers[: _MOST_LINES - 1])} and {len(numbers) - _MOST_LINES + 1} more"
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"
