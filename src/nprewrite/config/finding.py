"""Which configuration holds for a file: that of the nearest pyproject.toml with ``[tool.nprewrite]``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from nprewrite.config.settings import Configuration, ConfigurationProblem

NAME = "pyproject.toml"
_OF_PRECISION = ("accumulate", "keep_output_dtype", "keep_float64")


@dataclass(frozen=True)
class Chosen:
    """What was chosen by hand, which overrides any file; None where nothing was."""

    level: str | None = None
    select: frozenset[str] | None = None
    ignore: frozenset[str] | None = None
    verify: str | None = None
    on_fallback: str | None = None
    precision: str | None = None
    accumulate: str | None = None
    keep_output_dtype: bool | None = None
    keep_float64: tuple[str, ...] | None = None

    def over(self, found: Configuration) -> Configuration:
        """The configuration overridden by what was chosen.

        Raises ConfigurationProblem for settings of a precision that neither asks for.
        """
        chosen = {name: value for name, value in vars(self).items() if value is not None}
        made = replace(found, **chosen)
        idle = [name.replace("_", "-") for name in _OF_PRECISION if name in chosen]
        if idle and made.precision is None:
            raise ConfigurationProblem(", ".join(idle), None, 'no effect without precision = "float32"')
        return made


@dataclass
class Configurations:
    """The configuration of each file.

    ``file``, if given, holds for all of them; with ``isolated`` no configuration file is read.
    """

    chosen: Chosen = Chosen()
    file: str | None = None
    isolated: bool = False
    _found: dict[str, Configuration] = field(default_factory=dict)

    def of(self, path: str) -> Configuration:
        """What holds for the file, or the folder, ``path``. Raises ConfigurationProblem."""
        absolute = os.path.realpath(path)
        return self._inside(absolute if os.path.isdir(absolute) else os.path.dirname(absolute))

    @property
    def ask_for_more_than_speed(self) -> bool:
        """Whether a setting of a file read so far changes more than how fast a program runs."""
        read = (self.chosen.over(Configuration()), *self._found.values())
        return any(each.precision or each.verify or each.on_fallback == "raise" for each in read)

    def _inside(self, folder: str) -> Configuration:
        if folder not in self._found:
            self._found[folder] = self._read(folder)
        return self._found[folder]

    def _read(self, folder: str) -> Configuration:
        if self.isolated:
            return self.chosen.over(Configuration())
        if self.file is not None:
            found = _read(self.file)
            if found is None:
                raise ConfigurationProblem(self.file, None, "it has no [tool.nprewrite]")
            return self.chosen.over(found)
        here = os.path.join(folder, NAME)
        found = _read(here) if os.path.isfile(here) else None
        if found is not None:
            return self.chosen.over(found)
        above = os.path.dirname(folder)
        return self.chosen.over(Configuration()) if above == folder else self._inside(above)


def _read(file: str) -> Configuration | None:
    # Imported only where there is a file: most commands start without one.
    from nprewrite.config.reading import read

    return read(file)
