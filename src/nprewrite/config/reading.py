"""Reading ``[tool.nprewrite]``: an unknown key, or a value of another type, is reported with its line."""

from __future__ import annotations

from typing import Any

import msgspec

from nprewrite.config.patterns import parse_patterns
from nprewrite.config.selection import UnknownPass, codes_of
from nprewrite.config.settings import Configuration, ConfigurationProblem, Globs
from nprewrite.config.table import FIELDS

_TABLE = ("tool", "nprewrite")
_WORDS = tuple[str, ...]


def read(file: str) -> Configuration | None:
    """The configuration in ``file``; None where it has no ``[tool.nprewrite]``.

    Raises ConfigurationProblem for a file that cannot be read, that is not TOML, or that sets something
    unknown or of another type.
    """
    text = _text(file)
    if "nprewrite" not in text:
        return None
    # Imported here because every command reads its configuration, and few projects have a table.
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationProblem(file, None, f"this is no TOML: {error}") from error
    table = _under(document, _TABLE)
    return None if table is None else _Table(file, text, table).configuration()


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", newline="") as stream:
            return stream.read()
    except OSError as error:
        raise ConfigurationProblem(file, None, f"it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationProblem(file, None, "it is not UTF-8") from error


def _under(document: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if not isinstance(document, dict) or key not in document:
            return None
        document = document[key]
    return document


class _Table:
    """The table of one file, read key by key."""

    def __init__(self, file: str, text: str, table: Any) -> None:
        self._file = file
        self._text = text
        self._table = table

    def configuration(self) -> Configuration:
        if not isinstance(self._table, dict):
            raise self._wrong((), "tool.nprewrite has to be a table")
        for key in self._table:
            if key not in FIELDS:
                raise self._unknown(key)
        found = {FIELDS[key].name: self._setting(key, value) for key, value in self._table.items()}
        return Configuration(file=self._file, **found)

    def _setting(self, key: str, value: Any) -> Any:
        """The value as the configuration has it."""
        if key == "per-file-ignores":
            return self._per_file(key, value)
        read = self._converted((key,), value, FIELDS[key].type)
        if key in ("select", "ignore"):
            return self._codes((key,), read)
        return self._globs((key,), read) if key == "exclude" else read

    def _converted(self, keys: tuple[str, ...], value: Any, wanted: Any) -> Any:
        try:
            return msgspec.convert(value, wanted)
        except msgspec.ValidationError as error:
            message = f"{keys[-1]} has to be {_description(wanted)}, not {_shown(value)}"
            raise self._wrong(keys, message) from error

    def _codes(self, keys: tuple[str, ...], words: tuple[str, ...]) -> frozenset[str]:
        try:
            return codes_of(words)
        except UnknownPass as error:
            raise self._wrong(keys, f"{keys[0]}: {error}") from error

    def _per_file(self, key: str, value: Any) -> tuple[tuple[Globs, frozenset[str]], ...]:
        if not isinstance(value, dict):
            raise self._wrong((key,), f"{key} has to be a table of lists of codes, not {_shown(value)}")
        return tuple(
            (
                self._globs((key, glob), (glob,)),
                self._codes((key, glob), self._converted((key, glob), codes, _WORDS)),
            )
            for glob, codes in value.items()
        )

    def _globs(self, keys: tuple[str, ...], words: tuple[str, ...]) -> Globs:
        for word in words:
            if not parse_patterns([word]):
                raise self._wrong(keys, f"{keys[0]}: {word!r} is not a pattern that could match a path")
        return Globs(words, parse_patterns(words))

    def _unknown(self, key: str) -> ConfigurationProblem:
        import difflib

        near = difflib.get_close_matches(key, FIELDS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(FIELDS)}"
        return self._wrong((key,), f"unknown key {key!r}; {hint}")

    def _wrong(self, keys: tuple[str, ...], message: str) -> ConfigurationProblem:
        return ConfigurationProblem(self._file, _line_of(self._text, (*_TABLE, *keys)), message)


def _line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """The line on which a key starts: the text above it parses and lacks the key."""
    import tomllib

    lines = text.replace("\r\n", "\n").split("\n")
    start = 1
    for count in range(1, len(lines) + 1):
        try:
            document = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if _under(document, keys) is not None:
            return start
        start = count + 1
    return None


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _description(wanted: Any) -> str:
    """What a value has to be, from the schema of its type."""
    found = msgspec.json.schema(wanted)
    if "enum" in found:
        return " or ".join(f'"{each}"' for each in found["enum"])
    return "true or false" if found["type"] == "boolean" else "a list of strings"
