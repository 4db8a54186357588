"""Refusals in a user's words: their own names and lines, one sentence for all places with the same reason."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nprewrite.engine.outcomes import Outcome, Site

NOTHING_HELPS = "nothing to do: "
"""The beginning of help that names a limit and no advice."""
_CODE = re.compile(r"`([^`]*)`")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_TWICE = re.compile(r"the (?:d?type) of (`[^`]*`) is not known: (the type of parameter \1 )")
_LONGEST = 60
_MOST_LINES, _FEW = 8, 2
_SHORT, _MOST_NAMES = 30, 5
_OF_PYTHON = {"np", *dir(builtins), *keyword.kwlist}
_OF_THE_LOOP = "loop-not-extracted"
"""The reason of what is refused because its loop is, which has its own."""


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way on some lines, and what would help; where nothing would, ``limit`` says so."""

    lines: tuple[int, ...]
    message: str
    help: str | None
    limit: str | None

    @property
    def said(self) -> str:
        """The message with what would help, or why nothing does."""
        if self.help:
            return f"{self.message}; would help: {self.help}"
        return f"{self.message} ({self.limit})" if self.limit else self.message

    def __str__(self) -> str:
        return f"{places(self.lines)}: {self.said}"


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
    told: dict[tuple[int, str], list[Site]] = {}
    for site in sites:
        if site.outcome is Outcome.REFUSED and not _says_nothing(site, lines):
            told.setdefault((site.line, own_words(site.message, site.line, lines)), []).append(site)
    found: dict[tuple[str | None, str | None, str], Said] = {}
    for (line, message), of_passes in told.items():
        # What several passes say of one place is said once, with what one of them knows to help.
        site = min(of_passes, key=lambda each: _is_limit(each.help))
        found.setdefault((site.reason, site.help, alike(message)), Said()).add(message, line)
    made = [_obstacle(str(said), help_text, said.lines) for (_, help_text, _), said in found.items()]
    return tuple(sorted(made, key=lambda each: (each.help is None, each.lines)))


def _says_nothing(site: Site, lines: list[str]) -> bool:
    """Whether a refusal is told with its loop, or is of a statement that only returns what was computed."""
    here = lines[site.line - 1].strip() if site.line <= len(lines) else ""
    return site.reason == _OF_THE_LOOP or (site.reason == "not-array-code" and here.startswith("return"))


def _is_limit(help_text: str | None) -> bool:
    return help_text is None or help_text.startswith(NOTHING_HELPS)


def _obstacle(said: str, help_text: str | None, found: set[int]) -> Obstacle:
    lines = tuple(sorted(found))
    if help_text is None or not _is_limit(help_text):
        return Obstacle(lines, said, help_text, None)
    return Obstacle(lines, said, None, help_text.removeprefix(NOTHING_HELPS))


def own_words(message: str, line: int, lines: list[str]) -> str:
    """The message in names that the user wrote; code that has others becomes the user's line."""
    known = set(_NAME.findall("\n".join(lines))) | _OF_PYTHON
    here = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    here = here if len(here) <= _LONGEST else f"{here[: _LONGEST - 1].rstrip()}…"

    def written(match: re.Match[str]) -> str:
        if "..." in match[1]:
            return match[0]
        own = {name: _own_name(name, known) for name in _NAME.findall(match[1])}
        if all(own.values()):
            return f"`{_NAME.sub(lambda name: own[name[0]] or name[0], match[1])}`"
        # The head of a statement says nothing of what is computed in it.
        return "what it computes" if here.endswith(":") else f"`{here}`" if here else match[0]

    return _TWICE.sub(r"\2", " ".join(_CODE.sub(written, message).split()))


def _own_name(name: str, known: set[str]) -> str | None:
    """The user's name that another was made from: ``x`` of ``x_2``, and of ``f_x`` where ``f`` is inlined."""
    if name in known:
        return name
    head, _, tail = name.rpartition("_")
    if tail.isdecimal():
        return _own_name(head, known) if head else None
    heads = [place for place, letter in enumerate(name) if letter == "_" and name[:place] in known]
    return next((own for place in heads if (own := _own_name(name[place + 1 :], known))), None)


def places(lines: Iterable[int]) -> str:
    """``line 3``, ``lines 3, 7 to 9 and 12``."""
    runs: list[list[int]] = []
    for each in sorted(set(lines)):
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    numbers = [
        word
        for run in runs
        for word in ([f"{run[0]} to {run[-1]}"] if len(run) > _FEW else [str(each) for each in run])
    ]
    if len(numbers) > _MOST_LINES:
        return f"lines {', '.join(numbers[: _MOST_LINES - 1])} and {len(numbers) - _MOST_LINES + 1} more"
    if len(numbers) == 1 and "to" in numbers[0]:
        return f"lines {numbers[0]}"
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"
