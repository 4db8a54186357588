"""The program of ``run`` and ``profile``: a script, or a module with ``-m``, and its arguments."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from nprewrite.cli.options import Command, choosing, with_options
from nprewrite.config import Configurations

if TYPE_CHECKING:
    from nprewrite.loading.program import Program

LAYOUT: dict[str, Any] = {
    "options_metavar": "[OPTIONS] [-m]",
    "context_settings": {"allow_interspersed_args": False},
}
"""What click is told, so that all that follows the program's name is the program's."""

_PARAMETERS = (
    click.argument("program", metavar="PROGRAM [ARGUMENTS]...", required=False),
    click.argument("words", nargs=-1, metavar="", type=click.UNPROCESSED),
    click.option("-m", "module", is_flag=True, help="PROGRAM is the name of a module, not a file"),
)


@dataclass(frozen=True)
class Named:
    """A program as a command line names it."""

    name: str
    module: bool
    arguments: tuple[str, ...]
    configurations: Configurations

    def program(
        self,
        configurations: Configurations | None = None,
        packages: tuple[str, ...] | None = None,
        *,
        as_written: bool = False,
    ) -> Program:
        """What to run."""
        from nprewrite.loading.program import Program

        chosen = configurations or self.configurations
        return Program(self.name, self.module, self.arguments, packages, chosen, as_written)

    def command(self, *before: str) -> str:
        """The command line that runs it with other words before its name."""
        return shlex.join([*before, *(["-m"] if self.module else []), self.name, *self.arguments])


def naming_a_program(command: Command) -> Command:
    """Give a command PROGRAM, its arguments, -m, and the options that choose passes, as ``named``."""

    @wraps(command)
    def with_named(
        *,
        program: str | None,
        words: tuple[str, ...],
        module: bool,
        configurations: Configurations,
        **others: Any,
    ) -> Any:
        if program is None:
            raise click.UsageError(
                "name a module behind -m" if module else "name a script, or a module with -m"
            )
        return command(named=Named(program, module, words, configurations), **others)

    return with_options(choosing(with_named), _PARAMETERS)
