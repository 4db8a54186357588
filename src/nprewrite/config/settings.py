"""The settings of one configuration file, and what they say of a file below it."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

from nprewrite.config.patterns import Pattern, decide
from nprewrite.config.selection import selected

if TYPE_CHECKING:
    from nprewrite.engine.outcomes import Options

LevelName = Literal["exact", "rounding", "fast"]
Verify = Literal["first-call"]
OnFallback = Literal["warn", "raise"]
PrecisionName = Literal["float32"]
Accumulate = Literal["float64", "float32"]

LEVELS: tuple[str, ...] = get_args(LevelName)
VERIFY: tuple[str, ...] = get_args(Verify)
ON_FALLBACK: tuple[str, ...] = get_args(OnFallback)
PRECISIONS: tuple[str, ...] = get_args(PrecisionName)
ACCUMULATE: tuple[str, ...] = get_args(Accumulate)


class ConfigurationProblem(Exception):
    """A configuration that cannot be used; ``str()`` is ``file:line: why``."""

    def __init__(self, file: str, line: int | None, message: str) -> None:
        place = f"{file}:{line}" if line is not None else file
        super().__init__(f"{place}: {message}")


@dataclass(frozen=True)
class Globs:
    """Patterns as in a ``.gitignore`` file, as written and as parsed."""

    words: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    def match(self, path: str) -> bool:
        """Whether ``path``, relative to the folder of the configuration, or a folder above it is meant."""
        parts = path.split("/")
        folders = ("/".join(parts[:count]) for count in range(1, len(parts)))
        if any(decide(self.patterns, folder, directory=True) for folder in folders):
            return True
        return bool(decide(self.patterns, path, directory=False))


@dataclass(frozen=True)
class Choices:
    """What holds for one file: `Options` in plain values, which need no rewriter."""

    level: str = "rounding"
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    verify: str | None = None
    on_fallback: str = "warn"
    precision: str | None = None
    accumulate: str = "float64"
    keep_output_dtype: bool = False
    keep_float64: tuple[str, ...] = ()

    @property
    def leave_it_to_calls(self) -> bool:
        """Whether a program may run as written until its calls have shown what it is to be rewritten to."""
        chosen = self.select is not None or self.ignore or self.verify or self.precision
        return not chosen and self.level != "exact" and self.on_fallback != "raise"

    def options(self, stop_after: str | None = None) -> Options:
        """What the passes are told."""
        # The rewriter, and NumPy with it, is imported only when a file needs it.
        from nprewrite.engine.outcomes import Options
        from nprewrite.passes.level import Level
        from nprewrite.types.precision import Precision

        select, ignore = selected(self.select, self.ignore)
        asked = Precision(self.accumulate, self.keep_output_dtype, frozenset(self.keep_float64))
        return Options(
            level=Level[self.level.upper()],
            select=select,
            ignore=ignore,
            stop_after=stop_after,
            verify=self.verify,
            on_fallback=self.on_fallback,
            precision=None if self.precision is None else asked,
        )


@dataclass(frozen=True)
class Configuration(Choices):
    """What one configuration file sets; the defaults where there is none. ``file`` is its path."""

    file: str | None = None
    per_file_ignores: tuple[tuple[Globs, frozenset[str]], ...] = ()
    exclude: Globs = Globs()
    packages: tuple[str, ...] = ()

    def excludes(self, path: str) -> bool:
        """Whether the file ``path`` is left out."""
        relative = self._relative(path)
        return relative is not None and self.exclude.match(relative)

    def choices(self, path: str | None) -> Choices:
        """What holds for the file ``path``, or for a text without a file."""
        own = {each.name: getattr(self, each.name) for each in fields(Choices)}
        return Choices(**{**own, "ignore": self.ignore | self._ignored_in(path)})

    def _ignored_in(self, path: str | None) -> frozenset[str]:
        relative = self._relative(path) if path is not None else None
        if relative is None:
            return frozenset()
        return frozenset().union(*(codes for globs, codes in self.per_file_ignores if globs.match(relative)))

    def _relative(self, path: str) -> str | None:
        """The path below the folder of the configuration; None where it lies elsewhere."""
        if self.file is None:
            return None
        relative = os.path.relpath(os.path.realpath(path), os.path.dirname(os.path.realpath(self.file)))
        inside = not os.path.isabs(relative) and relative.split(os.sep)[0] != os.pardir
        return relative.replace(os.sep, "/") if inside else None
