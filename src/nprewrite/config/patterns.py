"""The patterns of a ``.gitignore`` file, by the rules of ``man gitignore``.

A pattern is matched against the path itself, never against the directories above it, which were decided on
the way down. Matching them again would let ``!src/`` take back files that another pattern leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_TRAILING_SPACES = re.compile(r"(?<!\\) +$")
_TOKEN = re.compile(
    r"""
      (?P<any_directories> (?:(?<=/)|^)\*\*+/ )   # **/ at the start of a part: no directory or several
    | (?P<everything>      (?:(?<=/)|^)\*\*+$ )   # ** as the last part
    | (?P<stars>           \*+ )
    | (?P<one>             \? )
    | (?P<bracket>         \[ (?P<negation>[!^]?)
                           (?P<members> \]? (?: \[:\w+:\] | \\. | [^\]\\] )* ) \] )
    | (?P<escaped>         \\(?P<character>.) )
    | (?P<unfinished>      [\[\\] )               # an open bracket or a backslash at the end: matches nothing
    | (?P<literal>         . )
    """,
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(
    r"""
      \[:(?P<name>\w+):\]
    | \\?(?P<low>(?<=\\).|[^\\]) (?: - \\?(?P<high>(?<=\\).|[^\\]) )?
    """,
    re.VERBOSE | re.DOTALL,
)
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True)
class Pattern:
    """One line: what it matches, and whether that is left out or included again."""

    expression: re.Pattern[str]
    ignores: bool
    directories_only: bool
    names_only: bool

    def matches(self, path: str, *, directory: bool) -> bool:
        """Whether ``path``, relative to the directory of the file, is meant."""
        if self.directories_only and not directory:
            return False
        subject = path.rpartition("/")[2] if self.names_only else path
        return self.expression.fullmatch(subject) is not None


def parse_patterns(lines: Iterable[str]) -> tuple[Pattern, ...]:
    """The patterns of a file; blank lines, comments and what git cannot read are skipped."""
    return tuple(pattern for line in lines if (pattern := _parse(line)))


def decide(patterns: tuple[Pattern, ...], path: str, *, directory: bool) -> bool | None:
    """Whether ``path`` is left out: the last pattern that matches decides, None when none does."""
    for pattern in reversed(patterns):
        if pattern.matches(path, directory=directory):
            return pattern.ignores
    return None


def _parse(line: str) -> Pattern | None:
    text = _TRAILING_SPACES.sub("", line)
    if text.startswith("#"):
        return None
    negated = text.startswith("!")
    body = text[1:] if negated else text
    directories_only = body.endswith("/")
    body = body.removesuffix("/")
    names_only = "/" not in body
    expression = _translate(body.removeprefix("/"))
    if expression is None:
        return None
    return Pattern(expression, not negated, directories_only, names_only)


def _translate(glob: str) -> re.Pattern[str] | None:
    """The pattern as an expression for the whole path, None when nothing can match it."""
    parts: list[str] = []
    for token in _TOKEN.finditer(glob):
        part = _part(token)
        if part is None:
            return None
        parts.append(part)
    return re.compile("".join(parts), re.DOTALL) if parts else None


def _part(token: re.Match[str]) -> str | None:
    fixed = {"any_directories": "(?:.*/)?", "everything": ".*", "stars": "[^/]*", "one": "[^/]"}
    group = token.lastgroup or "literal"
    if group in fixed:
        return fixed[group]
    if group == "unfinished":
        return None
    if group == "bracket":
        return _bracket(token)
    return re.escape(token["character"] if group == "escaped" else token["literal"])


def _bracket(token: re.Match[str]) -> str | None:
    """A bracket expression, which never matches a slash; None for an unknown character class."""
    members = list(_MEMBER.finditer(token["members"]))
    if any(member["name"] and member["name"] not in _CLASSES for member in members):
        return None
    return f"(?!/)[{'^' if token['negation'] else ''}{''.join(map(_member, members))}]"


def _member(member: re.Match[str]) -> str:
    if member["name"]:
        return _CLASSES[member["name"]]
    low = re.escape(member["low"])
    # From a range that runs backwards git takes the first character.
    if member["high"] is None or member["high"] < member["low"]:
        return low
    return f"{low}-{re.escape(member['high'])}"
